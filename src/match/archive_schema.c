// archive_schema: the tables of the database, and whether a file is one. See archive_parts.h.
//
// docs/archive.md describes the tables for people who ask them with SQL: keep both alike.
#include "match/archive_parts.h"

#include <string.h>

#define APPLICATION 0x4C75646E // "Ludn": tells our files from other SQLite files
#define VERSION 1
#define CHECKED_WHOLE (INT64_C(256) << 20) // bytes; larger files take too long to look through

static const char schema[] =
    "CREATE TABLE contests (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,"
    " seed TEXT NOT NULL, each INTEGER NOT NULL, rounds INTEGER NOT NULL, swap INTEGER NOT NULL,"
    " opening_plies INTEGER NOT NULL, plies INTEGER NOT NULL, sprt INTEGER NOT NULL,"
    " elo0 REAL NOT NULL, elo1 REAL NOT NULL, alpha REAL NOT NULL, beta REAL NOT NULL,"
    " program TEXT NOT NULL);"
    "CREATE TABLE entrants (contest INTEGER NOT NULL REFERENCES contests, number INTEGER NOT NULL,"
    " name TEXT NOT NULL, player TEXT NOT NULL, move_seconds REAL NOT NULL,"
    " game_seconds REAL NOT NULL, increment REAL NOT NULL, margin REAL NOT NULL,"
    " nodes INTEGER NOT NULL, depth INTEGER NOT NULL, PRIMARY KEY (contest, number))"
    " WITHOUT ROWID;"
    "CREATE TABLE rules (contest INTEGER NOT NULL REFERENCES contests, number INTEGER NOT NULL,"
    " game TEXT NOT NULL, PRIMARY KEY (contest, number)) WITHOUT ROWID;"
    "CREATE TABLE parameters (contest INTEGER NOT NULL REFERENCES contests,"
    " rules INTEGER NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL,"
    " PRIMARY KEY (contest, rules, number)) WITHOUT ROWID;"
    "CREATE TABLE games (contest INTEGER NOT NULL REFERENCES contests, number INTEGER NOT NULL,"
    " round INTEGER NOT NULL, rules INTEGER NOT NULL, result INTEGER NOT NULL,"
    " ending TEXT NOT NULL, culprit INTEGER, reason TEXT NOT NULL, opening TEXT NOT NULL,"
    " seed TEXT NOT NULL, openings INTEGER NOT NULL, moves INTEGER NOT NULL, began REAL NOT NULL,"
    " ended REAL NOT NULL, program TEXT NOT NULL, record TEXT NOT NULL, log TEXT NOT NULL,"
    " PRIMARY KEY (contest, number)) WITHOUT ROWID;"
    "CREATE TABLE seats (contest INTEGER NOT NULL, game INTEGER NOT NULL, seat INTEGER NOT NULL,"
    " entrant INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (contest, game, seat),"
    " FOREIGN KEY (contest, game) REFERENCES games (contest, number)) WITHOUT ROWID;"
    "CREATE TABLE moves (contest INTEGER NOT NULL, game INTEGER NOT NULL, ply INTEGER NOT NULL,"
    " seconds REAL NOT NULL, nodes INTEGER, depth INTEGER, value INTEGER,"
    " PRIMARY KEY (contest, game, ply),"
    " FOREIGN KEY (contest, game) REFERENCES games (contest, number)) WITHOUT ROWID;";

void archive_explain(const Archive *s, Text *why) {
    int code = sqlite3_errcode(s->db) & 0xFF;
    switch (code) {
    case SQLITE_CORRUPT: text_f(why, "`%s` is damaged", s->path); break;
    case SQLITE_NOTADB: text_f(why, "`%s` is not a database", s->path); break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: text_f(why, "`%s` is in use by another program", s->path); break;
    case SQLITE_READONLY:
    case SQLITE_PERM:
        text_f(why, "cannot write `%s`: it or its folder is read-only", s->path);
        break;
    case SQLITE_FULL: text_f(why, "cannot write `%s`: the disk is full", s->path); break;
    case SQLITE_NOMEM: text_add(why, "out of memory"); break;
    default: text_f(why, "`%s`: %s", s->path, sqlite3_errmsg(s->db));
    }
}

static bool number_of(const Archive *s, const char *sql, int64_t *number, Text *why) {
    sqlite3_stmt *q = archive_prepare(s, sql, why);
    if (!q)
        return false;
    bool ok = sqlite3_step(q) == SQLITE_ROW;
    if (ok)
        *number = sqlite3_column_int64(q, 0);
    else
        archive_explain(s, why);
    sqlite3_finalize(q);
    return ok;
}

// Every page that is not sound would be found later, in the middle of a contest or a report.
static bool is_whole(const Archive *s, Text *why) {
    int64_t pages, size;
    if (!number_of(s, "PRAGMA page_count", &pages, why) ||
        !number_of(s, "PRAGMA page_size", &size, why))
        return false;
    if (pages > CHECKED_WHOLE / (size > 0 ? size : 1))
        return true;
    sqlite3_stmt *q = archive_prepare(s, "PRAGMA quick_check(1)", why);
    if (!q)
        return false;
    bool stepped = sqlite3_step(q) == SQLITE_ROW;
    const char *found = stepped ? archive_column(q, 0) : "";
    bool ok = stepped && sqlite3_stricmp(found, "ok") == 0;
    if (!stepped)
        archive_explain(s, why);
    else if (!ok) {
        const char *line = strrchr(found, '\n'); // the last one says what it is
        text_f(why, "`%s` is damaged: %.200s", s->path, line ? line + 1 : found);
    }
    sqlite3_finalize(q);
    return ok;
}

static bool make_tables(const Archive *s, Text *why) {
    Text sql = {0};
    text_f(&sql, "BEGIN IMMEDIATE; %s PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
           schema, APPLICATION, VERSION);
    bool ok = !sql.failed && archive_run(s, text_c(&sql), why);
    if (!ok)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    text_free(&sql);
    return ok;
}

bool archive_schema(Archive *s, bool make, Text *why) {
    int64_t application, version, tables;
    if (!number_of(s, "PRAGMA application_id", &application, why) ||
        !number_of(s, "PRAGMA user_version", &version, why) ||
        !number_of(s, "SELECT count(*) FROM sqlite_master", &tables, why))
        return false;
    if (application == 0 && version == 0 && tables == 0) {
        if (make)
            return make_tables(s, why);
        text_f(why, "`%s` is empty: there are no games in it", s->path);
        return false;
    }
    if (application != APPLICATION) {
        text_f(why, "`%s` is a database of another program", s->path);
        return false;
    }
    if (version > VERSION) {
        text_f(why, "`%s` was written by a newer version of Ludens (tables %lld, known here: %d)",
               s->path, (long long)version, VERSION);
        return false;
    }
    return is_whole(s, why);
}
