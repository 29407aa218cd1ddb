// protocol_numbers: limits, results and scores as text, and back; see protocol.h.
#include "match/protocol.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SECONDS 1e7 // longer is as good as for ever
#define VALUE_HUNDREDTH 10

// --- limits ---

static long milliseconds(double seconds) {
    return (long)(seconds * 1000 + 0.5);
}

void protocol_go(const GoLimits *go, int players, Text *out) {
    text_add(out, "go");
    for (int i = 0; go->clocks && i < players; i++)
        text_f(out, " p%dtime %ld", i + 1, milliseconds(go->left[i] > 0 ? go->left[i] : 0));
    for (int i = 0; go->clocks && i < players; i++)
        if (go->increment[i] > 0)
            text_f(out, " p%dinc %ld", i + 1, milliseconds(go->increment[i]));
    if (go->move > 0)
        text_f(out, " movetime %ld", milliseconds(go->move) > 0 ? milliseconds(go->move) : 1);
    if (go->depth > 0)
        text_f(out, " depth %d", go->depth);
    if (go->nodes > 0)
        text_f(out, " nodes %lld", (long long)go->nodes);
    if (go->infinite)
        text_add(out, " infinite");
}

static bool read_number(const char *word, size_t n, int64_t *value) {
    char digits[24];
    if (n == 0 || n >= sizeof digits)
        return false;
    memcpy(digits, word, n);
    digits[n] = '\0';
    char *end;
    long long number = strtoll(digits, &end, 10);
    if (end == digits || *end)
        return false;
    *value = number;
    return true;
}

// `p3time` is for player 2, `p3inc` too; -1: neither.
static int player_of(const char *word, size_t n, const char *what) {
    size_t digits = 0;
    int player = 0;
    if (n < 2 || word[0] != 'p')
        return -1;
    while (1 + digits < n && digits < 3 && word[1 + digits] >= '0' && word[1 + digits] <= '9')
        player = 10 * player + word[1 + digits++] - '0';
    bool named = digits > 0 && protocol_is(word + 1 + digits, n - 1 - digits, what);
    return named && player >= 1 && player <= IR_MAX_PLAYERS ? player - 1 : -1;
}

static double seconds_of(int64_t ms) {
    double seconds = (double)ms / 1000;
    return seconds < 0 ? 0 : seconds > MOST_SECONDS ? MOST_SECONDS : seconds;
}

static void take_limit(const char *word, size_t n, int64_t value, GoLimits *go) {
    int player = player_of(word, n, "time"), increment = player_of(word, n, "inc");
    if (player >= 0) {
        go->left[player] = seconds_of(value);
        go->clocks = true;
    } else if (increment >= 0) {
        go->increment[increment] = seconds_of(value);
    } else if (protocol_is(word, n, "movetime")) {
        go->move = value > 0 ? seconds_of(value) : 0.001;
    } else if (protocol_is(word, n, "depth")) {
        go->depth = value < 1 ? 1 : value > 1000000 ? 1000000 : (int)value;
    } else if (protocol_is(word, n, "nodes")) {
        go->nodes = value < 1 ? 1 : value;
    }
}

void protocol_read_go(const char *text, GoLimits *go) {
    *go = (GoLimits){0};
    size_t n, next_n;
    const char *next;
    for (const char *s = protocol_word(text, &n); n > 0; s = next, n = next_n) {
        int64_t value;
        next = protocol_word(s + n, &next_n);
        if (protocol_is(s, n, "infinite")) {
            go->infinite = true;
        } else if (read_number(next, next_n, &value)) {
            take_limit(s, n, value, go);
            next = protocol_word(next + next_n, &next_n);
        }
    }
}

// --- results ---

void protocol_result(const Game *g, int result, Text *out) {
    int players = g->ir->players, everybody = (1 << players) - 1, winners = result & everybody;
    if (result <= 0) {
        text_add(out, "none");
    } else if (winners == 0 || (winners == everybody && players > 1)) {
        text_add(out, players == 1 ? "p1loss" : "draw");
    } else {
        for (int i = 0, seen = 0; i < players; i++)
            if (winners >> i & 1)
                text_f(out, "%sp%dwin", seen++ ? "+" : "", i + 1);
    }
}

void protocol_score(Value value, Text *out) {
    if (value >= VALUE_SURE)
        text_f(out, "mate %d", VALUE_WIN - value);
    else if (value <= -VALUE_SURE)
        text_f(out, "mate -%d", VALUE_WIN + value);
    else
        text_f(out, "cp %d", value / VALUE_HUNDREDTH);
}

static void take_score(const char *kind, size_t n, int64_t value, PlayedMove *told) {
    const int most = VALUE_WIN - VALUE_SURE;
    if (protocol_is(kind, n, "mate")) {
        int64_t plies = value < -most ? most : value < 0 ? -value : value > most ? most : value;
        told->value = (Value)(value > 0 ? VALUE_WIN - plies : plies - VALUE_WIN);
    } else if (protocol_is(kind, n, "cp")) {
        int64_t limit = VALUE_SURE / VALUE_HUNDREDTH - 1;
        value = value > limit ? limit : value < -limit ? -limit : value;
        told->value = (Value)(value * VALUE_HUNDREDTH);
    }
}

void protocol_read_info(const char *text, PlayedMove *told) {
    size_t n, next_n;
    const char *next;
    for (const char *s = protocol_word(text, &n); n > 0; s = next, n = next_n) {
        int64_t value;
        next = protocol_word(s + n, &next_n);
        if (protocol_is(s, n, "string") || protocol_is(s, n, "pv"))
            return; // the rest is free text, or moves
        if (!read_number(next, next_n, &value))
            continue;
        if (protocol_is(s, n, "depth"))
            told->depth = (int16_t)(value < 0 ? 0 : value > INT16_MAX ? INT16_MAX : value);
        else if (protocol_is(s, n, "nodes"))
            told->nodes = value < 0 ? 0 : value;
        else if (protocol_is(s, n, "cp") || protocol_is(s, n, "mate"))
            take_score(s, n, value, told);
        else
            continue;
        told->known = true;
    }
}
