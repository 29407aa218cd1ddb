// baseline: measures or checks the hand-written games. `baseline --help` says how.
//
// Times are CPU seconds of this process, so that other work on the machine disturbs little. Every
// figure is measured several times: the median counts, the spread is shown beside it. Nodes of
// perft are the sequences counted, that is the leaves alone; `two plies` are those of perft_two.
#include "baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REPEATS_MAX 100 // more tell nothing new
#define COUNTS_MAX 10
#define CHECK_GAMES 400000
#define BATCH 256 // playouts between two looks at the clock, which cost some 200 ns

typedef struct Entry {
    const Baseline *game;
    int depth; // of perft, where it is measured
    // Mean length of random games, of 10 million by the baseline, and what the mean of CHECK_GAMES
    // may be off: five standard errors. `ludens random GAME --games 200000`, by several seeds,
    // gave mill 80.75 (without its draw by repetition, which the baseline ignores; 80.65 with it),
    // connect-four 21.30, domineering 27.92, breakthrough 64.07, byte 36.10 and reversi 60.42.
    double length, tolerance;
    uint64_t counts[COUNTS_MAX]; // perft from depth 1
    uint64_t late[COUNTS_MAX];   // perft_late
} Entry;

static const Entry entries[] = {
    {&baseline_mill,
     6,
     80.754,
     0.33,
     {24, 552, 12144, 255024, 5140800, 99274176},
     {49, 516, 19049, 219978, 8232492}},
    {&baseline_connect_four,
     10,
     21.312,
     0.06,
     {7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572, 268031646},
     {0}},
    {&baseline_domineering, 5, 27.923, 0.012, {56, 2940, 146580, 6823548, 300367200}, {0}},
    {&baseline_breakthrough, 6, 64.091, 0.13, {22, 484, 11132, 256036, 6182818, 149264638}, {0}},
    {&baseline_byte, 5, 36.099, 0.05, {35, 1116, 32349, 864299, 20964656}, {0}},
    {&baseline_reversi,
     10,
     60.414,
     0.011,
     {4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571056},
     {0}},
};
#define ENTRIES (sizeof entries / sizeof entries[0])

typedef struct Options {
    double seconds;
    int repeats, json, check;
    int chosen[ENTRIES], some;
} Options;

// The middle of several measurements, and how far they are apart.
typedef struct Speed {
    double median, best, spread; // per second; (best - worst) / median
} Speed;

static double cpu_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static Speed summarize(double *values, int n) {
    qsort(values, (size_t)n, sizeof *values, compare);
    double median = (values[(n - 1) / 2] + values[n / 2]) / 2;
    return (Speed){median, values[n - 1], (values[n - 1] - values[0]) / median};
}

static double measure_perft(uint64_t (*perft)(int depth), int depth, double seconds) {
    double start = cpu_seconds(), now;
    uint64_t nodes = 0;
    do {
        nodes += perft(depth);
        now = cpu_seconds();
    } while (now - start < seconds);
    return (double)nodes / (now - start);
}

// Plies per second; *games get the games.
static double measure_playouts(const Entry *e, double seconds, uint64_t *rng, double *games) {
    double start = cpu_seconds(), now;
    uint64_t plies = 0, played = 0;
    do {
        for (int i = 0; i < BATCH; i++)
            plies += (uint64_t)e->game->playout(rng);
        played += BATCH;
        now = cpu_seconds();
    } while (now - start < seconds);
    *games = (double)played / (now - start);
    return (double)plies / (now - start);
}

typedef struct Speeds {
    Speed plies, games, nodes, twos;
} Speeds;

static void print_json(const Entry *e, const Speeds *s, int first) {
    printf("%s{\"game\":\"%s\",\"plies_per_second\":%.0f,\"plies_best\":%.0f,"
           "\"plies_spread\":%.3f,\"games_per_second\":%.0f,\"perft_depth\":%d,"
           "\"perft_nodes_per_second\":%.0f,\"perft_best\":%.0f,\"perft_spread\":%.3f,"
           "\"perft_two_nodes_per_second\":%.0f}",
           first ? "[" : ",\n ", e->game->name, s->plies.median, s->plies.best, s->plies.spread,
           s->games.median, e->depth, s->nodes.median, s->nodes.best, s->nodes.spread,
           s->twos.median);
}

static void print_row(const Entry *e, const Speeds *s) {
    printf("%-14s %10.1f %10.1f %5.0f %% %12.0f %6d %10.0f %10.0f %5.0f %% %10.0f\n", e->game->name,
           s->plies.median / 1e6, s->plies.best / 1e6, 100 * s->plies.spread, s->games.median,
           e->depth, s->nodes.median / 1e6, s->nodes.best / 1e6, 100 * s->nodes.spread,
           s->twos.median / 1e6);
}

static void measure(const Entry *e, const Options *o, int first) {
    double plies[REPEATS_MAX], games[REPEATS_MAX], nodes[REPEATS_MAX], twos[REPEATS_MAX];
    uint64_t rng = 1;
    measure_playouts(e, o->seconds / 10, &rng, &games[0]); // warms up
    for (int i = 0; i < o->repeats; i++) {
        plies[i] = measure_playouts(e, o->seconds, &rng, &games[i]);
        nodes[i] = measure_perft(e->game->perft, e->depth, o->seconds);
        twos[i] = e->game->perft_two ? measure_perft(e->game->perft_two, e->depth, o->seconds) : 0;
    }
    Speeds s = {summarize(plies, o->repeats), summarize(games, o->repeats),
                summarize(nodes, o->repeats), summarize(twos, o->repeats)};
    if (o->json)
        print_json(e, &s, first);
    else
        print_row(e, &s);
    fflush(stdout);
}

static int check_counts(const Entry *e, const char *what, uint64_t (*perft)(int depth),
                        const uint64_t *counts) {
    int ok = 1;
    for (int i = 0; perft && i < COUNTS_MAX && counts[i]; i++) {
        uint64_t n = perft(i + 1);
        if (n != counts[i]) {
            printf("%s: %s %d is %llu, not %llu\n", e->game->name, what, i + 1,
                   (unsigned long long)n, (unsigned long long)counts[i]);
            ok = 0;
        }
    }
    return ok;
}

// Whether the game counts and lasts as it should.
static int check(const Entry *e) {
    int ok = check_counts(e, "perft", e->game->perft, e->counts) &
             check_counts(e, "perft_two", e->game->perft_two, e->counts) &
             check_counts(e, "perft_late", e->game->perft_late, e->late);
    uint64_t rng = 1, plies = 0;
    for (int i = 0; i < CHECK_GAMES; i++)
        plies += (uint64_t)e->game->playout(&rng);
    double length = (double)plies / CHECK_GAMES, off = length - e->length;
    ok &= off < e->tolerance && -off < e->tolerance;
    printf("%-14s %s, random games last %.3f plies, expected %.3f\n", e->game->name,
           ok ? "ok" : "WRONG", length, e->length);
    return ok;
}

static int usage(void) {
    puts("usage: baseline [GAME ...] [--seconds S] [--repeats N] [--json]\n"
         "       baseline [GAME ...] --check\n"
         "Measures the hand-written games: random plies and perft nodes per CPU second, N times\n"
         "(5) for S seconds (0.5) each. --check compares perft counts and lengths of games.");
    return 2;
}

static int read_options(int argc, char **argv, Options *o) {
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--json") == 0) {
            o->json = 1;
        } else if (strcmp(word, "--check") == 0) {
            o->check = 1;
        } else if (strcmp(word, "--seconds") == 0 && i + 1 < argc) {
            o->seconds = atof(argv[++i]);
        } else if (strcmp(word, "--repeats") == 0 && i + 1 < argc) {
            o->repeats = atoi(argv[++i]);
        } else {
            size_t k = 0;
            while (k < ENTRIES && strcmp(word, entries[k].game->name) != 0)
                k++;
            if (k == ENTRIES)
                return 0;
            o->chosen[k] = o->some = 1;
        }
    }
    return o->seconds > 0 && o->repeats > 0 && o->repeats <= REPEATS_MAX;
}

int main(int argc, char **argv) {
    Options o = {.seconds = 0.5, .repeats = 5};
    if (!read_options(argc, argv, &o))
        return usage();
    if (!o.check && !o.json)
        printf("%-14s %10s %10s %7s %12s %6s %10s %10s %7s %10s\n", "game", "Mplies/s", "best",
               "spread", "games/s", "depth", "Mnodes/s", "best", "spread", "two plies");
    int ok = 1, first = 1;
    for (size_t k = 0; k < ENTRIES; k++) {
        if (o.some && !o.chosen[k])
            continue;
        if (o.check)
            ok &= check(&entries[k]);
        else
            measure(&entries[k], &o, first);
        first = 0;
    }
    if (o.json && !o.check)
        puts("]");
    return ok ? 0 : 1;
}
