// Tests of src/server/store.c: what is kept, and files that cannot be.
#include "base/mem.h"
#include "server/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include <sqlite3.h>

// SQLite calls these instead of the system's: how often is counted.
static _Atomic int syncs;

int fsync(int file) {
    syncs++;
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    syncs++;
    return (int)syscall(SYS_fdatasync, file);
}

typedef struct Bench {
    char folder[64], path[96];
    Text why;
    Text read; // moves of a room, a line each
} Bench;

static int set_up(void **state) {
    Bench *b = calloc(1, sizeof *b);
    snprintf(b->folder, sizeof b->folder, "/tmp/ludens-store-XXXXXX");
    if (!mkdtemp(b->folder))
        return -1;
    snprintf(b->path, sizeof b->path, "%s/rooms.db", b->folder);
    *state = b;
    return 0;
}

static int tear_down(void **state) {
    Bench *b = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", b->folder);
    int status = system(command);
    text_free(&b->why);
    text_free(&b->read);
    free(b);
    return status;
}

static Store *open_store(Bench *b) {
    Store *s = store_open(b->path, &b->why);
    if (!s)
        fail_msg("%s", text_c(&b->why));
    return s;
}

static bool add_move(void *with, const char *text, double seconds) {
    text_f(with, "%s %.1f\n", text, seconds);
    return true;
}

static bool read_room(Bench *b, Store *s, const char *name, StoredRoom *out) {
    text_clear(&b->read);
    text_clear(&b->why);
    return store_read(s, name, out, add_move, &b->read, &b->why);
}

static StoredRoom room_of(const char *name, int64_t seq, int ply, const char *head) {
    StoredRoom room = {.seq = seq, .ply = ply, .used = 1000, .head = head};
    snprintf(room.name, sizeof room.name, "%s", name);
    return room;
}

static void test_keeps(void **state) {
    Bench *b = *state;
    Store *s = open_store(b);
    StoredRoom room = room_of("abc", 1, 0, "{\"a\":1}"), got;
    assert_true(store_room(s, &room, &b->why));
    room = room_of("abc", 2, 1, NULL);
    assert_true(store_move(s, &room, 0, "1,2 a-b", 1.5, &b->why));
    room = room_of("abc", 3, 2, "{\"a\":2}");
    assert_true(store_move(s, &room, 1, "- pass", 0, &b->why));
    assert_true(store_commit(s, &b->why));
    store_close(s);
    s = open_store(b);
    assert_true(read_room(b, s, "abc", &got));
    assert_int_equal(got.seq, 3);
    assert_int_equal(got.ply, 2);
    assert_string_equal(got.head, "{\"a\":2}");
    assert_string_equal(text_c(&b->read), "1,2 a-b 1.5\n- pass 0.0\n");
    // A move after moves that were taken back.
    room = room_of("abc", 4, 1, NULL);
    assert_true(store_move(s, &room, 0, "9 z", 2, &b->why));
    assert_true(store_commit(s, &b->why));
    assert_true(read_room(b, s, "abc", &got));
    assert_string_equal(text_c(&b->read), "9 z 2.0\n");
    assert_string_equal(got.head, "{\"a\":2}");
    assert_false(read_room(b, s, "nope", &got));
    assert_int_equal(b->why.n, 0);
    assert_true(store_forget(s, "abc", &b->why) && store_commit(s, &b->why));
    assert_false(read_room(b, s, "abc", &got));
    assert_int_equal(b->read.n, 0);
    store_close(s);
}

static void test_rollback(void **state) {
    Bench *b = *state;
    Store *s = open_store(b);
    StoredRoom room = room_of("abc", 1, 0, "{}"), got;
    assert_true(store_room(s, &room, &b->why) && store_commit(s, &b->why));
    room = room_of("abc", 2, 1, NULL);
    assert_true(store_move(s, &room, 0, "1 a", 0, &b->why));
    store_rollback(s);
    assert_true(read_room(b, s, "abc", &got));
    assert_int_equal(got.seq, 1);
    assert_int_equal(b->read.n, 0);
    // What was not committed when the process ends was never there.
    assert_true(store_move(s, &room, 0, "1 a", 0, &b->why));
    store_close(s);
    s = open_store(b);
    assert_true(read_room(b, s, "abc", &got));
    assert_int_equal(got.ply, 0);
    store_close(s);
}

static bool add_visit(void *with, const char *room, const char *title, int64_t seq) {
    text_f(with, "%s %s %d\n", room, title, (int)seq);
    return true;
}

static void test_visits_and_rules(void **state) {
    Bench *b = *state;
    Store *s = open_store(b);
    for (int i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "r%d", i);
        StoredRoom room = room_of(name, i, 0, "{}");
        room.used = 1000 + i;
        assert_true(store_room(s, &room, &b->why));
        assert_true(store_visit(s, i == 2 ? "other" : "page", name, "Mill", &b->why));
    }
    assert_true(store_commit(s, &b->why));
    Text list = {0};
    assert_true(store_visits(s, "page", 3, add_visit, &list, &b->why));
    assert_string_equal(text_c(&list), "r4 Mill 4\nr3 Mill 3\nr1 Mill 1\n");
    text_clear(&list);
    assert_true(store_visits(s, "nobody", 3, add_visit, &list, &b->why));
    assert_int_equal(list.n, 0);
    assert_true(store_rules(s, "00ff", "my.game", "game \"x\"", &b->why));
    assert_true(store_commit(s, &b->why));
    char *text = store_find_rules(s, "00ff", &list);
    assert_string_equal(text, "game \"x\"");
    assert_string_equal(text_c(&list), "my.game");
    mem_free(text);
    assert_null(store_find_rules(s, "00fe", &list));
    text_free(&list);
    store_close(s);
}

static void test_tidy(void **state) {
    Bench *b = *state;
    Store *s = open_store(b);
    double now = 1e9;
    StoredRoom old = room_of("old", 1, 0, "{}"), fresh = room_of("fresh", 1, 0, "{}"), got;
    old.used = now - (STORE_DAYS + 1) * 86400.0;
    fresh.used = now - (STORE_DAYS - 1) * 86400.0;
    assert_true(store_room(s, &old, &b->why) && store_move(s, &old, 0, "1 a", 0, &b->why));
    assert_true(store_room(s, &fresh, &b->why));
    assert_true(store_rules(s, "aa", "a", "a", &b->why));
    assert_true(store_tidy(s, now, &b->why) && store_commit(s, &b->why));
    assert_false(read_room(b, s, "old", &got));
    assert_true(read_room(b, s, "fresh", &got));
    Text title = {0};
    char *text = store_find_rules(s, "aa", &title);
    assert_non_null(text); // few enough to stay
    mem_free(text);
    text_free(&title);
    store_close(s);
}

// --- files that cannot be used ---

static void refuse(Bench *b, const char *expected) {
    text_clear(&b->why);
    Store *s = store_open(b->path, &b->why);
    assert_null(s);
    if (!strstr(text_c(&b->why), expected))
        fail_msg("`%s` does not say `%s`", text_c(&b->why), expected);
}

static void write_file(const char *path, const char *content, size_t size) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(content, 1, size, f), size);
    fclose(f);
}

static void run_sql(const char *path, const char *sql) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void test_bad_files(void **state) {
    Bench *b = *state;
    char junk[4096];
    memset(junk, 'x', sizeof junk);
    write_file(b->path, junk, sizeof junk);
    refuse(b, "is not a database");
    unlink(b->path);
    run_sql(b->path, "CREATE TABLE t (a)");
    refuse(b, "database of another program");
    unlink(b->path);
    store_close(open_store(b));
    run_sql(b->path, "PRAGMA user_version = 99");
    refuse(b, "newer version");
    snprintf(b->path, sizeof b->path, "%s/none/rooms.db", b->folder);
    refuse(b, "cannot write");
}

static void test_one_server(void **state) {
    Bench *b = *state;
    Store *s = open_store(b);
    refuse(b, "in use by another server");
    store_close(s);
    store_close(open_store(b));
}

// Bytes in the middle are overwritten: it is noticed when the file is opened or read, and said.
static void test_damage(void **state) {
    Bench *b = *state;
    Store *s = open_store(b);
    for (int i = 0; i < 200; i++) {
        char name[16];
        snprintf(name, sizeof name, "room%d", i);
        StoredRoom room =
            room_of(name, 1, 0, "{\"game\":\"mill\",\"more\":\"text that fills a page\"}");
        assert_true(store_room(s, &room, &b->why));
        room.ply = 1;
        assert_true(store_move(s, &room, 0, "1,2,3 a1-b2-c3", 0, &b->why));
    }
    assert_true(store_commit(s, &b->why));
    store_close(s);
    struct stat info;
    assert_int_equal(stat(b->path, &info), 0);
    FILE *f = fopen(b->path, "r+b");
    for (long at = 4096 * 2; at + 4096 < info.st_size; at += 4096) {
        fseek(f, at, SEEK_SET);
        for (int i = 0; i < 1024; i++)
            fputc(0xA5, f);
    }
    fclose(f);
    refuse(b, "is damaged");
}

// Another program holds the file: a change fails with the reason, and works afterwards.
static void test_locked(void **state) {
    Bench *b = *state;
    Store *s = open_store(b);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(b->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    StoredRoom room = room_of("abc", 1, 0, "{}");
    assert_false(store_room(s, &room, &b->why));
    assert_non_null(strstr(text_c(&b->why), "in use by another program"));
    store_rollback(s);
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(db);
    assert_true(store_room(s, &room, &b->why) && store_commit(s, &b->why));
    store_close(s);
}

// What was confirmed is on the disk: one sync for each commit that changed something.
static void test_commits_are_synced(void **state) {
    Bench *b = *state;
    Store *s = open_store(b);
    StoredRoom room = room_of("abc", 1, 0, "{}");
    assert_true(store_room(s, &room, &b->why) && store_commit(s, &b->why)); // the log begins
    for (int i = 0; i < 5; i++) {
        int before = syncs;
        room = room_of("abc", i + 2, i + 1, NULL);
        assert_true(store_move(s, &room, i, "1 a", 0, &b->why));
        assert_int_equal(syncs, before);
        assert_true(store_commit(s, &b->why));
        assert_int_equal(syncs, before + 1);
        assert_true(store_commit(s, &b->why)); // nothing to do
        assert_int_equal(syncs, before + 1);
    }
    store_close(s);
}

static int64_t size_of(const char *path, const char *ending) {
    struct stat info;
    char name[128];
    snprintf(name, sizeof name, "%s%s", path, ending);
    return stat(name, &info) == 0 ? info.st_size : 0;
}

// Commits that add so many pages of 4096 bytes to the database.
static void add_pages(Bench *b, Store *s, int first, int count) {
    char text[4000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int i = first; i < first + count; i++) {
        StoredRoom room = room_of("abc", i + 2, i + 1, NULL);
        assert_true(store_move(s, &room, i, text, 0, &b->why) && store_commit(s, &b->why));
    }
}

// The log is brought home while the store is open: the database grows, the log begins anew.
static void test_log_comes_home(void **state) {
    enum { BURST = 1500, BURSTS = 6 };
    Bench *b = *state;
    Store *s = open_store(b);
    StoredRoom room = room_of("abc", 1, 0, "{}");
    assert_true(store_room(s, &room, &b->why) && store_commit(s, &b->why));
    for (int i = 0; i < BURSTS; i++) {
        add_pages(b, s, i * BURST, BURST);
        for (int waits = 0; size_of(b->path, "") < (i + 1) * BURST * INT64_C(4000); waits++) {
            assert_true(waits < 60000);
            usleep(1000);
        }
        usleep(50000); // the last page is home, but the thread may not have noted it yet
    }
    // A commit is a few pages of the log, a burst some 5000.
    assert_true(size_of(b->path, "-wal") < size_of(b->path, "") * 2);
    store_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_keeps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rollback, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_visits_and_rules, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tidy, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_server, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_locked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_commits_are_synced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_log_comes_home, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
