// study_text: what a study found, in words, as JSON and as a page; see study.h.
#include "match/report.h"
#include "match/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FEW 10 // games from which nothing follows
#define SIGN 1.96

typedef struct Share { // of something among n, with the error at 95 %
    double value, error;
    int64_t n;
} Share;

// Wilson's interval is sound for few games and for shares near 0 and 1; its larger half is given.
static Share share_of(double part, int64_t n) {
    if (n == 0)
        return (Share){0, 1, 0};
    double p = part / (double)n, z2 = SIGN * SIGN, m = (double)n;
    double middle = (p + z2 / (2 * m)) / (1 + z2 / m);
    double half = SIGN / (1 + z2 / m) * sqrt(p * (1 - p) / m + z2 / (4 * m * m));
    return (Share){p, fmax(middle + half - p, p - (middle - half)), n};
}

static int64_t games_of(const Score *s) {
    return s->won + s->drawn + s->lost;
}

static Share points_of(const Score *s) {
    return share_of((double)s->won + 0.5 * (double)s->drawn, games_of(s));
}

static Share draws_of(const Study *s) { // among equals
    const Results *r = s->results[STUDY_EQUALS];
    return share_of((double)r->drawn, r->games - r->faults);
}

static const Score *first_of(const Study *s) { // games of equals, as the first player
    return &s->results[STUDY_EQUALS]->opener;
}

static const Score *ladder_of(const Study *s, int strong, int weak) {
    const Results *r = s->results[STUDY_LADDER];
    return &r->score[strong * r->n + weak];
}

static void percent(Share x, Text *out) {
    text_f(out, "%.0f %% (± %.0f)", 100 * x.value, 100 * x.error);
}

// --- sentences, each with its number; the page has them as paragraphs ---

static void say_length(const Study *s, Text *out) {
    const Results *r = s->results[STUDY_EQUALS];
    int64_t n = r->lengths;
    if (n == 0) {
        if (s->random_games)
            text_f(out, "Played by chance, games last %.1f moves on average.",
                   (double)s->random_moves / (double)s->random_games);
        return;
    }
    int least = r->length[0], low = r->length[n / 4];
    int most = r->length[n - 1], high = r->length[n - 1 - n / 4];
    if (least == most)
        text_f(out, "All games of good players last %d moves", least);
    else if (low == high)
        text_f(out, "Games of good players last %d to %d moves, most of them %d", least, most, low);
    else
        text_f(out, "Games of good players last %d to %d moves, half of them %d to %d", least, most,
               low, high);
    if (s->random_games)
        text_f(out, "; played by chance, %.1f on average",
               (double)s->random_moves / (double)s->random_games);
    text_add(out, ".");
    if (r->ending[END_LENGTH])
        text_f(out, " %lld of %lld did not come to an end.", (long long)r->ending[END_LENGTH],
               (long long)r->games);
    else if (r->length[n - 1] <= 3)
        text_add(out, " That is hardly a game.");
}

static void say_choices(const Study *s, Text *out) {
    if (s->positions == 0)
        return;
    double mean = (double)s->choices / (double)s->positions;
    double forced = (double)s->forced / (double)s->positions;
    text_f(out, "A player has %.1f moves to choose from on average, at most %d", mean, s->most);
    text_f(out, "; in %.0f %% of the positions there is only one.", 100 * forced);
    if (forced > 0.4)
        text_add(out, " Much of the game plays itself.");
    else if (mean > 150)
        text_add(out, " That is a lot to look through, for people as for programs.");
}

static void say_first(const Study *s, Text *out) {
    const Score *first = first_of(s);
    Share x = points_of(first);
    if (x.n == 0)
        return;
    double fair = 0.5; // games of more count as one with each of the others
    const char *name = s->game->ir->player[0];
    text_f(out, "%s scores ", name);
    percent(x, out);
    text_add(out, " against an equal: ");
    if (x.n < FEW)
        text_add(out, "too few games to say more.");
    else if (fabs(x.value - fair) <= x.error)
        text_add(out, x.error < 0.06 ? "moving first makes no difference that matters."
                                     : "no advantage can be seen; more games would tell.");
    else if (fabs(x.value - fair) < 0.1)
        text_f(out, "a small advantage %s moving first.", x.value > fair ? "of" : "against");
    else
        text_f(out, "a large advantage %s moving first; think of a rule that makes up for it.",
               x.value > fair ? "of" : "against");
}

static void say_draws(const Study *s, Text *out) {
    Share x = draws_of(s);
    if (x.n == 0)
        return;
    text_f(out, "Between equals ");
    percent(x, out);
    text_add(out, " of the games are drawn");
    text_add(out, x.value > 0.5   ? ": mostly, nobody wins."
                  : x.value > 0.2 ? "."
                                  : ": nearly always somebody wins.");
}

static void say_strength(const Study *s, Text *out) {
    Share most = points_of(ladder_of(s, STUDY_STRONG, STUDY_WEAK));
    Share up = points_of(ladder_of(s, STUDY_STRONG, STUDY_MIDDLE));
    Share low = points_of(ladder_of(s, STUDY_MIDDLE, STUDY_WEAK));
    if (most.n == 0)
        return;
    text_add(out, "The level `hard` scores ");
    percent(most, out);
    text_add(out, " against `beginner` and ");
    percent(up, out);
    text_add(out, " against `casual`, and `casual` ");
    percent(low, out);
    text_add(out, " against `beginner`: ");
    if (most.n < FEW)
        text_add(out, "too few games to say more.");
    else if (most.value - most.error < 0.5)
        text_add(out, "thinking ahead hardly pays, so it is a game of luck, or one that these "
                      "players do not understand.");
    else if (most.value < 0.75)
        text_add(out, "strength helps a little.");
    else if (up.value - up.error > 0.5)
        text_add(out, "who thinks further ahead wins, and there is much to learn.");
    else
        text_add(out, "strength pays, but a little of it is soon enough.");
}

static void say_comebacks(const Study *s, Text *out) {
    if (s->decided < FEW)
        return;
    Share x = share_of((double)s->comebacks, s->decided);
    text_add(out, "In ");
    percent(x, out);
    text_f(out,
           " of the games that somebody won, the loser had been clearly ahead; the lead went "
           "over %.1f times in a game.",
           s->lead_changes);
    text_add(out, x.value < 0.05  ? " Who is ahead stays ahead."
                  : x.value > 0.5 ? " Much is decided late, or seen late."
                                  : " One can come back.");
}

static void say_unused(const Study *s, Text *out) {
    int64_t games = s->replayed + s->random_games;
    if (games == 0)
        return;
    if (s->unused_count == 0) {
        text_f(out,
               "All choices, statements, pieces, variables and ends in the rules occurred in "
               "these %lld games.",
               (long long)games);
        return;
    }
    text_f(out, "Never in %lld games: ", (long long)games);
    for (int i = 0; i < s->unused_count; i++) {
        const StudyUnused *u = &s->unused[i];
        text_f(out, "%s%s", i ? "; " : "", u->text);
        if (u->line)
            text_f(out, " (line %d)", u->line);
    }
    text_add(out, ".");
}

typedef void Say(const Study *s, Text *out);
static const struct {
    const char *head;
    Say *say;
} sentences[] = {
    {"length", say_length},     {"choice", say_choices},    {"moving first", say_first},
    {"draws", say_draws},       {"strength", say_strength}, {"coming back", say_comebacks},
    {"never used", say_unused},
};
#define SENTENCES ((int)(sizeof sentences / sizeof *sentences))

// Lines of at most 80 columns with an indent.
static void add_wrapped(const char *s, int indent, Text *out) {
    int column = indent;
    while (*s) {
        size_t n = strcspn(s, " ");
        // Numbers stay with their `%` and `±`.
        while (s[n] == ' ' && (s[n + 1] == '%' || (n >= 2 && memcmp(s + n - 2, "±", 2) == 0)))
            n += 1 + strcspn(s + n + 1, " ");
        Text word = {0};
        text_add_n(&word, s, n);
        int width = text_columns(text_c(&word));
        if (column > indent && column + 1 + width > 80) {
            text_f(out, "\n%*s", indent, "");
            column = indent;
        }
        text_f(out, "%s%s", column > indent ? " " : "", text_c(&word));
        column += width + (column > indent);
        text_free(&word);
        s += n + strspn(s + n, " ");
    }
    text_char(out, '\n');
}

void study_text(const Study *s, Text *out) {
    text_f(out, "%s: %lld games of equals, %lld of three strengths, %lld by chance, seed %llu\n\n",
           s->game->ir->title, (long long)s->results[STUDY_EQUALS]->games,
           (long long)s->results[STUDY_LADDER]->games, (long long)s->random_games,
           (unsigned long long)s->results[STUDY_EQUALS]->contest->seed);
    for (int i = 0; i < SENTENCES; i++) {
        Text sentence = {0};
        sentences[i].say(s, &sentence);
        if (sentence.n) {
            text_f(out, "%-14s", sentences[i].head);
            add_wrapped(text_c(&sentence), 14, out);
        }
        text_free(&sentence);
    }
    text_add(out, "\n± is the error at 95 %; --games with a larger number makes it smaller.\n");
}

// --- JSON ---

void study_sentences(const Study *s, Text *out) {
    int n = 0;
    text_char(out, '[');
    for (int i = 0; i < SENTENCES; i++) {
        Text sentence = {0};
        sentences[i].say(s, &sentence);
        if (sentence.n) {
            text_f(out, "%s[\"%s\",", n++ ? "," : "", sentences[i].head);
            text_json(out, text_c(&sentence));
            text_char(out, ']');
        }
        text_free(&sentence);
    }
    text_char(out, ']');
}

static void json_share(const char *name, Share x, Text *out) {
    text_f(out, ",\"%s\":{\"share\":%.4f,\"error\":%.4f,\"games\":%lld}", name, x.value, x.error,
           (long long)x.n);
}

void study_json(const Study *s, Text *out) {
    const Results *r = s->results[STUDY_EQUALS];
    double sum = 0;
    for (int64_t i = 0; i < r->lengths; i++)
        sum += r->length[i];
    text_add(out, "{\"game\":");
    text_json(out, s->game->name);
    text_f(out, ",\"seed\":%llu,\"games\":%lld,\"random_games\":%lld",
           (unsigned long long)r->contest->seed, (long long)s->replayed,
           (long long)s->random_games);
    if (r->lengths)
        text_f(out, ",\"length\":{\"min\":%d,\"median\":%d,\"mean\":%.3f,\"max\":%d}", r->length[0],
               r->length[r->lengths / 2], sum / (double)r->lengths, r->length[r->lengths - 1]);
    if (s->random_games)
        text_f(out, ",\"random\":{\"length\":%.3f,\"unfinished\":%lld,\"first\":%.4f}",
               (double)s->random_moves / (double)s->random_games, (long long)s->random_unfinished,
               score_share(&s->random_first));
    if (s->positions)
        text_f(out, ",\"branching\":{\"mean\":%.3f,\"max\":%d,\"forced\":%.4f}",
               (double)s->choices / (double)s->positions, s->most,
               (double)s->forced / (double)s->positions);
    json_share("first", points_of(first_of(s)), out);
    json_share("draws", draws_of(s), out);
    json_share("hard_beginner", points_of(ladder_of(s, STUDY_STRONG, STUDY_WEAK)), out);
    json_share("hard_casual", points_of(ladder_of(s, STUDY_STRONG, STUDY_MIDDLE)), out);
    json_share("casual_beginner", points_of(ladder_of(s, STUDY_MIDDLE, STUDY_WEAK)), out);
    json_share("comebacks", share_of((double)s->comebacks, s->decided), out);
    text_f(out, ",\"loser_best\":%.1f,\"lead_changes\":%.3f,\"unused\":[", s->loser_best,
           s->lead_changes);
    for (int i = 0; i < s->unused_count; i++) {
        text_add(out, i ? ",{\"what\":" : "{\"what\":");
        text_json(out, s->unused[i].text);
        text_f(out, ",\"line\":%d}", s->unused[i].line);
    }
    text_add(out, "]}");
}

// --- the page ---

void study_html(const Study *s, Text *out) {
    Text title = {0};
    text_f(&title, "%s: a study", s->game->ir->title);
    report_begin(out, text_c(&title));
    text_add(out, "<h1>");
    report_escape(out, text_c(&title));
    text_f(out,
           "</h1>\n<p>By %lld games of equals, %lld of three strengths and %lld by chance; "
           "seed %llu.</p>\n",
           (long long)s->results[STUDY_EQUALS]->games, (long long)s->results[STUDY_LADDER]->games,
           (long long)s->random_games, (unsigned long long)s->results[STUDY_EQUALS]->contest->seed);
    for (int i = 0; i < SENTENCES; i++) {
        Text sentence = {0};
        sentences[i].say(s, &sentence);
        if (sentence.n) {
            text_f(out, "<section><h2>%c%s</h2>\n<p>", sentences[i].head[0] - 'a' + 'A',
                   sentences[i].head + 1);
            report_escape(out, text_c(&sentence));
            text_add(out, "</p></section>\n");
        }
        text_free(&sentence);
    }
    text_add(out, "<p class=\"soft\">± is the error at 95 %.</p>\n");
    for (int i = 0; i < STUDY_PARTS; i++)
        if (s->results[i]->games)
            report_contest(s->results[i], out);
    report_end(out);
    text_free(&title);
}
