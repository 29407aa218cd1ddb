// archive_schema: the tables of the database, and whether a file is one. See archive_parts.h.
//
// docs/archive.md describes the tables for people who ask them with SQL: keep both alike.
#include "match/archive_parts.h"

#include "base/database.h"

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
    database_explain(s->db, s->path, why);
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
    if (!database_number(s->db, s->path, "PRAGMA application_id", &application, why) ||
        !database_number(s->db, s->path, "PRAGMA user_version", &version, why) ||
        !database_number(s->db, s->path, "SELECT count(*) FROM sqlite_master", &tables, why))
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
    return database_is_whole(s->db, s->path, CHECKED_WHOLE, why);
}
