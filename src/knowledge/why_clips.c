// why_clips: what a position is worth and what a move changes, by the sentences of a CLIPS file;
// see why_clips.h.
#include "knowledge/why_clips.h"

#include "game/movetext.h"

#include <string.h>

// Of what a sentence is about, and of facts that come and go, unless --deep asks for all.
#define USUAL_ABOUT 6
#define USUAL_CHANGES 12

// --- sentences ---

static const char none[] = "without a sentence";

static const char *sentence_of(const ClipsWorth *w) {
    return w->sentence ? w->sentence : none;
}

static void json_of(Why *w, const char *sentence) {
    if (sentence == none)
        text_add(w->out, "null");
    else
        text_json(w->out, sentence);
}

// What one sentence counts.
static WhyLine line_of(const ClipsFound *found, const char *sentence) {
    WhyLine line = {0};
    for (int i = 0; i < found->worths; i++) {
        if (strcmp(sentence_of(&found->worth[i]), sentence) != 0)
            continue;
        line.count++;
        line.sum += found->worth[i].weight;
    }
    return line;
}

// Whether no earlier one has the same sentence.
static bool is_first(const ClipsFound *found, int worth) {
    for (int i = 0; i < worth; i++)
        if (strcmp(sentence_of(&found->worth[i]), sentence_of(&found->worth[worth])) == 0)
            return false;
    return true;
}

// --- a position ---

static void add_about(Why *w, const ClipsFound *found, const char *sentence) {
    Rows rows = {.out = w->out, .indent = 12};
    int shown = 0, left_out = 0;
    for (int i = 0; i < found->worths; i++) {
        const ClipsWorth *one = &found->worth[i];
        if (strcmp(sentence_of(one), sentence) != 0 || !one->about[0])
            continue;
        if (!w->deep && shown == USUAL_ABOUT) {
            left_out++;
            continue;
        }
        rows_add(&rows, one->about);
        shown++;
    }
    rows_end(&rows);
    if (left_out)
        text_f(w->out, "%*sand %d more\n", 12, "", left_out);
}

static void add_sentence(Why *w, const ClipsFound *found, int first) {
    const char *sentence = sentence_of(&found->worth[first]);
    WhyLine line = line_of(found, sentence);
    int64_t weight = found->worth[first].weight;
    bool same = true;
    for (int i = first; i < found->worths; i++)
        same = same && (strcmp(sentence_of(&found->worth[i]), sentence) != 0 ||
                        found->worth[i].weight == weight);
    text_f(w->out, "  %+6lld  %s", (long long)line.sum, sentence);
    if (same && line.count > 1)
        text_f(w->out, " (%d x %lld)", line.count, (long long)weight);
    else if (!same)
        text_f(w->out, " (%d times)", line.count);
    text_char(w->out, '\n');
    add_about(w, found, sentence);
}

bool clips_value(Why *w, const uint8_t *state, int me) {
    const ClipsFound *found = reasoner_clips(w->reasoner, state, me, CLIPS_FACTS);
    if (!found)
        return false;
    bool moves = me == game_player(w->game, state);
    text_f(w->out, "%s%s: ", w->game->ir->player[me], moves ? ", on move" : "");
    why_signed(w->out, found->value);
    text_char(w->out, '\n');
    for (int i = 0; i < found->worths; i++)
        if (is_first(found, i))
            add_sentence(w, found, i);
    if (!found->worths)
        text_add(w->out, "          nothing that counts\n");
    return true;
}

static void json_sentence(Why *w, const ClipsFound *found, int first) {
    const char *sentence = sentence_of(&found->worth[first]);
    WhyLine line = line_of(found, sentence);
    text_add(w->out, "{\"sentence\":");
    json_of(w, sentence);
    text_f(w->out, ",\"count\":%d,\"sum\":%lld,\"about\":[", line.count, (long long)line.sum);
    for (int i = first, n = 0; i < found->worths; i++) {
        if (strcmp(sentence_of(&found->worth[i]), sentence) != 0)
            continue;
        text_add(w->out, n++ ? "," : "");
        text_json(w->out, found->worth[i].about);
    }
    text_add(w->out, "]}");
}

bool clips_value_json(Why *w, const uint8_t *state, int me) {
    const ClipsFound *found = reasoner_clips(w->reasoner, state, me, CLIPS_FACTS);
    if (!found)
        return false;
    text_add(w->out, "{\"player\":");
    text_json(w->out, w->game->ir->player[me]);
    text_f(w->out, ",\"value\":%lld,\"lines\":[", (long long)found->value);
    for (int i = 0, n = 0; i < found->worths; i++) {
        if (!is_first(found, i))
            continue;
        text_add(w->out, n++ ? "," : "");
        json_sentence(w, found, i);
    }
    text_add(w->out, "]}");
    return true;
}

// --- a move ---

// Both positions as one player sees them.
typedef struct Both {
    const ClipsFound *from, *to;
    Reasoner *other; // holds `from`
} Both;

static bool look_at_both(Why *w, const uint8_t *before, const uint8_t *after, Both *both) {
    int me = game_player(w->game, before);
    both->other = reasoner_new(w->k);
    both->to = both->other ? reasoner_clips(w->reasoner, after, me, CLIPS_FACTS) : NULL;
    both->from = both->to ? reasoner_clips(both->other, before, me, CLIPS_FACTS) : NULL;
    // The error that is shown is that of the first reasoner.
    if (both->to && !both->from)
        (void)reasoner_clips(w->reasoner, before, me, CLIPS_FACTS);
    return both->from != NULL;
}

// One sentence, of either position; false if it changes nothing.
static bool change_of(const Both *both, const char *sentence, WhyLine *from, WhyLine *to) {
    *from = line_of(both->from, sentence);
    *to = line_of(both->to, sentence);
    return from->sum != to->sum;
}

// The next sentence, those of the position before first; NULL after the last. `*at` begins as 0.
static const char *next_sentence(const Both *both, int *at) {
    while (*at < both->from->worths) {
        int i = (*at)++;
        if (is_first(both->from, i))
            return sentence_of(&both->from->worth[i]);
    }
    while (*at < both->from->worths + both->to->worths) {
        int i = (*at)++ - both->from->worths;
        const char *sentence = sentence_of(&both->to->worth[i]);
        if (is_first(both->to, i) && !line_of(both->from, sentence).count)
            return sentence;
    }
    return NULL;
}

static bool holds(const ClipsFound *found, const char *text) {
    for (int i = 0; i < found->facts; i++)
        if (strcmp(found->fact[i].text, text) == 0)
            return true;
    return false;
}

// Conclusions of `has` that are not in `had`, without what is worth something: that is told above.
static int add_new(Why *w, const ClipsFound *had, const ClipsFound *has, Rows *rows) {
    int n = 0, left_out = 0;
    for (int i = 0; i < has->facts; i++) {
        const ClipsFact *fact = &has->fact[i];
        if (fact->given || strcmp(fact->name, "worth") == 0 || holds(had, fact->text))
            continue;
        if (rows && !w->deep && n == USUAL_CHANGES) {
            left_out++;
        } else if (rows) {
            rows_add(rows, fact->text);
            n++;
        } else {
            text_add(w->out, n++ ? "," : "");
            text_json(w->out, fact->text);
        }
    }
    if (rows)
        rows_end(rows);
    if (left_out)
        text_f(w->out, "%*sand %d more\n", 10, "", left_out);
    return n;
}

static void add_came(Why *w, const char *title, const ClipsFound *had, const ClipsFound *has) {
    Rows rows = {.out = w->out, .indent = 10};
    size_t start = w->out->n;
    text_f(w->out, "%s\n", title);
    if (!add_new(w, had, has, &rows) && w->out->s) { // nothing: no title either
        w->out->n = start;
        w->out->s[start] = '\0';
    }
}

bool clips_move(Why *w, Runner *runner, const uint8_t *before, Move move, const uint8_t *after) {
    const char *me = w->game->ir->player[game_player(w->game, before)], *sentence;
    Both both = {0};
    WhyLine from, to;
    bool ok = look_at_both(w, before, after, &both);
    if (ok) {
        text_f(w->out, "%s plays ", me);
        move_text(runner, before, move, w->out);
        text_f(w->out, "\n%s: ", me);
        why_signed(w->out, both.from->value);
        text_add(w->out, " before, ");
        why_signed(w->out, both.to->value);
        text_add(w->out, " after\n");
        for (int at = 0; (sentence = next_sentence(&both, &at));)
            if (change_of(&both, sentence, &from, &to))
                text_f(w->out, "  %+6lld  %s: %d before, %d after\n",
                       (long long)(to.sum - from.sum), sentence, from.count, to.count);
        add_came(w, "now holds", both.from, both.to);
        add_came(w, "no longer holds", both.to, both.from);
    }
    reasoner_free(both.other);
    return ok;
}

bool clips_move_json(Why *w, Runner *runner, const uint8_t *before, Move move,
                     const uint8_t *after) {
    const char *sentence;
    Both both = {0};
    Text text = {0};
    WhyLine from, to;
    int n = 0;
    bool ok = look_at_both(w, before, after, &both);
    if (ok) {
        move_text(runner, before, move, &text);
        text_add(w->out, ",\"move\":{\"text\":");
        text_json(w->out, text_c(&text));
        text_f(w->out, ",\"before\":%lld,\"after\":%lld,\"changes\":[", (long long)both.from->value,
               (long long)both.to->value);
        for (int at = 0; (sentence = next_sentence(&both, &at));) {
            if (!change_of(&both, sentence, &from, &to))
                continue;
            text_add(w->out, n++ ? ",{\"sentence\":" : "{\"sentence\":");
            json_of(w, sentence);
            text_f(w->out, ",\"change\":%lld,\"before\":%d,\"after\":%d}",
                   (long long)(to.sum - from.sum), from.count, to.count);
        }
        text_add(w->out, "],\"came\":[");
        add_new(w, both.from, both.to, NULL);
        text_add(w->out, "],\"went\":[");
        add_new(w, both.to, both.from, NULL);
        text_add(w->out, "]}");
    }
    text_free(&text);
    reasoner_free(both.other);
    return ok;
}
