// insight_count: pieces and moves of a position, or what a move changes in them; see insight.h.
#include "server/insight.h"

#include "base/bits.h"

#include <string.h>

typedef struct Counting {
    const IrGame *ir;
    bool change;
    int lines;
    Text *out;
} Counting;

static int pieces_of(const IrGame *ir, const uint8_t *state, int plane, uint64_t *cells) {
    int n = 0;
    memcpy(cells, state + ir->plane[plane].offset, 8 * (size_t)ir->board->words);
    for (int i = 0; i < ir->board->words; i++)
        n += bits_count(cells[i]);
    return n;
}

// `cells` may be NULL.
static void add_count(Counting *c, int player, const char *what, int64_t before, int64_t after,
                      const uint64_t *cells) {
    const char *who = player < c->ir->players ? c->ir->player[player] : NULL;
    Text text = {0}, sentence = {0};
    text_f(&sentence, who ? "%s: %s" : "%s%s", who ? who : "", what);
    if (c->change)
        text_f(&text, "%s: %lld before, %lld after", text_c(&sentence), (long long)before,
               (long long)after);
    else
        text_f(&text, "%s: %lld", text_c(&sentence), (long long)before);
    text_f(c->out, "%s{\"player\":%d,\"value\":%lld,\"sentence\":", c->lines++ ? "," : "", player,
           (long long)(c->change ? after - before : before));
    text_json(c->out, text_c(&sentence));
    text_add(c->out, ",\"text\":");
    text_json(c->out, text_c(&text));
    text_add(c->out, ",\"facts\":[");
    if (cells) {
        text_add(c->out, "{\"text\":");
        text_json(c->out, text_c(&text));
        text_add(c->out, ",\"cells\":");
        insight_cells(c->ir->board, cells, c->out);
        text_char(c->out, '}');
    }
    text_add(c->out, "]}");
    text_free(&text);
    text_free(&sentence);
}

// A piece that is moved stays the same number: then nothing is told.
static void add_pieces(Counting *c, int plane, const uint8_t *from, const uint8_t *to) {
    uint64_t had[BOARD_MAX_WORDS], has[BOARD_MAX_WORDS];
    const IrPlane *p = &c->ir->plane[plane];
    int before = pieces_of(c->ir, from, plane, had), after = pieces_of(c->ir, to, plane, has);
    if (c->change ? before == after : !before)
        return;
    for (int i = 0; c->change && i < c->ir->board->words; i++)
        has[i] ^= had[i];
    Text what = {0};
    text_f(&what, c->ir->board->stack > 1 ? "%s on top" : "%s", c->ir->kind[p->kind].name);
    add_count(c, p->owner, text_c(&what), before, after, has);
    text_free(&what);
}

bool insight_count(Runner *r, const uint8_t *from, const uint8_t *to, Text *out) {
    const Game *g = runner_game(r);
    Counting c = {.ir = g->ir, .change = to != NULL, .out = out};
    const uint8_t *then = to ? to : from;
    text_add(out, "\"lines\":[");
    for (int i = 0; i < g->ir->planes; i++)
        add_pieces(&c, i, from, then);
    c.change = false; // the moves of one player are not compared with those of another
    int64_t moves = runner_count(r, then);
    if (moves > 0)
        add_count(&c, game_player(g, then), "moves to choose from", moves, moves, NULL);
    text_add(out, "],\"value\":null,\"words\":\"\"");
    return moves >= 0;
}
