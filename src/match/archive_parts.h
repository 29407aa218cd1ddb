// archive_parts: what the files of the archive share. See archive.h.
#ifndef LUDENS_ARCHIVE_PARTS_H
#define LUDENS_ARCHIVE_PARTS_H

#include "match/archive.h"

#include <sqlite3.h>

struct Archive {
    sqlite3 *db;
    char *path;
    int lock; // descriptor of the file that says who writes; -1: only read
    char *lock_path;
    int64_t id; // of the contest
    Contest *contest;
    sqlite3_stmt *has, *game, *seat, *move; // prepared once; NULL: only read
};

// --- archive_schema.c ---
// Whether the file is one of ours, whole and of this version; makes the tables of an empty one if
// `make` says so. Adds the reason.
bool archive_schema(Archive *s, bool make, Text *why);
// What SQLite's last error means for people: damaged, in use, read-only, full, …
void archive_explain(const Archive *s, Text *why);

// --- archive_lock.c ---
// Takes the right to write, for as long as the process lives; archive_unlock gives it back.
bool archive_lock(Archive *s, Text *why);
void archive_unlock(Archive *s);

// --- archive_contest.c ---
bool archive_find(Archive *s, const char *title, Text *why); // sets id; 0: there is none
bool archive_keep(Archive *s, const Contest *c, Text *why);  // in a transaction of its own; sets id
bool archive_load(Archive *s, Text *why);                    // sets contest, by id
// Whether it is the same contest; else what differs.
bool archive_same(const Contest *kept, const Contest *asked, Text *why);

// --- archive.c ---
// A statement that is used once; NULL with the reason.
sqlite3_stmt *archive_prepare(const Archive *s, const char *sql, Text *why);
bool archive_run(const Archive *s, const char *sql, Text *why); // statements without a result
// Steps and takes the statement back to its beginning; false with the reason.
bool archive_step(const Archive *s, sqlite3_stmt *statement, Text *why);
void archive_bind(sqlite3_stmt *statement, int at, const char *text); // NULL is ""
void archive_bind_seed(sqlite3_stmt *statement, int at, uint64_t seed);
uint64_t archive_seed(sqlite3_stmt *statement, int at);
const char *archive_column(sqlite3_stmt *statement, int at); // never NULL

#endif
