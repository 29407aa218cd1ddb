// seats: who plays each side of a game: a person, or a player of search.h.
#ifndef LUDENS_SEATS_H
#define LUDENS_SEATS_H

#include "cli/cli.h"

typedef struct Seats {
    int count;
    Knowledge *knowledge;           // of --knowledge, or NULL; lent to the players
    Player *player[IR_MAX_PLAYERS]; // NULL: a person
} Seats;

// From --players: texts separated by commas, as many as the game has players. A part of the form
// key=value belongs to the player before it if that has parameters already: in
// `minimax:depth=3,heuristic=none,random` there are two; `level=` always begins another. Without
// --players the first is a person and the others are the usual player. An exit status; close in any
// case.
int seats_open(const Cli *cli, const Game *g, Seats *s);
void seats_close(Seats *s);
bool seats_any_person(const Seats *s);
bool seats_any_thinker(const Seats *s); // somebody who takes time
const char *seats_text(const Seats *s, int player);

#endif
