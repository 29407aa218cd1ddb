// movetext: see movetext.h for the contract.
//
// Writing follows the choices of a move. Reading compares with the texts of all legal moves, first
// exactly, then more and more loosely, so that it can never disagree with writing. Only when
// nothing fits is the text taken apart (see explain) to say what is wrong with it.
#include "game/movetext.h"

#include "game/runner.h"
#include "game/statetext.h"

#include <stdlib.h>
#include <string.h>

// Longer texts are not moves: 128 choices of a few letters each fit.
#define MOVE_TEXT_MAX 2000
// More possibilities than this are not read by anybody.
#define LISTED_MAX 12
// What is shown of a word that a person typed.
#define SHOWN_MAX 40

static const IrGame *ir_of(const Runner *r) {
    return r->game->ir;
}

// --- writing ---

static void add_choice(const IrGame *ir, int site, int64_t value, Text *out) {
    const IrSite *s = &ir->site[site];
    if (s->labels)
        text_add(out, s->labels[value]);
    else
        value_text(ir, s->type, value, out);
}

static bool is_shown(const IrGame *ir, VmChoice c) {
    const IrSite *site = &ir->site[c.site];
    return !site->labels || site->labels[c.value][0];
}

// The choices as a text; `bare`: without the notation around them.
static void add_choices(const IrGame *ir, const VmChoice *choices, int n, bool bare, Text *out) {
    size_t start = out->n;
    for (int i = 0; i < n; i++) {
        if (!is_shown(ir, choices[i]))
            continue;
        const IrSite *site = &ir->site[choices[i].site];
        bool leading = out->n == start && strcmp(site->before, "-") == 0;
        if (!bare && !leading)
            text_add(out, site->before);
        add_choice(ir, choices[i].site, choices[i].value, out);
        if (!bare)
            text_add(out, site->after);
    }
    if (out->n == start)
        text_add(out, "go"); // a turn without a choice
}

static bool add_move(Runner *r, const uint8_t *state, Move move, bool bare, Text *out) {
    if (move_is_pass(move)) {
        text_add(out, "pass");
        return true;
    }
    VmChoice choices[VM_MAX_CHOICES];
    int n = vm_choices(r->vm, state, move, choices, VM_MAX_CHOICES);
    if (n < 0)
        return runner_fault(r);
    add_choices(ir_of(r), choices, n, bare, out);
    return true;
}

bool move_text(Runner *r, const uint8_t *state, Move move, Text *out) {
    return add_move(r, state, move, false, out);
}

// --- choice by choice ---

static int compare_values(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// The values of the choice at bit `at` in those of the n moves that begin like `prefix`.
static int collect_values(Runner *r, int n, Move prefix, int at, const IrSite *site) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        Move m = r->moves[i];
        Move low = {{0, 0}};
        for (int bit = 0; bit < at; bit += 32) {
            int bits = at - bit < 32 ? at - bit : 32;
            move_put(&low, bit, move_get(m, bit, bits), bits);
        }
        if (move_equal(low, prefix))
            r->values[count++] = (int64_t)move_get(m, at, site->bits) + site->lo;
    }
    qsort(r->values, (size_t)count, sizeof *r->values, compare_values);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (kept == 0 || r->values[i] != r->values[kept - 1])
            r->values[kept++] = r->values[i];
    return kept;
}

static bool make_room(Runner *r, int n) {
    if (n <= r->value_cap)
        return true;
    int64_t *values = mem_resize(r->values, sizeof *values * (size_t)n);
    if (!values)
        return runner_fail(r, "out of memory");
    r->values = values;
    r->value_cap = n;
    return true;
}

bool move_options(Runner *r, const uint8_t *state, const int64_t *values, int count,
                  MoveOptions *out) {
    *out = (MoveOptions){0};
    // The bits of the choices made: the turn tells whose they are.
    Move prefix = {{0, 0}};
    int at = 0;
    VmStop stop;
    for (int i = 0;; i++) {
        stop = vm_follow(r->vm, state, values, i);
        if (stop.kind == VM_FAULT)
            return runner_fault(r);
        if (i == count || stop.kind != VM_ASKS)
            break;
        const IrSite *site = &ir_of(r)->site[stop.site];
        if (values[i] < site->lo || values[i] > site->hi)
            return runner_fail(r, "%lld is not a value of the choice", (long long)values[i]);
        at = move_put(&prefix, at, (uint64_t)(values[i] - site->lo), site->bits);
    }
    const Move *moves;
    int n = runner_moves(r, state, &moves);
    if (n < 0)
        return false;
    if (n == 0)
        return runner_fail(r, "the game is over");
    if (count == 0 && move_is_pass(moves[0])) {
        out->complete = true;
        out->move = MOVE_PASS;
        return true;
    }
    if (stop.kind == VM_DONE) {
        out->complete = true;
        out->move = stop.move;
        return true;
    }
    if (stop.kind != VM_ASKS)
        return runner_fail(r, "no legal move begins with these choices");
    if (!make_room(r, n))
        return false;
    const IrSite *site = &ir_of(r)->site[stop.site];
    out->site = stop.site;
    out->say = site->say;
    out->count = collect_values(r, n, prefix, at, site);
    out->values = r->values;
    return true;
}

// --- explaining what is wrong with a text ---
//
// The text is read along the turn: at each choice the turn asks for, the next word is taken off
// the text and given to it. Unlabelled branches take no word, so all of them are tried; of all the
// readings that fail, the one that got furthest is what the person meant.

typedef struct Answers { // named choices from the rules' `input` section
    int64_t values[VM_MAX_CHOICES];
    int count;
} Answers;

typedef struct Reading {
    Runner *r;
    const uint8_t *state;
    const char *text;       // what a person typed; or, if NULL,
    const Answers *answers; //   the values by name
    int64_t values[VM_MAX_CHOICES];
    struct Word {
        const char *start;
        size_t length;
    } words[VM_MAX_CHOICES]; // that the values were read from
    int tries; // left, so that many unlabelled branches take no time
    bool found;
    Move move;
    size_t furthest; // of the failures so far
    Text *error;     // its message
} Reading;

static const char *skip_blanks(const char *s) {
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool is_letter_or_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80 || c == '_';
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// What follows `part` in s, letter case aside; NULL if s does not begin with it.
static const char *after_part(const char *s, const char *part) {
    for (; *part; part++, s++)
        if (lower(*s) != lower(*part))
            return NULL;
    return s;
}

static void add_quoted(Text *out, const char *s, size_t n) {
    bool cut = n > SHOWN_MAX;
    text_char(out, '`');
    text_visible(out, s, cut ? SHOWN_MAX : n);
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

// "; possible: a1, b2" for the choice after the first `depth` values.
static void add_possible(Reading *x, int depth) {
    MoveOptions options;
    if (!move_options(x->r, x->state, x->values, depth, &options) || options.complete)
        return;
    if (options.count == 0 || options.count > LISTED_MAX)
        return;
    const char *separator = "; possible: ";
    for (int i = 0; i < options.count; i++) {
        VmChoice c = {options.site, options.values[i]};
        if (!is_shown(ir_of(x->r), c))
            continue;
        text_add(x->error, separator);
        add_choice(ir_of(x->r), c.site, c.value, x->error);
        separator = ", ";
    }
}

static void add_place(Reading *x, Span span) {
    if (span.line > 0)
        text_f(x->error, " (%s:%d)", x->r->game->source.name, span.line);
}

static void add_site_name(Reading *x, int site) {
    const char *name = ir_of(x->r)->site[site].name;
    if (name && name[0])
        text_f(x->error, "`%s`", name);
    else
        text_add(x->error, "a choice");
}

static void explore(Reading *x, int depth, const char *rest);

// How far a reading is: places in the text count double, so that of two failures at the same
// place the one that could read the word there wins.
static size_t progress_of(const Reading *x, int depth, const char *rest) {
    return x->text ? 2 * (size_t)(rest - x->text) + 1 : (size_t)depth + 1;
}

static void note_refused(Reading *x, VmStop stop, int depth) {
    int i = stop.index < depth ? stop.index : depth - 1;
    const struct Word *word = &x->words[i];
    if (!note(x, progress_of(x, i, word->start) + 1))
        return;
    if (x->text) {
        add_quoted(x->error, word->start, word->length);
    } else {
        text_char(x->error, '`');
        add_choice(ir_of(x->r), stop.site, x->values[i], x->error);
        text_char(x->error, '`');
    }
    text_add(x->error, " is not allowed for ");
    add_site_name(x, stop.site);
    if (stop.why)
        text_f(x->error, ": not in `%s`", stop.why);
    add_place(x, stop.span);
    add_possible(x, i);
}

static void note_failed(Reading *x, VmStop stop, int depth, const char *rest) {
    if (!note(x, progress_of(x, depth, rest)))
        return;
    text_add(x->error, "not allowed");
    if (stop.why)
        text_f(x->error, ": %s", stop.why);
    add_place(x, stop.span);
}

static void note_surplus(Reading *x, const char *rest, int depth) {
    rest = skip_blanks(rest);
    if (!note(x, progress_of(x, depth, rest)))
        return;
    text_add(x->error, "the move is complete before ");
    add_quoted(x->error, rest, strlen(rest));
}

// The text ends where the turn asks for one more choice.
static void note_incomplete(Reading *x, int site, int depth, const char *rest) {
    if (!note(x, progress_of(x, depth, rest)))
        return;
    MoveOptions options;
    bool open = move_options(x->r, x->state, x->values, depth, &options) && options.count > 0;
    const char *start = x->text ? skip_blanks(x->text) : "";
    if (!open && depth > 0) {
        text_add(x->error, "no legal move begins with ");
        add_quoted(x->error, start, strlen(start));
        add_possible(x, depth - 1);
        return;
    }
    if (*start) {
        add_quoted(x->error, start, strlen(start));
        text_add(x->error, " is not a whole move: ");
    }
    add_site_name(x, site);
    text_add(x->error, *start ? " comes next" : " comes first");
    add_possible(x, depth);
}

// The length of the longest beginning of s that is a value of the site; 0 if there is none.
static size_t value_length(Reading *x, const IrSite *site, const char *s, int64_t *value) {
    size_t n = strcspn(s, " \t");
    char word[SHOWN_MAX + 1];
    Text ignored = {0};
    for (n = n < SHOWN_MAX ? n : SHOWN_MAX; n > 0; n--) {
        memcpy(word, s, n);
        word[n] = '\0';
        // A number or a name ends where its letters and digits end.
        bool whole = !is_letter_or_digit(s[n]) || site->type.kind == TY_CELL;
        if (whole && value_read(ir_of(x->r), site->type, word, value, &ignored))
            break;
    }
    text_free(&ignored);
    return n;
}

// Skips what stands before a choice: its notation, or the blanks, dashes and commas that people
// put there instead.
static const char *skip_before(const IrSite *site, const char *rest) {
    rest = skip_blanks(rest);
    const char *after = after_part(rest, site->before);
    if (!after && *rest && strchr("-,:;=>", *rest))
        after = rest + 1;
    return skip_blanks(after ? after : rest);
}

static void note_unreadable(Reading *x, int site, int depth, const char *rest) {
    if (!note(x, progress_of(x, depth, rest) - 1))
        return;
    const IrSite *s = &ir_of(x->r)->site[site];
    size_t n = 0;
    while (is_letter_or_digit(rest[n]))
        n++;
    if (n == 0)
        n = strcspn(rest, " \t");
    char word[SHOWN_MAX + 1] = {0};
    memcpy(word, rest, n < SHOWN_MAX ? n : SHOWN_MAX);
    int64_t value;
    if (s->labels || value_read(ir_of(x->r), s->type, word, &value, x->error)) {
        text_clear(x->error);
        add_quoted(x->error, rest, n);
        text_add(x->error, " does not fit here");
    } else {
        text_add(x->error, " for ");
        add_site_name(x, site);
    }
    add_possible(x, depth);
}

static void give(Reading *x, int depth, int64_t value, const char *start, const char *end,
                 const char *rest) {
    x->values[depth] = value;
    x->words[depth] = (struct Word){start, (size_t)(end - start)};
    explore(x, depth + 1, rest);
}

static void explore_choice(Reading *x, int site, int depth, const char *rest) {
    const IrSite *s = &ir_of(x->r)->site[site];
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
    const char *after = after_part(end, s->after);
    give(x, depth, value, start, end, after ? after : end);
}

static int branch_count(const IrSite *s) {
    return s->hi - s->lo + 1;
}

static void explore_either(Reading *x, int site, int depth, const char *rest) {
    const IrSite *s = &ir_of(x->r)->site[site];
    bool tried = false;
    for (int b = 0; b < branch_count(s); b++) {
        const char *label = s->labels ? s->labels[b] : "";
        const char *start = label[0] ? skip_before(s, rest) : rest;
        const char *end = after_part(start, label);
        if (!end)
            continue;
        tried = true;
        give(x, depth, b, start, end, end);
    }
    if (!tried && *skip_before(s, rest))
        note_unreadable(x, site, depth, skip_before(s, rest));
    else if (!tried)
        note_incomplete(x, site, depth, rest);
}

// The same with values that have names: branches are free, as are choices that are not named.
static void explore_answers(Reading *x, int site, int depth) {
    const IrSite *s = &ir_of(x->r)->site[site];
    const IrInput *input = ir_of(x->r)->input;
    for (int i = 0; i < x->answers->count; i++) {
        if (!s->labels && strcmp(input->answer[i].choice, s->name) == 0) {
            give(x, depth, x->answers->values[i], "", "", "");
            return;
        }
    }
    for (int b = 0; s->labels && b < branch_count(s); b++)
        give(x, depth, b, "", "", "");
    if (!s->labels)
        note_incomplete(x, site, depth, "");
}

static void explore(Reading *x, int depth, const char *rest) {
    if (x->found || x->tries-- <= 0)
        return;
    VmStop stop = vm_follow(x->r->vm, x->state, x->values, depth);
    switch (stop.kind) {
    case VM_DONE:
        x->found = !*skip_blanks(rest);
        x->move = stop.move;
        if (!x->found)
            note_surplus(x, rest, depth);
        break;
    case VM_ASKS:
        if (depth == VM_MAX_CHOICES)
            break;
        if (!x->text)
            explore_answers(x, stop.site, depth);
        else if (ir_of(x->r)->site[stop.site].labels)
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

// Says what is wrong with a text or with answers, of which one is NULL. True, with the move, if
// they turn out to be a move after all.
static bool explain(Runner *r, const uint8_t *state, const char *text, const Answers *answers,
                    Move *move, Text *error) {
    Reading x = {.r = r, .state = state, .text = text, .answers = answers, .error = error};
    x.tries = 1000;
    text_clear(error);
    explore(&x, 0, text ? text : "");
    *move = x.move;
    if (!x.found && !error->n)
        text_add(error, "this is not a legal move");
    return x.found;
}

// --- reading ---

// What is left of a text when letter case and blanks, or also punctuation, do not matter.
static void fold(const char *s, bool punctuation, char *out) {
    for (; *s; s++)
        if (!is_blank(*s) && (punctuation || is_letter_or_digit(*s)))
            *out++ = lower(*s);
    *out = '\0';
}

// How loosely a typed text may fit a move's.
typedef enum Fit {
    FIT_EXACT,  // the text itself
    FIT_FOLDED, // but for letter case and blanks
    FIT_LOOSE,  // but for punctuation too
    FIT_BARE,   // the choices without any notation
    FIT_NOT,
} Fit;

typedef struct Wanted {
    const char *exact;
    char folded[MOVE_TEXT_MAX + 1];
    char loose[MOVE_TEXT_MAX + 1];
} Wanted;

static bool folds_to(const Text *text, bool punctuation, const char *wanted) {
    char folded[MOVE_TEXT_MAX + 1];
    if (text->n > MOVE_TEXT_MAX)
        return false;
    fold(text_c(text), punctuation, folded);
    return strcmp(folded, wanted) == 0;
}

static bool move_fits(Runner *r, const uint8_t *state, Move m, const Wanted *w, Text *buffer,
                      Fit *fit) {
    text_clear(buffer);
    if (!add_move(r, state, m, false, buffer))
        return false;
    *fit = FIT_NOT;
    if (strcmp(text_c(buffer), w->exact) == 0) {
        *fit = FIT_EXACT;
    } else if (folds_to(buffer, true, w->folded)) {
        *fit = FIT_FOLDED;
    } else if (w->loose[0] && folds_to(buffer, false, w->loose)) {
        *fit = FIT_LOOSE;
    } else if (w->loose[0]) {
        text_clear(buffer);
        if (!add_move(r, state, m, true, buffer))
            return false;
        if (folds_to(buffer, false, w->loose))
            *fit = FIT_BARE;
    }
    return true;
}

typedef struct Found {
    Fit fit;
    int count;
    Move moves[LISTED_MAX]; // the first ones
} Found;

static bool find_fitting(Runner *r, const uint8_t *state, int n, const Wanted *w, Found *found) {
    *found = (Found){.fit = FIT_NOT};
    Text buffer = {0};
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        Fit fit = FIT_NOT;
        ok = move_fits(r, state, r->moves[i], w, &buffer, &fit);
        if (fit == FIT_NOT || fit > found->fit)
            continue;
        if (fit < found->fit)
            *found = (Found){.fit = fit};
        if (found->count < LISTED_MAX)
            found->moves[found->count] = r->moves[i];
        found->count++;
    }
    text_free(&buffer);
    return ok;
}

static void say_ambiguous(Runner *r, const uint8_t *state, const char *text, const Found *found,
                          Text *error) {
    add_quoted(error, text, strlen(text));
    text_f(error, " fits %d moves", found->count);
    for (int i = 0; i < found->count && i < LISTED_MAX; i++) {
        text_add(error, i ? ", `" : ": `");
        move_text(r, state, found->moves[i], error);
        text_char(error, '`');
    }
    if (found->count > LISTED_MAX)
        text_add(error, ", ...");
}

// --- the rules' own way to type moves ---

static int count_words(const char *s) {
    int n = 0;
    for (s = skip_blanks(s); *s; s = skip_blanks(s)) {
        n++;
        while (*s && !is_blank(*s))
            s++;
    }
    return n;
}

static bool same_word(const char *a, const char *b) {
    const char *rest = after_part(a, b);
    return rest && !*rest;
}

static bool read_number(const char *word, int64_t *value) {
    char *end;
    *value = strtol(word, &end, 10);
    return end != word && !*end && strlen(word) < 10;
}

static bool read_letter(const char *word, int64_t *value) {
    char c = lower(word[0]);
    *value = c - 'a' + 1;
    return c >= 'a' && c <= 'z' && !word[1];
}

static bool read_input_word(Runner *r, int step, const char *word, int64_t *value) {
    const IrInputRead *read = ir_of(r)->input->step[step].read;
    for (int i = 0; i < read->word_count; i++)
        if (same_word(word, read->words[i]))
            return vm_input_word(r->vm, step, i, value);
    if (read->word_count)
        return false;
    if (read->letter ? !read_letter(word, value) : !read_number(word, value))
        return false;
    int64_t low, high;
    if (!read->low)
        return true;
    return vm_input_bounds(r->vm, step, &low, &high) && *value >= low && *value <= high;
}

// Copies the next word off *s into `word`, cut at `size`.
static void next_word(const char **s, char *word, size_t size) {
    const char *start = skip_blanks(*s);
    size_t n = strcspn(start, " \t");
    *s = start + n;
    if (n >= size)
        n = size - 1;
    memcpy(word, start, n);
    word[n] = '\0';
}

// Runs the steps of the section over the words; false with the message of the one that refused.
static bool run_input(Runner *r, const uint8_t *state, const char *text, Answers *answers,
                      Text *error) {
    const IrInput *input = ir_of(r)->input;
    vm_input_begin(r->vm, state);
    for (int i = 0; i < input->steps; i++) {
        int64_t value = 0;
        const IrInputRead *read = input->step[i].read;
        if (read) {
            char word[SHOWN_MAX + 1];
            next_word(&text, word, sizeof word);
            if (!read_input_word(r, i, word, &value)) {
                add_quoted(error, word, strlen(word));
                text_f(error, ": %s", read->message);
                return false;
            }
            vm_input_set(r->vm, read->slot, value);
            continue;
        }
        if (!vm_input_step(r->vm, i, &value)) {
            runner_fault(r);
            text_add(error, runner_error(r));
            return false;
        }
        if (input->step[i].check && !value) {
            text_add(error, input->step[i].message ? input->step[i].message : "not allowed");
            return false;
        }
    }
    for (answers->count = 0; answers->count < input->answers; answers->count++) {
        if (answers->count == VM_MAX_CHOICES ||
            !vm_input_answer(r->vm, answers->count, &answers->values[answers->count])) {
            runner_fault(r);
            text_add(error, runner_error(r));
            return false;
        }
    }
    return true;
}

static bool agrees(const IrGame *ir, const VmChoice *choices, int n, const Answers *answers) {
    for (int i = 0; i < n; i++) {
        const IrSite *site = &ir->site[choices[i].site];
        for (int a = 0; !site->labels && a < answers->count; a++)
            if (strcmp(site->name, ir->input->answer[a].choice) == 0 &&
                choices[i].value != answers->values[a])
                return false;
    }
    return true;
}

static bool read_input(Runner *r, const uint8_t *state, const char *text, int n, Move *move,
                       Text *error) {
    Answers answers;
    if (!run_input(r, state, text, &answers, error))
        return false;
    Found found = {.fit = FIT_EXACT};
    for (int i = 0; i < n; i++) {
        VmChoice choices[VM_MAX_CHOICES];
        int length = vm_choices(r->vm, state, r->moves[i], choices, VM_MAX_CHOICES);
        if (!agrees(ir_of(r), choices, length, &answers))
            continue;
        if (found.count < LISTED_MAX)
            found.moves[found.count] = r->moves[i];
        found.count++;
    }
    *move = found.moves[0];
    if (found.count > 1)
        say_ambiguous(r, state, text, &found, error);
    return found.count == 1 || (found.count == 0 && explain(r, state, NULL, &answers, move, error));
}

// --- all ways together ---

static bool refuse_at_end(Runner *r, const uint8_t *state, Text *error) {
    int result = runner_result(r, state);
    text_add(error, "the game is over: ");
    game_result_text(r->game, result < 0 ? RESULT_OVER : result, error);
    return false;
}

static bool read_trimmed(Runner *r, const uint8_t *state, const char *text, Move *move,
                         Text *error) {
    const Move *moves;
    int n = runner_moves(r, state, &moves);
    Found found;
    Wanted wanted = {.exact = text};
    fold(text, true, wanted.folded);
    fold(text, false, wanted.loose);
    if (n < 0 || !find_fitting(r, state, n, &wanted, &found)) {
        text_add(error, runner_error(r));
        return false;
    }
    if (n == 0)
        return refuse_at_end(r, state, error);
    if (found.count == 1) {
        *move = found.moves[0];
        return true;
    }
    if (found.count > 1) {
        say_ambiguous(r, state, text, &found, error);
        return false;
    }
    if (move_is_pass(r->moves[0])) {
        text_add(error, "there is no move: `pass` is all that is left");
        return false;
    }
    const IrInput *input = ir_of(r)->input;
    if (input && count_words(text) == input->reads)
        return read_input(r, state, text, n, move, error);
    return explain(r, state, text, NULL, move, error);
}

bool move_read(Runner *r, const uint8_t *state, const char *text, Move *move, Text *error) {
    text_clear(error);
    text = skip_blanks(text);
    size_t n = strlen(text);
    while (n > 0 && (is_blank(text[n - 1]) || text[n - 1] == '\n' || text[n - 1] == '\r'))
        n--;
    if (n > MOVE_TEXT_MAX) {
        text_add(error, "this is too long for a move");
        return false;
    }
    char trimmed[MOVE_TEXT_MAX + 1];
    memcpy(trimmed, text, n);
    trimmed[n] = '\0';
    return read_trimmed(r, state, trimmed, move, error);
}
