// A contest that keeps its games in memory, for the tests of who plays them.
#ifndef LUDENS_CONTEST_FIXTURE_H
#define LUDENS_CONTEST_FIXTURE_H

#include "match/contest_make.h"
#include "match/workers.h"
#include "search_fixture.h"

#define MOST 400

typedef struct Run {
    Contest *c;
    Game *games[CONTEST_GAMES];
    Schedule *schedule;
    atomic_bool stop;
    Text record[MOST]; // by number
    Text reason[MOST];
    Ending ending[MOST];
    int kept, told, largest;
    int stop_after, fail_after; // games; 0: never
} Run;

static inline void begin(Run *r, ContestKind kind, const char *const *games,
                         const char *const *players, int64_t each) {
    *r = (Run){.c = contest_new()};
    Text why = {0};
    r->c->kind = kind;
    r->c->each = each;
    for (int i = 0; games[i]; i++)
        assert_true(contest_add_game(r->c, games[i], NULL, 0, &why));
    for (int i = 0; players[i]; i++) {
        Text name = {0};
        text_f(&name, "%d", i);
        assert_true(contest_add_entrant(r->c, text_c(&name), players[i], &why));
        text_free(&name);
    }
    assert_true(contest_finish(r->c, &(TimeControl){0}, &why));
    int count[CONTEST_GAMES];
    for (int i = 0; i < r->c->games; i++) {
        Diags diags = {0};
        r->games[i] = game_load(games[i], NULL, 0, &diags);
        assert_non_null(r->games[i]);
        count[i] = r->games[i]->ir->players;
        diag_free(&diags);
    }
    r->schedule = schedule_new(r->c, count, &why);
    assert_non_null(r->schedule);
    text_free(&why);
}

static inline void end(Run *r) {
    schedule_free(r->schedule);
    for (int i = 0; i < r->c->games; i++)
        game_free(r->games[i]);
    for (int i = 0; i < MOST; i++) {
        text_free(&r->record[i]);
        text_free(&r->reason[i]);
    }
    contest_free(r->c);
}

static inline bool keep(void *with, const Played *const *played, int count, Text *why) {
    Run *r = with;
    if (r->fail_after && r->kept >= r->fail_after) {
        text_add(why, "the disk is full");
        return false;
    }
    for (int i = 0; i < count; i++) {
        int64_t n = played[i]->pairing.number;
        assert_true(n < MOST && !r->record[n].n);
        assert_true(i == 0 || n > played[i - 1]->pairing.number);
        text_add(&r->record[n], text_c(&played[i]->record));
        text_add(&r->reason[n], text_c(&played[i]->reason));
        r->ending[n] = played[i]->ending;
        r->kept++;
    }
    r->largest = count > r->largest ? count : r->largest;
    if (r->stop_after && r->kept >= r->stop_after)
        atomic_store(&r->stop, true);
    return true;
}

static inline void tell(void *with, const WorkersNews *news) {
    Run *r = with;
    assert_int_equal(news->played, r->kept);
    assert_true(news->total >= news->played);
    r->told++;
}

static inline void assert_same_games(const Run *one, const Run *other) {
    assert_int_equal(one->kept, other->kept);
    for (int i = 0; i < one->kept; i++)
        assert_string_equal(text_c(&one->record[i]), text_c(&other->record[i]));
}

static const char *const two_games[] = {"tic-tac-toe", "breakthrough", NULL};
static const char *const one_game[] = {"tic-tac-toe", NULL};
// Among them one that remembers positions, and one that grows a tree.
static const char *const four[] = {"random", "greedy", "table-alphabeta:depth=3,memory=1",
                                   "mcts:iterations=30", NULL};
static const char *const two[] = {"random", "greedy", NULL};

#endif
