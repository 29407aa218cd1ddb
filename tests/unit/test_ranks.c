// Tests of src/match/wire.c, dealer.c and helper.c: ranks that are threads here, and what they say
// to each other.
#include "contest_fixture.h"
#include "match/dealer.h"
#include "match/helper.h"
#include "match/ranks_link.h"
#include "match/referee.h"
#include "match/wire.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// --- ranks in one process: a box of messages for each ---

#define RANKS 4

typedef struct Letter {
    struct Letter *next;
    int from;
    size_t n;
    char bytes[];
} Letter;

typedef struct Post {
    pthread_mutex_t lock;
    Letter *box[RANKS], **end[RANKS];
} Post;

typedef struct Station {
    Post *post;
    int rank;
    Letter *seen;
} Station;

static bool post_send(void *with, int to, const void *bytes, size_t n) {
    Station *s = with;
    Letter *l = malloc(sizeof *l + n);
    *l = (Letter){.from = s->rank, .n = n};
    memcpy(l->bytes, bytes, n);
    pthread_mutex_lock(&s->post->lock);
    *s->post->end[to] = l;
    s->post->end[to] = &l->next;
    pthread_mutex_unlock(&s->post->lock);
    return true;
}

static int post_look(void *with, int *from, size_t *n) {
    Station *s = with;
    pthread_mutex_lock(&s->post->lock);
    Letter *l = s->seen = s->post->box[s->rank];
    if (l && !(s->post->box[s->rank] = l->next))
        s->post->end[s->rank] = &s->post->box[s->rank];
    pthread_mutex_unlock(&s->post->lock);
    if (l) {
        *from = l->from;
        *n = l->n;
    }
    return l != NULL;
}

static bool post_read(void *with, void *bytes) {
    Station *s = with;
    memcpy(bytes, s->seen->bytes, s->seen->n);
    free(s->seen);
    return true;
}

static void post_close(void *with) {
    (void)with;
}

static void post_open(Post *p) {
    *p = (Post){0};
    pthread_mutex_init(&p->lock, NULL);
    for (int i = 0; i < RANKS; i++)
        p->end[i] = &p->box[i];
}

static void post_end(Post *p) {
    for (int i = 0; i < RANKS; i++)
        while (p->box[i]) {
            Letter *l = p->box[i];
            p->box[i] = l->next;
            free(l);
        }
    pthread_mutex_destroy(&p->lock);
}

typedef struct Member { // a rank, with all that it needs
    Station station;
    RanksLink link;
    Ranks *ranks;
    Run run;
    int jobs;
    const char *lies;         // what a rank that lies does; NULL: it plays
    const atomic_bool *after; // begins when this is set; NULL: at once
    atomic_bool done;
    bool ok;
    Text why;
} Member;

static void join(Member *m, Post *post, int rank, int count) {
    m->station = (Station){.post = post, .rank = rank};
    m->link = (RanksLink){.version = RANKS_LINK_VERSION,
                          .rank = rank,
                          .count = count,
                          .with = &m->station,
                          .send = post_send,
                          .look = post_look,
                          .read = post_read,
                          .close = post_close};
    m->ranks = ranks_over(&m->link);
    assert_non_null(m->ranks);
}

// Behaves up to its first game and then sends something else.
static void lie(Member *m, const Text *hello) {
    Text message = {0}, game = {0};
    int from;
    (void)hello;
    wire_number(&message, WIRE_READY, 1);
    ranks_send(m->ranks, 0, &message);
    wire_number(&message, WIRE_WANT, 5);
    ranks_send(m->ranks, 0, &message);
    while (ranks_take(m->ranks, &from, &game) == 0)
        ranks_rest(m->ranks);
    if (strcmp(m->lies, "other game") == 0) {
        Played p = {.pairing.number = 399, .ending = END_RULES, .result = RESULT_OVER};
        wire_played(&message, &p);
    } else if (strcmp(m->lies, "greed") == 0) {
        wire_number(&message, WIRE_WANT, 1 + WIRE_AHEAD);
    } else if (strcmp(m->lies, "noise") == 0) {
        text_clear(&message);
        text_add(&message, "\377 what?");
    } else {
        text_clear(&message);
    }
    ranks_send(m->ranks, 0, &message);
    text_free(&game);
    text_free(&message);
}

static void *help(void *with) {
    Member *m = with;
    Text hello = {0};
    WorkersTask task = {.contest = m->run.c,
                        .games = m->run.games,
                        .jobs = m->jobs,
                        .stop = &m->run.stop,
                        .with = m};
    while (m->after && !atomic_load(m->after))
        ranks_rest(m->ranks);
    if (!helper_begin(m->ranks, &hello))
        m->ok = true;
    else if (m->lies)
        lie(m, &hello);
    else
        m->ok = helper_run(&task, m->ranks, &hello, &m->why);
    text_free(&hello);
    atomic_store(&m->done, true);
    return NULL;
}

static char complaints[4000];

static void complain(void *with, int rank, const char *why) {
    (void)with;
    size_t n = strlen(complaints);
    snprintf(complaints + n, sizeof complaints - n, "%d: %s\n", rank, why);
}

typedef struct Club {
    Post post;
    Member member[RANKS];
    pthread_t thread[RANKS];
    int count;
} Club;

static void club_begin(Club *k, int count, ContestKind kind, const char *const *games,
                       const char *const *players, int64_t each) {
    *k = (Club){.count = count};
    post_open(&k->post);
    complaints[0] = '\0';
    for (int i = 0; i < count; i++) {
        join(&k->member[i], &k->post, i, count);
        begin(&k->member[i].run, kind, games, players, each);
        k->member[i].jobs = i;
    }
}

static bool club_play(Club *k, Text *why) {
    Run *r = &k->member[0].run;
    WorkersTask task = {.contest = r->c,
                        .games = r->games,
                        .schedule = r->schedule,
                        .stop = &r->stop,
                        .with = r,
                        .keep = keep,
                        .tell = tell};
    for (int i = 1; i < k->count; i++)
        assert_int_equal(pthread_create(&k->thread[i], NULL, help, &k->member[i]), 0);
    bool ok = dealer_run(&task, k->member[0].ranks, complain, why);
    for (int i = 1; i < k->count; i++)
        pthread_join(k->thread[i], NULL);
    return ok;
}

static void club_end(Club *k) {
    for (int i = 0; i < k->count; i++) {
        ranks_close(k->member[i].ranks);
        text_free(&k->member[i].why);
        end(&k->member[i].run);
    }
    post_end(&k->post);
}

static void assert_as_alone(const Run *r, ContestKind kind, const char *const *games,
                            const char *const *players, int64_t each) {
    Run alone;
    Text why = {0};
    begin(&alone, kind, games, players, each);
    alone.c->sprt = r->c->sprt;
    WorkersTask task = {.contest = alone.c,
                        .games = alone.games,
                        .schedule = alone.schedule,
                        .jobs = 2,
                        .stop = &alone.stop,
                        .with = &alone,
                        .keep = keep,
                        .tell = tell};
    assert_true(workers_run(&task, &why));
    assert_same_games(&alone, r);
    text_free(&why);
    end(&alone);
}

// --- contests ---

static void ranks_do_not_matter(void **state) {
    (void)state;
    for (int kind = ROUND_ROBIN; kind <= SWISS; kind++)
        for (int count = 2; count <= RANKS; count += kind == SWISS ? 2 : 3) {
            Club k;
            Text why = {0};
            club_begin(&k, count, (ContestKind)kind, one_game, four, 4);
            assert_true(club_play(&k, &why));
            for (int i = 1; i < count; i++)
                assert_true(k.member[i].ok);
            assert_string_equal(complaints, "");
            assert_true(schedule_over(k.member[0].run.schedule));
            assert_as_alone(&k.member[0].run, (ContestKind)kind, one_game, four, 4);
            text_free(&why);
            club_end(&k);
        }
}

static void a_test_ends_at_the_same_game(void **state) {
    (void)state;
    Club k;
    Text why = {0};
    club_begin(&k, 3, MATCH, one_game, two, MOST);
    for (int i = 0; i < 3; i++)
        k.member[i].run.c->sprt = (Sprt){true, 0, 100, 0.05, 0.05};
    assert_true(club_play(&k, &why));
    assert_int_equal(schedule_verdict(k.member[0].run.schedule), SPRT_H0);
    assert_true(k.member[0].run.kept < MOST);
    assert_as_alone(&k.member[0].run, MATCH, one_game, two, MOST);
    text_free(&why);
    club_end(&k);
}

// Also with what had been dealt and not played.
static void stopped_contests_go_on(void **state) {
    (void)state;
    Club k;
    Text why = {0};
    club_begin(&k, 3, MATCH, one_game, two, MOST);
    Run *r = &k.member[0].run;
    for (int runs = 0; !schedule_over(r->schedule); runs++) {
        assert_true(runs < MOST);
        r->stop_after = r->kept + 50;
        atomic_store(&r->stop, false);
        assert_true(club_play(&k, &why));
        assert_int_equal(r->kept, schedule_played(r->schedule));
        post_end(&k.post);
        post_open(&k.post);
    }
    assert_as_alone(r, MATCH, one_game, two, MOST);
    text_free(&why);
    club_end(&k);
}

static void a_full_disk_ends_it(void **state) {
    (void)state;
    Club k;
    Text why = {0};
    club_begin(&k, 3, MATCH, one_game, two, MOST);
    k.member[0].run.fail_after = 1;
    assert_false(club_play(&k, &why));
    assert_string_equal(text_c(&why), "the disk is full");
    text_free(&why);
    club_end(&k);
}

static void those_who_lie_are_sent_away(void **state) {
    (void)state;
    static const char *const lies[] = {"other game", "greed", "noise", "nothing"};
    for (int i = 0; i < 4; i++) {
        Club k;
        Text why = {0};
        club_begin(&k, 3, MATCH, one_game, two, 40);
        k.member[1].lies = lies[i];
        k.member[2].after = &k.member[1].done; // or nothing is left to lie about
        assert_true(club_play(&k, &why));
        assert_string_equal(complaints, "1: it has sent something that makes no sense\n");
        assert_as_alone(&k.member[0].run, MATCH, one_game, two, 40);
        text_free(&why);
        club_end(&k);
    }
}

static void other_contests_are_refused(void **state) {
    (void)state;
    Club k;
    Text why = {0};
    club_begin(&k, 3, MATCH, one_game, two, 40);
    k.member[1].run.c->seed = 2;
    assert_true(club_play(&k, &why));
    assert_non_null(strstr(complaints, "1: the contest is not the one of rank 0"));
    assert_false(k.member[1].ok);
    assert_as_alone(&k.member[0].run, MATCH, one_game, two, 40);
    club_end(&k);

    club_begin(&k, 2, MATCH, one_game, two, 40); // and then there was none
    Diags diags = {0};
    game_free(k.member[1].run.games[0]);
    k.member[1].run.games[0] = game_load("connect-four", NULL, 0, &diags);
    diag_free(&diags);
    assert_false(club_play(&k, &why));
    assert_string_equal(complaints, "1: the rules of `tic-tac-toe` are not those of rank 0\n");
    assert_string_equal(text_c(&why), "no rank is left to play");
    text_free(&why);
    club_end(&k);
}

static void all_go_home_without_a_contest(void **state) {
    (void)state;
    Club k;
    club_begin(&k, 3, MATCH, one_game, two, 40);
    for (int i = 1; i < 3; i++)
        pthread_create(&k.thread[i], NULL, help, &k.member[i]);
    dealer_dismiss(k.member[0].ranks);
    for (int i = 1; i < 3; i++) {
        pthread_join(k.thread[i], NULL);
        assert_true(k.member[i].ok);
    }
    club_end(&k);
}

// --- messages ---

static Played some_game(Run *r, Pairing *pairing) {
    Played played;
    Text why = {0};
    Referee *referee = referee_new(r->c, r->games);
    assert_int_equal(schedule_next(r->schedule, pairing), NEXT_GAME);
    assert_true(referee_play(referee, pairing, NULL, &played, &why));
    text_add(&played.log, "a\nb");
    referee_free(referee);
    text_free(&why);
    return played;
}

static void games_come_as_they_went(void **state) {
    (void)state;
    Run r;
    begin(&r, MATCH, one_game, two, 2);
    Pairing pairing, came;
    Played p = some_game(&r, &pairing), q;
    Text message = {0};
    wire_game(&message, &pairing);
    assert_int_equal(wire_kind(&message), WIRE_GAME);
    assert_true(wire_read_game(&message, r.c, r.games, &came));
    assert_memory_equal(came.seat, pairing.seat, sizeof came.seat);
    assert_true(came.number == pairing.number && came.seed == pairing.seed &&
                came.opening == pairing.opening && came.game == pairing.game);
    wire_played(&message, &p);
    assert_true(wire_read_played(&message, r.c, &pairing, 2, &q));
    assert_string_equal(text_c(&p.record), text_c(&q.record));
    assert_string_equal(text_c(&p.reason), text_c(&q.reason));
    assert_string_equal(text_c(&q.log), "a\nb");
    assert_true(p.result == q.result && p.ending == q.ending && p.culprit == q.culprit);
    assert_true(p.moves == q.moves && p.openings == q.openings && p.began == q.began);
    for (int i = 0; i < p.moves; i++)
        assert_true(p.move[i].seconds == q.move[i].seconds && p.move[i].value == q.move[i].value &&
                    p.move[i].nodes == q.move[i].nodes && p.move[i].known == q.move[i].known);
    played_free(&q);
    played_free(&p);
    text_free(&message);
    end(&r);
}

// Cut anywhere, longer, or with any byte changed: refused, or a game that could be.
static void damaged_games_do_no_harm(void **state) {
    (void)state;
    Run r;
    begin(&r, MATCH, one_game, two, 2);
    Pairing pairing, came;
    Played p = some_game(&r, &pairing), q;
    Text message = {0}, cut = {0};
    wire_played(&message, &p);
    for (size_t n = 0; n < message.n; n++) {
        text_clear(&cut);
        text_add_n(&cut, message.s, n);
        assert_false(wire_read_played(&cut, r.c, &pairing, 2, &q));
        played_free(&q);
    }
    text_clear(&cut);
    text_add_n(&cut, message.s, message.n);
    text_char(&cut, 0);
    assert_false(wire_read_played(&cut, r.c, &pairing, 2, &q));
    played_free(&q);
    for (size_t i = 1; i < message.n; i++)
        for (int bit = 0; bit < 8; bit++) {
            text_clear(&cut);
            text_add_n(&cut, message.s, message.n);
            cut.s[i] = (char)(cut.s[i] ^ 1 << bit);
            if (wire_read_played(&cut, r.c, &pairing, 2, &q)) {
                assert_int_equal(q.pairing.number, pairing.number);
                assert_true(q.result & RESULT_OVER || q.ending == END_FAULT);
                assert_true(q.openings <= q.moves);
            }
            played_free(&q);
        }
    wire_game(&message, &pairing);
    for (size_t n = 0; n < message.n; n++) {
        text_clear(&cut);
        text_add_n(&cut, message.s, n);
        assert_false(wire_read_game(&cut, r.c, r.games, &came));
    }
    text_free(&cut);
    text_free(&message);
    played_free(&p);
    end(&r);
}

static void impossible_games_are_refused(void **state) {
    (void)state;
    Run r;
    begin(&r, MATCH, one_game, two, 2);
    Pairing pairing;
    Played p = some_game(&r, &pairing), q;
    static const struct Case {
        Ending ending;
        int result, culprit;
        bool ok;
    } cases[] = {{END_RULES, RESULT_OVER | 1, -1, true},
                 {END_RULES, RESULT_OVER, -1, true},
                 {END_RULES, 0, -1, false},
                 {END_RULES, RESULT_OVER | 4, -1, false},
                 {END_RULES, RESULT_OVER | 1, 0, false},
                 {END_CRASH, RESULT_OVER | 1, 1, true},
                 {END_CRASH, RESULT_OVER | 1, 0, false},
                 {END_CRASH, RESULT_OVER | 1, -1, false},
                 {END_CRASH, RESULT_OVER | 1, 2, false},
                 {END_FAULT, 0, -1, true},
                 {END_FAULT, RESULT_OVER, -1, false},
                 {END_STOPPED, 0, -1, false},
                 {END_STOPPED + 1, RESULT_OVER, -1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Text message = {0};
        p.ending = cases[i].ending;
        p.result = cases[i].result;
        p.culprit = cases[i].culprit;
        wire_played(&message, &p);
        assert_int_equal(wire_read_played(&message, r.c, &pairing, 2, &q), cases[i].ok);
        played_free(&q);
        text_free(&message);
    }
    played_free(&p);
    end(&r);
}

static void numbers_have_bounds(void **state) {
    (void)state;
    Text message = {0};
    int64_t n;
    static const struct Case {
        int64_t number;
        bool ok;
    } cases[] = {{0, false}, {1, true}, {10, true}, {11, false}, {-1, false}, {INT64_MIN, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        wire_number(&message, WIRE_WANT, cases[i].number);
        assert_int_equal(wire_read_number(&message, 10, &n), cases[i].ok);
    }
    wire_failed(&message, "no\033[2J good");
    Text why = {0};
    wire_read_failed(&message, &why);
    assert_string_equal(text_c(&why), "no?[2J good");
    text_free(&why);
    text_free(&message);
}

// --- how it was started ---

static void launchers_are_recognised(void **state) {
    (void)state;
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                                        "OMPI_COMM_WORLD_LOCAL_SIZE"};
    RanksLaunch launch;
    for (int i = 0; i < 3; i++)
        unsetenv(names[i]);
    assert_false(ranks_launched(&launch));
    static const struct Case {
        const char *rank, *size;
        bool ok;
    } cases[] = {{"0", "2", true},  {"1", "2", true},           {"2", "2", false},
                 {"0", "1", false}, {"-1", "2", false},         {"x", "2", false},
                 {"0", "", false},  {"0", "99999999999", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv(names[0], cases[i].rank, 1);
        setenv(names[1], cases[i].size, 1);
        assert_int_equal(ranks_launched(&launch), cases[i].ok);
    }
    for (int i = 0; i < 3; i++)
        unsetenv(names[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_do_not_matter),
        cmocka_unit_test(a_test_ends_at_the_same_game),
        cmocka_unit_test(stopped_contests_go_on),
        cmocka_unit_test(a_full_disk_ends_it),
        cmocka_unit_test(those_who_lie_are_sent_away),
        cmocka_unit_test(other_contests_are_refused),
        cmocka_unit_test(all_go_home_without_a_contest),
        cmocka_unit_test(games_come_as_they_went),
        cmocka_unit_test(damaged_games_do_no_harm),
        cmocka_unit_test(impossible_games_are_refused),
        cmocka_unit_test(numbers_have_bounds),
        cmocka_unit_test(launchers_are_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
