// past: a copy of the game so far of a room, for work in other threads.
//
// Holds the Game; past_drop lets go of it and frees the rest. It is taken and dropped in the loop's
// thread and read in any one.
#ifndef LUDENS_PAST_H
#define LUDENS_PAST_H

#include "server/room.h"

typedef struct Past {
    const Game *game; // NULL: nothing was taken
    uint8_t *start;
    Move *moves;
    int count;
} Past;

// Up to that ply, or -1: all. False when out of memory, or if there is no such ply.
bool past_take(Hub *hub, Room *room, int ply, Past *out);
void past_drop(Hub *hub, Past *past);
Record *past_record(const Past *past, Runner *r); // NULL when out of memory or the rules fail

#endif
