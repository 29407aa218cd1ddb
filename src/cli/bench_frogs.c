// bench --s3-frogs: Frogs solved thousands of times by depth-first search.
//
// A thesis of 2017 let the S3Games program do this with rules in the form from/to/condition and
// in the form toLocations, to show what the second form saves. Here are both again.
#include "cli/bench_frogs.h"

#include "base/now.h"
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#define FROGS_GAMES 10000 // as often as the thesis did
// A search that is deeper is none of this puzzle: every way is shorter than 16 moves.
#define FROGS_DEPTH 64
// Slots of the table of visited positions; there are 72.
#define FROGS_SLOTS 1024
#define FROGS_MOVES 16 // in one position

static const struct FrogsForm {
    const char *game;    // in the library
    const char *rules;   // what is special about it
    double published_ms; // for FROGS_GAMES games
} forms[] = {
    {"s3-frogs-classic", "from, to, condition", 1064744},
    {"s3-frogs", "toLocations", 899010},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

typedef struct Solver {
    Runner *runner;
    uint8_t *states; // one per depth
    struct SolverLevel {
        Move moves[FROGS_MOVES];
        int count, next;
    } level[FROGS_DEPTH + 1];
    struct SolverSlot {
        uint64_t key;
        int game; // of the search that visited it; others left it behind
    } slot[FROGS_SLOTS];
    int game;          // 1, 2, 3...
    int slots;         // taken in this game
    const char *wrong; // NULL, or why the search gave up
} Solver;

// Whether a position is new in this game; it is not from then on.
static bool visit(Solver *s, uint64_t key) {
    uint64_t i = key % FROGS_SLOTS;
    while (s->slot[i].game == s->game && s->slot[i].key != key)
        i = (i + 1) % FROGS_SLOTS;
    if (s->slot[i].game == s->game)
        return false;
    if (s->slots == FROGS_SLOTS - 1) {
        s->wrong = "the puzzle has too many positions";
        return false;
    }
    s->slot[i] = (struct SolverSlot){key, s->game};
    s->slots++;
    return true;
}

static bool open_level(Solver *s, int depth, const uint8_t *state) {
    struct SolverLevel *level = &s->level[depth];
    const Move *moves;
    level->next = 0;
    level->count = runner_moves(s->runner, state, &moves);
    if (level->count < 0)
        s->wrong = runner_error(s->runner);
    else if (level->count > FROGS_MOVES || depth == FROGS_DEPTH)
        s->wrong = "the puzzle is too large";
    else if (level->count > 0)
        memcpy(level->moves, moves, sizeof *moves * (size_t)level->count);
    return !s->wrong;
}

// The number of moves of the first solution; -1 if there is none (or s->wrong).
static int solve(Solver *s, const uint8_t *start) {
    const Game *g = runner_game(s->runner);
    size_t size = (size_t)game_state_size(g);
    s->game++;
    s->slots = 0;
    memcpy(s->states, start, size);
    visit(s, game_hash(g, start));
    if (!open_level(s, 0, start))
        return -1;
    for (int depth = 0; depth >= 0;) {
        struct SolverLevel *level = &s->level[depth];
        if (level->next == level->count) {
            depth--;
            continue;
        }
        uint8_t *here = s->states + (size_t)depth * size, *there = here + size;
        if (!runner_apply(s->runner, here, level->moves[level->next++], there)) {
            s->wrong = runner_error(s->runner);
            return -1;
        }
        // The rules' own end stands in the state; a frog that is stuck has no moves below.
        if (there[g->ir->layout.result] & ~RESULT_OVER)
            return depth + 1;
        if (visit(s, game_hash(g, there)) && !open_level(s, ++depth, there))
            return -1;
        if (s->wrong)
            return -1;
    }
    return -1;
}

// How many games were solved before an interrupt; -1 if there is no solution.
static int64_t solve_all(Solver *s, const uint8_t *start, int64_t games, int *moves) {
    int64_t done = 0;
    for (; done < games && !cli_interrupted(); done++) {
        *moves = solve(s, start);
        if (*moves < 0)
            return -1;
    }
    return done;
}

static void print_form(const struct FrogsForm *form, double ms, int moves, int64_t games, bool json,
                       Text *out) {
    // The published time is for its own number of games.
    double published = form->published_ms * (double)games / FROGS_GAMES;
    if (json)
        text_f(out,
               "%s{\"game\":\"%s\",\"games\":%lld,\"moves\":%d,\"ms\":%.3f,"
               "\"published_ms\":%.0f,\"times\":%.0f}",
               form == forms ? "" : ",\n ", form->game, (long long)games, moves, ms, published,
               published / ms);
    else
        text_f(out, "%-20s %6d %12.1f %14.0f %10.0f\n", form->rules, moves, ms, published,
               published / ms);
    cli_print(out);
}

static int bench_form(const Cli *cli, const struct FrogsForm *form, int64_t games, Text *out) {
    Desk t;
    int status = desk_open_game(cli, form->game, NULL, 0, &t);
    if (status == EXIT_OK)
        status = desk_backend(cli, &t, BACKEND_NATIVE);
    Solver *s = mem_alloc(sizeof *s);
    size_t size = t.game ? (size_t)game_state_size(t.game) : 0;
    uint8_t *states = mem_alloc(size * (FROGS_DEPTH + 1) + 1);
    if (status == EXIT_OK && (!s || !states))
        status = cli_error("out of memory");
    if (status == EXIT_OK) {
        *s = (Solver){.runner = t.runner, .states = states};
        int moves = 0;
        double start = now_seconds();
        int64_t done = solve_all(s, t.start, games, &moves);
        double ms = 1000 * (now_seconds() - start);
        if (done > 0)
            print_form(form, ms, moves, done, cli->option[OPT_JSON], out);
        if (done < 0)
            status = cli_error("%s: %s", form->game, s->wrong ? s->wrong : "there is no solution");
        else if (done < games)
            cli_error("stopped after %lld of %lld games", (long long)done, (long long)games);
    }
    mem_free(states);
    mem_free(s);
    desk_close(&t);
    return status;
}

int bench_frogs(const Cli *cli) {
    if (cli->word_count || cli->param_count)
        return cli_usage(cli, "--s3-frogs measures two games of its own: no game is named");
    int64_t games = FROGS_GAMES;
    if (!cli_number(cli, OPT_GAMES, 1, 1000000000, &games))
        return EXIT_USAGE;
    cli_catch_interrupt();
    bool json = cli->option[OPT_JSON];
    if (json) {
        fputs("[", stdout);
    } else {
        printf("Frogs solved %lld times by depth-first search\n", (long long)games);
        printf("%-20s %6s %12s %14s %10s\n", "rules", "moves", "ms", "published ms", "times");
    }
    Text out = {0};
    int status = EXIT_OK;
    for (int i = 0; i < FORMS && status == EXIT_OK && !cli_interrupted(); i++)
        status = bench_form(cli, &forms[i], games, &out);
    if (json && status == EXIT_OK)
        puts("]");
    text_free(&out);
    return cli_interrupted() ? EXIT_INTERRUPTED : status;
}
