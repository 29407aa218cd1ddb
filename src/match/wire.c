// wire: see wire.h.
#include "match/wire.h"

#include "base/hash.h"
#include "ludens.h"
#include "match/contest_make.h"

#include <math.h>
#include <string.h>

// --- writing ---

static void put(Text *out, uint64_t value) {
    for (int i = 0; i < 8; i++)
        text_char(out, (char)(value >> 8 * i & 0xFF));
}

static void put_double(Text *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(out, bits);
}

static void put_text(Text *out, const char *s, size_t n) {
    put(out, n);
    text_add_n(out, s, n);
}

void wire_word(Text *out, WireKind kind) {
    text_clear(out);
    text_char(out, (char)kind);
}

void wire_number(Text *out, WireKind kind, int64_t number) {
    wire_word(out, kind);
    put(out, (uint64_t)number);
}

// --- reading ---

typedef struct Reader {
    const char *at, *end;
    bool failed; // it was too short, or something in it was wrong
} Reader;

static Reader begin(const Text *message) {
    const char *s = text_c(message);
    return (Reader){s + (message->n > 0), s + message->n, message->n == 0};
}

static uint64_t take(Reader *r) {
    uint64_t value = 0;
    if (r->failed || r->end - r->at < 8) {
        r->failed = true;
        return 0;
    }
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)(unsigned char)r->at[i] << 8 * i;
    r->at += 8;
    return value;
}

static int64_t take_between(Reader *r, int64_t low, int64_t high) {
    int64_t value = (int64_t)take(r);
    if (value < low || value > high)
        r->failed = true;
    return r->failed ? low : value;
}

static double take_double(Reader *r, bool positive) {
    uint64_t bits = take(r);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value) || (positive && value < 0))
        r->failed = true;
    return r->failed ? 0 : value;
}

// Without a zero in it: it is used as a C string.
static void take_text(Reader *r, Text *out) {
    uint64_t n = take(r);
    if (r->failed || n > (uint64_t)(r->end - r->at) || memchr(r->at, '\0', (size_t)n)) {
        r->failed = true;
        return;
    }
    text_add_n(out, r->at, (size_t)n);
    r->failed = out->failed;
    r->at += n;
}

static bool finished(const Reader *r) {
    return !r->failed && r->at == r->end;
}

int wire_kind(const Text *message) {
    int kind = message->n ? (unsigned char)message->s[0] : 0;
    bool plain = kind == WIRE_QUIT || kind == WIRE_BYE;
    return kind >= WIRE_KINDS || (plain && message->n != 1) ? 0 : kind;
}

bool wire_read_number(const Text *message, int64_t most, int64_t *number) {
    Reader r = begin(message);
    *number = take_between(&r, 1, most);
    return finished(&r);
}

// --- what is played ---

static void add_time(Text *out, const TimeControl *t) {
    text_f(out, "\n%.9g %.9g %.9g %.9g %lld %d", t->move, t->game, t->increment, t->margin,
           (long long)t->nodes, t->depth);
}

// Everything that the games depend on.
static uint64_t contest_hash(const Contest *c) {
    Text all = {0};
    text_f(&all, "%d %s\n%llu %lld %d %d %d %d", (int)c->kind, c->title,
           (unsigned long long)c->seed, (long long)c->each, c->rounds, c->swap, c->opening_plies,
           c->plies);
    text_f(&all, "\n%d %.9g %.9g %.9g %.9g", c->sprt.on, c->sprt.elo0, c->sprt.elo1, c->sprt.alpha,
           c->sprt.beta);
    for (int i = 0; i < c->entrants; i++) {
        text_f(&all, "\n%s\n%s", c->entrant[i].name, c->entrant[i].text);
        add_time(&all, &c->entrant[i].time);
    }
    for (int i = 0; i < c->games; i++) {
        text_f(&all, "\n%s", c->game[i].name);
        for (int k = 0; k < c->game[i].param_count; k++)
            text_f(&all, " %s", c->game[i].params[k]);
    }
    uint64_t hash = hash_bytes(HASH_START, text_c(&all), all.n);
    text_free(&all);
    return hash;
}

void wire_hello(Text *out, const Contest *c, Game *const *games) {
    wire_word(out, WIRE_HELLO);
    put_text(out, ludens_version(), strlen(ludens_version()));
    put(out, contest_hash(c));
    put(out, (uint64_t)c->games);
    for (int i = 0; i < c->games; i++)
        put(out, hash_bytes(HASH_START, games[i]->source.text, games[i]->source.size));
}

bool wire_same(const Text *message, const Contest *c, Game *const *games, Text *why) {
    Reader r = begin(message);
    Text version = {0};
    take_text(&r, &version);
    if (!r.failed && strcmp(text_c(&version), ludens_version()) != 0) {
        text_f(why, "this is Ludens %s, but rank 0 has %s", ludens_version(), text_c(&version));
        r.failed = true;
    } else if (take(&r) != contest_hash(c) || take(&r) != (uint64_t)c->games) {
        text_add(why, "the contest is not the one of rank 0: the file of the tournament, or the "
                      "command, differs");
        r.failed = true;
    }
    for (int i = 0; i < c->games && !r.failed; i++)
        if (take(&r) != hash_bytes(HASH_START, games[i]->source.text, games[i]->source.size)) {
            text_f(why, "the rules of `%s` are not those of rank 0", c->game[i].name);
            r.failed = true;
        }
    text_free(&version);
    return finished(&r);
}

// --- failures ---

void wire_failed(Text *out, const char *why) {
    size_t n = strlen(why);
    wire_word(out, WIRE_FAILED);
    put_text(out, why, n < WIRE_REASON ? n : WIRE_REASON);
}

void wire_read_failed(const Text *message, Text *why) {
    Reader r = begin(message);
    Text text = {0};
    take_text(&r, &text);
    if (finished(&r) && text.n)
        text_visible(why, text.s, text.n);
    else
        text_add(why, "for a reason that cannot be read");
    text_free(&text);
}

// --- games ---

static void put_pairing(Text *out, const Pairing *p) {
    put(out, (uint64_t)p->number);
    put(out, (uint64_t)p->round);
    put(out, (uint64_t)p->game);
    for (int i = 0; i < IR_MAX_PLAYERS; i++)
        put(out, (uint64_t)(int64_t)p->seat[i]);
    put(out, p->opening);
    put(out, p->seed);
}

static void take_pairing(Reader *r, const Contest *c, Pairing *p) {
    p->number = take_between(r, 0, INT64_MAX);
    p->round = (int)take_between(r, 0, INT32_MAX);
    p->game = (int)take_between(r, 0, c->games - 1);
    for (int i = 0; i < IR_MAX_PLAYERS; i++)
        p->seat[i] = (int)take_between(r, -1, c->entrants - 1);
    p->opening = take(r);
    p->seed = take(r);
}

static bool same_pairing(const Pairing *a, const Pairing *b) {
    return a->number == b->number && a->round == b->round && a->game == b->game &&
           memcmp(a->seat, b->seat, sizeof a->seat) == 0 && a->opening == b->opening &&
           a->seed == b->seed;
}

void wire_game(Text *out, const Pairing *pairing) {
    wire_word(out, WIRE_GAME);
    put_pairing(out, pairing);
}

bool wire_read_game(const Text *message, const Contest *c, Game *const *games, Pairing *pairing) {
    Reader r = begin(message);
    take_pairing(&r, c, pairing);
    bool ok = finished(&r);
    for (int i = 0; ok && i < IR_MAX_PLAYERS; i++) // as many seats as the game has players
        ok = (pairing->seat[i] >= 0) == (i < games[pairing->game]->ir->players);
    return ok;
}

static void put_move(Text *out, const PlayedMove *m) {
    put_double(out, m->seconds);
    put(out, (uint64_t)m->nodes);
    put(out, (uint64_t)(int64_t)m->value);
    put(out, (uint64_t)(int64_t)m->depth);
    put(out, m->known);
}

static PlayedMove take_move(Reader *r) {
    PlayedMove m = {0};
    m.seconds = take_double(r, true);
    m.nodes = take_between(r, INT64_MIN, INT64_MAX);
    m.value = (int32_t)take_between(r, INT32_MIN, INT32_MAX);
    m.depth = (int16_t)take_between(r, INT16_MIN, INT16_MAX);
    m.known = take_between(r, 0, 1) != 0;
    return m;
}

void wire_played(Text *out, const Played *p) {
    wire_word(out, WIRE_PLAYED);
    put_pairing(out, &p->pairing);
    put(out, p->ending);
    put(out, (uint64_t)p->result);
    put(out, (uint64_t)(int64_t)p->culprit);
    put_text(out, text_c(&p->reason), p->reason.n);
    put_text(out, text_c(&p->record), p->record.n);
    put_text(out, text_c(&p->log), p->log.n);
    put(out, (uint64_t)p->moves);
    put(out, (uint64_t)p->openings);
    for (int i = 0; i < p->moves; i++)
        put_move(out, &p->move[i]);
    for (int i = 0; i < IR_MAX_PLAYERS; i++)
        put_double(out, p->seconds[i]);
    put_double(out, p->began);
    put_double(out, p->ended);
}

bool wire_played_number(const Text *message, int64_t *number) {
    Reader r = begin(message);
    *number = take_between(&r, 0, INT64_MAX);
    return !r.failed;
}

// Whether ending, result and culprit can be together.
static bool fits(const Played *p, int players) {
    int everybody = (1 << players) - 1;
    if (p->ending == END_FAULT)
        return p->result == 0 && p->culprit < 0;
    if (!(p->result & RESULT_OVER) || (p->result & ~(RESULT_OVER | everybody)))
        return false;
    if (!ending_is_offence(p->ending))
        return p->culprit < 0;
    return p->culprit >= 0 && p->culprit < players && !(p->result >> p->culprit & 1);
}

static bool take_moves(Reader *r, Played *p) {
    p->moves = (int)take_between(r, 0, 2 * CONTEST_MOST_PLIES);
    p->openings = (int)take_between(r, 0, p->moves);
    p->move = r->failed ? NULL : mem_alloc(sizeof *p->move * (size_t)(p->moves + 1));
    r->failed = r->failed || !p->move;
    for (int i = 0; i < p->moves && !r->failed; i++)
        p->move[i] = take_move(r);
    return !r->failed;
}

bool wire_read_played(const Text *message, const Contest *c, const Pairing *pairing, int players,
                      Played *played) {
    Reader r = begin(message);
    *played = (Played){0};
    take_pairing(&r, c, &played->pairing);
    played->ending = (Ending)take_between(&r, 0, END_STOPPED - 1);
    played->result = (int)take_between(&r, 0, 0xFF);
    played->culprit = (int)take_between(&r, -1, IR_MAX_PLAYERS - 1);
    take_text(&r, &played->reason);
    take_text(&r, &played->record);
    take_text(&r, &played->log);
    take_moves(&r, played);
    for (int i = 0; i < IR_MAX_PLAYERS; i++)
        played->seconds[i] = take_double(&r, true);
    played->began = take_double(&r, true);
    played->ended = take_double(&r, true);
    return finished(&r) && same_pairing(pairing, &played->pairing) && fits(played, players);
}
