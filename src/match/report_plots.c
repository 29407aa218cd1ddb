// report_plots: pictures for pages; see report.h.
//
// Pictures are 360 units wide, as a phone is, and scale up to what a page has room for. Colours are
// classes of the page's style, so that they follow light and dark; nothing is told by colour alone.
#include "match/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 360
#define LABEL 110 // for names on the left
#define NOTE 78   // for numbers on the right
#define ROW 20

static void begin_plot(int height, const char *what, Text *out) {
    text_f(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, height);
    report_escape(out, what);
    text_add(out, "\">\n");
}

// A name cut to what fits beside a bar.
static void add_label(Text *out, const char *name, double y) {
    Text cut = {0};
    bool long_name = text_columns(name) > 19;
    crosstable_name(name, long_name ? 18 : text_columns(name), &cut);
    if (long_name)
        text_add(&cut, "…");
    text_f(out, "<text x=\"0\" y=\"%.1f\">", y);
    report_escape(out, text_c(&cut));
    text_add(out, "</text>\n");
    text_free(&cut);
}

void plot_bars(const PlotBar *bar, int n, bool share, const char *what, Text *out) {
    static const char *const classes[] = {"won", "drawn", "lost"};
    double most = 0, room = WIDTH - LABEL - NOTE;
    for (int i = 0; i < n; i++)
        most = fmax(most, bar[i].part[0] + bar[i].part[1] + bar[i].part[2]);
    begin_plot(n * ROW + 4, what, out);
    for (int i = 0; i < n; i++) {
        double sum = bar[i].part[0] + bar[i].part[1] + bar[i].part[2], x = LABEL;
        double scale = (share ? sum : most) > 0 ? room / (share ? sum : most) : 0;
        add_label(out, bar[i].label, i * ROW + 14);
        for (int k = 0; k < 3; k++) {
            double w = bar[i].part[k] * scale;
            if (w > 0)
                text_f(out,
                       "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                       share ? classes[k] : "bar", x, i * ROW + 4, w, ROW - 6);
            x += w;
        }
        text_f(out, "<text x=\"%d\" y=\"%d\">", WIDTH - NOTE + 6, i * ROW + 14);
        report_escape(out, bar[i].note);
        text_add(out, "</text>\n");
    }
    text_add(out, "</svg>\n");
}

void plot_lengths(const int *length, int64_t n, Text *out) {
    enum { HEIGHT = 110, FOOT = 26 };
    if (n == 0)
        return;
    int low = length[0], high = length[n - 1];
    int bars = high - low + 1 < RESULTS_LENGTHS ? high - low + 1 : RESULTS_LENGTHS;
    int64_t count[RESULTS_LENGTHS] = {0}, most = 1;
    for (int64_t i = 0; i < n; i++) {
        int64_t k = (int64_t)(length[i] - low) * bars / (high - low + 1);
        most = ++count[k] > most ? count[k] : most;
    }
    char what[80];
    snprintf(what, sizeof what, "Games have %d to %d moves", low, high);
    begin_plot(HEIGHT + FOOT, what, out);
    double w = (double)WIDTH / bars;
    for (int k = 0; k < bars; k++) {
        double h = (HEIGHT - 12) * (double)count[k] / (double)most;
        int from = low + (int)((int64_t)k * (high - low + 1) / bars);
        text_f(out,
               "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
               "<title>from %d moves: %lld games</title></rect>\n",
               k * w + 0.5, HEIGHT - h, w > 2 ? w - 1 : w, h, from, (long long)count[k]);
    }
    text_f(out, "<text x=\"0\" y=\"%d\">%d moves</text>\n", HEIGHT + 14, low);
    if (high > low)
        text_f(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>\n", WIDTH, HEIGHT + 14,
               high);
    text_f(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">median %d</text>\n</svg>\n",
           WIDTH / 2, HEIGHT + 14, length[n / 2]);
}

void plot_ratings(const Results *r, Text *out) {
    double low = 0, high = 0, room = WIDTH - LABEL - NOTE;
    for (int i = 0; i < r->n; i++) {
        double e = fmin(r->side[i].error, 400); // an error without end must not hide the rest
        low = fmin(low, r->side[i].elo - e);
        high = fmax(high, r->side[i].elo + e);
    }
    double scale = high > low ? room / (high - low) : 0, zero = LABEL - low * scale;
    begin_plot(r->n * ROW + 4, "Elo of everybody with the error at 95 %", out);
    text_f(out, "<line class=\"axis\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"/>\n", zero, zero,
           r->n * ROW + 4);
    for (int rank = 0; rank < r->n; rank++) {
        int i = r->order[rank], y = rank * ROW;
        const ResultsSide *side = &r->side[i];
        double x = zero + side->elo * scale, e = fmin(side->error, 400) * scale;
        Text note = {0};
        elo_text(side->elo, side->error, &note);
        add_label(out, r->contest->entrant[i].name, y + 14);
        text_f(out,
               "<line class=\"error\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>"
               "<circle class=\"bar\" cx=\"%.1f\" cy=\"%d\" r=\"4\"/>\n",
               x - e, y + 11, x + e, y + 11, x, y + 11);
        text_f(out, "<text x=\"%d\" y=\"%d\">%s</text>\n", WIDTH - NOTE + 6, y + 14, text_c(&note));
        text_free(&note);
    }
    text_add(out, "</svg>\n");
}
