// What happens when memory runs out: every allocation fails once, one after the other.
//
// A call then says that it failed, or does without; nothing is lost and nothing crashes. Leaks
// show in the sanitized build, where the arena asks for each of its allocations separately.

#include "base/mem.h"
#include "game/draw.h"
#include "game/game.h"
#include "game/library.h"
#include "game/movetext.h"
#include "game/record.h"
#include "game/statetext.h"
#include "knowledge/knowledge.h"
#include "lang/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Far more than any of the calls below allocates.
#define MOST 1000000

// Between them: lines, stacks, `input`, flags, attributes, tables and a scrambled start.
static const char *const names[] = {"mill", "byte", "chess", "skirmish", "eight-puzzle"};

// A failure that can be done without also succeeds; so many in a row mean that none is left.
#define ENOUGH 20

// The sanitized build allocates thousands of times: the first ones are tried one by one, later
// ones with growing gaps.
static long next_failure(long n) {
    return n < 1000 ? n + 1 : n + 1 + n / 100;
}

static const LibraryGame *find(const char *name) {
    for (int i = 0; i < library_count; i++)
        if (strcmp(library_games[i].name, name) == 0)
            return &library_games[i];
    fail_msg("no game %s", name);
    return NULL;
}

static bool mentions_memory(const Diags *diags) {
    for (int i = 0; i < diags->count; i++)
        if (strstr(diags->items[i].message, "out of memory"))
            return true;
    return false;
}

static void loading(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const LibraryGame *file = find(names[i]);
        int successes = 0;
        for (long n = 1; successes < ENOUGH; n = next_failure(n)) {
            assert_true(n < MOST);
            Diags diags = {0};
            mem_fail_at(n);
            Game *g = game_compile(file->name, file->text, file->size, NULL, 0, &diags);
            mem_fail_at(0);
            if (!g && !diags.errors)
                fail_msg("%s: allocation %ld fails, and nothing is said", names[i], n);
            // The message itself may be what there was no memory for; then nothing is kept.
            if (!g && diags.count && !mentions_memory(&diags))
                fail_msg("%s: allocation %ld: %s", names[i], n, diags.items[0].message);
            successes = g ? successes + 1 : 0;
            if (g) {
                Runner *r = runner_new(g);
                assert_non_null(r);
                assert_true(runner_count(r, g->start) > 0);
                runner_free(r);
            }
            game_free(g);
            diag_free(&diags);
        }
    }
}

// Facts, rules in a circle, worth and priorities, of the game and of a file beside it.
static void knowing(void **state) {
    (void)state;
    static const char game[] = "game \"K\"\nplayers White, Black\nboard square 3 x 3\n"
                               "piece man of White, Black\n"
                               "turn\n    choose to in empty\n    place man at to\n"
                               "end\n    draw when no empty\n"
                               "facts\n    spot(p, c) for p in players, c in men of p\n"
                               "worth\n    spot(me, _) 1\n";
    static const char rules[] = "rules\n"
                                "    far(c, 0) if c in row 1\n"
                                "    far(d, min(n + 1, 4)) if far(c, n), d in next(c), "
                                "not spot(_, d)\n"
                                "worth\n    far(_, n) n\n    opponent -1\n"
                                "prefer\n    times 2 if before some spot(me, _) and row(to) == 1\n";
    Diags diags = {0};
    Game *g = game_compile("k.game", game, strlen(game), NULL, 0, &diags);
    assert_non_null(g);
    int successes = 0;
    for (long n = 1; successes < ENOUGH; n = next_failure(n)) {
        assert_true(n < MOST);
        diag_free(&diags);
        mem_fail_at(n);
        Knowledge *k = knowledge_compile(g, "k.rules", rules, strlen(rules), &diags);
        mem_fail_at(0);
        if (!k && !diags.errors)
            fail_msg("allocation %ld fails, and nothing is said", n);
        successes = k ? successes + 1 : 0;
        knowledge_free(k);
    }
    diag_free(&diags);
    game_free(g);
}

// Everything that is done with a game, as far as it gets.
static void use(const Game *g) {
    uint64_t room[IR_MAX_STATE / 8];
    uint8_t *to = (uint8_t *)room;
    Text text = {0}, error = {0};
    Runner *r = runner_new(g);
    Record *rec = r ? record_new(r, NULL) : NULL;
    const Move *moves;
    if (rec && runner_moves(r, g->start, &moves) > 0) {
        Move move = moves[0], found;
        if (move_text(r, g->start, move, &text) && !text.failed)
            move_read(r, g->start, text_c(&text), &found, &error);
        MoveOptions options;
        move_options(r, g->start, NULL, 0, &options);
        runner_apply(r, g->start, move, to);
        record_play(rec, move);
        record_result(rec);
        text_clear(&text);
        record_save(rec, NULL, 0, &text);
        if (!text.failed) {
            text_clear(&error);
            record_load(rec, text_c(&text), &error);
        }
        text_clear(&text);
        state_text(g, to, &text);
        if (!text.failed) {
            text_clear(&error);
            state_read(g, text_c(&text), to, &error);
        }
        draw_board(g, to, (DrawStyle){.colour = true}, &text);
    }
    record_free(rec);
    runner_free(r);
    text_free(&text);
    text_free(&error);
}

static void playing(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Diags diags = {0};
        Game *g = game_load(names[i], NULL, 0, &diags);
        assert_non_null(g);
        for (long n = 1; n < 400; n++) {
            mem_fail_at(n);
            use(g);
            mem_fail_at(0);
        }
        game_free(g);
        diag_free(&diags);
    }
}

static void formatting(void **state) {
    (void)state;
    const LibraryGame *file = find("mill");
    Source source = {"mill.game", file->text, file->size};
    int successes = 0;
    for (long n = 1; successes < ENOUGH; n = next_failure(n)) {
        assert_true(n < MOST);
        Diags diags = {.source = &source};
        Text out = {0};
        mem_fail_at(n);
        bool ok = format_file(&source, &diags, &out);
        mem_fail_at(0);
        if (ok && !out.failed)
            assert_string_equal(text_c(&out), file->text);
        if (!ok)
            assert_true(diags.errors > 0);
        successes = ok && !out.failed ? successes + 1 : 0;
        text_free(&out);
        diag_free(&diags);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loading),
        cmocka_unit_test(knowing),
        cmocka_unit_test(playing),
        cmocka_unit_test(formatting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
