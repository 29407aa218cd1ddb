// why_value: what a position is worth to a player, line by line of `worth`.
#include "knowledge/why.h"

// Of the tuples of a line, and of the lines of reasons, unless --deep asks for more.
#define USUAL_TUPLES 6
#define DEEP_TUPLES 200
#define USUAL_LINES 60
#define DEEP_LINES 4000

const char *why_sentence(const IrWorth *worth) {
    return worth->sentence ? worth->sentence : worth->atom.text ? worth->atom.text : worth->text;
}

void why_signed(Text *out, int64_t value) {
    text_f(out, value ? "%+lld" : "%lld", (long long)value);
}

// --- sums ---

static bool sum_lines(Why *w, const uint8_t *state, int me, WhyLine *line, int64_t *total) {
    if (!reasoner_conclude(w->reasoner, state, me))
        return false;
    *total = 0;
    for (int i = 0; i < w->ir->worths; i++) {
        const WorthPart *parts;
        int n = reasoner_worth_parts(w->reasoner, i, &parts);
        if (n < 0)
            return false;
        line[i] = (WhyLine){.count = n};
        for (int k = 0; k < n; k++)
            line[i].sum += parts[k].weight;
        *total += line[i].sum;
    }
    return true;
}

bool why_sum(Why *w, const uint8_t *state, int me, WhySum *sum) {
    size_t size = sizeof *sum->line * (size_t)(w->ir->worths + 1);
    *sum = (WhySum){.line = mem_alloc(size), .theirs = mem_alloc(size)};
    bool ok = sum->line && sum->theirs;
    if (ok && w->ir->opponent)
        ok = sum_lines(w, state, 1 - me, sum->theirs, &sum->other);
    ok = ok && sum_lines(w, state, me, sum->line, &sum->own); // last: the relations are mine now
    sum->value = sum->own + w->ir->opponent * sum->other;
    return ok;
}

void why_sum_free(WhySum *sum) {
    mem_free(sum->line);
    mem_free(sum->theirs);
    *sum = (WhySum){0};
}

static void begin(Why *w) {
    w->told_count = 0;
    w->lines = w->deep ? DEEP_LINES : USUAL_LINES;
}

// --- lines ---

// "2 x 12", or "3 times" where the weights differ.
static void add_times(Why *w, const WorthPart *parts, int n, bool same) {
    if (same && n > 1)
        text_f(w->out, " (%d x %lld)", n, (long long)parts[0].weight);
    else if (!same)
        text_f(w->out, " (%d times)", n);
}

static bool add_line(Why *w, int worth, int64_t sum) {
    const IrWorth *line = &w->ir->worth[worth];
    const WorthPart *parts;
    int n = reasoner_worth_parts(w->reasoner, worth, &parts);
    if (n <= 0)
        return n == 0;
    int shown = w->deep ? DEEP_TUPLES : USUAL_TUPLES;
    bool same = true;
    for (int i = 1; i < n; i++)
        same = same && parts[i].weight == parts[0].weight;
    text_f(w->out, "  %+6lld  %s", (long long)sum, why_sentence(line));
    add_times(w, parts, n, same);
    text_char(w->out, '\n');
    shown = n < shown ? n : shown;
    for (int i = 0; i < shown; i++) // asking for reasons leaves the parts alone
        why_tuple(w, line->atom.relation, parts[i].tuple, parts[i].weight, !same, 12);
    if (shown < n)
        text_f(w->out, "%*sand %d more\n", 12, "", n - shown);
    return true;
}

bool why_value(Why *w, const uint8_t *state, int me) {
    const IrGame *g = w->game->ir;
    WhySum sum;
    begin(w);
    bool ok = why_sum(w, state, me, &sum), any = false;
    if (ok) {
        bool moves = me == game_player(w->game, state);
        text_f(w->out, "%s%s: ", g->player[me], moves ? ", on move" : "");
        why_signed(w->out, sum.value);
        text_char(w->out, '\n');
    }
    for (int i = 0; ok && i < w->ir->worths; i++) {
        ok = add_line(w, i, sum.line[i].sum);
        any |= sum.line[i].count > 0;
    }
    if (ok && w->ir->opponent && sum.other) {
        text_f(w->out, "  %+6lld  the same for %s: %+lld, times %lld\n",
               (long long)(w->ir->opponent * sum.other), g->player[1 - me], (long long)sum.other,
               (long long)w->ir->opponent);
        any = true;
    }
    if (ok && !any)
        text_add(w->out, "          nothing that counts\n");
    why_sum_free(&sum);
    return ok;
}

// --- JSON ---

static bool json_line(Why *w, int worth, const WhyLine *line) {
    const IrWorth *of = &w->ir->worth[worth];
    const WorthPart *parts;
    int n = reasoner_worth_parts(w->reasoner, worth, &parts);
    int shown = w->deep ? DEEP_TUPLES : USUAL_TUPLES;
    text_add(w->out, "{\"line\":");
    text_json(w->out, of->text);
    text_add(w->out, ",\"sentence\":");
    text_json(w->out, why_sentence(of));
    text_f(w->out, ",\"count\":%d,\"sum\":%lld,\"tuples\":[", line->count, (long long)line->sum);
    for (int i = 0; i < n && i < shown; i++) {
        text_add(w->out, i ? "," : "");
        why_tuple_json(w, of->atom.relation, parts[i].tuple, parts[i].weight);
    }
    text_add(w->out, "]}");
    return n >= 0;
}

bool why_value_json(Why *w, const uint8_t *state, int me) {
    const IrGame *g = w->game->ir;
    WhySum sum;
    begin(w);
    bool ok = why_sum(w, state, me, &sum);
    text_add(w->out, "{\"player\":");
    text_json(w->out, g->player[me]);
    text_f(w->out, ",\"value\":%lld,\"own\":%lld", (long long)sum.value, (long long)sum.own);
    if (w->ir->opponent)
        text_f(w->out, ",\"opponent\":{\"own\":%lld,\"times\":%lld}", (long long)sum.other,
               (long long)w->ir->opponent);
    text_add(w->out, ",\"lines\":[");
    for (int i = 0, n = 0; ok && i < w->ir->worths; i++) {
        if (!sum.line[i].count)
            continue;
        text_add(w->out, n++ ? "," : "");
        ok = json_line(w, i, &sum.line[i]);
    }
    text_add(w->out, "]}");
    why_sum_free(&sum);
    return ok;
}
