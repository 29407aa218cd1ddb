// found: a position to search and what was found, for the commands that search.
#ifndef LUDENS_FOUND_H
#define LUDENS_FOUND_H

#include "cli/saved.h"
#include "match/contestant.h"
#include "search/trace.h"

// The position of --load, or of the first word and --state, and who searches it.
typedef struct Position {
    Saved saved;
    Knowledge *knowledge;    // of --knowledge, or NULL; lent to the player
    Player *player;          // of --player, or the usual one
    Contestant *bot;         //   or a bot in its place
    const char *text;        // of either
    const atomic_bool *stop; // set by Ctrl-C from before the player is made
    uint64_t seed;
    Limits limits;                                        // none unless the command sets some
    int best;                                             // moves with exact values; 0: one
    void (*tell)(void *with, const SearchResult *so_far); // NULL, or called when there is news
    void *with;
} Position;
int position_open(const Cli *cli, Position *p); // an exit status; close in any case
void position_close(Position *p);
// Searches until the limits or Ctrl-C. An exit status: EXIT_INPUT (reported) if there is no move.
int position_search(Position *p, Trace *trace, SearchResult *result);

// Moves one after the other, separated by blanks.
void found_line(Runner *r, const uint8_t *from, const Move *moves, int count, Text *out);
// What a move is worth after its text: ` +120`, ` at most +120`.
void found_scored(const Scored *scored, Text *out);
// The whole result as lines; the members of a JSON object without its braces.
void found_text(const Position *p, const SearchResult *result, Text *out);
void found_json(const Position *p, const SearchResult *result, Text *out);

#endif
