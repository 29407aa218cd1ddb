// moveread: the move a person means; move_read of movetext.h.
//
// A text is compared with the texts of all legal moves, first exactly, then more and more loosely,
// so that reading can never disagree with writing. Then the rules' `input` section is tried. Only
// when nothing fits is the text taken apart (explain.c) to say what is wrong with it.
#include "game/move_parts.h"
#include "game/movetext.h"
#include "game/statetext.h"

#include <stdlib.h>
#include <string.h>

// --- comparing ---

// How loosely a typed text may fit a move's, or the move's choices without any notation.
typedef enum Fit {
    FIT_EXACT,  // the text itself
    FIT_FOLDED, // the text but for letter case and blanks
    FIT_WORDS,  // word by word, whatever stands between the words
    FIT_LOOSE,  // letter by letter, whatever stands between them
    FIT_NOT,
} Fit;

typedef struct Wanted {
    const char *exact;
    char form[FIT_NOT][MOVE_TEXT_MAX + 1];
} Wanted;

typedef struct Found {
    Fit fit;
    int count;
    Move moves[MOVE_LISTED_MAX]; // the first ones
} Found;

// What is left of a text for a comparison; `out` has room for as many bytes.
static void reduce(const char *s, Fit fit, char *out) {
    char *start = out;
    for (; *s; s++) {
        bool keep = fit == FIT_FOLDED ? !move_is_blank(*s) : move_is_word(*s);
        if (keep)
            *out++ = move_lower(*s);
        else if (fit == FIT_WORDS && out > start && out[-1] != ' ')
            *out++ = ' ';
    }
    if (fit == FIT_WORDS && out > start && out[-1] == ' ')
        out--;
    *out = '\0';
}

static bool has_form(const Text *text, Fit fit, const Wanted *w) {
    char form[MOVE_TEXT_MAX + 1];
    if (text->n > MOVE_TEXT_MAX || !w->form[fit][0])
        return false;
    reduce(text_c(text), fit, form);
    return strcmp(form, w->form[fit]) == 0;
}

static bool has_labelled_numbers(const IrGame *ir) {
    for (int i = 0; i < ir->sites; i++)
        if (ir->site[i].labels && !ir_is_either(&ir->site[i]))
            return true;
    return false;
}

static bool move_fits(Runner *r, const uint8_t *state, Move m, const Wanted *w, Text *text,
                      Text *bare, Fit *fit) {
    text_clear(text);
    text_clear(bare);
    if (!move_add(r, state, m, false, text) || !move_add(r, state, m, true, bare))
        return false;
    if (text->failed || bare->failed)
        return runner_fail(r, "out of memory");
    if (strcmp(text_c(text), w->exact) == 0) {
        *fit = FIT_EXACT;
        return true;
    }
    for (*fit = FIT_FOLDED; *fit < FIT_NOT; (*fit)++)
        if (has_form(text, *fit, w) || (*fit > FIT_FOLDED && has_form(bare, *fit, w)))
            return true;
    if (!has_labelled_numbers(r->game->ir))
        return true;
    text_clear(text);
    if (!move_add_brief(r, state, m, text))
        return false;
    for (*fit = FIT_FOLDED; *fit < FIT_NOT; (*fit)++)
        if (has_form(text, *fit, w))
            break;
    return true;
}

static void add_found(Found *found, Move move) {
    if (found->count < MOVE_LISTED_MAX)
        found->moves[found->count] = move;
    found->count++;
}

// Those of the n moves in r->moves that fit best.
static bool find_fitting(Runner *r, const uint8_t *state, int n, const Wanted *w, Found *found) {
    *found = (Found){.fit = FIT_NOT};
    Text text = {0}, bare = {0};
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        Fit fit = FIT_NOT;
        ok = move_fits(r, state, r->moves[i], w, &text, &bare, &fit);
        if (fit == FIT_NOT || fit > found->fit)
            continue;
        if (fit < found->fit)
            *found = (Found){.fit = fit};
        add_found(found, r->moves[i]);
    }
    text_free(&text);
    text_free(&bare);
    return ok;
}

static void say_ambiguous(Runner *r, const uint8_t *state, const char *text, const Found *found,
                          Text *error) {
    move_add_quoted(error, text, strlen(text));
    text_f(error, " fits %d moves", found->count);
    for (int i = 0; i < found->count && i < MOVE_LISTED_MAX; i++) {
        text_add(error, i ? ", `" : ": `");
        move_text(r, state, found->moves[i], error);
        text_char(error, '`');
    }
    if (found->count > MOVE_LISTED_MAX)
        text_add(error, ", ...");
}

// --- the rules' own way to type moves ---

static int count_words(const char *s) {
    int n = 0;
    for (s = move_skip_blanks(s); *s; s = move_skip_blanks(s)) {
        n++;
        s += strcspn(s, " \t");
    }
    return n;
}

// Copies the next word off *s into `word`, cut at `size`.
static void next_word(const char **s, char *word, size_t size) {
    const char *start = move_skip_blanks(*s);
    size_t n = strcspn(start, " \t");
    *s = start + n;
    if (n >= size)
        n = size - 1;
    memcpy(word, start, n);
    word[n] = '\0';
}

static bool same_word(const char *a, const char *b) {
    const char *rest = move_after(a, b);
    return rest && !*rest;
}

static bool read_number(const char *word, int64_t *value) {
    char *end;
    *value = strtol(word, &end, 10);
    return end != word && !*end && strlen(word) < 10;
}

static bool read_letter(const char *word, int64_t *value) {
    char c = move_lower(word[0]);
    *value = c - 'a' + 1;
    return c >= 'a' && c <= 'z' && !word[1];
}

static bool read_input_word(Runner *r, int step, const char *word, int64_t *value) {
    const IrInputRead *read = r->game->ir->input->step[step].read;
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

static bool say_fault(Runner *r, Text *error) {
    runner_fault(r);
    text_add(error, runner_error(r));
    return false;
}

// One step of the section: reads a word, checks a condition or names a value.
static bool run_step(Runner *r, int step, const char **text, Text *error) {
    const struct IrInputStep *s = &r->game->ir->input->step[step];
    int64_t value = 0;
    if (s->read) {
        char word[MOVE_SHOWN_MAX + 1];
        next_word(text, word, sizeof word);
        if (!read_input_word(r, step, word, &value)) {
            move_add_quoted(error, word, strlen(word));
            text_f(error, ": %s", s->read->message);
            return false;
        }
        vm_input_set(r->vm, s->read->slot, value);
        return true;
    }
    if (!vm_input_step(r->vm, step, &value))
        return say_fault(r, error);
    if (s->check && !value) {
        text_add(error, s->message);
        return false;
    }
    return true;
}

// Runs the section over the words; false with the message of the step that refused.
static bool run_input(Runner *r, const uint8_t *state, const char *text, MoveAnswers *answers,
                      Text *error) {
    const IrInput *input = r->game->ir->input;
    vm_input_begin(r->vm, state);
    for (int i = 0; i < input->steps; i++)
        if (!run_step(r, i, &text, error))
            return false;
    answers->count = 0;
    for (int i = 0; i < input->answers && i < VM_MAX_CHOICES; i++) {
        if (!vm_input_answer(r->vm, i, &answers->values[i]))
            return say_fault(r, error);
        answers->count++;
    }
    return true;
}

static bool agrees(const IrGame *ir, const VmChoice *choices, int n, const MoveAnswers *answers) {
    for (int i = 0; i < n; i++) {
        const IrSite *site = &ir->site[choices[i].site];
        for (int a = 0; !ir_is_either(site) && a < answers->count; a++)
            if (strcmp(site->name, ir->input->answer[a].choice) == 0 &&
                choices[i].value != answers->values[a])
                return false;
    }
    return n >= 0;
}

// The one of the n moves in r->moves that the section's answers describe.
static bool read_input(Runner *r, const uint8_t *state, const char *text, int n, Move *move,
                       Text *error) {
    MoveAnswers answers;
    if (!run_input(r, state, text, &answers, error))
        return false;
    Found found = {.fit = FIT_EXACT};
    for (int i = 0; i < n; i++) {
        VmChoice choices[VM_MAX_CHOICES];
        int length = vm_choices(r->vm, state, r->moves[i], choices, VM_MAX_CHOICES);
        if (agrees(r->game->ir, choices, length, &answers))
            add_found(&found, r->moves[i]);
    }
    if (found.count == 0)
        return move_explain(r, state, NULL, &answers, move, error);
    *move = found.moves[0];
    if (found.count > 1)
        say_ambiguous(r, state, text, &found, error);
    return found.count == 1;
}

// --- all ways together ---

static bool refuse_at_end(Runner *r, const uint8_t *state, Text *error) {
    int result = runner_result(r, state);
    text_add(error, "the game is over: ");
    game_result_text(r->game, result < 0 ? RESULT_OVER : result, error);
    return false;
}

// Whether the text is one value that a choice of the turn could have, such as a cell: then the
// refusal of that choice says more than that of the `input` section.
static bool names_a_choice(Runner *r, const char *text) {
    const IrGame *ir = r->game->ir;
    Text ignored = {0};
    int64_t value;
    bool found = false;
    for (int i = 0; i < ir->sites && !found; i++)
        found = ir->site[i].type.kind == TY_CELL &&
                value_read(ir, ir->site[i].type, text, &value, &ignored);
    text_free(&ignored);
    return found;
}

// Whether the text looks like parts of the `input` section, of which there are too many or too
// few, or not blanks between them: its first word is such a part, and no cell.
static bool begins_like_input(Runner *r, const uint8_t *state, const char *text) {
    const IrInput *input = r->game->ir->input;
    char word[MOVE_SHOWN_MAX + 1];
    size_t n = 0;
    while (n < MOVE_SHOWN_MAX && move_is_word(text[n]))
        n++;
    memcpy(word, text, n);
    word[n] = '\0';
    int64_t value;
    int step = 0;
    vm_input_begin(r->vm, state);
    for (; step < input->steps && !input->step[step].read; step++)
        if (!vm_input_step(r->vm, step, &value))
            return false;
    return step < input->steps && read_input_word(r, step, word, &value) &&
           !names_a_choice(r, word);
}

static void say_parts(const IrInput *input, const char *text, Text *error) {
    int given = count_words(text);
    text_clear(error);
    text_f(error, "a move has %d part%s with blanks between them:", input->reads,
           input->reads == 1 ? "" : "s");
    for (int i = 0; i < input->steps; i++)
        if (input->step[i].read)
            text_f(error, " %s", input->step[i].read->name);
    text_add(error, "; ");
    move_add_quoted(error, text, strlen(text));
    text_f(error, " has %d", given);
}

static bool read_trimmed(Runner *r, const uint8_t *state, const char *text, Move *move,
                         Text *error) {
    const Move *moves;
    int n = runner_moves(r, state, &moves);
    Found found;
    Wanted wanted = {.exact = text};
    for (Fit fit = FIT_FOLDED; fit < FIT_NOT; fit++)
        reduce(text, fit, wanted.form[fit]);
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
    const IrInput *input = r->game->ir->input;
    if (input && count_words(text) == input->reads && !names_a_choice(r, text))
        return read_input(r, state, text, n, move, error);
    if (move_explain(r, state, text, NULL, move, error))
        return true;
    if (input && count_words(text) != input->reads && begins_like_input(r, state, text))
        say_parts(input, text, error);
    return false;
}

bool move_read(Runner *r, const uint8_t *state, const char *text, Move *move, Text *error) {
    text_clear(error);
    text = move_skip_blanks(text);
    size_t n = strlen(text);
    while (n > 0 && strchr(" \t\r\n", text[n - 1]))
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
