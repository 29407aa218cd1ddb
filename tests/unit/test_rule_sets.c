// Rule sets of the library: mlin-2019 chooses what the published priorities say (a table made by an
// implementation of its own, tests/knowledge/mlin.py); facts that must and must not hold in
// positions chosen for them (tests/knowledge/facts.table); what a position is worth does not change
// in the mirror, and what one player gains the other loses.
#include "base/file.h"
#include "base/rng.h"
#include "game/mirror.h"
#include "game/movetext.h"
#include "game/statetext.h"
#include "knowledge/knowledge.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STATES 60 // random positions of each game
#define PLIES 120 // of a random game
#define BEST 64   // moves that are best in a position of the table
#define PARTS 16  // of a line of a table
#define PARAMS 4

typedef struct Bench {
    Game *game;
    Runner *runner;
    Knowledge *k;
    Reasoner *reasoner;
    Move moves[4096];
    uint64_t state[IR_MAX_STATE / 8], after[IR_MAX_STATE / 8];
} Bench;

// `game` is a name and perhaps parameters, with blanks between; `rules` NULL: the game's own.
static Bench *bench_new(const char *game, const char *rules) {
    Bench *b = calloc(1, sizeof *b);
    char text[200], *save = NULL;
    const char *params[PARAMS];
    int count = 0;
    assert_non_null(b);
    snprintf(text, sizeof text, "%s", game);
    char *name = strtok_r(text, " ", &save);
    for (char *p; count < PARAMS && (p = strtok_r(NULL, " ", &save)) != NULL;)
        params[count++] = p;
    Diags diags = {0};
    b->game = game_load(name, params, count, &diags);
    assert_non_null(b->game);
    b->runner = runner_new(b->game);
    b->k = rules ? knowledge_load(b->game, rules, &diags) : knowledge_own(b->game);
    assert_non_null(b->k);
    b->reasoner = reasoner_new(b->k);
    assert_non_null(b->reasoner);
    diag_free(&diags);
    return b;
}

static void bench_free(Bench *b) {
    reasoner_free(b->reasoner);
    knowledge_free(b->k);
    runner_free(b->runner);
    game_free(b->game);
    free(b);
}

static void read_state(Bench *b, const char *text) {
    Text error = {0};
    if (!state_read(b->game, text, (uint8_t *)b->state, &error))
        fail_msg("%s: %s", text, text_c(&error));
    text_free(&error);
}

// --- tables: lines of parts between `|` ---

typedef void (*UseLine)(char **part, int parts, void *with);

static void trim(char **part) {
    while (**part == ' ')
        ++*part;
    for (char *end = *part + strlen(*part); end > *part && end[-1] == ' ';)
        *--end = '\0';
}

static int for_lines(const char *path, UseLine use, void *with) {
    FILE *file = fopen(path, "r");
    char line[4000];
    int lines = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!*line || *line == '#')
            continue;
        char *part[PARTS], *save = NULL;
        int parts = 0;
        for (char *p = strtok_r(line, "|", &save); p && parts < PARTS;
             p = strtok_r(NULL, "|", &save)) {
            part[parts] = p;
            trim(&part[parts++]);
        }
        use(part, parts, with);
        lines++;
    }
    fclose(file);
    return lines;
}

// --- mlin-2019 ---

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void check_choice(char **part, int parts, void *with) {
    Bench *b = with;
    uint8_t *state = (uint8_t *)b->state, *after = (uint8_t *)b->after;
    char *best[BEST];
    int found = 0;
    int64_t most = -1;
    const Move *moves;
    assert_int_equal(parts, 2);
    read_state(b, part[0]);
    int count = runner_moves(b->runner, state, &moves);
    assert_in_range(count, 1, (int)(sizeof b->moves / sizeof b->moves[0]));
    memcpy(b->moves, moves, (size_t)count * sizeof *moves);
    for (int i = 0; i < count; i++) {
        assert_true(runner_apply(b->runner, state, b->moves[i], after));
        int64_t priority = reasoner_priority(b->reasoner, state, b->moves[i], after);
        if (priority > most) {
            while (found > 0)
                free(best[--found]);
            most = priority;
        }
        if (priority == most && found < BEST) {
            Text text = {0};
            assert_true(move_text(b->runner, state, b->moves[i], &text));
            best[found++] = strdup(text_c(&text));
            text_free(&text);
        }
    }
    qsort(best, (size_t)found, sizeof best[0], by_text);
    Text all = {0};
    for (int i = 0; i < found; i++) {
        text_f(&all, "%s%s", i ? " " : "", best[i]);
        free(best[i]);
    }
    if (strcmp(text_c(&all), part[1]) != 0)
        fail_msg("%s: mlin-2019 chooses %s, not %s", part[0], text_c(&all), part[1]);
    text_free(&all);
}

static void mlin_chooses_as_published(void **s) {
    (void)s;
    Bench *b = bench_new("mill", "mlin-2019");
    assert_int_equal(for_lines("tests/knowledge/mlin-2019.table", check_choice, b), 4 * 30);
    bench_free(b);
}

// --- facts ---

static bool holds(Bench *b, const Relations *found, const char *wanted) {
    const IrKnowledge *ir = knowledge_ir(b->k);
    bool named = false, seen = false;
    for (int n = 0; n < ir->relations && !seen; n++) {
        size_t length = strlen(ir->relation[n].name);
        if (strncmp(ir->relation[n].name, wanted, length) != 0 ||
            (wanted[length] != '(' && wanted[length] != '\0'))
            continue;
        named = true;
        for (int i = 0; i < ir->relation[n].tuples && !seen; i++) {
            Text text = {0};
            if (found->bits[n][i / 64] >> (i % 64) & 1) {
                knowledge_tuple_text(b->k, n, i, &text);
                seen = strcmp(text_c(&text), wanted) == 0;
            }
            text_free(&text);
        }
    }
    if (!named)
        fail_msg("there is no fact or rule `%s`", wanted);
    return seen;
}

static void check_facts(char **part, int parts, void *with) {
    (void)with;
    assert_true(parts > 2);
    Bench *b = bench_new(part[0], NULL);
    read_state(b, part[1]);
    const Relations *found = reasoner_conclude(b->reasoner, (uint8_t *)b->state,
                                               game_player(b->game, (uint8_t *)b->state));
    assert_non_null(found);
    for (int i = 2; i < parts; i++) {
        bool no = strncmp(part[i], "not ", 4) == 0;
        if (holds(b, found, part[i] + (no ? 4 : 0)) == no)
            fail_msg("%s %s: %s is wrong", part[0], part[1], part[i]);
    }
    bench_free(b);
}

static void facts_of_positions(void **s) {
    (void)s;
    assert_in_range(for_lines("tests/knowledge/facts.table", check_facts, NULL), 9 * 3, 1000);
}

// --- worth ---

// In which mirrors a position is worth the same: those that the rules declare, all ways to turn the
// board, or none. With the players exchanged the position is worth the same to the other player:
// as it lies, or after half a turn.
typedef enum Ways { DECLARED, ALL } Ways;
typedef enum Exchange { NEVER, LYING, HALF_TURN } Exchange;

static const struct {
    const char *game;
    Ways ways;
    Exchange exchange;
    bool zero_sum;
} judged[] = {
    {"byte", ALL, LYING, true},
    {"mill", ALL, LYING, true},
    {"domineering rows=6 columns=7", ALL, NEVER, true},
    {"skirmish rocks=3", DECLARED, NEVER, false},
    {"reversi", ALL, LYING, true},
    {"connect-four", DECLARED, NEVER, true},
    {"alquerque", ALL, LYING, true},
    {"english-draughts", DECLARED, HALF_TURN, true},
    {"hex size=6", DECLARED, NEVER, true},
};

static bool is_half_turn(const Board *board, const Mirror *m) {
    for (int c = 0; c < board->cells; c++)
        if (m->cell[c] != board->cells - 1 - c)
            return false;
    return true;
}

static void same_in_mirror(Bench *b, const Mirror *m, bool exchange) {
    Mirror mirror = *m;
    const uint8_t *state = (uint8_t *)b->state;
    uint8_t *other = (uint8_t *)b->after;
    mirror.exchange = exchange;
    assert_true(mirror_state(b->game, &mirror, state, other));
    for (int me = 0; me < 2; me++) {
        int64_t here = reasoner_worth(b->reasoner, state, me);
        assert_int_equal(here, reasoner_worth(b->reasoner, other, exchange ? 1 - me : me));
    }
}

static void check_worth(Bench *b, int row) {
    const Board *board = b->game->ir->board;
    static Mirror mirrors[MIRROR_MOST];
    int count = mirror_list(board, mirrors);
    assert_true(count > 0);
    if (judged[row].zero_sum)
        assert_int_equal(reasoner_worth(b->reasoner, (uint8_t *)b->state, 0),
                         -reasoner_worth(b->reasoner, (uint8_t *)b->state, 1));
    for (int i = 0; i < board->symmetries; i++) {
        Mirror m = mirror_declared(board, i);
        same_in_mirror(b, &m, false);
    }
    for (int i = 0; i < count; i++) {
        if (judged[row].ways == ALL)
            same_in_mirror(b, &mirrors[i], false);
        if (judged[row].exchange == (is_half_turn(board, &mirrors[i]) ? HALF_TURN : LYING) &&
            (judged[row].exchange == HALF_TURN || i == 0))
            same_in_mirror(b, &mirrors[i], true);
    }
}

static void worth_is_fair(void **s) {
    (void)s;
    for (size_t row = 0; row < sizeof judged / sizeof judged[0]; row++) {
        Bench *b = bench_new(judged[row].game, NULL);
        size_t size = (size_t)game_state_size(b->game);
        Rng rng;
        Text why = {0};
        rng_seed(&rng, row);
        // Without machine code fewer states; sanitized, that takes the compiler minutes.
        bool native = !SANITIZED_ADDRESS && knowledge_use(b->k, BACKEND_NATIVE, &why);
        memcpy(b->state, b->game->start, size);
        for (int i = 0, ply = 0; i < (native ? STATES : STATES / 10); i++, ply++) {
            Move move;
            if (ply == PLIES ||
                runner_random(b->runner, (uint8_t *)b->state, rng_next(&rng), &move) != 1) {
                memcpy(b->state, b->game->start, size);
                ply = 0;
                continue;
            }
            assert_true(runner_apply(b->runner, (uint8_t *)b->state, move, (uint8_t *)b->state));
            check_worth(b, (int)row);
        }
        text_free(&why);
        bench_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mlin_chooses_as_published),
        cmocka_unit_test(facts_of_positions),
        cmocka_unit_test(worth_is_fair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
