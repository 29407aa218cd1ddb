// games_wait: rules from pages are compiled in a thread before they are needed, and rooms where
// they are played get their records there. Who needs them waits: all others play on.
//
// It is asked before a message or a request is answered. The one who answers then finds the game
// loaded, or hears from games_take or room_load why it cannot be. Other games load where they are
// asked for: those of the library and of the server take milliseconds.
#ifndef LUDENS_GAMES_WAIT_H
#define LUDENS_GAMES_WAIT_H

#include "server/hub.h"

#define GAMES_WAIT_ADDRESS 8 // requests of one address that wait at once: they are of no client

// Ends by itself when it has called back, or by games_wait_forget.
typedef struct GamesWait GamesWait;
typedef void GamesThen(Hub *hub, void *with); // the loop's thread, not before the call is over

// For the game that a message names, by `game` and `params` or by `room`. NULL: there is nothing to
// wait for.
GamesWait *games_wait_message(Client *c, const cJSON *in, GamesThen *then, void *with);
// For a game, or for that of a room, that somebody at this address asks for without being a client.
GamesWait *games_wait_game(Hub *hub, const char *address, const char *name,
                           const char *const *params, int count, GamesThen *then, void *with);
GamesWait *games_wait_room(Hub *hub, const char *address, const char *room, GamesThen *then,
                           void *with);
// It does not call back.
void games_wait_forget(GamesWait *w);

#endif
