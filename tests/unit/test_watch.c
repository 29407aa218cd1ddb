// Tests of src/server/watch*.c and tournament.c, through a hub.
#include "server_fixture.h"

#include "match/archive.h"
#include "match/contest_make.h"
#include "match/referee.h"
#include "match/schedule.h"
#include "server/parts.h"

// A match of two random players, played as another program would.
typedef struct Match {
    Contest *contest;
    Game *game;
    Archive *archive;
    Schedule *schedule;
    Referee *referee;
} Match;

static void match_begin(Match *m, const char *path, const char *title) {
    Text why = {0};
    TimeControl none = {0};
    Diags diags = {0};
    int players = 2;
    m->contest = contest_new();
    m->contest->kind = MATCH;
    m->contest->each = 6;
    m->game = game_load("tic-tac-toe", NULL, 0, &diags);
    assert_true(contest_set_title(m->contest, title, &why) &&
                contest_add_game(m->contest, "tic-tac-toe", NULL, 0, &why) &&
                contest_add_entrant(m->contest, "Ann <b>", "random", &why) &&
                contest_add_entrant(m->contest, "Bob \"x\"", "random", &why) &&
                contest_finish(m->contest, &none, &why));
    m->archive = archive_open(path, m->contest, &why);
    if (!m->archive)
        fail_msg("%s", text_c(&why));
    m->schedule = schedule_new(m->contest, &players, &why);
    m->referee = referee_new(m->contest, &m->game);
    text_free(&why);
    diag_free(&diags);
}

static void match_play(Match *m, int games) {
    Text why = {0};
    for (int i = 0; i < games; i++) {
        Pairing pairing;
        Played played = {0};
        assert_int_equal(schedule_next(m->schedule, &pairing), NEXT_GAME);
        assert_true(referee_play(m->referee, &pairing, NULL, &played, &why));
        assert_true(archive_add(m->archive, &played, &why));
        assert_true(schedule_result(m->schedule, pairing.number, played.ending, played.result));
        played_free(&played);
    }
    text_free(&why);
}

static void match_end(Match *m) {
    referee_free(m->referee);
    schedule_free(m->schedule);
    archive_close(m->archive);
    contest_free(m->contest);
    game_free(m->game);
    *m = (Match){0};
}

static cJSON *contests(Bench *b, Page *p) {
    return page_answer(b, p, page_send(p, "\"do\":\"contests\""));
}

// A push about a contest with so many games, whether it runs.
typedef struct Wanted {
    const char *title;
    int games;
    bool running;
} Wanted;

static bool fits_contest(const cJSON *m, const void *with) {
    const Wanted *w = with;
    return strcmp(text_member(m, "on"), "contest") == 0 &&
           strcmp(text_member(m, "title"), w->title) == 0 && has_number(m, "games", w->games) &&
           cJSON_IsTrue(member(m, "running")) == w->running;
}

static void test_a_running_match(void **state) {
    Bench b;
    Match m;
    char path[128];
    (void)state;
    bench_folder(&b);
    snprintf(path, sizeof path, "%s/match.db", b.folder);
    const char *archives[] = {path};
    b.options.archives = archives;
    b.options.archive_count = 1;
    match_begin(&m, path, "Cup");
    match_play(&m, 2);
    bench_start(&b);
    Page p = page_open(&b);
    cJSON *list = contests(&b, &p);
    const cJSON *cup = cJSON_GetArrayItem(member(list, "contests"), 0);
    assert_string_equal(text_member(cup, "title"), "Cup");
    assert_int_equal((int)number_member(cup, "games"), 2);
    assert_int_equal((int)number_member(cup, "of"), 6);
    assert_true(cJSON_IsTrue(member(cup, "running")));
    cJSON_Delete(list);
    page_refused(&b, &p, "gone", "\"do\":\"contest\",\"title\":\"Cups\"");
    page_refused(&b, &p, "bad", "\"do\":\"contest\"");
    cJSON_Delete(page_answer(&b, &p, page_send(&p, "\"do\":\"contest\",\"title\":\"Cup\"")));
    Wanted two = {"Cup", 2, true}, five = {"Cup", 5, true}, six = {"Cup", 6, false};
    cJSON *push = page_wait(&b, &p, fits_contest, &two);
    assert_int_equal(cJSON_GetArraySize(member(member(push, "table"), "entrants")), 2);
    assert_int_equal(cJSON_GetArraySize(member(push, "elo")), 2);
    assert_int_equal(cJSON_GetArraySize(member(push, "recent")), 2);
    assert_int_equal((int)number_member(push, "of"), 6);
    cJSON_Delete(push);
    match_play(&m, 3);
    push = page_wait(&b, &p, fits_contest, &five);
    const cJSON *length;
    int sum = 0;
    cJSON_ArrayForEach(length, member(push, "lengths")) sum += (int)number_member(length, "games");
    assert_int_equal(sum, 5);
    cJSON_Delete(push);
    match_play(&m, 1);
    match_end(&m);
    cJSON_Delete(page_wait(&b, &p, fits_contest, &six));
    // The same over HTTP.
    Text out = {0}, why = {0};
    assert_true(watch_contest(b.hub, "Cup", &out, &why));
    cJSON *json = cJSON_Parse(text_c(&out));
    assert_int_equal((int)number_member(json, "games"), 6);
    assert_true(cJSON_IsFalse(member(json, "running")));
    cJSON_Delete(json);
    assert_false(watch_contest(b.hub, "No cup", &out, &why));
    assert_true(why.n > 0);
    text_free(&out);
    text_free(&why);
    page_close(&p);
    bench_end(&b);
}

// Files that are none, damaged ones, and several contests in one file.
static void test_archives(void **state) {
    Bench b;
    Match m;
    char path[3][128];
    (void)state;
    bench_folder(&b);
    const char *archives[3];
    for (int i = 0; i < 3; i++) {
        snprintf(path[i], sizeof path[i], "%s/%d.db", b.folder, i);
        archives[i] = path[i];
    }
    FILE *f = fopen(path[0], "w");
    fputs("this is no database, but longer than a header of one: it goes on and on and on and on "
          "and on and on",
          f);
    fclose(f); // path[1] does not exist
    match_begin(&m, path[2], "First");
    match_play(&m, 6);
    match_end(&m);
    match_begin(&m, path[2], "Second");
    match_play(&m, 1);
    match_end(&m);
    b.options.archives = archives;
    b.options.archive_count = 3;
    bench_start(&b);
    Page p = page_open(&b);
    cJSON *list = contests(&b, &p);
    assert_int_equal(cJSON_GetArraySize(member(list, "contests")), 2);
    const cJSON *first = cJSON_GetArrayItem(member(list, "contests"), 0);
    const cJSON *second = cJSON_GetArrayItem(member(list, "contests"), 1);
    assert_string_equal(text_member(first, "title"), "First");
    assert_true(cJSON_IsFalse(member(first, "running")));
    assert_int_equal((int)number_member(second, "games"), 1);
    cJSON_Delete(list);
    // A client that leaves with a subscription.
    cJSON_Delete(page_answer(&b, &p, page_send(&p, "\"do\":\"contest\",\"title\":\"Second\"")));
    Page other = page_open(&b);
    cJSON_Delete(
        page_answer(&b, &other, page_send(&other, "\"do\":\"contest\",\"title\":\"First\"")));
    page_close(&p);
    cJSON_Delete(page_answer(
        &b, &other, page_send(&other, "\"do\":\"contest\",\"title\":\"First\",\"on\":false")));
    page_close(&other);
    bench_end(&b);
}

static void begin_tournament(Bench *b, Page *p, const char *game, int games, const char *players,
                             char title[200]) {
    int64_t id = page_send(p,
                           "\"do\":\"tournament\",\"game\":\"%s\",\"games\":%d,"
                           "\"players\":[%s],\"seconds\":5",
                           game, games, players);
    cJSON *answer = page_answer(b, p, id);
    if (member(answer, "error"))
        fail_msg("%s", text_member(answer, "error"));
    snprintf(title, 200, "%s", text_member(answer, "title"));
    cJSON_Delete(answer);
}

static void test_tournament(void **state) {
    Bench b;
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    page_refused(&b, &p, "bad", "\"do\":\"tournament\",\"game\":\"tic-tac-toe\",\"players\":[]");
    page_refused(&b, &p, "bad",
                 "\"do\":\"tournament\",\"game\":\"tic-tac-toe\",\"players\":[\"random\",\"x\"]");
    page_refused(&b, &p, "bad",
                 "\"do\":\"tournament\",\"game\":\"tic-tac-toe\","
                 "\"players\":[\"random\",\"bot:x\"]");
    page_refused(&b, &p, "bad",
                 "\"do\":\"tournament\",\"game\":\"frogs\",\"players\":[\"random\",\"random\"]");
    page_refused(&b, &p, "gone",
                 "\"do\":\"tournament\",\"game\":\"none\",\"players\":[\"random\",\"random\"]");
    char title[200];
    begin_tournament(&b, &p, "tic-tac-toe", 2, "\"random\",\"random\",\"greedy\"", title);
    page_send(&p, "\"do\":\"contest\",\"title\":\"%s\"", title);
    Wanted all = {title, 6, false};
    cJSON *push = page_wait(&b, &p, fits_contest, &all);
    assert_int_equal(cJSON_GetArraySize(member(push, "elo")), 3);
    cJSON_Delete(push);
    page_close(&p);
    // The next server still has it.
    hub_free(b.hub);
    bench_start(&b);
    p = page_open(&b);
    cJSON *list = contests(&b, &p);
    assert_string_equal(text_member(cJSON_GetArrayItem(member(list, "contests"), 0), "title"),
                        title);
    cJSON_Delete(list);
    // Two at once, each in an archive of its own: the second does not wait for the first.
    begin_tournament(&b, &p, "hex", 100, "\"mcts\",\"mcts\"", title);
    begin_tournament(&b, &p, "tic-tac-toe", 2, "\"random\",\"random\"", title);
    page_send(&p, "\"do\":\"contest\",\"title\":\"%s\"", title);
    Wanted both = {title, 2, false};
    cJSON_Delete(page_wait(&b, &p, fits_contest, &both));
    page_close(&p);
    bench_end(&b);
}

static void say_hello(Bench *b, Page *p, const char *word) {
    int64_t id = page_send(p, "\"do\":\"hello\",\"page\":\"%s\"", word);
    cJSON_Delete(page_answer(b, p, id));
}

static cJSON *subscribe(Bench *b, Page *p, const char *title, Fits *fits) {
    page_send(p, "\"do\":\"contest\",\"title\":\"%s\"", title);
    return page_wait(b, p, fits, title);
}

static bool fits_title(const cJSON *m, const void *with) {
    return strcmp(text_member(m, "on"), "contest") == 0 &&
           strcmp(text_member(m, "title"), with) == 0;
}

// With games that were read.
static bool fits_table(const cJSON *m, const void *with) {
    return fits_title(m, with) && member(m, "table");
}

static bool fits_stopped(const cJSON *m, const void *with) {
    return fits_title(m, with) && cJSON_IsFalse(member(m, "running"));
}

// A tournament goes on without the page that began it, which stops it when it is back.
static void test_tournaments_stay(void **state) {
    Bench b;
    char title[200];
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b), other = page_open(&b);
    say_hello(&b, &p, "word-of-a-page");
    say_hello(&b, &other, "another-page");
    // Far longer than the test takes, for a hundred games take forty seconds, but never a game.
    begin_tournament(&b, &p, "connect-four", 100, "\"random\",\"mcts:time=100ms\"", title);
    cJSON *push = subscribe(&b, &p, title, fits_title);
    assert_true(cJSON_IsTrue(member(push, "running")) && cJSON_IsTrue(member(push, "yours")));
    cJSON_Delete(push);
    page_close(&p);
    push = subscribe(&b, &other, title, fits_table);
    assert_true(cJSON_IsTrue(member(push, "running")) && cJSON_IsFalse(member(push, "yours")));
    double games = number_member(push, "games");
    cJSON_Delete(push);
    page_refused(&b, &other, "denied", "\"do\":\"stop\",\"title\":\"%s\"", title);
    push = page_wait(&b, &other, fits_table, title);
    assert_true(number_member(push, "games") > games);
    cJSON_Delete(push);
    p = page_open(&b);
    say_hello(&b, &p, "word-of-a-page");
    push = subscribe(&b, &p, title, fits_table);
    assert_true(cJSON_IsTrue(member(push, "running")) && cJSON_IsTrue(member(push, "yours")));
    cJSON_Delete(push);
    cJSON_Delete(page_answer(&b, &p, page_send(&p, "\"do\":\"stop\",\"title\":\"%s\"", title)));
    push = page_wait(&b, &other, fits_stopped, title);
    assert_true(cJSON_IsFalse(member(push, "over")) && number_member(push, "of") == 100);
    assert_true(number_member(push, "games") < 100);
    cJSON_Delete(push);
    page_refused(&b, &p, "gone", "\"do\":\"stop\",\"title\":\"%s\"", title);
    page_close(&p);
    page_close(&other);
    bench_end(&b);
}

// One that waits for its turn can be looked at, and stopped before it began.
static void test_tournaments_wait(void **state) {
    enum { RUN = 2 };
    Bench b;
    char title[RUN + 1][200];
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b), other = page_open(&b);
    for (int i = 0; i <= RUN; i++)
        begin_tournament(&b, &p, "hex", 10, "\"mcts\",\"mcts\"", title[i]);
    cJSON *push = subscribe(&b, &other, title[RUN], fits_title);
    assert_true(cJSON_IsTrue(member(push, "running")) && number_member(push, "of") == 10);
    assert_true(number_member(push, "games") == 0 && !member(push, "table"));
    cJSON_Delete(push);
    page_send(&p, "\"do\":\"stop\",\"title\":\"%s\"", title[RUN]);
    push = page_wait(&b, &other, fits_stopped, title[RUN]);
    assert_non_null(strstr(text_member(push, "error"), "before it began"));
    cJSON_Delete(push);
    push = subscribe(&b, &p, title[RUN], fits_stopped); // who asks later is told, too
    assert_non_null(strstr(text_member(push, "error"), "before it began"));
    cJSON_Delete(push);
    page_close(&p);
    page_close(&other);
    bench_end(&b); // with two that run
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_running_match),  cmocka_unit_test(test_archives),
        cmocka_unit_test(test_tournament),       cmocka_unit_test(test_tournaments_stay),
        cmocka_unit_test(test_tournaments_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
