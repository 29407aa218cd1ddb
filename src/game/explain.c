// explain: what is wrong with a move that a person typed; see move_parts.h.
//
// The text is read along the turn: at each choice the turn asks for, the next word is taken off
// the text and given to it. Unlabelled branches take no word, so all of them are tried; of all the
// readings that fail, the one that got furthest is what the person meant.
#include "game/move_parts.h"
#include "game/movetext.h"
#include "game/statetext.h"

#include <string.h>
#include <strings.h>

// Of a game with many unlabelled branches only so many readings are tried.
#define TRIES 1000

typedef struct Reading {
    Runner *r;
    const IrGame *ir;
    const uint8_t *state;
    const char *text;           // what a person typed; or, if NULL,
    const MoveAnswers *answers; //   the values by name
    int64_t values[VM_MAX_CHOICES];
    struct Word {
        const char *start;
        size_t length;
    } words[VM_MAX_CHOICES];   // that the values were read from
    int sites[VM_MAX_CHOICES]; // that asked for them
    int tries;
    bool found;
    Move move;
    size_t furthest;  // of the failures so far
    Text *error;      // its message
    MoveBegun *begun; // takes the readings that could go on, or NULL
} Reading;

// --- messages ---

void move_add_quoted(Text *out, const char *s, size_t n) {
    bool cut = n > MOVE_SHOWN_MAX;
    text_char(out, '`');
    text_visible(out, s, cut ? MOVE_SHOWN_MAX : n);
    text_add(out, cut ? "...`" : "`");
}

// Begins the message of a failure after `progress`, if none got further before: then true.
static bool note(Reading *x, size_t progress) {
    if (x->error->n && progress <= x->furthest)
        return false;
    x->furthest = progress;
    text_clear(x->error);
    return true;
}

// How far a reading is. Places in the text count double, so that of two failures at the same
// place the one that could read the word there (+ 1) wins.
static size_t progress_of(const Reading *x, int depth, const char *rest) {
    return 2 * (x->text ? (size_t)(rest - x->text) : (size_t)depth);
}

// "; possible: a1, b2" for the choice after the first `depth` values.
static void add_possible(Reading *x, int depth) {
    MoveOptions options;
    if (!move_options(x->r, x->state, x->values, depth, &options) || options.complete)
        return;
    if (options.count > MOVE_LISTED_MAX)
        return;
    const char *separator = "; possible: ";
    for (int i = 0; i < options.count; i++) {
        VmChoice c = {options.site, options.values[i]};
        if (!move_choice_shown(x->ir, c))
            continue;
        text_add(x->error, separator);
        move_add_choice(x->ir, c.site, c.value, x->error);
        separator = ", ";
    }
}

static void add_place(Reading *x, Span span) {
    if (span.line > 0)
        text_f(x->error, " (%s:%d)", x->r->game->source.name, span.line);
}

static void add_site_name(Reading *x, int site) {
    const IrSite *s = &x->ir->site[site];
    if (ir_is_either(s))
        text_add(x->error, "a choice");
    else
        text_f(x->error, "`%s`", s->name);
}

bool move_is_condition(const IrGame *ir, VmStop stop) {
    const IrSite *site = &ir->site[stop.site];
    for (int i = 0; i < site->probe_count; i++) {
        const IrProbe *probe = &site->probes[i];
        if (probe->text != stop.why)
            continue;
        // The test that the rules do not write has the place of the set.
        const IrExpr *member = probe->cond->op == IR_MEMBER ? probe->cond->kid[0] : NULL;
        return !member || member->span.line != probe->span.line ||
               member->span.column != probe->span.column ||
               member->span.length != probe->span.length;
    }
    return false;
}

static void note_refused(Reading *x, VmStop stop, int depth) {
    int i = stop.index < depth ? stop.index : depth - 1;
    const struct Word *word = &x->words[i];
    if (!note(x, progress_of(x, i, word->start) + 1))
        return;
    if (x->text) {
        move_add_quoted(x->error, word->start, word->length);
    } else {
        text_char(x->error, '`');
        move_add_choice(x->ir, stop.site, x->values[i], x->error);
        text_char(x->error, '`');
    }
    text_add(x->error, " is not allowed for ");
    add_site_name(x, stop.site);
    if (stop.why && move_is_condition(x->ir, stop))
        text_f(x->error, " because `%s` does not hold", stop.why);
    else if (stop.why)
        text_f(x->error, ": not in `%s`", stop.why);
    add_place(x, stop.span);
    add_possible(x, i);
}

static void note_failed(Reading *x, VmStop stop, int depth, const char *rest) {
    if (!note(x, progress_of(x, depth, rest) + 1))
        return;
    text_add(x->error, "not allowed");
    if (stop.why)
        text_f(x->error, ": %s", stop.why);
    add_place(x, stop.span);
}

static void note_surplus(Reading *x, int depth, const char *rest) {
    rest = move_skip_blanks(rest);
    if (!note(x, progress_of(x, depth, rest)))
        return;
    text_add(x->error, "the move is complete before ");
    move_add_quoted(x->error, rest, strlen(rest));
}

// --- moves that are begun ---

static void begin_with(Reading *x, const VmChoice *made, int depth, const IrSite *next) {
    MoveBegun *b = x->begun;
    move_add_choices(x->ir, made, depth, true, &b->words);
    move_add_choices(x->ir, made, depth, false, &b->text);
    b->name = ir_is_either(next) ? NULL : next->name;
    b->say = next->say;
    for (int i = 0; i < depth; i++) {
        const IrSite *site = &x->ir->site[made[i].site];
        if (site->type.kind == TY_CELL && made[i].value < x->ir->board->cells)
            b->cells[made[i].value / 64] |= (uint64_t)1 << (made[i].value % 64);
    }
}

// Adds a text to those that can come next, unless another branch gave it already.
static void add_next(MoveBegun *b, const char *text) {
    size_t n = strlen(text);
    for (const char *s = text_c(&b->next); *s; s += strcspn(s, "\n") + 1)
        if (strncmp(s, text, n) == 0 && s[n] == '\n')
            return;
    text_f(&b->next, "%s\n", text);
    b->count++;
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

// Adds what can follow a reading to the move begun: its first reading, or one of the same words.
static void add_begun(Reading *x, int depth, const MoveOptions *options) {
    MoveBegun *b = x->begun;
    VmChoice made[VM_MAX_CHOICES];
    for (int i = 0; i < depth; i++)
        made[i] = (VmChoice){x->sites[i], x->values[i]};
    const IrSite *site = &x->ir->site[options->site];
    Text text = {0};
    move_add_choices(x->ir, made, depth, true, &text);
    if (b->count == 0)
        begin_with(x, made, depth, site);
    bool same = strcmp(text_c(&text), text_c(&b->words)) == 0;
    for (int i = 0; same && i < options->count; i++) {
        VmChoice c = {options->site, options->values[i]};
        text_clear(&text);
        if (!move_choice_shown(x->ir, c))
            continue;
        move_add_choice(x->ir, c.site, c.value, &text);
        add_next(b, text_c(&text));
    }
    if (same && !same_text(b->name, ir_is_either(site) ? NULL : site->name))
        b->name = NULL;
    if (same && !same_text(b->say, site->say))
        b->say = NULL;
    text_free(&text);
}

// --- messages at the end of the text ---

// The text ends where the turn asks for one more choice.
static void note_incomplete(Reading *x, int site, int depth, const char *rest) {
    MoveOptions options;
    bool open = move_options(x->r, x->state, x->values, depth, &options) && options.count > 0;
    if (x->begun && open)
        add_begun(x, depth, &options);
    if (!note(x, progress_of(x, depth, rest) + 1))
        return;
    const char *start = x->text ? move_skip_blanks(x->text) : "";
    if (!open && depth > 0) {
        text_add(x->error, "no legal move begins with ");
        move_add_quoted(x->error, start, strlen(start));
        add_possible(x, depth - 1);
        return;
    }
    if (*start) {
        move_add_quoted(x->error, start, strlen(start));
        text_add(x->error, " is not a whole move: ");
    }
    add_site_name(x, site);
    text_add(x->error, *start ? " comes next" : " comes first");
    add_possible(x, depth);
}

// A word that was typed, with what stands in brackets behind it.
static size_t word_length(const char *s) {
    size_t n = 0;
    while (move_is_word(s[n]))
        n++;
    if (n == 0)
        return strcspn(s, " \t");
    size_t bracket = s[n] == '(' ? strcspn(s + n, ") \t") : 0;
    return bracket && s[n + bracket] == ')' ? n + bracket + 1 : n;
}

static void note_unreadable(Reading *x, int site, int depth, const char *rest) {
    if (!note(x, progress_of(x, depth, rest)))
        return;
    const IrSite *s = &x->ir->site[site];
    size_t n = word_length(rest);
    char word[MOVE_SHOWN_MAX + 1] = {0};
    memcpy(word, rest, n < MOVE_SHOWN_MAX ? n : MOVE_SHOWN_MAX);
    Text why = {0};
    int64_t value;
    if (s->labels || value_read(x->ir, s->type, word, &value, &why)) {
        move_add_quoted(x->error, rest, n);
        text_add(x->error, " does not fit here");
        add_possible(x, depth);
    } else {
        // What could stand here says more than the list of all values that may follow the `;`.
        const char *list = strstr(text_c(&why), "; ");
        size_t length = list ? (size_t)(list - text_c(&why)) : why.n;
        text_f(x->error, "`%s`: %.*s", s->name, (int)length, text_c(&why));
        size_t before = x->error->n;
        add_possible(x, depth);
        if (x->error->n == before && list)
            text_add(x->error, list);
    }
    text_free(&why);
}

// --- reading along the turn ---

static void explore(Reading *x, int depth, const char *rest);

static void give(Reading *x, int site, int depth, int64_t value, const char *start, const char *end,
                 const char *rest) {
    x->sites[depth] = site;
    x->values[depth] = value;
    x->words[depth] = (struct Word){start, (size_t)(end - start)};
    explore(x, depth + 1, rest);
}

// A piece by its letter or by a beginning of its name, if only one kind fits.
static bool read_kind(const IrGame *ir, const char *word, int64_t *value) {
    int found = 0;
    for (int i = 0; i < ir->planes; i++) {
        const IrPlane *plane = &ir->plane[i];
        if (strcasecmp(plane->letter, word) != 0 || (found && *value == plane->kind))
            continue;
        *value = plane->kind;
        found++;
    }
    for (int i = 0, letters = found; i < ir->kinds && !letters; i++) {
        if (strncasecmp(ir->kind[i].name, word, strlen(word)) != 0)
            continue;
        *value = i;
        found++;
    }
    return found == 1;
}

static bool read_value(const IrGame *ir, const IrSite *site, const char *word, int64_t *value) {
    Text ignored = {0};
    bool read = value_read(ir, site->type, word, value, &ignored);
    text_free(&ignored);
    return read || (site->type.kind == TY_KIND && read_kind(ir, word, value));
}

// The same for a number with a text.
static size_t label_length(const IrSite *site, const char *s, int64_t *value) {
    size_t longest = 0;
    for (int i = 0; i <= site->hi - site->lo; i++) {
        const char *end = move_after(s, site->labels[i]);
        size_t n = end ? (size_t)(end - s) : 0;
        bool whole = n && !(move_is_word(s[n - 1]) && move_is_word(s[n]));
        if (!whole || n <= longest)
            continue;
        longest = n;
        *value = site->lo + i;
    }
    return longest;
}

// The length of the longest beginning of s that is a value of the site; 0 if there is none.
static size_t value_length(Reading *x, const IrSite *site, const char *s, int64_t *value) {
    if (site->labels)
        return label_length(site, s, value);
    size_t n = strcspn(s, " \t");
    char word[MOVE_SHOWN_MAX + 1];
    for (n = n < MOVE_SHOWN_MAX ? n : MOVE_SHOWN_MAX; n > 0; n--) {
        memcpy(word, s, n);
        word[n] = '\0';
        // Cells may stand side by side, as in e2e4; other words end where their letters end.
        bool whole = !move_is_word(s[n]) || site->type.kind == TY_CELL;
        if (whole && read_value(x->ir, site, word, value))
            break;
    }
    return n;
}

// Skips what stands before a choice: its notation, or the blanks, dashes and commas that people
// put there instead.
static const char *skip_before(const IrSite *site, const char *rest) {
    rest = move_skip_blanks(rest);
    const char *after = move_after(rest, site->before);
    if (!after && *rest && strchr("-,:;=>", *rest))
        after = rest + 1;
    return move_skip_blanks(after ? after : rest);
}

static void explore_choice(Reading *x, int site, int depth, const char *rest) {
    const IrSite *s = &x->ir->site[site];
    const char *start = skip_before(s, rest);
    if (!*start) {
        note_incomplete(x, site, depth, rest);
        return;
    }
    int64_t value;
    size_t n = value_length(x, s, start, &value);
    if (n == 0) {
        note_unreadable(x, site, depth, start);
        return;
    }
    const char *end = start + n;
    const char *after = move_after(end, s->after);
    give(x, site, depth, value, start, end, after ? after : end);
}

static int branch_count(const IrSite *s) {
    return s->hi - s->lo + 1;
}

static void explore_either(Reading *x, int site, int depth, const char *rest) {
    const IrSite *s = &x->ir->site[site];
    bool tried = false, labelled = false;
    for (int b = 0; b < branch_count(s); b++) {
        const char *start = s->labels[b][0] ? skip_before(s, rest) : rest;
        const char *end = move_after(start, s->labels[b]);
        labelled = labelled || s->labels[b][0];
        if (!end)
            continue;
        tried = true;
        give(x, site, depth, b, start, end, end);
    }
    bool more = *skip_before(s, rest);
    if (!tried && more)
        note_unreadable(x, site, depth, skip_before(s, rest));
    else if (!tried || (x->begun && labelled && !more))
        note_incomplete(x, site, depth, rest);
}

// The same with values that have names. Branches are free.
static void explore_answers(Reading *x, int site, int depth) {
    const IrSite *s = &x->ir->site[site];
    const IrInput *input = x->ir->input;
    for (int b = 0; ir_is_either(s) && b < branch_count(s); b++)
        give(x, site, depth, b, "", "", "");
    for (int i = 0; !ir_is_either(s) && i < x->answers->count; i++) {
        if (strcmp(input->answer[i].choice, s->name) == 0) {
            give(x, site, depth, x->answers->values[i], "", "", "");
            return;
        }
    }
    if (!ir_is_either(s))
        note_incomplete(x, site, depth, "");
}

static void explore(Reading *x, int depth, const char *rest) {
    if (x->found || x->tries-- <= 0)
        return;
    VmStop stop = vm_follow(x->r->vm, x->state, x->values, depth);
    switch (stop.kind) {
    case VM_DONE:
        x->found = !x->begun && !*move_skip_blanks(rest); // a move begun is read in all ways
        x->move = stop.move;
        if (*move_skip_blanks(rest))
            note_surplus(x, depth, rest);
        break;
    case VM_ASKS:
        if (depth == VM_MAX_CHOICES)
            break;
        if (!x->text)
            explore_answers(x, stop.site, depth);
        else if (ir_is_either(&x->ir->site[stop.site]))
            explore_either(x, stop.site, depth, rest);
        else
            explore_choice(x, stop.site, depth, rest);
        break;
    case VM_REFUSED: note_refused(x, stop, depth); break;
    case VM_FAILED: note_failed(x, stop, depth, rest); break;
    case VM_FAULT:
        runner_fault(x->r);
        if (note(x, SIZE_MAX))
            text_add(x->error, runner_error(x->r));
        break;
    }
}

bool move_explain(Runner *r, const uint8_t *state, const char *text, const MoveAnswers *answers,
                  Move *move, Text *error) {
    Reading x = {.r = r,
                 .ir = r->game->ir,
                 .state = state,
                 .text = text,
                 .answers = answers,
                 .tries = TRIES,
                 .error = error};
    text_clear(error);
    explore(&x, 0, text ? text : "");
    *move = x.move;
    if (!x.found && !error->n)
        text_add(error, "this is not a legal move");
    return x.found;
}

static void clear_begun(MoveBegun *b) {
    text_clear(&b->text);
    text_clear(&b->words);
    text_clear(&b->next);
    memset(b->cells, 0, sizeof b->cells);
    b->name = b->say = NULL;
    b->count = 0;
}

bool move_begin(Runner *r, const uint8_t *state, const char *text, MoveBegun *out) {
    Text ignored = {0};
    Reading x = {.r = r,
                 .ir = r->game->ir,
                 .state = state,
                 .text = text,
                 .tries = TRIES,
                 .error = &ignored,
                 .begun = out};
    clear_begun(out);
    if (strlen(text) <= MOVE_TEXT_MAX)
        explore(&x, 0, text);
    text_free(&ignored);
    if (out->count == 0)
        clear_begun(out);
    return out->count > 0;
}

void move_begun_free(MoveBegun *begun) {
    text_free(&begun->text);
    text_free(&begun->words);
    text_free(&begun->next);
    *begun = (MoveBegun){0};
}
