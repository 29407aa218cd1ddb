// store: rooms in an SQLite file. What store_commit confirmed survives a kill of the process, and a
// power cut as far as the disk keeps what it says it has.
//
// One process uses a file at a time. Belongs to the loop's thread. Changes are made between
// store_begin and store_commit, so that all of one round of the loop share a transaction; whoever
// is told of them is told afterwards. docs/web-protocol.md has the limits on age and number.
#ifndef LUDENS_STORE_H
#define LUDENS_STORE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Store Store;

// Rooms that nobody has used for so long are forgotten, and the oldest where there are more.
#define STORE_DAYS 180
#define STORE_ROOMS 200000
// Uploaded rules that no room plays are forgotten likewise.
#define STORE_RULES 5000

// NULL with the reason: damaged, newer, of another program, used by another server, not writable.
// ":memory:" keeps nothing.
Store *store_open(const char *path, Text *why);
void store_close(Store *s);

typedef struct StoredRoom {
    char name[16];
    int64_t seq;
    int ply;           // moves played; later ones were taken back and can be redone
    double used;       // seconds since 1970
    const char *rules; // store_room: hash of the uploaded rules it is played by, or NULL
    const char *head;  // JSON: game, params, seats with keys, start, clock; store_read: until the
                       //   next call; store_room: NULL leaves it as it was
} StoredRoom;

// All false with the reason; the round is then to be given up (store_rollback).
bool store_begin(Store *s, Text *why); // nothing if a round is open already
bool store_commit(Store *s, Text *why);
void store_rollback(Store *s);

bool store_room(Store *s, const StoredRoom *room, Text *why); // new, or changed
// A move was played: `ply` is its number from 0. Moves that were there from it on are gone.
bool store_move(Store *s, const StoredRoom *room, int ply, const char *text, double seconds,
                Text *why);
bool store_forget(Store *s, const char *room, Text *why); // with its moves
// Calls back for a room's moves in order, until false; false if there is no such room (nothing in
// `why`) or it fails.
bool store_read(Store *s, const char *room, StoredRoom *out,
                bool (*move)(void *with, const char *text, double seconds), void *with, Text *why);

// The rooms of a page: whoever opened or sat in one.
bool store_visit(Store *s, const char *page, const char *room, const char *title, Text *why);
// The newest first, at most `most`, until the call returns false.
bool store_visits(Store *s, const char *page, int most,
                  bool (*each)(void *with, const char *room, const char *title, int64_t seq),
                  void *with, Text *why);

bool store_rules(Store *s, const char *hash, const char *title, const char *text, Text *why);
char *store_find_rules(Store *s, const char *hash, Text *title); // mem_free; NULL: none
// Forgets what is old, as above. Slow where much is to be forgotten: at the start and once a day.
bool store_tidy(Store *s, double now, Text *why);

#endif
