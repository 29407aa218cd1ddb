// wire: what ranks say to each other, as bytes that are the same on every machine.
//
//     rank 0                      another rank
//     WIRE_HELLO  what is played  ──►
//                                 ◄──  WIRE_READY  or WIRE_FAILED: another contest, other rules
//                                 ◄──  WIRE_WANT   so many games
//     WIRE_GAME                   ──►
//                                 ◄──  WIRE_PLAYED
//     WIRE_QUIT                   ──►
//                                 ◄──  WIRE_BYE    the last word
//
// No state. Everything that is read may be wrong: false, and nothing of it is used.
#ifndef LUDENS_WIRE_H
#define LUDENS_WIRE_H

#include "match/contest.h"

typedef enum WireKind {
    WIRE_HELLO = 1,
    WIRE_READY,
    WIRE_WANT,
    WIRE_GAME,
    WIRE_PLAYED,
    WIRE_FAILED,
    WIRE_QUIT,
    WIRE_BYE,
    WIRE_KINDS,
} WireKind;

#define WIRE_AHEAD 64    // games that a rank may have for each thread, besides the one it plays
#define WIRE_REASON 2000 // bytes of a reason that are sent

int wire_kind(const Text *message); // 0: none of them

void wire_word(Text *out, WireKind kind); // WIRE_QUIT, WIRE_BYE

void wire_hello(Text *out, const Contest *c, Game *const *games);
// Whether the contest here is the one that the hello is about; else what differs.
bool wire_same(const Text *message, const Contest *c, Game *const *games, Text *why);

void wire_number(Text *out, WireKind kind, int64_t number); // WIRE_READY: jobs; WIRE_WANT: games
bool wire_read_number(const Text *message, int64_t most, int64_t *number); // 1 .. most

void wire_failed(Text *out, const char *why);
void wire_read_failed(const Text *message, Text *why); // made fit for a terminal

void wire_game(Text *out, const Pairing *pairing);
bool wire_read_game(const Text *message, const Contest *c, Game *const *games, Pairing *pairing);

void wire_played(Text *out, const Played *played);
// The number of the game that was played, so that it can be looked up; false: it has none.
bool wire_played_number(const Text *message, int64_t *number);
// `pairing` is the one that was dealt: another one is wrong. The caller frees `played`, also after
// false.
bool wire_read_played(const Text *message, const Contest *c, const Pairing *pairing, int players,
                      Played *played);

#endif
