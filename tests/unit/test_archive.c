// Tests of src/match/archive*.c: real databases in a folder of their own.
#include "match/archive.h"
#include "match/contest_make.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "same_pairing.h"

static char folder[64];
static char file[96];

static int set_up(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/ludens-archive-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/games.db", folder);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static Contest *contest_of(const char *title, uint64_t seed) {
    Text why = {0};
    Contest *c = contest_new();
    assert_non_null(c);
    const char *params[] = {"rows=4", "columns=5"};
    c->kind = MATCH;
    c->seed = seed;
    assert_true(contest_set_title(c, title, &why));
    assert_true(contest_add_game(c, "tic-tac-toe", NULL, 0, &why));
    assert_true(contest_add_game(c, "domineering", params, 2, &why));
    assert_true(contest_add_entrant(c, "Ann", "random", &why));
    assert_true(contest_add_entrant(c, "B & \"C\" <i>", "bot:./b.py 'x y'", &why));
    c->entrant[1].time = (TimeControl){0.5, 60, 0.25, 0.01, 1000, 7};
    c->sprt = (Sprt){false, 0, 10, 0.05, 0.1};
    assert_int_equal(why.n, 0);
    return c;
}

// A game whose every field follows from its number.
static Played game_of(int64_t number) {
    Played p = {
        .pairing = {.number = number,
                    .round = (int)(number % 5),
                    .game = (int)(number % 2),
                    .seat = {(int)(number % 2), (int)((number + 1) % 2), -1, -1, -1, -1, -1},
                    .opening = UINT64_MAX - (uint64_t)(number / 2),
                    .seed = 17 * (uint64_t)number},
        .ending = number % 7 == 3 ? END_CRASH : END_RULES,
        .result = RESULT_OVER | (int)(number % 3),
        .culprit = number % 7 == 3 ? 1 : -1,
        .moves = 8,
        .openings = 2,
        .seconds = {0.5, 0.25},
        .began = 1e9,
        .ended = 1e9 + (double)number};
    text_f(&p.reason, "reason %lld 'quoted'", (long long)number);
    text_f(&p.record, "ludens game 1\nmoves\n1. a1 b2\nresult %lld\n", (long long)number);
    if (p.ending == END_CRASH)
        text_add(&p.log, "> go\nsignal 11");
    p.move = mem_alloc(8 * sizeof *p.move);
    assert_non_null(p.move);
    for (int i = 0; i < 8; i++)
        p.move[i] = (PlayedMove){.seconds = i * 0.125,
                                 .nodes = i < 2 ? 0 : 1000 + number,
                                 .value = i < 2 ? 0 : -100 * i,
                                 .depth = (int16_t)(i < 2 ? 0 : i),
                                 .known = i >= 2};
    return p;
}

static void assert_same_game(const Played *a, const Played *b) {
    assert_same_pairing(&a->pairing, &b->pairing);
    assert_int_equal(a->ending, b->ending);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->culprit, b->culprit);
    assert_string_equal(text_c(&a->reason), text_c(&b->reason));
    assert_string_equal(text_c(&a->record), text_c(&b->record));
    assert_string_equal(text_c(&a->log), text_c(&b->log));
    assert_int_equal(a->moves, b->moves);
    assert_int_equal(a->openings, b->openings);
    assert_memory_equal(a->seconds, b->seconds, sizeof a->seconds);
    assert_true(a->began == b->began && a->ended == b->ended);
    for (int i = 0; i < a->moves; i++) {
        assert_true(a->move[i].seconds == b->move[i].seconds);
        assert_int_equal(a->move[i].nodes, b->move[i].nodes);
        assert_int_equal(a->move[i].value, b->move[i].value);
        assert_int_equal(a->move[i].depth, b->move[i].depth);
        assert_int_equal(a->move[i].known, b->move[i].known);
    }
}

static Archive *opened(const Contest *c) {
    Text why = {0};
    Archive *s = archive_open(file, c, &why);
    assert_string_equal(text_c(&why), "");
    assert_non_null(s);
    return s;
}

static void add(Archive *s, int64_t number) {
    Text why = {0};
    Played p = game_of(number);
    bool ok = archive_add(s, &p, &why);
    assert_string_equal(text_c(&why), "");
    assert_true(ok);
    played_free(&p);
}

typedef struct Visited {
    int64_t last;
    int count, stop_after;
} Visited;

static bool look(void *with, const Played *p) {
    Visited *v = with;
    Played expected = game_of(p->pairing.number);
    assert_same_game(p, &expected);
    played_free(&expected);
    assert_true(v->count == 0 || p->pairing.number > v->last);
    v->last = p->pairing.number;
    return ++v->count != v->stop_after;
}

static int count_games(Archive *s) {
    Text why = {0};
    Visited v = {0};
    assert_true(archive_each(s, look, &v, &why));
    assert_string_equal(text_c(&why), "");
    return v.count;
}

static void fails_to_open(const Contest *c, const char *expected) {
    Text why = {0};
    Archive *s = c ? archive_open(file, c, &why) : archive_read(file, &why);
    assert_null(s);
    if (!strstr(text_c(&why), expected))
        fail_msg("`%s` does not say `%s`", text_c(&why), expected);
    assert_null(strchr(text_c(&why), '\n'));
    text_free(&why);
}

static void sql(const char *text) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

// --- tests ---

static void test_games_come_back(void **state) {
    (void)state;
    Contest *c = contest_of("one", 7);
    Archive *s = opened(c);
    for (int64_t i = 20; i >= 0; i--) // in any order
        if (i != 13)
            add(s, i);
    assert_true(archive_has(s, 12));
    assert_false(archive_has(s, 13));
    assert_int_equal(count_games(s), 20);
    Visited v = {.stop_after = 3};
    Text why = {0};
    assert_true(archive_each(s, look, &v, &why));
    assert_int_equal(v.count, 3);
    archive_close(s);

    // At rest it is one file, and reading leaves it so.
    s = archive_read(file, &why);
    assert_non_null(s);
    assert_int_equal(count_games(s), 20);
    const Contest *kept = archive_contest(s);
    assert_string_equal(kept->title, "one");
    assert_string_equal(kept->entrant[1].name, "B & \"C\" <i>");
    assert_string_equal(kept->entrant[1].text, "bot:./b.py 'x y'");
    assert_true(kept->entrant[1].time.margin == 0.01);
    assert_string_equal(kept->game[1].params[1], "columns=5");
    Played p = game_of(99);
    assert_false(archive_add(s, &p, &why));
    assert_non_null(strstr(text_c(&why), "for reading only"));
    played_free(&p);
    text_free(&why);
    archive_close(s);
    char others[128];
    const char *ends[] = {"-wal", "-shm", "-lock", "-journal"};
    for (int i = 0; i < 4; i++) {
        snprintf(others, sizeof others, "%s%s", file, ends[i]);
        assert_int_not_equal(access(others, F_OK), 0);
    }
    contest_free(c);
}

static void test_contest_goes_on(void **state) {
    (void)state;
    Contest *c = contest_of("one", 7);
    Archive *s = opened(c);
    add(s, 0);
    archive_close(s);
    s = opened(c);
    assert_true(archive_has(s, 0));
    add(s, 1);
    archive_close(s);

    // Anything that differs is told.
    Contest *other = contest_of("one", 8);
    fails_to_open(other, "seed 7 there, 8 here");
    other->seed = 7;
    other->each++;
    fails_to_open(other, "games of a pair: 2 there, 3 here");
    other->each--;
    other->entrant[1].time.depth = 8;
    fails_to_open(other, "time of entrant 2: 7 there, 8 here");
    other->entrant[1].time.depth = 7;
    other->kind = GAUNTLET;
    fails_to_open(other, "match there, gauntlet here");
    other->kind = MATCH;
    const char *param = other->game[1].params[1];
    other->game[1].params[1] = "columns=6";
    fails_to_open(other, "`columns=5` there, `columns=6` here");
    other->game[1].params[1] = param;
    other->entrant[0].text = "auto";
    fails_to_open(other, "`random` there, `auto` here");
    contest_free(other);

    // Another title is another contest in the same file, with numbers of its own.
    other = contest_of("two", 8);
    s = opened(other);
    assert_false(archive_has(s, 0));
    add(s, 0);
    assert_int_equal(archive_contests(s), 2);
    archive_close(s);
    Text why = {0};
    s = archive_read(file, &why);
    assert_string_equal(archive_contest(s)->title, "two");
    assert_true(archive_choose(s, 0, &why));
    assert_string_equal(archive_contest(s)->title, "one");
    assert_int_equal(count_games(s), 2);
    assert_false(archive_choose(s, 2, &why));
    text_free(&why);
    archive_close(s);
    contest_free(other);
    contest_free(c);
}

static void test_all_or_none(void **state) {
    (void)state;
    Contest *c = contest_of("one", 7);
    Archive *s = opened(c);
    add(s, 2);
    Played p[3] = {game_of(0), game_of(1), game_of(2)};
    const Played *list[3] = {&p[0], &p[1], &p[2]};
    Text why = {0};
    assert_false(archive_add_all(s, list, 3, &why)); // 2 is there
    assert_non_null(strstr(text_c(&why), "game 2 is in"));
    assert_int_equal(count_games(s), 1);
    text_clear(&why);
    assert_true(archive_add_all(s, list, 2, &why));
    assert_int_equal(count_games(s), 3);
    p[0].ending = END_STOPPED;
    p[0].pairing.number = 5;
    assert_false(archive_add(s, &p[0], &why));
    assert_non_null(strstr(text_c(&why), "it was stopped"));
    p[0].ending = END_RULES;
    p[0].pairing.seat[0] = 2;
    text_clear(&why);
    assert_false(archive_add(s, &p[0], &why));
    assert_non_null(strstr(text_c(&why), "no such entrant"));
    for (int i = 0; i < 3; i++)
        played_free(&p[i]);
    text_free(&why);
    archive_close(s);
    contest_free(c);
}

static void test_one_writes_others_read(void **state) {
    (void)state;
    Contest *c = contest_of("one", 7);
    Archive *s = opened(c);
    add(s, 0);
    char expected[128];
    snprintf(expected, sizeof expected, "in use by another program that writes to it, process %ld",
             (long)getpid());
    fails_to_open(c, expected);
    Text why = {0};
    Archive *reader = archive_read(file, &why);
    assert_non_null(reader);
    assert_int_equal(count_games(reader), 1);
    add(s, 1);
    assert_int_equal(count_games(reader), 2);
    archive_close(s); // cannot tidy up while somebody reads
    assert_int_equal(count_games(reader), 2);
    archive_close(reader);
    s = opened(c);
    assert_int_equal(count_games(s), 2);
    archive_close(s);
    contest_free(c);
}

// Writes games until it is killed, telling each that is on the disk.
static void write_until_killed(const Contest *c, int out) {
    Text why = {0};
    Archive *s = archive_open(file, c, &why);
    for (int64_t i = 0; s; i++) {
        if (archive_has(s, i))
            continue;
        Played p = game_of(i);
        if (!archive_add(s, &p, &why) || write(out, &i, sizeof i) != sizeof i)
            break;
        played_free(&p);
    }
    _exit(1);
}

static void test_killed(void **state) {
    (void)state;
    Contest *c = contest_of("one", 7);
    int64_t told = -1;
    for (int round = 0; round < 5; round++) {
        int out[2];
        assert_int_equal(pipe(out), 0);
        pid_t child = fork();
        if (child == 0)
            write_until_killed(c, out[1]);
        close(out[1]);
        int64_t number;
        for (int i = 0; i < 3 + round; i++) {
            assert_int_equal(read(out[0], &number, sizeof number), sizeof number);
            assert_true(number == told + 1 || i == 0);
            told = number;
        }
        kill(child, SIGKILL);
        while (read(out[0], &number, sizeof number) == sizeof number)
            told = number;
        close(out[0]);
        waitpid(child, NULL, 0);
        Text why = {0};
        Archive *reader = archive_read(file, &why);
        assert_string_equal(text_c(&why), "");
        int n = count_games(reader); // one may have been kept that could not be told any more
        assert_true(n == told + 1 || n == told + 2);
        archive_close(reader);
        told = n - 1;
    }
    contest_free(c);
}

static void test_wrong_files(void **state) {
    (void)state;
    Contest *c = contest_of("one", 7);
    fails_to_open(NULL, "No such file");
    FILE *f = fopen(file, "w");
    fclose(f);
    fails_to_open(NULL, "is empty");
    f = fopen(file, "w");
    for (int i = 0; i < 200; i++)
        fputs("This is a text and no database.\n", f);
    fclose(f);
    fails_to_open(NULL, "is not a database");
    fails_to_open(c, "is not a database");
    unlink(file);
    sql("CREATE TABLE recipes (name TEXT)");
    fails_to_open(NULL, "of another program");
    fails_to_open(c, "of another program");
    unlink(file);
    archive_close(opened(c));
    sql("PRAGMA user_version = 2");
    fails_to_open(NULL, "newer version");
    fails_to_open(c, "newer version");
    sql("PRAGMA user_version = 1; DELETE FROM contests");
    fails_to_open(NULL, "no contest");
    unlink(file);
    archive_close(opened(c));
    sql("UPDATE contests SET plies = -1");
    fails_to_open(NULL, "is damaged: the contest");
    sql("UPDATE contests SET plies = 5; UPDATE entrants SET number = number + 10");
    fails_to_open(NULL, "is damaged: the entrants");
    unlink(file);
    assert_int_equal(mkdir(file, 0777), 0);
    fails_to_open(NULL, "cannot open");
    assert_int_equal(rmdir(file), 0);
    contest_free(c);
}

static void test_damaged(void **state) {
    (void)state;
    Contest *c = contest_of("one", 7);
    Archive *s = opened(c);
    for (int64_t i = 0; i < 100; i++)
        add(s, i);
    archive_close(s);
    struct stat st;
    assert_int_equal(stat(file, &st), 0);
    // Cut off, and overwritten in the middle.
    assert_int_equal(truncate(file, st.st_size / 2), 0);
    fails_to_open(NULL, "is damaged");
    fails_to_open(c, "is damaged");
    unlink(file);
    s = opened(c);
    for (int64_t i = 0; i < 100; i++)
        add(s, i);
    archive_close(s);
    int f = open(file, O_WRONLY);
    static char noise[8192];
    memset(noise, 0xA5, sizeof noise);
    assert_int_equal(pwrite(f, noise, sizeof noise, st.st_size / 8192 * 4096), sizeof noise);
    close(f);
    fails_to_open(NULL, "is damaged");
    fails_to_open(c, "is damaged");
    unlink(file);
    s = opened(c);
    add(s, 0);
    archive_close(s);
    sql("UPDATE games SET ending = 'boredom'");
    Text why = {0};
    s = archive_read(file, &why);
    Visited v = {0};
    assert_false(archive_each(s, look, &v, &why));
    assert_non_null(strstr(text_c(&why), "game 0 cannot be read"));
    text_free(&why);
    archive_close(s);
    contest_free(c);
}

// Root may write everything: as somebody else, in a process of its own.
static void test_read_only(void **state) {
    (void)state;
    Contest *c = contest_of("one", 7);
    Archive *s = opened(c);
    add(s, 0);
    archive_close(s);
    assert_int_equal(chmod(file, 0444), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0)
            _exit(9);
        Text why = {0};
        if (archive_open(file, c, &why) || !strstr(text_c(&why), "cannot write"))
            _exit(1);
        Archive *reader = archive_read(file, &why);
        if (!reader || !archive_contest(reader))
            _exit(2);
        archive_close(reader);
        snprintf(file, sizeof file, "%s/new.db", folder);
        if (archive_open(file, c, &why))
            _exit(3);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    chmod(folder, 0755);
    assert_int_equal(WEXITSTATUS(status), 0);
    contest_free(c);
}

typedef struct Adder {
    Archive *archive;
    int64_t first;
    bool ok;
} Adder;

static void *add_some(void *with) {
    Adder *a = with;
    Text why = {0};
    a->ok = true;
    for (int64_t i = 0; a->ok && i < 10; i++) {
        Played p = game_of(a->first + i);
        a->ok = !archive_has(a->archive, a->first + i) && archive_add(a->archive, &p, &why) &&
                archive_has(a->archive, a->first + i);
        played_free(&p);
    }
    text_free(&why);
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    Contest *c = contest_of("one", 7);
    Archive *s = opened(c);
    pthread_t thread[4];
    Adder adder[4];
    for (int i = 0; i < 4; i++) {
        adder[i] = (Adder){s, 100 * i, false};
        assert_int_equal(pthread_create(&thread[i], NULL, add_some, &adder[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        assert_true(adder[i].ok);
    }
    assert_int_equal(count_games(s), 40);
    archive_close(s);
    contest_free(c);
}

// As many as the fastest contests bring; the time is printed, not tested.
static void test_many(void **state) {
    (void)state;
    enum { MANY = 10000, AT_ONCE = 100 };
    Contest *c = contest_of("one", 7);
    Archive *s = opened(c);
    struct timespec a, b;
    Text why = {0};
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int64_t i = 0; i < MANY; i += AT_ONCE) {
        Played p[AT_ONCE];
        const Played *list[AT_ONCE];
        for (int k = 0; k < AT_ONCE; k++) {
            p[k] = game_of(i + k);
            list[k] = &p[k];
        }
        assert_true(archive_add_all(s, list, AT_ONCE, &why));
        for (int k = 0; k < AT_ONCE; k++)
            played_free(&p[k]);
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    print_message("# %d games in %.2f s\n", MANY,
                  (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec));
    assert_int_equal(count_games(s), MANY);
    archive_close(s);
    contest_free(c);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_games_come_back),
        TEST(test_contest_goes_on),
        TEST(test_all_or_none),
        TEST(test_one_writes_others_read),
        TEST(test_killed),
        TEST(test_wrong_files),
        TEST(test_damaged),
        TEST(test_read_only),
        TEST(test_many),
        TEST(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
