// room_inside: the inside of rooms, for the files of rooms alone; others see room.h.
//
//     rooms.c       all rooms: finding, making, what is due, the end of a round
//     room.c        one room: its record, its clients, its end
//     room_head.c   what of it is in the store besides the moves
//     room_json.c   what of it a client sees
//     room_play.c   moves, clocks, computers on move
//     room_open.c, room_do.c, room_turn.c, edit.c   what pages ask
#ifndef LUDENS_ROOM_INSIDE_H
#define LUDENS_ROOM_INSIDE_H

#include "game/movetext.h"
#include "server/parts.h"
#include "server/room.h"
#include "server/store.h"

#define ROOM_PLIES 3000        // moves of a game, at most
#define ROOM_JOINED 500        // clients in a room, watchers included
#define ROOM_OF_CLIENT 100     // rooms that a client is in at once
#define ROOM_OPENED 1000       // rooms that a client opens, at most
#define ROOM_MEMORY 50000      // rooms in memory at once
#define ROOM_LOOKED 60.0       // seconds: a record that nobody asked for so long is put away
#define ROOM_PACE 1.0          // seconds between moves of computers among themselves
#define ROOM_SWEEP 10.0        // seconds between two looks for rooms to put away
#define ROOM_VALUES 128        // choices of a move
#define ROOM_NAME 60           // bytes of a person's name
#define ROOM_PAGE 64           // bytes of a page's word
#define ROOM_START 8192        // bytes of the text of a position
#define ROOM_PLAYER 200        // bytes of a player's text
#define ROOM_PARAMS 32         // parameters of a game
#define ROOM_CLOCK_MS 36000000 // of a player, ten hours

typedef struct RoomMove {
    char *line;    // as stored: values of the choices joined by commas (`-`: none), a blank, text
    char *json;    // as told; NULL until it is asked for
    float seconds; // that it took
} RoomMove;

typedef enum RoomEnd {
    END_NONE,
    END_RULES,
    END_RESIGN,
    END_AGREEMENT,
    END_TIME,
    END_FAILED
} RoomEnd;

typedef enum OfferKind { OFFER_NONE, OFFER_DRAW, OFFER_TAKEBACK, OFFER_RESTART } OfferKind;

typedef struct Joined {
    Client *client;
    uint32_t seats; // a bit for each seat whose key the client has
} Joined;

struct Room {
    Hub *hub;
    Room *next; // of the same bucket
    char name[16];
    int64_t seq;
    double used; // seconds since 1970

    // What is in the store's head.
    char *game;
    char **params;
    int param_count;
    Seat seats[IR_MAX_PLAYERS];
    int seat_count;
    char *start; // the text of the first position, "" if it is the usual one
    char *title;
    char owner[ROOM_PAGE + 1]; // the page that opened it
    bool clocked;
    double left[IR_MAX_PLAYERS]; // milliseconds, when the clock was last stopped or changed hands
    double increment, whole;     // what is added for a move; what each had at first
    RoomEnd end;
    uint32_t winners;
    char *end_text;
    double pace; // seconds between moves of a room of computers; below 0: it waits

    RoomMove *moves; // `known` of them, the first `ply` played
    int known, ply, move_cap;

    // Made when somebody looks.
    const Game *loaded;
    Record *record;
    char *unplayable; // why there can be no record; NULL: nobody has tried
    double looked;

    // Only while it is in memory.
    Joined *joined;
    int joined_count, joined_cap;
    OfferKind offer;
    int offer_seat, offer_ply;
    uint32_t agreed;   // seats that said yes
    int64_t opener;    // number of the client that opened it
    char from[46];     // on whose account computers think here: the address of who came first,
    int64_t came;      //   and the number of that client
    double turn_since; // when the position came up
    double since;      // when the player on move began, 0: nobody's time runs
    int thinking;      // the seat that thinks, -1
    double thinking_since, thinking_limit;
    double due;    // when something is to be done, 0: never
    bool stepping; // one move while it waits
    bool dirty;    // changed in this round
    Room *next_dirty;
};

typedef struct ClientRooms { // in the client's slot
    char page[ROOM_PAGE + 1];
    char name[ROOM_NAME + 1];
    Room **rooms;
    int count, cap;
    int opened, uploads;
} ClientRooms;

typedef struct Games Games;
typedef struct Rooms { // in the hub's slot
    Store *store;
    Games *games;
    Room **buckets;
    int bucket_count, count;
    Room *dirty;
    bool broken; // the store failed in this round
    double due;  // the earliest of all rooms; 0: none
    double sweep, tidy;
    int64_t known_opened;
} Rooms;

// --- rooms.c ---
Rooms *hub_rooms(const Hub *hub);
Room *rooms_add(Hub *hub);               // empty, with a name of its own; NULL when out of memory
void rooms_remove(Room *room);           // from memory; all who joined have left it
void rooms_due(Room *room, double when); // 0: never
void rooms_touch(Room *room);            // it will be changed in this round
void random_word(char *out, int length); // letters and digits that nobody can guess
double wall_clock(void);                 // seconds since 1970

// --- room.c ---
void room_free(Room *room);
void room_clear(Room *room); // all that is in the store
bool room_add_move(Room *room, int at, const char *line, double seconds);
void room_cut(Room *room, int ply);    // forgets moves from there on
bool room_load(Room *room, Text *why); // makes the record
// In any thread: the record of these moves, the first `ply` played. NULL with the reason.
Record *room_replay(Runner *r, const char *start, const RoomMove *moves, int count, int ply,
                    Text *why);
// It was made in a thread, for a room whose moves are still the same: taken. False: it is not.
bool room_adopt(Room *room, Record *record);
void room_unload(Room *room);
bool room_values(const char *line, int64_t *values, int *count);
const char *room_line_text(const char *line); // the text of a move as stored
// The legal move with these choices; false with the reason.
bool room_move_of(Runner *r, const uint8_t *state, const int64_t *values, int count, Move *move,
                  Text *why);
Joined *room_join(Room *room, Client *c); // NULL when out of memory or full
void room_part(Room *room, const Client *c);
uint32_t room_keys_of(const Room *room, const Client *c);  // seats whose keys the client has
uint32_t room_seats_of(const Room *room, const Client *c); // persons' seats that the client has
uint32_t room_persons(const Room *room);                   // seats of persons, open ones too
bool room_may_ask_again(const Room *room,
                        const Client *c);           // it is over: for a game with the others
bool room_alone(const Room *room, const Client *c); // all persons of the room are this client
int room_turn(Room *room);                          // the player on move; -1: it is over
bool room_owns(const Room *room, Client *c);        // opened it
void room_refresh_end(Room *room);                  // what the rules say, unless it ended otherwise
bool room_all_computers(const Room *room);
ClientRooms *client_rooms(Client *c); // NULL when out of memory

// --- room_head.c ---
void room_head(const Room *room, Text *out);
bool room_read_head(Room *room, const char *head, Text *why);
// The room without its moves goes to the store, with the next seq.
bool room_keep(Room *room, Text *why);

// --- room_json.c ---
void room_members(Room *room, const Client *c, Text *out); // of an object, without braces
void room_moves_json(Room *room, Text *out);

// --- room_play.c ---
void room_settle_clock(Room *room); // takes off what has passed since it was last looked at
double room_left(const Room *room, int seat); // milliseconds now
void room_go_on(Room *room);                  // whoever is on move: clock, computer
void room_finish(Room *room, RoomEnd end, uint32_t winners, const char *text);
void room_time_out(Room *room);
void room_stop_thinking(Room *room);
bool room_go_to(Room *room, int ply, Text *why); // takes back or redoes, in memory and in the store
// The last ply before now at which one of these seats was on move; -1: none.
int room_back_ply(Room *room, uint32_t seats);
void room_wake(Room *room, double now); // what was due

// A move of a game that is continued: stored, but nobody's clock runs and nobody is told.
bool room_play_past(Room *room, Move move, Text *why);

// --- room_do.c ---
bool in_values(Client *c, int64_t id, const cJSON *in, int64_t *values, int *count);
bool in_loaded(Client *c, int64_t id, const cJSON *in, Room **room); // with its record
void reply_text(Client *c, int64_t id, Text *members);               // and frees it
void copy_name(char *to, size_t size, const char *from);
bool note_visit(Room *room, Client *c, Text *why); // the room is one of the page's

// --- room_turn.c ---
bool in_turn(Client *c, int64_t id, const cJSON *in,
             Room **room); // loaded, and as the client knows
void reply_seq(Client *c, int64_t id, const Room *room);
void reply_kept(Client *c, int64_t id, const Room *room, bool kept, Text *why); // and frees `why`
bool reply_denied(Client *c, int64_t id, const char *why);                      // false

// --- room_open.c ---
bool read_params(Client *c, int64_t id, const cJSON *in, char ***params, int *count);
void free_params(char **params, int count);

// --- games.c ---
bool games_begin(Hub *hub, Text *why);
void games_end(Hub *hub);
void games_sweep(Hub *hub);
// The loop's own. Rules from pages get so many seconds until the next call.
#define GAMES_STEPS 1000000L // of the interpreter in a call, about 10 ms
#define GAMES_SECONDS 0.02   // for a message
#define GAMES_SETUP 0.2      // for a first position, or for playing a game up to where it was left
#define GAMES_REPLAY 5.0     //   in a thread: see games_wait.h
// For games_wait.h. Whether the game is loaded; rules from pages, compiled in any thread; then they
// are put where games_take finds them. `game` NULL: until games_put_over, games_take says why.
bool games_has(const Hub *hub, const char *name, const char *const *params, int count);
Game *games_compile(const char *name, const char *title, const char *text,
                    const char *const *params, int count, Text *why);
void games_put(Hub *hub, const char *name, const char *const *params, int count, Game *game,
               const char *why);
void games_put_over(Hub *hub);
Runner *games_runner(const Hub *hub, const Game *game, double seconds);
const Game *games_take_list(Hub *hub, const char *name, char *const *params, int count, Text *why);

#endif
