// protocol: see protocol.h.
#include "match/protocol.h"

#include "game/library.h"
#include "game/movetext.h"
#include "game/statetext.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *protocol_word(const char *s, size_t *n) {
    s += strspn(s, " \t\r\n");
    *n = strcspn(s, " \t\r\n");
    return s;
}

bool protocol_is(const char *word, size_t n, const char *text) {
    return strlen(text) == n && memcmp(word, text, n) == 0;
}

// --- moves ---

static void add_word(const char *text, Text *out) {
    for (; *text; text++) {
        if (*text == ' ')
            text_char(out, '_');
        else if (*text == '_' || *text == '%')
            text_f(out, "%%%02X", (unsigned)*text);
        else
            text_char(out, *text);
    }
}

bool protocol_move(Runner *r, const uint8_t *state, Move move, Text *out) {
    Text text = {0};
    bool ok = move_text(r, state, move, &text) && !text.failed;
    add_word(text_c(&text), out);
    text_free(&text);
    return ok;
}

static void add_decoded(const char *word, size_t n, Text *out) {
    for (size_t i = 0; i < n; i++) {
        if (word[i] == '_') {
            text_char(out, ' ');
        } else if (i + 2 < n &&
                   (memcmp(word + i, "%5F", 3) == 0 || memcmp(word + i, "%25", 3) == 0)) {
            text_char(out, word[i + 1] == '5' ? '_' : '%');
            i += 2;
        } else {
            text_char(out, word[i]);
        }
    }
}

// What is the text of a move means that move, whatever else people could mean by it.
static bool find_exact(Runner *r, const uint8_t *state, const char *word, size_t n, Move *move) {
    const Move *moves;
    int count = runner_moves(r, state, &moves);
    size_t size = sizeof *moves * (size_t)(count > 0 ? count : 0);
    Move *own = size ? mem_alloc(size) : NULL;
    bool found = false;
    if (own)
        memcpy(own, moves, size);
    Text text = {0};
    for (int i = 0; own && !found && i < count; i++) {
        text_clear(&text);
        found = protocol_move(r, state, own[i], &text) && protocol_is(word, n, text_c(&text));
        if (found)
            *move = own[i];
    }
    text_free(&text);
    mem_free(own);
    return found;
}

bool protocol_read_move(Runner *r, const uint8_t *state, const char *word, size_t n, Move *move,
                        Text *why) {
    if (memchr(word, 0, n)) {
        text_add(why, "a byte 0 in a move");
        return false;
    }
    Text text = {0}, back = {0};
    add_decoded(word, n, &text);
    bool ok = !text.failed && move_read(r, state, text_c(&text), move, why);
    bool exact = ok && protocol_move(r, state, *move, &back) && protocol_is(word, n, text_c(&back));
    if (!exact && find_exact(r, state, word, n, move))
        ok = true;
    text_free(&text);
    text_free(&back);
    return ok;
}

// --- games ---

static bool is_library_game(const Game *g) {
    for (int i = 0; i < library_count; i++)
        if (strcmp(library_games[i].name, g->name) == 0)
            return library_games[i].size == g->source.size &&
                   memcmp(library_games[i].text, g->source.text, g->source.size) == 0;
    return false;
}

static void add_parameter(const IrParameter *p, Text *out) {
    text_f(out, " %s=", p->name);
    for (int i = 0; i < p->count; i++) {
        text_add(out, i ? "," : "");
        if (p->words)
            text_add(out, p->words[p->values[i]]);
        else if (p->boolean)
            text_add(out, p->values[i] ? "yes" : "no");
        else
            text_f(out, "%lld", (long long)p->values[i]);
    }
}

void protocol_game(const Game *g, Text *out) {
    char path[PATH_MAX];
    if (is_library_game(g))
        text_add(out, g->name);
    else
        text_add(out, realpath(g->source.name, path) ? path : g->source.name);
    for (int i = 0; i < g->ir->parameters; i++)
        add_parameter(&g->ir->parameter[i], out);
}

static bool is_parameter(const char *word, size_t n) {
    size_t name = 0;
    while (name < n &&
           ((word[name] >= 'a' && word[name] <= 'z') || (word[name] >= 'A' && word[name] <= 'Z') ||
            word[name] == '_' || (name > 0 && word[name] >= '0' && word[name] <= '9')))
        name++;
    return name > 0 && name < n && word[name] == '=';
}

#define MOST_PARAMETERS 64

static Game *load(char *name, const char *const *params, int count, Text *why) {
    Diags diags = {0};
    Game *g = game_load(name, params, count, &diags);
    if (!g)
        text_add(why, diags.count ? diags.items[0].message : "the game cannot be loaded");
    diag_free(&diags);
    return g;
}

// The name is everything in front of the parameters: a path may have blanks.
Game *protocol_read_game(const char *text, Text *why) {
    Text copy = {0};
    const char *params[MOST_PARAMETERS];
    int count = 0;
    text_add(&copy, text + strspn(text, " \t"));
    char *s = copy.s;
    size_t n = copy.n;
    while (s && !copy.failed) {
        while (n > 0 && strchr(" \t\r\n", s[n - 1]))
            s[--n] = '\0';
        size_t begin = n;
        while (begin > 0 && !strchr(" \t", s[begin - 1]))
            begin--;
        if (begin == 0 || count == MOST_PARAMETERS || !is_parameter(s + begin, n - begin))
            break;
        params[count++] = s + begin;
        n = begin;
    }
    Game *g = NULL;
    if (!s || copy.failed || n == 0)
        text_add(why, "the name of a game is missing");
    else
        g = load(s, params, count, why);
    text_free(&copy);
    return g;
}

// --- positions ---

void protocol_position(Runner *r, const Record *record, Text *out) {
    const Game *g = runner_game(r);
    const uint8_t *start = record_state(record, 0);
    if (memcmp(start, g->start, (size_t)game_state_size(g)) == 0) {
        text_add(out, "startpos");
    } else {
        text_add(out, "fen ");
        state_text(g, start, out);
    }
    for (int i = 0; i < record_length(record); i++) {
        text_add(out, i ? " " : " moves ");
        protocol_move(r, record_state(record, i), record_move(record, i), out);
    }
}

bool protocol_play(Runner *r, Record *record, const char *text, Text *why) {
    size_t n;
    for (const char *s = protocol_word(text, &n); n > 0; s = protocol_word(s + n, &n)) {
        Move move;
        Text reason = {0};
        bool ok = record_result(record) == 0;
        if (!ok)
            text_add(&reason, "the game is over");
        ok = ok && protocol_read_move(r, record_now(record), s, n, &move, &reason);
        if (ok && !record_play(record, move)) {
            text_add(&reason, runner_error(r));
            ok = false;
        }
        if (!ok) {
            text_f(why, "move %d, `", record_length(record) + 1);
            text_visible(why, s, n < 40 ? n : 40);
            text_f(why, "`: %s", text_c(&reason));
        }
        text_free(&reason);
        if (!ok)
            return false;
    }
    return true;
}

// The state of `fen`; `*rest` is where the moves begin.
static bool read_state(const Game *g, const char *s, uint8_t *state, const char **rest, Text *why) {
    Text text = {0};
    size_t n;
    for (s = protocol_word(s, &n); n > 0 && !protocol_is(s, n, "moves");
         s = protocol_word(s + n, &n)) {
        text_add(&text, text.n ? " " : "");
        text_add_n(&text, s, n);
    }
    *rest = s;
    bool ok = !text.failed && state_read(g, text_c(&text), state, why);
    text_free(&text);
    return ok;
}

Record *protocol_read_position(Runner *r, const char *text, Text *why) {
    const Game *g = runner_game(r);
    size_t n;
    const char *s = protocol_word(text, &n), *rest = s + n;
    uint64_t room[IR_MAX_STATE / 8];
    uint8_t *state = (uint8_t *)room;
    if (protocol_is(s, n, "startpos")) {
        memcpy(state, g->start, (size_t)game_state_size(g));
    } else if (!protocol_is(s, n, "fen")) {
        text_add(why, "a position is `startpos` or `fen` and a state");
        return NULL;
    } else if (!read_state(g, s + n, state, &rest, why)) {
        return NULL;
    }
    rest = protocol_word(rest, &n);
    if (n > 0 && !protocol_is(rest, n, "moves")) {
        text_add(why, "after the position comes `moves` or nothing");
        return NULL;
    }
    Record *record = record_new(r, state);
    if (!record)
        text_add(why, "out of memory");
    if (record && !protocol_play(r, record, rest + n, why)) {
        record_free(record);
        return NULL;
    }
    return record;
}
