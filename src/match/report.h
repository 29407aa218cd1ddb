// report: results as a page for a browser: one file of HTML with pictures in SVG, without scripts
// and without anything from elsewhere. Readable on a phone, on paper, on light and dark screens.
//
// Everything that comes from outside (names, reasons, logs) is escaped.
#ifndef LUDENS_REPORT_H
#define LUDENS_REPORT_H

#include "match/results.h"

// A page is report_begin, any parts, report_end.
void report_begin(Text *out, const char *title);
void report_contest(const Results *r, Text *out); // all about a contest, with its heading
void report_end(Text *out);

void report_escape(Text *out, const char *s); // bytes that are no UTF-8 become U+FFFD

// --- report_plots.c ---
typedef struct PlotBar { // shares of a bar, with what is written behind it
    const char *label;
    double part[3]; // won, drawn, lost, or one part alone
    const char *note;
} PlotBar;
// Horizontal bars, a row each, as parts of the whole (`share`) or against the largest.
void plot_bars(const PlotBar *bar, int n, bool share, const char *what, Text *out);
// How often each length occurs. `length` is sorted.
void plot_lengths(const int *length, int64_t n, Text *out);
// Ratings with their errors, the best first.
void plot_ratings(const Results *r, Text *out);

#endif
