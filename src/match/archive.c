// archive: opening and closing databases. See archive.h.
#include "match/archive.h"
#include "match/archive_parts.h"
#include "match/contest_make.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE 10000 // milliseconds to wait for somebody who reads or makes a copy

// --- statements ---

sqlite3_stmt *archive_prepare(const Archive *s, const char *sql, Text *why) {
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK)
        return q;
    if (why->n == 0)
        archive_explain(s, why);
    return NULL;
}

bool archive_run(const Archive *s, const char *sql, Text *why) {
    if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    archive_explain(s, why);
    return false;
}

bool archive_step(const Archive *s, sqlite3_stmt *q, Text *why) {
    bool ok = sqlite3_step(q) == SQLITE_DONE;
    if (!ok)
        archive_explain(s, why);
    sqlite3_reset(q);
    return ok;
}

void archive_bind(sqlite3_stmt *q, int at, const char *text) {
    sqlite3_bind_text(q, at, text ? text : "", -1, SQLITE_STATIC);
}

// SQLite's numbers have a sign: as text, a seed reads as it is written elsewhere.
void archive_bind_seed(sqlite3_stmt *q, int at, uint64_t seed) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    sqlite3_bind_text(q, at, text, -1, SQLITE_TRANSIENT);
}

uint64_t archive_seed(sqlite3_stmt *q, int at) {
    return strtoull(archive_column(q, at), NULL, 10);
}

const char *archive_column(sqlite3_stmt *q, int at) {
    const char *text = (const char *)sqlite3_column_text(q, at);
    return text ? text : "";
}

// --- opening ---

static Archive *new_archive(const char *path, Text *why) {
    Archive *s = mem_alloc(sizeof *s);
    size_t n = strlen(path);
    if (!s || !(s->path = mem_alloc(n + 3)) || !(s->lock_path = mem_alloc(n + 8))) {
        if (s)
            mem_free(s->path);
        mem_free(s);
        text_add(why, "out of memory");
        return NULL;
    }
    // Names that begin with a colon have a meaning for SQLite.
    snprintf(s->path, n + 3, "%s%s", path[0] == ':' ? "./" : "", path);
    snprintf(s->lock_path, n + 8, "%s-lock", s->path);
    s->lock = -1;
    return s;
}

static bool open_file(Archive *s, int flags, Text *why) {
    if (sqlite3_open_v2(s->path, &s->db, flags | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK) {
        if (s->db)
            text_f(why, "cannot open `%s`: %s", s->path, sqlite3_errmsg(s->db));
        else
            text_add(why, "out of memory");
        return false;
    }
    sqlite3_busy_timeout(s->db, PATIENCE);
    return true;
}

static bool prepare_writing(Archive *s, Text *why) {
    s->has = archive_prepare(s, "SELECT 1 FROM games WHERE contest = ? AND number = ?", why);
    s->game =
        archive_prepare(s, "INSERT INTO games VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", why);
    s->seat = archive_prepare(s, "INSERT INTO seats VALUES (?,?,?,?,?)", why);
    s->move = archive_prepare(s, "INSERT INTO moves VALUES (?,?,?,?,?,?,?)", why);
    return s->has && s->game && s->seat && s->move;
}

static bool same_contest(Archive *s, const Contest *contest, Text *why) {
    Text differs = {0};
    bool same = archive_same(s->contest, contest, &differs);
    if (!same)
        text_f(why, "`%s` has another contest with the title `%s` (%s)", s->path, s->contest->title,
               text_c(&differs));
    text_free(&differs);
    return same;
}

static bool open_writing(Archive *s, const Contest *contest, Text *why) {
    if (access(s->path, F_OK) == 0 && access(s->path, R_OK | W_OK) != 0) {
        text_f(why, "cannot write `%s`: %s", s->path, strerror(errno));
        return false;
    }
    // In write-ahead mode a commit is one write and one sync, and readers do not disturb; FULL
    // syncs with each commit. Where that mode cannot be had, the usual one is as safe.
    return archive_lock(s, why) && open_file(s, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, why) &&
           archive_schema(s, true, why) &&
           archive_run(s, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", why) &&
           archive_find(s, contest->title ? contest->title : "", why) &&
           (s->id || archive_keep(s, contest, why)) && archive_load(s, why) &&
           same_contest(s, contest, why) && prepare_writing(s, why);
}

Archive *archive_open(const char *path, const Contest *contest, Text *why) {
    Archive *s = new_archive(path, why);
    if (s && !open_writing(s, contest, why)) {
        archive_close(s);
        return NULL;
    }
    return s;
}

static bool open_reading(Archive *s, Text *why) {
    if (access(s->path, R_OK) != 0) {
        text_f(why, "cannot read `%s`: %s", s->path, strerror(errno));
        return false;
    }
    if (!open_file(s, SQLITE_OPEN_READONLY, why) || !archive_schema(s, false, why) ||
        !archive_find(s, NULL, why))
        return false;
    if (s->id == 0) {
        text_f(why, "`%s` has no contest in it", s->path);
        return false;
    }
    return archive_load(s, why);
}

Archive *archive_read(const char *path, Text *why) {
    Archive *s = new_archive(path, why);
    if (s && !open_reading(s, why)) {
        archive_close(s);
        return NULL;
    }
    return s;
}

void archive_close(Archive *s) {
    if (!s)
        return;
    sqlite3_finalize(s->has);
    sqlite3_finalize(s->game);
    sqlite3_finalize(s->seat);
    sqlite3_finalize(s->move);
    if (s->db && s->lock >= 0) {
        // A single file that can be copied and read anywhere; not if somebody reads just now.
        sqlite3_busy_timeout(s->db, 0);
        sqlite3_exec(s->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    sqlite3_close(s->db);
    archive_unlock(s);
    contest_free(s->contest);
    mem_free(s->path);
    mem_free(s->lock_path);
    mem_free(s);
}

const Contest *archive_contest(const Archive *s) {
    return s->contest;
}

int archive_contests(const Archive *s) {
    Text why = {0};
    sqlite3_stmt *q = archive_prepare(s, "SELECT count(*) FROM contests", &why);
    int n = q && sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int(q, 0) : 0;
    sqlite3_finalize(q);
    text_free(&why);
    return n;
}

bool archive_choose(Archive *s, int which, Text *why) {
    sqlite3_stmt *q =
        archive_prepare(s, "SELECT id FROM contests ORDER BY id LIMIT 1 OFFSET ?", why);
    if (!q)
        return false;
    sqlite3_bind_int(q, 1, which);
    bool found = which >= 0 && sqlite3_step(q) == SQLITE_ROW;
    if (found)
        s->id = sqlite3_column_int64(q, 0);
    else
        text_f(why, "`%s` has no contest number %d", s->path, which + 1);
    sqlite3_finalize(q);
    return found && archive_load(s, why);
}
