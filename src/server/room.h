// room: a game being played by people, computers and watchers.
//
// What makes a room is in the store: game, parameters, seats, keys, start, moves, clocks. The rest
// (states, a Runner) is made when somebody looks and thrown away when nobody did for a while, so
// that an idle room takes next to no memory. A change is in the store before anybody hears of it.
// Rooms belong to the loop's thread; players think in threads of think.h, on copies.
#ifndef LUDENS_ROOM_H
#define LUDENS_ROOM_H

#include "game/describe.h"
#include "game/record.h"
#include "server/hub.h"

typedef enum SeatKind { SEAT_PERSON, SEAT_OPEN, SEAT_COMPUTER } SeatKind; // open: nobody came yet
typedef struct Seat {
    SeatKind kind;
    char name[64];
    char *player; // SEAT_COMPUTER: a player's text
    char key[24]; // of a person: whoever has it, sits here
} Seat;

const char *client_page(Client *c); // the word that the browser keeps, or "": not known
// rooms.c: finds it among those in memory, or in the store. NULL: there is none.
Room *room_find(Hub *hub, const char *name);
int rooms_in_memory(const Hub *hub);
const char *room_name(const Room *room);
int64_t room_seq(const Room *room);
// On whose account its computers think: the first who came while nobody was there. The number of
// the client, which may have gone, and its address.
int64_t room_account(const Room *room, const char **address);
// The game with its states; NULL with an error sent to the client if it cannot be loaded (any
// more).
const Game *room_game(Room *room);
Runner *room_runner(Room *room);
Record *room_record(Room *room);
Seat *room_seat(Room *room, int seat);
bool room_joined(const Room *room, const Client *c);
bool room_sits(const Room *room, const Client *c, int seat); // whether the client has that seat
// Writes the whole room as docs/web-protocol.md says, as this client sees it.
void room_json(Room *room, const Client *c, Text *out);
// Plays a move for a seat: checked, stored, told to everybody. False with the reason (not stored:
// nothing happened).
bool room_play(Room *room, Move move, double seconds, Text *why);
// The computer on move cannot move: the game ends by `failed`, with the reason.
void room_fail(Room *room, const char *why);
void room_tell(Room *room); // seq grew: everybody who joined gets the room

// --- games.c: loaded games, shared by all rooms with the same rules and parameters ---
// Counted: each gets its games_drop. NULL with the reason. `name` is of the library, a file the
// server was given, or @HASH of an upload.
const Game *games_take(Hub *hub, const char *name, const char *const *params, int count, Text *why);
void games_drop(Hub *hub, const Game *game);
// Once more a game that somebody else has taken, so that a task may outlive the room: gets a
// games_drop of its own.
void games_hold(Hub *hub, const Game *game);
// It is about to be played: machine code is made in the background, where that is allowed.
void games_speed_up(Hub *hub, const Game *game);
bool games_trusted(const Hub *hub, const Game *game); // of the library or the server's own files
// Keeps an uploaded rules text; its name @HASH.
bool games_keep(Hub *hub, const char *title, const char *text, char name[40], Text *why);

#endif
