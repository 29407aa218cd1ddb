// ugi_query: questions about a position; see ugi.h.
#include "match/ugi_parts.h"

#include "game/draw.h"
#include "game/statetext.h"

#include <string.h>

static void add_moves(Ugi *u, Text *line) {
    const Move *moves;
    const uint8_t *now = record_now(u->record);
    int n = record_result(u->record) == 0 ? runner_moves(u->runner, now, &moves) : 0;
    for (int i = 0; i < n; i++) {
        text_char(line, ' ');
        protocol_move(u->talker, now, moves[i], line);
    }
}

// A line for each legal move with the position behind it, then how many there are.
static void say_successors(Ugi *u, Text *line) {
    const uint8_t *now = record_now(u->record);
    const Move *moves;
    int n = record_result(u->record) == 0 ? runner_moves(u->runner, now, &moves) : 0, said = 0;
    size_t size = sizeof *moves * (size_t)(n > 0 ? n : 0);
    Move *own = size ? mem_alloc(size) : NULL;
    if (own)
        memcpy(own, moves, size);
    Text info = {0};
    for (int i = 0; own && i < n; i++) {
        text_clear(&info);
        text_add(&info, "info successor ");
        protocol_move(u->talker, record_now(u->record), own[i], &info);
        if (!record_play(u->record, own[i]))
            break;
        const uint8_t *next = record_now(u->record);
        text_f(&info, " %d ", game_player(u->game, next) + 1);
        protocol_result(u->game, record_result(u->record), &info);
        text_char(&info, ' ');
        state_text(u->game, next, &info);
        record_undo(u->record);
        ugi_say(u, &info);
        said++;
    }
    text_free(&info);
    mem_free(own);
    text_f(line, " %d", said);
}

void ugi_query(Ugi *u, const char *rest) {
    size_t n;
    const char *what = protocol_word(rest, &n);
    Text line = {0};
    text_add(&line, "response");
    if (!u->record) {
        text_add(&line, " error"); // `position` has said why
    } else if (protocol_is(what, n, "p1turn")) {
        bool first = game_player(u->game, record_now(u->record)) == 0;
        text_add(&line, first ? " true" : " false");
    } else if (protocol_is(what, n, "gameover")) {
        text_add(&line, record_result(u->record) ? " true" : " false");
    } else if (protocol_is(what, n, "result")) {
        text_char(&line, ' ');
        protocol_result(u->game, record_result(u->record), &line);
    } else if (protocol_is(what, n, "player")) {
        text_f(&line, " %d", game_player(u->game, record_now(u->record)) + 1);
    } else if (protocol_is(what, n, "players")) {
        text_f(&line, " %d", u->game->ir->players);
    } else if (protocol_is(what, n, "state")) {
        text_char(&line, ' ');
        state_text(u->game, record_now(u->record), &line);
    } else if (protocol_is(what, n, "moves")) {
        add_moves(u, &line);
    } else if (protocol_is(what, n, "successors")) {
        say_successors(u, &line);
    } else {
        text_add(&line, " error");
        ugi_say_error(u, "what can be asked is p1turn, gameover, result, player, players, state, "
                         "moves and successors");
    }
    ugi_say(u, &line);
    text_free(&line);
}

// For people.
void ugi_show(Ugi *u) {
    if (!u->record)
        return;
    Text board = {0};
    draw_board(u->game, record_now(u->record), (DrawStyle){.ascii = true}, &board);
    state_text(u->game, record_now(u->record), &board);
    for (const char *s = text_c(&board); *s;) {
        size_t n = strcspn(s, "\n");
        ugi_say_f(u, "info string %.*s", (int)n, s);
        s += n + (s[n] == '\n');
    }
    text_free(&board);
}
