// search: players. A player is asked about a position and answers with a move, what it thinks the
// position is worth, the line it expects, and what it did to find out.
//
// A player is named and parametrised in one text, `alphabeta:time=1s,threads=2`; kinds of players
// are rows of SEARCH_PLAYERS, each with one function in a file of its own. A Player belongs to one
// game and one thread at a time; what it learns (tables, trees) it keeps until player_free, so that
// the next move profits. Everything it allocates is allocated by player_new or within the memory
// limit.
#ifndef LUDENS_SEARCH_H
#define LUDENS_SEARCH_H

#include "game/record.h"

#include <stdatomic.h>

#define SEARCH_MAX_LINE 256  // long enough for the solutions of most puzzles
#define SEARCH_MAX_BEST 16   // moves that a result lists with their values
#define SEARCH_BEST_LINE 24  //   and how much of the lines behind them
#define SEARCH_MAX_TRIED 256 // moves whose visits are listed: the others hardly have any

// Values are for the player on move. A win in n plies is VALUE_WIN - n, a loss -(VALUE_WIN - n);
// all between -VALUE_SURE and VALUE_SURE are estimates: thousandths of a win, or of whatever the
// evaluation counts.
typedef int32_t Value;
#define VALUE_WIN 1000000
#define VALUE_SURE 900000
static inline bool value_is_proven(Value v) {
    return v >= VALUE_SURE || v <= -VALUE_SURE;
}

typedef struct Limits {
    double seconds;     // of the clock on the wall, for this move; 0: no limit
    int64_t nodes;      // positions looked at
    int depth;          // plies
    int64_t iterations; // playouts
    size_t memory;      // bytes of tables and trees; 0: the player's own default
    double stretch;     // seconds that a hard move may take, more than `seconds`; 0: no more
} Limits;

typedef struct Scored {
    Move move;
    Value value;
    int64_t visits;              // nodes or playouts behind it
    bool at_most;                // the value is a bound: the move is not better than that
    Move line[SEARCH_BEST_LINE]; // the line behind it, itself first, where the player knows it
    int line_length;
} Scored;

typedef struct SearchResult {
    bool found; // false: there is no move, or the rules failed (runner_error)
    Move move;
    Value value;
    bool exact; // the value is proven: won, lost or drawn with best play
    Move line[SEARCH_MAX_LINE];
    int line_length;
    Scored best[SEARCH_MAX_BEST]; // the best moves, best first, where the player knows them
    int best_count;
    int64_t nodes;
    int64_t playouts; // random games, of players that play them
    int depth;        // plies searched to the end of, or the deepest line of a tree
    double seconds;
} SearchResult;

// How often moves were tried, the most often tried first.
typedef struct SearchVisits {
    int count;
    Move move[SEARCH_MAX_TRIED];
    int64_t visits[SEARCH_MAX_TRIED];
} SearchVisits;

typedef struct Trace Trace; // trace.h: the tree that was walked, for `ludens search --trace`

// What a player is asked.
typedef struct SearchTask {
    const Record *record;    // the game so far; its last state is the position
    Limits limits;           // what the caller demands, besides the player's own
    const atomic_bool *stop; // set by others: return the best move so far within 20 ms; may be NULL
    uint64_t seed;       // the same seed and limits other than time, one thread: the same answer
    Trace *trace;        // NULL: nobody looks
    const Move *without; // moves that are known to be bad: `alphabeta` leaves them out; may be NULL
    int without_count;   //   not all of them
    int best;            // so many best moves are wanted with their values and lines; 0: one
    SearchVisits
        *tried; // NULL, or filled by players that count visits, before `tell` and at the end
    void (*tell)(void *with, const SearchResult *so_far); // NULL, or called when there is news
    void *with;
} SearchTask;

typedef struct Player Player;
typedef struct Knowledge Knowledge; // knowledge/knowledge.h

// NULL with the reason (unknown player or parameter, with what was perhaps meant).
Player *player_new(const Game *game, const char *text, Text *why);
// The same with what is known about the game, for players that make use of it and whose text does
// not name their own; lent as long as the player lives. NULL: what the game's file says. Players in
// several threads may share it once knowledge_use was called; before, a search does that.
Player *player_knowing(const Game *game, const char *text, Knowledge *knowledge, Text *why);
// The same. When others set `stop` while the player is made, it does without what it has not learnt
// by then. `stop` may be NULL.
Player *player_stoppable(const Game *game, const char *text, Knowledge *knowledge,
                         const atomic_bool *stop, Text *why);
void player_free(Player *p);
// Adds the same player's text with no more than so many threads and megabytes, without making it.
// False with the reason: there is no such player, or a parameter is wrong.
bool player_held_down(const char *text, int threads, int megabytes, Text *out, Text *why);
const char *player_text(const Player *p); // as it could be given to player_new: name and parameters
bool player_search(Player *p, const SearchTask *task, SearchResult *result); // false: see found
const char *player_why(const Player *p); // why it plays as it does, one line ("auto"); may be ""
void player_list(Text *out, bool json);  // all kinds with their parameters, for `ludens players`
// One kind with what its parameters mean; false with the reason if there is none of that name.
bool player_describe(const char *name, bool json, Text *out, Text *why);
const char *player_usual(void); // the text of the player to take when nobody says which

#endif
