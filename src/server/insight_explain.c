// insight_explain: what a position is worth and what a move changes, in words, with the facts
// behind it and the cells they are about; by what the game's file knows, or else by counting.
#include "server/insight.h"

#include "base/mem.h"
#include "game/movetext.h"
#include "knowledge/why.h"

#include <string.h>

#define FACTS_LINE 40   // of a line
#define FACTS_MOST 2000 // of a position

typedef struct Explain {
    Question question;
    bool facts; // only what holds
    Text move;  // "": the position
    Why why;
    Knowledge *known;
    uint64_t after[IR_MAX_STATE / 8]; // the position behind the move
    Move played;
    int lines;
    bool ok;
    Text out, error;
} Explain;

// --- facts ---

static void add_fact(Explain *e, int relation, int tuple, int64_t weight, bool first) {
    Text text = {0}, *out = &e->out;
    uint64_t cells[BOARD_MAX_WORDS];
    knowledge_tuple_text(e->known, relation, tuple, &text);
    knowledge_tuple_cells(e->known, relation, tuple, cells);
    text_add(out, first ? "{\"text\":" : ",{\"text\":");
    text_json(out, text_c(&text));
    text_add(out, ",\"relation\":");
    text_json(out, e->why.ir->relation[relation].name);
    if (weight)
        text_f(out, ",\"value\":%lld", (long long)weight);
    text_add(out, ",\"cells\":");
    insight_cells(e->question.past.game->ir->board, cells, out);
    text_char(out, '}');
    text_free(&text);
}

static bool holds(const Relations *found, int relation, int tuple) {
    return found->bits[relation][tuple / 64] >> (tuple % 64) & 1;
}

static bool write_facts(Explain *e, const uint8_t *now) {
    const IrKnowledge *k = e->why.ir;
    const Relations *found =
        reasoner_conclude(e->why.reasoner, now, game_player(e->question.past.game, now));
    int n = 0;
    text_add(&e->out, "\"facts\":[");
    for (int i = 0; found && i < k->relations; i++) {
        int relation = k->order[i];
        for (int t = 0; t < k->relation[relation].tuples && n < FACTS_MOST; t++)
            if (holds(found, relation, t))
                add_fact(e, relation, t, 0, n++ == 0);
    }
    text_char(&e->out, ']');
    return found != NULL;
}

// --- lines of a position ---

static void begin_line(Explain *e, int player, const char *sentence, int64_t value,
                       const char *text) {
    Text *out = &e->out;
    text_f(out, "%s{\"player\":%d,\"value\":%lld,\"sentence\":", e->lines++ ? "," : "", player,
           (long long)value);
    text_json(out, sentence);
    text_add(out, ",\"text\":");
    text_json(out, text);
    text_add(out, ",\"facts\":[");
}

static bool add_worth(Explain *e, int worth, int player, int64_t times) {
    const IrWorth *line = &e->why.ir->worth[worth];
    const WorthPart *parts;
    int64_t sum = 0;
    int n = reasoner_worth_parts(e->why.reasoner, worth, &parts);
    for (int i = 0; i < n; i++)
        sum += parts[i].weight * times;
    if (n <= 0)
        return n == 0;
    Text text = {0};
    why_signed(&text, sum);
    text_f(&text, "  %s", why_sentence(line));
    if (n > 1)
        text_f(&text, " (%d times)", n);
    begin_line(e, player, why_sentence(line), sum, text_c(&text));
    for (int i = 0; i < n && i < FACTS_LINE; i++)
        add_fact(e, line->atom.relation, parts[i].tuple, parts[i].weight * times, i == 0);
    text_add(&e->out, "]}");
    text_free(&text);
    return true;
}

// The lines of a player, as they count for `me`.
static bool add_worths(Explain *e, const uint8_t *now, int player, int64_t times) {
    bool ok = reasoner_conclude(e->why.reasoner, now, player) != NULL;
    for (int i = 0; ok && i < e->why.ir->worths; i++)
        ok = add_worth(e, i, player, times);
    return ok;
}

static void add_total(Explain *e, int64_t value) {
    Text words = {0};
    why_signed(&words, value);
    text_f(&e->out, "],\"value\":%lld,\"words\":", (long long)value);
    text_json(&e->out, text_c(&words));
    text_free(&words);
}

static bool explain_position(Explain *e, const uint8_t *now) {
    int me = game_player(e->question.past.game, now);
    WhySum sum;
    text_add(&e->out, "\"lines\":[");
    bool ok = why_sum(&e->why, now, me, &sum) && add_worths(e, now, me, 1) &&
              (!e->why.ir->opponent || add_worths(e, now, 1 - me, e->why.ir->opponent));
    add_total(e, sum.value);
    why_sum_free(&sum);
    return ok;
}

// --- lines of a move ---

static uint64_t *all_bits(Explain *e, const uint8_t *state, int player) {
    const IrKnowledge *k = e->why.ir;
    size_t words = 1;
    for (int i = 0; i < k->relations; i++)
        words += (size_t)(k->relation[i].tuples + 63) / 64;
    uint64_t *copy = mem_alloc(8 * words), *to = copy;
    const Relations *found = copy ? reasoner_conclude(e->why.reasoner, state, player) : NULL;
    for (int i = 0; found && i < k->relations; i++) {
        size_t n = (size_t)(k->relation[i].tuples + 63) / 64;
        memcpy(to, found->bits[i], 8 * n);
        to += n;
    }
    if (found)
        return copy;
    mem_free(copy);
    return NULL;
}

// Tuples of `has` that are not in `had`; of one relation, or of all (-1).
static int add_new(Explain *e, const uint64_t *had, const uint64_t *has, int only, int most) {
    const IrKnowledge *k = e->why.ir;
    int n = 0, at = 0;
    for (int i = 0; i < k->relations; i++) {
        for (int t = 0; (only < 0 || only == i) && t < k->relation[i].tuples && n < most; t++) {
            int word = at + t / 64;
            if ((has[word] & ~had[word]) >> (t % 64) & 1)
                add_fact(e, i, t, 0, n++ == 0);
        }
        at += (k->relation[i].tuples + 63) / 64;
    }
    return n;
}

static void add_change(Explain *e, int worth, int player, WhyLine from, WhyLine to, int64_t times,
                       const uint64_t *had, const uint64_t *has) {
    const IrWorth *line = &e->why.ir->worth[worth];
    int64_t change = (to.sum - from.sum) * times;
    Text text = {0};
    if (!change)
        return;
    why_signed(&text, change);
    text_f(&text, "  %s (%s): %d before, %d after", why_sentence(line),
           e->question.past.game->ir->player[player], from.count, to.count);
    begin_line(e, player, why_sentence(line), change, text_c(&text));
    if (!add_new(e, had, has, line->atom.relation, FACTS_LINE)) // nothing came: what went
        add_new(e, has, had, line->atom.relation, FACTS_LINE);
    text_f(&e->out, "],\"before\":%d,\"after\":%d}", from.count, to.count);
    text_free(&text);
}

static bool add_changes(Explain *e, const uint8_t *from, const uint8_t *to, int player, bool theirs,
                        const WhySum *before, const WhySum *after) {
    uint64_t *had = all_bits(e, from, player), *has = all_bits(e, to, player);
    bool ok = had && has;
    for (int i = 0; ok && i < e->why.ir->worths; i++)
        add_change(e, i, player, theirs ? before->theirs[i] : before->line[i],
                   theirs ? after->theirs[i] : after->line[i], theirs ? e->why.ir->opponent : 1,
                   had, has);
    mem_free(had);
    mem_free(has);
    return ok;
}

static bool add_came(Explain *e, const uint8_t *from, const uint8_t *to, int me) {
    uint64_t *had = all_bits(e, from, me), *has = all_bits(e, to, me);
    bool ok = had && has;
    if (ok) {
        text_add(&e->out, ",\"came\":[");
        add_new(e, had, has, -1, FACTS_LINE);
        text_add(&e->out, "],\"went\":[");
        add_new(e, has, had, -1, FACTS_LINE);
        text_char(&e->out, ']');
    }
    mem_free(had);
    mem_free(has);
    return ok;
}

// Which lines of `prefer` speak for the move, or against it.
static bool add_prefers(Explain *e, const uint8_t *from, const uint8_t *to) {
    int n = e->why.ir->prefers, seen = 0;
    bool *speaks = mem_alloc(sizeof *speaks * (size_t)(n + 1));
    bool ok = speaks && (!n || reference_prefer(e->why.reasoner, from, e->played, to, speaks));
    text_add(&e->out, ",\"prefer\":[");
    for (int i = 0; ok && i < n; i++) {
        const IrPrefer *p = &e->why.ir->prefer[i];
        if (!speaks[i])
            continue;
        text_f(&e->out, "%s{\"times\":%.4g,\"sentence\":", seen++ ? "," : "",
               (double)p->times / (double)p->over);
        text_json(&e->out, p->sentence ? p->sentence : p->text);
        text_char(&e->out, '}');
    }
    text_char(&e->out, ']');
    mem_free(speaks);
    return ok;
}

static bool explain_move(Explain *e, const uint8_t *from, const uint8_t *to) {
    int me = game_player(e->question.past.game, from);
    WhySum before = {0}, after = {0};
    bool ok = why_sum(&e->why, from, me, &before) && why_sum(&e->why, to, me, &after);
    text_add(&e->out, "\"lines\":[");
    ok = ok && add_changes(e, from, to, me, false, &before, &after) &&
         (!e->why.ir->opponent || add_changes(e, from, to, 1 - me, true, &before, &after));
    if (ok)
        add_total(e, after.value - before.value);
    ok = ok && add_came(e, from, to, me) && add_prefers(e, from, to);
    why_sum_free(&before);
    why_sum_free(&after);
    return ok;
}

// --- in the thread ---

static bool play_move(Explain *e, const uint8_t *now) {
    memcpy(e->after, now, (size_t)game_state_size(e->question.past.game));
    if (!e->move.n)
        return true;
    return move_read(e->question.runner, now, text_c(&e->move), &e->played, &e->error) &&
           runner_apply(e->question.runner, now, e->played, (uint8_t *)e->after);
}

static bool write_answer(Explain *e) {
    const uint8_t *now = record_now(e->question.record);
    const Game *g = e->question.past.game;
    if (!play_move(e, now))
        return false;
    e->known = knowledge_own(g);
    if (!e->known && e->facts)
        text_add(&e->out, "\"facts\":[]");
    if (!e->known || (!e->facts && !knowledge_ir(e->known)->worths))
        return e->facts || insight_count(e->question.runner, now,
                                         e->move.n ? (const uint8_t *)e->after : NULL, &e->out);
    e->why = (Why){.game = g,
                   .k = e->known,
                   .ir = knowledge_ir(e->known),
                   .reasoner = reasoner_new(e->known),
                   .out = &e->out};
    if (!e->why.reasoner)
        return false;
    bool ok = e->facts    ? write_facts(e, now)
              : e->move.n ? explain_move(e, now, (const uint8_t *)e->after)
                          : explain_position(e, now);
    if (!ok && reasoner_error(e->why.reasoner))
        text_add(&e->error, reasoner_error(e->why.reasoner));
    return ok;
}

static void run_explain(Task *task, void *with) {
    Explain *e = with;
    (void)task;
    e->ok = question_open(&e->question, &e->error) && write_answer(e);
    reasoner_free(e->why.reasoner);
    mem_free(e->why.told);
    knowledge_free(e->known);
    question_close(&e->question);
}

// --- in the loop ---

static void free_explain(Hub *hub, Explain *e) {
    question_drop(hub, &e->question);
    text_free(&e->move);
    text_free(&e->out);
    text_free(&e->error);
    mem_free(e);
}

static void end_explain(Hub *hub, Task *task, void *with) {
    Explain *e = with;
    Client *c = task_client(task);
    if (c && e->ok && !e->out.failed)
        client_reply(c, e->question.id, text_c(&e->out));
    else if (c)
        client_error(c, e->question.id, e->move.n ? "illegal" : "failed", NULL, "%s",
                     e->error.n ? text_c(&e->error) : "this cannot be explained");
    free_explain(hub, e);
}

static void begin_explain(Hub *hub, Client *c, const cJSON *in, int64_t id, bool facts) {
    Explain *e = mem_alloc(sizeof *e);
    const char *move = "";
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(in, "move");
    if (!e) {
        client_error(c, id, "failed", NULL, "out of memory");
        return;
    }
    bool named = given && !cJSON_IsNull(given) && !facts;
    bool ok =
        question_read(&e->question, c, in, id) && (!named || in_text(c, id, in, "move", &move));
    e->facts = facts;
    text_add(&e->move, move);
    if (ok && task_begin(hub_think(hub), c, TASK_QUICK, run_explain, end_explain, e)) {
        client_later(c, id);
        return;
    }
    if (ok)
        client_error(c, id, "busy", NULL, "too much is going on already");
    free_explain(hub, e);
}

void hub_do_explain(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    begin_explain(hub, client, in, id, false);
}

void hub_do_facts(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    begin_explain(hub, client, in, id, true);
}
