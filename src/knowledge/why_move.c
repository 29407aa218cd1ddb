// why_move: what a move changes: the value line by line, conclusions that come and go, and the
// lines of `prefer` that speak for or against it.
#include "knowledge/why.h"

#include "game/movetext.h"

#include <string.h>

// Of the tuples that come, and of those that go, unless --deep asks for all.
#define USUAL_CHANGES 12
// Games with more moves do not get theirs compared.
#define COMPARED_MOVES 500

// --- values ---

static void add_change(Why *w, const char *sentence, const char *whose, WhyLine from, WhyLine to,
                       int64_t times) {
    int64_t change = (to.sum - from.sum) * times;
    if (!change)
        return;
    text_f(w->out, "  %+6lld  %s%s", (long long)change, sentence, whose);
    if (from.count != to.count)
        text_f(w->out, ": %d before, %d after\n", from.count, to.count);
    else
        text_f(w->out, ": %lld before, %lld after\n", (long long)from.sum, (long long)to.sum);
}

static void add_changes(Why *w, int me, const WhySum *from, const WhySum *to) {
    const IrGame *g = w->game->ir;
    text_f(w->out, "%s: ", g->player[me]);
    why_signed(w->out, from->value);
    text_add(w->out, " before, ");
    why_signed(w->out, to->value);
    text_add(w->out, " after\n");
    for (int i = 0; i < w->ir->worths; i++)
        add_change(w, why_sentence(&w->ir->worth[i]), "", from->line[i], to->line[i], 1);
    if (!w->ir->opponent)
        return;
    Text whose = {0};
    text_f(&whose, " (%s)", g->player[1 - me]);
    for (int i = 0; i < w->ir->worths; i++)
        add_change(w, why_sentence(&w->ir->worth[i]), text_c(&whose), from->theirs[i],
                   to->theirs[i], w->ir->opponent);
    text_free(&whose);
}

static void json_change(Why *w, int me, const IrWorth *worth, WhyLine from, WhyLine to,
                        int64_t times, int *n) {
    int64_t change = (to.sum - from.sum) * times;
    if (!change)
        return;
    text_add(w->out, (*n)++ ? ",{\"sentence\":" : "{\"sentence\":");
    text_json(w->out, why_sentence(worth));
    text_add(w->out, ",\"player\":");
    text_json(w->out, w->game->ir->player[me]);
    text_f(w->out, ",\"change\":%lld,\"before\":%d,\"after\":%d}", (long long)change, from.count,
           to.count);
}

static void json_changes(Why *w, int me, const WhySum *from, const WhySum *to) {
    int n = 0;
    text_f(w->out, ",\"before\":%lld,\"after\":%lld,\"changes\":[", (long long)from->value,
           (long long)to->value);
    for (int i = 0; i < w->ir->worths; i++)
        json_change(w, me, &w->ir->worth[i], from->line[i], to->line[i], 1, &n);
    for (int i = 0; w->ir->opponent && i < w->ir->worths; i++)
        json_change(w, 1 - me, &w->ir->worth[i], from->theirs[i], to->theirs[i], w->ir->opponent,
                    &n);
    text_char(w->out, ']');
}

// --- tuples that come and go ---

// All relations one after the other, as words of 64 tuples.
static int all_words(const IrKnowledge *k) {
    int n = 0;
    for (int i = 0; i < k->relations; i++)
        n += (k->relation[i].tuples + 63) / 64;
    return n;
}

static bool keep_all(Why *w, const uint8_t *state, int me, uint64_t *to) {
    const Relations *found = reasoner_conclude(w->reasoner, state, me);
    for (int i = 0; found && i < w->ir->relations; i++) {
        size_t words = (size_t)(w->ir->relation[i].tuples + 63) / 64;
        memcpy(to, found->bits[i], 8 * words);
        to += words;
    }
    return found != NULL;
}

typedef struct Changes {
    Why *w;
    const uint64_t *had, *has;
    bool json;
    int n, left_out;
    Rows rows;
} Changes;

static void add_tuple(Changes *c, int relation, int tuple) {
    if (!c->json && !c->w->deep && c->n >= USUAL_CHANGES) {
        c->left_out++;
        return;
    }
    Text text = {0};
    knowledge_tuple_text(c->w->k, relation, tuple, &text);
    if (c->json) {
        text_add(c->w->out, c->n ? "," : "");
        text_json(c->w->out, text_c(&text));
    } else {
        rows_add(&c->rows, text_c(&text));
    }
    c->n++;
    text_free(&text);
}

// Tuples of `has` that are not in `had`; conclusions or facts.
static void add_new(Changes *c, bool derived) {
    const IrKnowledge *k = c->w->ir;
    int at = 0;
    for (int i = 0; i < k->relations; i++) {
        const IrRelation *r = &k->relation[i];
        for (int t = 0; r->derived == derived && t < r->tuples; t++) {
            int word = at + t / 64;
            if ((c->has[word] & ~c->had[word]) >> (t % 64) & 1)
                add_tuple(c, i, t);
        }
        at += (r->tuples + 63) / 64;
    }
}

static void add_came(Why *w, const char *title, const uint64_t *had, const uint64_t *has) {
    Changes c = {.w = w, .had = had, .has = has, .rows = {.out = w->out, .indent = 10}};
    size_t start = w->out->n;
    text_f(w->out, "%s\n", title);
    add_new(&c, true); // conclusions first
    add_new(&c, false);
    if (c.left_out) {
        Text more = {0};
        text_f(&more, "and %d more", c.left_out);
        rows_add(&c.rows, text_c(&more));
        text_free(&more);
    }
    rows_end(&c.rows);
    if (!c.n && w->out->s) { // nothing: no title either
        w->out->n = start;
        w->out->s[start] = '\0';
    }
}

static void json_came(Why *w, const char *title, const uint64_t *had, const uint64_t *has) {
    Changes c = {.w = w, .had = had, .has = has, .json = true};
    text_f(w->out, ",\"%s\":[", title);
    add_new(&c, true);
    add_new(&c, false);
    text_char(w->out, ']');
}

static bool add_came_and_went(Why *w, const uint8_t *before, const uint8_t *after, bool json) {
    int me = game_player(w->game, before), words = all_words(w->ir);
    uint64_t *had = mem_alloc(8 * (size_t)(words + 1)), *has = mem_alloc(8 * (size_t)(words + 1));
    bool ok = had && has && keep_all(w, before, me, had) && keep_all(w, after, me, has);
    if (ok && json) {
        json_came(w, "came", had, has);
        json_came(w, "went", has, had);
    } else if (ok) {
        add_came(w, "now holds", had, has);
        add_came(w, "no longer holds", has, had);
    }
    mem_free(had);
    mem_free(has);
    return ok;
}

// --- prefer ---

// Without a sentence: the condition, as the file has it.
static const char *prefer_sentence(const IrPrefer *p) {
    const char *cond = strstr(p->text, " if ");
    return p->sentence ? p->sentence : cond ? cond + 1 : p->text;
}

static void add_factor(Why *w, const IrPrefer *p) {
    text_f(w->out, "%lld", (long long)p->times);
    if (p->over != 1)
        text_f(w->out, "/%lld", (long long)p->over);
}

// How many moves of the position have a higher priority, and how many there are; the best one.
// False if there are too many to compare, or on a fault.
static bool compare_moves(Why *w, Runner *runner, const uint8_t *state, int64_t priority,
                          int *better, int *count, Move *best) {
    const Move *moves;
    int n = runner_moves(runner, state, &moves);
    if (n <= 0 || n > COMPARED_MOVES)
        return false;
    Move own[COMPARED_MOVES]; // applying moves may need the runner's list
    memcpy(own, moves, sizeof *own * (size_t)n);
    uint64_t copy[IR_MAX_STATE / 8];
    uint8_t *after = (uint8_t *)copy;
    int64_t most = -1;
    *better = 0;
    *count = n;
    for (int i = 0; i < n; i++) {
        if (!runner_apply(runner, state, own[i], after))
            return false;
        int64_t p = reasoner_priority(w->reasoner, state, own[i], after);
        *better += p > priority;
        if (p > most) {
            most = p;
            *best = own[i];
        }
    }
    return true;
}

static void add_place(Why *w, Runner *runner, const uint8_t *before, int64_t priority) {
    int better, count;
    Move best;
    text_f(w->out, "priority %g", (double)priority / PRIORITY_ONE);
    if (compare_moves(w, runner, before, priority, &better, &count, &best)) {
        if (better) {
            text_f(w->out, ": %d of %d moves %s a higher one, such as ", better, count,
                   better == 1 ? "has" : "have");
            move_text(runner, before, best, w->out);
        } else {
            text_f(w->out, ": none of the %d moves has a higher one", count);
        }
    }
    text_char(w->out, '\n');
}

static bool add_prefer(Why *w, Runner *runner, const uint8_t *before, Move move,
                       const uint8_t *after, bool json) {
    int n = w->ir->prefers, seen = 0;
    bool *holds = mem_alloc(sizeof *holds * (size_t)(n + 1));
    bool ok = holds && (!n || reference_prefer(w->reasoner, before, move, after, holds));
    int64_t priority = ok && n ? reference_priority(w->reasoner, before, move, after) : 0;
    if (ok && n && !json)
        add_place(w, runner, before, priority);
    if (ok && json)
        text_f(w->out, ",\"priority\":%g,\"prefer\":[", (double)priority / PRIORITY_ONE);
    for (int i = 0; ok && i < n; i++) {
        const IrPrefer *p = &w->ir->prefer[i];
        if (!holds[i])
            continue;
        if (json) {
            text_f(w->out, "%s{\"times\":\"", seen ? "," : "");
            add_factor(w, p);
            text_add(w->out, "\",\"sentence\":");
            text_json(w->out, prefer_sentence(p));
            text_char(w->out, '}');
        } else {
            text_add(w->out, "   times ");
            add_factor(w, p);
            text_f(w->out, "  %s\n", prefer_sentence(p));
        }
        seen++;
    }
    if (ok && json)
        text_char(w->out, ']');
    mem_free(holds);
    return ok;
}

// --- the whole ---

bool why_move(Why *w, Runner *runner, const uint8_t *before, Move move, const uint8_t *after) {
    int me = game_player(w->game, before);
    WhySum from = {0}, to = {0};
    text_f(w->out, "%s plays ", w->game->ir->player[me]);
    move_text(runner, before, move, w->out);
    text_char(w->out, '\n');
    bool ok = why_sum(w, before, me, &from) && why_sum(w, after, me, &to);
    if (ok && w->ir->worths)
        add_changes(w, me, &from, &to);
    ok = ok && add_came_and_went(w, before, after, false) &&
         add_prefer(w, runner, before, move, after, false);
    why_sum_free(&from);
    why_sum_free(&to);
    return ok;
}

bool why_move_json(Why *w, Runner *runner, const uint8_t *before, Move move, const uint8_t *after) {
    int me = game_player(w->game, before);
    WhySum from = {0}, to = {0};
    Text text = {0};
    move_text(runner, before, move, &text);
    text_add(w->out, ",\"move\":{\"text\":");
    text_json(w->out, text_c(&text));
    text_free(&text);
    bool ok = why_sum(w, before, me, &from) && why_sum(w, after, me, &to);
    if (ok)
        json_changes(w, me, &from, &to);
    ok = ok && add_came_and_went(w, before, after, true) &&
         add_prefer(w, runner, before, move, after, true);
    text_char(w->out, '}');
    why_sum_free(&from);
    why_sum_free(&to);
    return ok;
}
