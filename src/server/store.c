// store: see store.h for the contract.
//
// The journal is a write-ahead log, and it is synced to the disk before store_commit returns: what
// was confirmed is still there after a power cut. That is one sync for a round of the loop, however
// many games moved in it. The log itself is brought home by another thread (store_sync.h), since
// that takes longer and nobody has to wait for it.
#include "server/store.h"

#include "base/database.h"
#include "base/mem.h"
#include "server/store_sync.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define APPLICATION 0x4C756472 // "Ludr": tells our files from other SQLite files
#define VERSION 1
#define CHECKED_WHOLE (INT64_C(64) << 20) // bytes; larger files take too long to look through

// X(name, SQL): prepared once.
#define STATEMENTS(X)                                                                              \
    X(BEGIN, "BEGIN IMMEDIATE")                                                                    \
    X(COMMIT, "COMMIT")                                                                            \
    X(ROOM, "INSERT INTO rooms (name, seq, ply, used, head, rules)"                                \
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (name)"                                  \
            " DO UPDATE SET seq = ?2, ply = ?3, used = ?4, head = ?5")                             \
    X(PLY, "UPDATE rooms SET seq = ?2, ply = ?3, used = ?4 WHERE name = ?1")                       \
    X(FORGET, "DELETE FROM rooms WHERE name = ?1")                                                 \
    X(CUT, "DELETE FROM moves WHERE room = ?1 AND ply >= ?2")                                      \
    X(MOVE, "INSERT INTO moves (room, ply, text, seconds) VALUES (?1, ?2, ?3, ?4)")                \
    X(READ, "SELECT seq, ply, used, head FROM rooms WHERE name = ?1")                              \
    X(MOVES, "SELECT ply, text, seconds FROM moves WHERE room = ?1 ORDER BY ply")                  \
    X(VISIT, "INSERT OR REPLACE INTO visits (page, room, title) VALUES (?1, ?2, ?3)")              \
    X(VISITS, "SELECT v.room, v.title, r.seq FROM visits v JOIN rooms r ON r.name = v.room"        \
              " WHERE v.page = ?1 ORDER BY r.used DESC LIMIT ?2")                                  \
    X(RULES, "INSERT OR IGNORE INTO rules (hash, title, text, used)"                               \
             " VALUES (?1, ?2, ?3, unixepoch())")                                                  \
    X(FIND_RULES, "SELECT text, title FROM rules WHERE hash = ?1")

enum {
#define X(name, sql) SQL_##name,
    STATEMENTS(X)
#undef X
        SQL_COUNT
};

struct Store {
    sqlite3 *db;
    char *path;
    int lock; // a file of its own: closing any descriptor of the database would undo its locks
    bool open;
    StoreSync *sync;
    sqlite3_stmt *sql[SQL_COUNT];
};

static const char schema[] =
    "CREATE TABLE rooms (name TEXT PRIMARY KEY, seq INTEGER NOT NULL, ply INTEGER NOT NULL,"
    " used REAL NOT NULL, head TEXT NOT NULL, rules TEXT) WITHOUT ROWID;"
    "CREATE INDEX rooms_used ON rooms (used);"
    "CREATE INDEX rooms_rules ON rooms (rules) WHERE rules IS NOT NULL;"
    "CREATE TABLE moves (room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE,"
    " ply INTEGER NOT NULL, text TEXT NOT NULL, seconds REAL NOT NULL,"
    " PRIMARY KEY (room, ply)) WITHOUT ROWID;"
    "CREATE TABLE visits (page TEXT NOT NULL, room TEXT NOT NULL REFERENCES rooms"
    " ON DELETE CASCADE, title TEXT NOT NULL, PRIMARY KEY (page, room)) WITHOUT ROWID;"
    "CREATE INDEX visits_room ON visits (room);"
    "CREATE TABLE rules (hash TEXT PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL,"
    " used REAL NOT NULL) WITHOUT ROWID;";

// --- errors ---

static bool failed(const Store *s, Text *why) {
    database_explain(s->db, s->path, why);
    return false;
}

static bool run(Store *s, const char *sql, Text *why) {
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || failed(s, why);
}

// --- opening ---

static bool take_lock(Store *s, Text *why) {
    Text path = {0};
    text_f(&path, "%s.lock", s->path);
    s->lock = open(text_c(&path), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ok = s->lock >= 0 && flock(s->lock, LOCK_EX | LOCK_NB) == 0;
    if (s->lock < 0)
        text_f(why, "cannot write `%s`: %s", s->path, strerror(errno));
    else if (!ok)
        text_f(why, "`%s` is in use by another server", s->path);
    text_free(&path);
    return ok;
}

static bool make_tables(Store *s, Text *why) {
    Text sql = {0};
    text_f(&sql, "BEGIN IMMEDIATE; %s PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
           schema, APPLICATION, VERSION);
    bool ok = !sql.failed && run(s, text_c(&sql), why);
    text_free(&sql);
    return ok;
}

static bool check_tables(Store *s, Text *why) {
    int64_t application, version, tables;
    if (!database_number(s->db, s->path, "PRAGMA application_id", &application, why) ||
        !database_number(s->db, s->path, "PRAGMA user_version", &version, why) ||
        !database_number(s->db, s->path, "SELECT count(*) FROM sqlite_master", &tables, why))
        return false;
    if (application == 0 && version == 0 && tables == 0)
        return make_tables(s, why);
    if (application != APPLICATION) {
        text_f(why, "`%s` is a database of another program", s->path);
        return false;
    }
    if (version > VERSION) {
        text_f(why, "`%s` was written by a newer version of Ludens", s->path);
        return false;
    }
    return database_is_whole(s->db, s->path, CHECKED_WHOLE, why);
}

static bool prepare_all(Store *s, Text *why) {
    static const char *const texts[] = {
#define X(name, sql) sql,
        STATEMENTS(X)
#undef X
    };
    for (int i = 0; i < SQL_COUNT; i++)
        if (sqlite3_prepare_v3(s->db, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &s->sql[i], NULL) !=
            SQLITE_OK)
            return failed(s, why);
    return true;
}

Store *store_open(const char *path, Text *why) {
    Store *s = mem_alloc(sizeof *s);
    char *copy = mem_alloc(strlen(path) + 1);
    if (!s || !copy) {
        mem_free(s);
        mem_free(copy);
        text_add(why, "out of memory");
        return NULL;
    }
    memcpy(copy, path, strlen(path));
    *s = (Store){.path = copy, .lock = -1};
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    bool ok = strcmp(path, ":memory:") == 0 || take_lock(s, why);
    ok = ok && (sqlite3_open_v2(path, &s->db, flags, NULL) == SQLITE_OK || failed(s, why));
    ok = ok && (sqlite3_busy_timeout(s->db, 1000) == SQLITE_OK || failed(s, why));
    ok = ok && run(s,
                   "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                   " PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF",
                   why);
    if (ok && check_tables(s, why) && prepare_all(s, why)) {
        if (s->lock >= 0)
            s->sync = store_sync_begin(s->db, path);
        return s;
    }
    store_close(s);
    return NULL;
}

void store_close(Store *s) {
    if (!s)
        return;
    if (s->open)
        store_rollback(s);
    store_sync_end(s->sync);
    for (int i = 0; i < SQL_COUNT; i++)
        sqlite3_finalize(s->sql[i]);
    sqlite3_close(s->db);
    if (s->lock >= 0)
        close(s->lock);
    mem_free(s->path);
    mem_free(s);
}

// --- statements ---

// Runs a statement whose values are bound; true if it ended well.
static bool finish(Store *s, int which, Text *why) {
    sqlite3_stmt *q = s->sql[which];
    bool ok = sqlite3_step(q) == SQLITE_DONE;
    if (!ok)
        failed(s, why);
    sqlite3_reset(q);
    sqlite3_clear_bindings(q);
    return ok;
}

static void bind_text(sqlite3_stmt *q, int at, const char *text) {
    if (text)
        sqlite3_bind_text(q, at, text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(q, at);
}

static const char *column(sqlite3_stmt *q, int at) {
    const char *text = (const char *)sqlite3_column_text(q, at);
    return text ? text : "";
}

bool store_begin(Store *s, Text *why) {
    if (!s->open)
        s->open = finish(s, SQL_BEGIN, why);
    return s->open;
}

bool store_commit(Store *s, Text *why) {
    if (!s->open)
        return true;
    if (!finish(s, SQL_COMMIT, why))
        return false;
    s->open = false;
    return true;
}

void store_rollback(Store *s) {
    if (!sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    s->open = false;
}

// --- rooms ---

bool store_room(Store *s, const StoredRoom *room, Text *why) {
    if (!store_begin(s, why))
        return false;
    int which = room->head ? SQL_ROOM : SQL_PLY;
    sqlite3_stmt *q = s->sql[which];
    bind_text(q, 1, room->name);
    sqlite3_bind_int64(q, 2, room->seq);
    sqlite3_bind_int(q, 3, room->ply);
    sqlite3_bind_double(q, 4, room->used);
    if (room->head) {
        bind_text(q, 5, room->head);
        bind_text(q, 6, room->rules);
    }
    return finish(s, which, why);
}

static bool cut(Store *s, const char *room, int ply, Text *why) {
    if (!store_begin(s, why))
        return false;
    bind_text(s->sql[SQL_CUT], 1, room);
    sqlite3_bind_int(s->sql[SQL_CUT], 2, ply);
    return finish(s, SQL_CUT, why);
}

bool store_forget(Store *s, const char *room, Text *why) {
    if (!store_begin(s, why))
        return false;
    bind_text(s->sql[SQL_FORGET], 1, room);
    return finish(s, SQL_FORGET, why);
}

bool store_move(Store *s, const StoredRoom *room, int ply, const char *text, double seconds,
                Text *why) {
    if (!store_room(s, room, why) || !cut(s, room->name, ply, why))
        return false;
    sqlite3_stmt *q = s->sql[SQL_MOVE];
    bind_text(q, 1, room->name);
    sqlite3_bind_int(q, 2, ply);
    bind_text(q, 3, text);
    sqlite3_bind_double(q, 4, seconds);
    return finish(s, SQL_MOVE, why);
}

static bool read_moves(Store *s, const char *room,
                       bool (*move)(void *with, const char *text, double seconds), void *with,
                       Text *why) {
    sqlite3_stmt *q = s->sql[SQL_MOVES];
    bind_text(q, 1, room);
    int code, next = 0;
    bool ok = true;
    while (ok && (code = sqlite3_step(q)) == SQLITE_ROW) {
        if (sqlite3_column_int(q, 0) != next++) {
            text_f(why, "`%s` is damaged: room %s lacks a move", s->path, room);
            ok = false;
        } else {
            ok = move(with, column(q, 1), sqlite3_column_double(q, 2));
        }
    }
    if (ok && code != SQLITE_DONE)
        ok = failed(s, why);
    sqlite3_reset(q);
    return ok;
}

bool store_read(Store *s, const char *room, StoredRoom *out,
                bool (*move)(void *with, const char *text, double seconds), void *with, Text *why) {
    sqlite3_stmt *q = s->sql[SQL_READ];
    sqlite3_reset(q);
    bind_text(q, 1, room);
    int code = sqlite3_step(q);
    if (code != SQLITE_ROW) {
        if (code != SQLITE_DONE)
            failed(s, why);
        sqlite3_reset(q);
        return false;
    }
    snprintf(out->name, sizeof out->name, "%s", room);
    out->seq = sqlite3_column_int64(q, 0);
    out->ply = sqlite3_column_int(q, 1);
    out->used = sqlite3_column_double(q, 2);
    out->head = column(q, 3);
    return read_moves(s, room, move, with, why);
}

// --- pages ---

bool store_visit(Store *s, const char *page, const char *room, const char *title, Text *why) {
    if (!store_begin(s, why))
        return false;
    bind_text(s->sql[SQL_VISIT], 1, page);
    bind_text(s->sql[SQL_VISIT], 2, room);
    bind_text(s->sql[SQL_VISIT], 3, title);
    return finish(s, SQL_VISIT, why);
}

bool store_visits(Store *s, const char *page, int most,
                  bool (*each)(void *with, const char *room, const char *title, int64_t seq),
                  void *with, Text *why) {
    sqlite3_stmt *q = s->sql[SQL_VISITS];
    bind_text(q, 1, page);
    sqlite3_bind_int(q, 2, most);
    int code;
    bool ok = true;
    while (ok && (code = sqlite3_step(q)) == SQLITE_ROW)
        ok = each(with, column(q, 0), column(q, 1), sqlite3_column_int64(q, 2));
    if (ok && code != SQLITE_DONE)
        ok = failed(s, why);
    sqlite3_reset(q);
    return ok;
}

// --- rules ---

bool store_rules(Store *s, const char *hash, const char *title, const char *text, Text *why) {
    if (!store_begin(s, why))
        return false;
    bind_text(s->sql[SQL_RULES], 1, hash);
    bind_text(s->sql[SQL_RULES], 2, title);
    bind_text(s->sql[SQL_RULES], 3, text);
    return finish(s, SQL_RULES, why);
}

char *store_find_rules(Store *s, const char *hash, Text *title) {
    sqlite3_stmt *q = s->sql[SQL_FIND_RULES];
    bind_text(q, 1, hash);
    char *copy = NULL;
    if (sqlite3_step(q) == SQLITE_ROW) {
        copy = mem_text(column(q, 0));
        text_add(title, column(q, 1));
    }
    sqlite3_reset(q);
    return copy;
}

// --- forgetting ---

bool store_tidy(Store *s, double now, Text *why) {
    Text sql = {0};
    text_f(&sql,
           "DELETE FROM rooms WHERE used < %.0f;"
           "DELETE FROM rooms WHERE name IN (SELECT name FROM rooms ORDER BY used DESC LIMIT -1"
           " OFFSET %d);"
           "DELETE FROM rules WHERE hash IN (SELECT hash FROM rules WHERE NOT EXISTS"
           " (SELECT 1 FROM rooms WHERE rooms.rules = rules.hash) ORDER BY used DESC LIMIT -1"
           " OFFSET %d)",
           now - STORE_DAYS * 86400.0, STORE_ROOMS, STORE_RULES);
    bool ok = !sql.failed && store_begin(s, why) && run(s, text_c(&sql), why);
    text_free(&sql);
    return ok;
}
