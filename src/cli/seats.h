// seats: who plays each side of a game: a person, a player of search.h, or a bot.
#ifndef LUDENS_SEATS_H
#define LUDENS_SEATS_H

#include "cli/cli.h"
#include "match/contestant.h"

typedef struct Seats {
    int count;
    Knowledge *knowledge; // of --knowledge, or NULL; lent to the players
    Player *player[IR_MAX_PLAYERS];
    Contestant *bot[IR_MAX_PLAYERS]; // neither of the two: a person
    Text text[IR_MAX_PLAYERS];       // of bots
} Seats;

// From --players: texts separated by commas, as many as the game has players. A part of the form
// key=value belongs to the player before it if that has parameters already: in
// `minimax:depth=3,heuristic=none,random` there are two; `level=` always begins another. `bot:` and
// a command is a process that plays. Without
// --players the first is a person and the others are the usual player. An exit status; close in any
// case.
int seats_open(const Cli *cli, const Game *g, Seats *s);
void seats_begin(Seats *s, uint64_t seed); // tells bots that a game begins
void seats_close(Seats *s);
bool seats_is_person(const Seats *s, int player);
bool seats_any_person(const Seats *s);
bool seats_any_thinker(const Seats *s); // somebody who takes time
// The move of a bot: EXIT_OK, EXIT_INTERRUPTED after Ctrl-C, or EXIT_INPUT with what it did wrong
// and the last it said (reported).
int seats_bot_move(Seats *s, int player, const Record *record, const atomic_bool *stop, Move *move);
const char *seats_enforced(const Seats *s); // what holds bots back; "" without bots
const char *seats_text(const Seats *s, int player);

#endif
