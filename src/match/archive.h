// archive: contests and their games in an SQLite file. A game that was kept is on the disk and is
// never lost; one that was not kept was not played.
//
// One process writes a file at a time; others may read meanwhile (write-ahead log). At rest, a
// database is a single file. An Archive may be shared between threads. A game that was stopped
// (END_STOPPED) cannot be kept, nor one whose number is there already.
#ifndef LUDENS_ARCHIVE_H
#define LUDENS_ARCHIVE_H

#include "match/contest.h"

typedef struct Archive Archive;

// Opens or makes the file. For a contest that it holds already (same title, entrants, games, seed
// and schedule) it goes on; another contest of the same title is an error that says what differs.
// NULL with the reason: damaged, of a newer version, used by another process, read-only, …
Archive *archive_open(const char *path, const Contest *contest, Text *why);
Archive *archive_read(const char *path, Text *why); // for reports: nothing is written
void archive_close(Archive *s);

bool archive_has(const Archive *s, int64_t number);            // of this contest
bool archive_add(Archive *s, const Played *played, Text *why); // true: it is on the disk
// Several at once, in one transaction: true: all are on the disk; false: none is.
bool archive_add_all(Archive *s, const Played *const *played, int count, Text *why);
// Calls `visit` for each game of the contest in order of number; false stops.
typedef bool ArchiveVisit(void *with, const Played *played);
bool archive_each(Archive *s, ArchiveVisit *visit, void *with, Text *why);
const Contest *archive_contest(const Archive *s); // as it is kept in the file
// A file may hold several contests with different titles, in the order they began. archive_read
// begins with the last of them; another is chosen by its number from 0, which frees what
// archive_contest gave.
int archive_contests(const Archive *s);
bool archive_choose(Archive *s, int which, Text *why);

#endif
