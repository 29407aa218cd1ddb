// bench_search: how fast the players search, beside how fast the rules of the game are.
#ifndef LUDENS_BENCH_SEARCH_H
#define LUDENS_BENCH_SEARCH_H

#include "cli/cli.h"

// Random games per second of the processor, from t->start; negative on a fault (runner_error).
typedef struct RandomSpeed {
    double plies, games;
} RandomSpeed;
bool bench_random(const Desk *t, double seconds, RandomSpeed *s); // cmd_bench.c

// A row for the game; `seconds` for each figure. An exit status.
int bench_search(const Cli *cli, const char *name, double seconds, bool first, Text *out);
void bench_search_head(void); // of the table

#endif
