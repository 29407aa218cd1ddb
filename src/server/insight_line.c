// insight_line: moves, lines and cells as JSON; see insight.h.
#include "server/insight.h"

#include "base/bits.h"
#include "base/mem.h"
#include "game/movetext.h"

#include <string.h>

static void json_move(Runner *r, const uint8_t *state, Move move, Text *out) {
    Text text = {0};
    move_text(r, state, move, &text);
    text_json(out, text_c(&text));
    text_free(&text);
}

void insight_move(Runner *r, const uint8_t *from, Move move, Text *out) {
    Text values = {0}, cells = {0};
    text_add(out, "\"move\":");
    json_move(r, from, move, out);
    describe_move(r, from, move, &values, &cells);
    text_f(out, ",\"values\":%s,\"cells\":%s", values.n ? text_c(&values) : "[]",
           cells.n ? text_c(&cells) : "[]");
    text_free(&values);
    text_free(&cells);
}

void insight_line(Runner *r, const uint8_t *from, const Move *line, int count, Text *out) {
    uint64_t copy[IR_MAX_STATE / 8];
    uint8_t *state = (uint8_t *)copy;
    memcpy(state, from, (size_t)game_state_size(runner_game(r)));
    text_char(out, '[');
    for (int i = 0; i < count; i++) {
        text_add(out, i ? "," : "");
        json_move(r, state, line[i], out);
        if (!runner_apply(r, state, line[i], state))
            break;
    }
    text_char(out, ']');
}

void insight_cells(const Board *b, const uint64_t *cells, Text *out) {
    int n = 0;
    text_char(out, '[');
    for (int i = 0; i < b->cells; i++)
        if (cells[i / 64] >> (i % 64) & 1)
            text_f(out, "%s%d", n++ ? "," : "", i);
    text_char(out, ']');
}
