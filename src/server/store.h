// store: rooms in an SQLite file. What store_* confirmed survives a kill of the process.
//
// One process uses a file at a time. Belongs to the loop's thread.
#ifndef LUDENS_STORE_H
#define LUDENS_STORE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Store Store;

// NULL with the reason: damaged, newer, used by another server, not writable.
Store *store_open(const char *path, Text *why);
void store_close(Store *s);

typedef struct StoredRoom {
    char name[16];
    int64_t seq;
    double used;      // seconds since 1970
    const char *head; // JSON: game, params, seats with keys, start, clock, pages
} StoredRoom;

// All false with the reason; then nothing changed.
bool store_room(Store *s, const StoredRoom *room, Text *why); // new, or a new head
// A move was played: `ply` is its number from 0. Moves from there on are gone (after undo).
bool store_move(Store *s, const char *room, int64_t seq, int ply, const char *text, double seconds,
                const char *head, Text *why); // head NULL: as it was
bool store_cut(Store *s, const char *room, int64_t seq, int ply, const char *head, Text *why);
bool store_forget(Store *s, const char *room, Text *why);
// Calls back for a room's moves in order; false if there is no such room or it fails (why).
bool store_read(Store *s, const char *room, StoredRoom *out,
                bool (*move)(void *with, const char *text, double seconds), void *with, Text *why);
bool store_rules(Store *s, const char *hash, const char *title, const char *text, Text *why);
char *store_find_rules(Store *s, const char *hash, Text *title); // mem_free; NULL: none
// The loop brackets what it does in one round, so that many moves share one transaction. Answers
// are sent behind store_commit.
bool store_begin(Store *s, Text *why);
bool store_commit(Store *s, Text *why);

#endif
