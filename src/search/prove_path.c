// prove_path: puzzles that are too large for the other ways. Any way to the goal proves that there
// is one, so those who search for a way are asked: A*, then best-first (auto.c).
#include "search/prove_parts.h"

#include <string.h>

#define LONG 1e9 // seconds, where nobody has set a limit

// The player has a clock of its own: whether the limits here are reached, too.
static void note_limits(Prover *p) {
    Clock *c = &p->clock;
    bool late = c->until > 0 && clock_seconds(c) >= c->until - c->begin;
    c->over = late || (c->node_limit && c->nodes >= c->node_limit) || clock_look(c);
}

bool prove_path(Prover *p, const uint8_t *state, ProveResult *result) {
    if (p->game->ir->players != 1)
        return false;
    Text text = {0}, why = {0};
    size_t megabytes = p->memory >> 20;
    text_f(&text, "auto:memory=%zu", megabytes > 0 ? megabytes : 1);
    Player *player = player_stoppable(p->game, text_c(&text), NULL, p->clock.stop, &why);
    Record *record = record_new(p->runner, state);
    if (!player || !record)
        prover_fail(p, "out of memory");
    double left =
        p->clock.until > 0 ? p->clock.until - p->clock.begin - clock_seconds(&p->clock) : LONG;
    SearchTask task = {
        .record = record, .limits = {.seconds = left > 0 ? left : 0.001}, .stop = p->clock.stop};
    if (p->clock.node_limit)
        task.limits.nodes =
            p->clock.node_limit > p->clock.nodes ? p->clock.node_limit - p->clock.nodes : 1;
    SearchResult found = {0};
    if (!p->failed && player_search(player, &task, &found)) {
        p->clock.nodes += found.nodes;
        result->way = "path";
        if (found.value >= VALUE_SURE)
            result->low = PROVE_WON;
        else if (found.exact && found.value <= -VALUE_SURE)
            result->high = PROVE_LOST;
        result->nodes = p->clock.nodes;
        result->seconds = clock_seconds(&p->clock);
        if (result->low == PROVE_WON) {
            result->line_length = found.line_length;
            memcpy(result->line, found.line, sizeof *found.line * (size_t)found.line_length);
        }
    }
    note_limits(p);
    record_free(record);
    player_free(player);
    text_free(&text);
    text_free(&why);
    return !p->failed;
}
