// insight: what pages ask of a position; what the files of it share.
//
// A Question is about a position of a room: a copy of the game up to that ply, and where the answer
// goes. It is asked in a thread of think.h and answered in the loop's.
#ifndef LUDENS_INSIGHT_H
#define LUDENS_INSIGHT_H

#include "server/past.h"
#include "server/think.h"

typedef struct Question {
    Past past;
    int64_t id; // of the message
    // In the thread:
    Runner *runner;
    Record *record;
    uint64_t key; // of the position, for insight_remember
} Question;

// Reads `room` and `ply` (left out: the last); false with the error sent.
bool question_read(Question *q, Client *c, const cJSON *in, int64_t id);
void question_drop(Hub *hub, Question *q);
// In the thread: makes runner and record; the caller frees them by question_close. False with the
// reason.
bool question_open(Question *q, Text *why);
void question_close(Question *q);
// Reads `player`, or takes the usual one; the text to make it by. False with the error sent.
bool question_player(Client *c, const cJSON *in, int64_t id, const char *usual, Text *out);
// A number that may be left out.
bool question_number(Client *c, const cJSON *in, int64_t id, const char *name, double low,
                     double high, double *number);
// The answer to a message that began a task: its number, or that too much is going on. False: no
// task, and the caller frees what it would have got.
bool question_task(Client *c, int64_t id, const Task *task);

// --- values of positions, as searches found them: for the graph ---
uint64_t insight_game(const Game *g); // tells games apart, parameters included
uint64_t insight_key(const Game *g, uint64_t game, const uint8_t *state);
void insight_remember(Hub *hub, uint64_t key, const SearchResult *result);
// The value for the player on move; false: nothing is known.
bool insight_recall(Hub *hub, uint64_t key, Value *value);

// --- insight_line.c: moves and lines as JSON ---
// "move":…,"values":[…],"cells":[…]
void insight_move(Runner *r, const uint8_t *from, Move move, Text *out);
void insight_line(Runner *r, const uint8_t *from, const Move *line, int count, Text *out); // […]
// The cells of a set as a JSON list.
void insight_cells(const Board *b, const uint64_t *cells, Text *out);

// --- insight_count.c: what can be told about every game, by counting pieces and moves ---
// "lines":[…],"value":null,"words":"" for a position, or for what changes to another; NULL: none.
bool insight_count(Runner *r, const uint8_t *from, const uint8_t *to, Text *out);

// --- insight_tree.c: the trees of a client; freed when it leaves ---
void trees_leave(Client *c);

#endif
