// study_rules: which parts of the rules never mattered in any game; see study.h.
//
// Only what is certain is told: choices, branches and bodies of statements that no move went
// through, pieces that never stood anywhere, variables that never changed, and rules that never
// decided anything.
#include "game/coverage.h"
#include "match/study.h"

#include <stdio.h>
#include <string.h>

#define BRANCHES 64     // of an either/or that are told apart
#define LINE_COLUMNS 60 // of a line of the rules that are quoted

typedef struct StudySeen {
    bool *site;       // [sites]
    uint64_t *branch; // [sites]: a bit for each
    bool *plane, *var;
    bool repeated;
    Coverage *coverage; // of statements and rules
    bool *inside;       // [sites]: stands in a body that no move went through
} StudySeen;

bool study_see_begin(Study *s) {
    const IrGame *ir = s->game->ir;
    StudySeen *seen = mem_alloc(sizeof *seen);
    s->seen = seen;
    if (!seen)
        return false;
    seen->site = mem_alloc((size_t)ir->sites + 1);
    seen->branch = mem_alloc(sizeof(uint64_t) * ((size_t)ir->sites + 1));
    seen->plane = mem_alloc((size_t)ir->planes + 1);
    seen->var = mem_alloc((size_t)ir->vars + 1);
    seen->inside = mem_alloc((size_t)ir->sites + 1);
    seen->coverage = coverage_new(s->game);
    return seen->site && seen->branch && seen->plane && seen->var && seen->inside && seen->coverage;
}

void study_see_end(Study *s) {
    if (!s->seen)
        return;
    mem_free(s->seen->site);
    mem_free(s->seen->branch);
    mem_free(s->seen->plane);
    mem_free(s->seen->var);
    mem_free(s->seen->inside);
    coverage_free(s->seen->coverage);
    mem_free(s->seen);
    s->seen = NULL;
}

static void see_state(Study *s, const uint8_t *state) {
    const IrGame *ir = s->game->ir;
    static const uint64_t empty[BOARD_MAX_WORDS];
    size_t words = sizeof(uint64_t) * (size_t)ir->board->words;
    for (int i = 0; i < ir->planes; i++)
        if (!s->seen->plane[i])
            s->seen->plane[i] = memcmp(state + ir->plane[i].offset, empty, words) != 0;
    for (int i = 0; i < ir->vars; i++) {
        const IrVar *v = &ir->var[i];
        size_t bytes = (size_t)v->width * (size_t)(v->count > 0 ? v->count : 1);
        if (!s->seen->var[i])
            s->seen->var[i] = memcmp(state + v->offset, s->game->start + v->offset, bytes) != 0;
    }
}

static bool see_move(Study *s, const uint8_t *state, Move move) {
    VmChoice choice[VM_MAX_CHOICES];
    int n = runner_choices(s->runner, state, move, choice, VM_MAX_CHOICES);
    for (int i = 0; i < n; i++) {
        const IrSite *site = &s->game->ir->site[choice[i].site];
        int64_t branch = choice[i].value - site->lo;
        s->seen->site[choice[i].site] = true;
        if (ir_is_either(site) && branch >= 0 && branch < BRANCHES)
            s->seen->branch[choice[i].site] |= (uint64_t)1 << branch;
    }
    return n >= 0 && coverage_move(s->seen->coverage, state, move);
}

// The rules of the end were seen with the last move.
static bool see_end(Study *s, Record *record) {
    const uint8_t *now = record_now(record);
    if (record_result(record) <= 0 || now[s->game->ir->layout.result])
        return true;
    if (runner_result(s->runner, now) > 0)
        return coverage_stuck(s->seen->coverage, now, true);
    s->seen->repeated = true;
    return true;
}

bool study_see(Study *s, Record *record) {
    int length = record_length(record);
    for (int i = 0; i <= length; i++) {
        const uint8_t *state = record_state(record, i);
        see_state(s, state);
        if (i < length && !see_move(s, state, record_move(record, i)))
            return false;
    }
    return see_end(s, record);
}

// --- what is left ---

static bool add_unused(Study *s, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool add_unused(Study *s, int line, const char *format, ...) {
    if (s->unused_count == s->unused_cap) {
        int cap = s->unused_cap ? 2 * s->unused_cap : 16;
        StudyUnused *grown = mem_resize(s->unused, sizeof *grown * (size_t)cap);
        if (!grown)
            return false;
        s->unused = grown;
        s->unused_cap = cap;
    }
    StudyUnused *u = &s->unused[s->unused_count++];
    va_list args;
    va_start(args, format);
    vsnprintf(u->text, sizeof u->text, format, args);
    va_end(args);
    u->line = line;
    return true;
}

static bool unused_sites(Study *s) {
    const IrGame *ir = s->game->ir;
    bool ok = true;
    for (int i = 0; ok && i < ir->sites; i++) {
        const IrSite *site = &ir->site[i];
        if (s->seen->inside[i])
            continue;
        if (!ir_is_either(site)) {
            if (!s->seen->site[i])
                ok = add_unused(s, site->span.line, "the choice of `%s`", site->name);
            continue;
        }
        for (int k = 0; ok && k <= site->hi - site->lo && k < BRANCHES; k++) {
            const char *label = site->labels[k] ? site->labels[k] : "";
            if (s->seen->branch[i] >> k & 1)
                continue;
            if (label[0])
                ok = add_unused(s, site->span.line, "the alternative `%s`", label);
            else
                ok = add_unused(s, site->span.line, "alternative %d of this choice", k + 1);
        }
    }
    return ok;
}

static bool unused_things(Study *s) {
    const IrGame *ir = s->game->ir;
    bool ok = true;
    for (int i = 0; ok && i < ir->planes; i++) {
        const IrPlane *p = &ir->plane[i];
        if (!s->seen->plane[i])
            ok = add_unused(s, ir->kind[p->kind].span.line, "the piece `%s`%s%s",
                            ir->kind[p->kind].name, p->owner < ir->players ? " of " : "",
                            p->owner < ir->players ? ir->player[p->owner] : "");
    }
    for (int i = 0; ok && i < ir->vars; i++)
        if (!s->seen->var[i])
            ok = add_unused(s, ir->var[i].span.line,
                            "the variable `%s`, which always stays the same", ir->var[i].name);
    return ok;
}

static bool unused_ends(Study *s, const IrRules *rules) {
    bool ok = true;
    for (int i = 0; ok && i < rules->count; i++) {
        const IrRule *rule = &rules->rule[i];
        if (!coverage_rule(s->seen->coverage, rule))
            ok = add_unused(s, rule->span.line, "the rule `%s`", rule->text ? rule->text : "");
    }
    return ok;
}

// --- bodies of statements ---

static void mark_sites(StudySeen *seen, const IrStmt *list) {
    for (const IrStmt *s = list; s; s = s->next) {
        if (s->kind == ST_CHOOSE || s->kind == ST_EITHER)
            seen->inside[s->id] = true;
        if (s->kind == ST_EITHER)
            for (const IrStmt *b = s->body; b; b = b->sibling)
                mark_sites(seen, b->body);
        else
            mark_sites(seen, s->body);
        mark_sites(seen, s->other);
    }
}

// A line of the rules without the blanks around it and without a remark; cut where it is long.
static void source_line(const Source *source, int line, Text *out) {
    const char *s = source->text, *end = source->text + source->size;
    for (; line > 1 && s; line--) {
        s = memchr(s, '\n', (size_t)(end - s));
        s = s ? s + 1 : NULL;
    }
    if (!s)
        return;
    while (s < end && *s == ' ')
        s++;
    size_t length = 0, n = 0;
    while (s + length < end && s[length] != '\n' && s[length] != '#')
        length++;
    while (length > 0 && (s[length - 1] == ' ' || s[length - 1] == '\r'))
        length--;
    for (int columns = 0; n < length && columns < LINE_COLUMNS; columns++) { // whole characters
        int bytes = text_utf8(s + n, length - n);
        n += bytes ? (size_t)bytes : 1;
    }
    text_visible(out, s, n);
    text_add(out, n < length ? "…" : "");
}

static bool add_gap(void *with, const CoverageGap *gap) {
    Study *s = with;
    Text line = {0};
    int place = gap->at->span.line;
    source_line(&s->game->source, place, &line);
    mark_sites(s->seen, gap->body);
    bool ok = add_unused(s, place, gap->otherwise ? "the `else` of `%s`" : "what follows `%s`",
                         text_c(&line));
    text_free(&line);
    return ok;
}

bool study_see_finish(Study *s) {
    const IrGame *ir = s->game->ir;
    return coverage_gaps(s->seen->coverage, add_gap, s) && unused_sites(s) && unused_things(s) &&
           unused_ends(s, &ir->end) && unused_ends(s, &ir->stuck) &&
           unused_ends(s, &ir->all_stuck) &&
           (s->seen->repeated || ir->repeated == 0 ||
            add_unused(s, 0, "the draw when a position occurs %d times", ir->repeated));
}
