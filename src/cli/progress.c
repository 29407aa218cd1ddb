// progress: how far a contest is, while it is played; see contest_run.h.
#include "base/now.h"
#include "cli/contest_run.h"

#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BAR 20
#define TERMINAL_SECONDS 0.2 // between two looks of a bar,
#define LINE_SECONDS 30      // and between two lines where there is no terminal

void progress_begin(Progress *p, const Contest *c, int64_t found) {
    *p = (Progress){.contest = c, .found = found, .began = now_seconds()};
    p->terminal = isatty(STDERR_FILENO);
    p->last = p->began;
}

static void add_left(Text *out, double seconds) {
    int64_t s = (int64_t)ceil(seconds);
    if (s >= 3600)
        text_f(out, "%lld:%02d:%02d left", (long long)(s / 3600), (int)(s / 60 % 60),
               (int)(s % 60));
    else
        text_f(out, "%d:%02d left", (int)(s / 60), (int)(s % 60));
}

static void add_score(const Contest *c, const Score *score, Text *out) {
    Elo elo = elo_of(score);
    double points = (double)score->won + 0.5 * (double)score->drawn;
    double others = (double)score->lost + 0.5 * (double)score->drawn;
    text_f(out, "  %s %.1f : %.1f %s", c->entrant[0].name, points, others, c->entrant[1].name);
    if (isfinite(elo.elo) && isfinite(elo.error))
        text_f(out, "  Elo %+.0f +- %.0f", elo.elo, elo.error);
    if (c->sprt.on)
        text_f(out, "  llr %.2f", sprt_llr(&c->sprt, score));
}

static void describe(const Progress *p, const WorkersNews *n, Text *out) {
    double taken = now_seconds() - p->began;
    int64_t done = n->played - p->found;
    if (p->terminal) {
        int full = n->total ? (int)(n->played * BAR / n->total) : 0;
        text_char(out, '[');
        for (int i = 0; i < BAR; i++)
            text_char(out, i < full ? '#' : '.');
        text_add(out, "] ");
    }
    text_f(out, "%lld of %lld games", (long long)n->played, (long long)n->total);
    if (done > 0 && n->played < n->total) {
        text_add(out, ", ");
        add_left(out, taken / (double)done * (double)(n->total - n->played));
    }
    if (n->score.won + n->score.drawn + n->score.lost > 0)
        add_score(p->contest, &n->score, out);
}

// A line that is wider than the terminal would not be written over.
static int columns(void) {
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? size.ws_col - 1 : 79;
}

void progress_show(Progress *p, const WorkersNews *n) {
    double now = now_seconds();
    if (now - p->last < (p->terminal ? TERMINAL_SECONDS : LINE_SECONDS))
        return;
    p->last = now;
    Text line = {0};
    describe(p, n, &line);
    if (p->terminal) {
        const char *s = text_c(&line);
        fprintf(stderr, "\r\033[K%.*s", (int)cli_fitting(s, columns()), s);
    } else {
        fprintf(stderr, "%s\n", text_c(&line));
    }
    p->shown = true;
    text_free(&line);
}

void progress_end(Progress *p) {
    if (p->terminal && p->shown)
        fputs("\r\033[K", stderr);
}
