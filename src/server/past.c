// past: see past.h.
#include "server/past.h"

#include "base/mem.h"

#include <string.h>

bool past_take(Hub *hub, Room *room, int ply, Past *out) {
    *out = (Past){0};
    const Game *g = room_game(room);
    Record *rec = g ? room_record(room) : NULL;
    if (!rec || ply > record_length(rec))
        return false;
    int count = ply < 0 ? record_length(rec) : ply;
    size_t size = (size_t)game_state_size(g);
    out->start = mem_alloc(size);
    out->moves = mem_alloc(sizeof *out->moves * (size_t)(count + 1));
    if (!out->start || !out->moves) {
        past_drop(hub, out);
        return false;
    }
    memcpy(out->start, record_state(rec, 0), size);
    for (int i = 0; i < count; i++)
        out->moves[i] = record_move(rec, i);
    out->count = count;
    out->game = g;
    games_hold(hub, g);
    return true;
}

void past_drop(Hub *hub, Past *past) {
    if (past->game)
        games_drop(hub, past->game);
    mem_free(past->start);
    mem_free(past->moves);
    *past = (Past){0};
}

Record *past_record(const Past *past, Runner *r) {
    Record *rec = record_new(r, past->start);
    for (int i = 0; rec && i < past->count; i++)
        if (!record_play(rec, past->moves[i])) {
            record_free(rec);
            return NULL;
        }
    return rec;
}
