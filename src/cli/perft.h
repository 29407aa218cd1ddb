// perft: counting sequences of moves, for the commands perft and bench.
//
// Counts below each first move, so that a caller can show progress and divide. Owns its buffers.
#ifndef LUDENS_PERFT_H
#define LUDENS_PERFT_H

#include "cli/cli.h"

// Beyond this the numbers have no names; it bounds the buffers.
#define PERFT_MAX 200

typedef struct Perft {
    Runner *runner;
    Table *table;    // told that there is work, so that machine code may be made; may be NULL
    double deadline; // of cli_clock(); 0: none
    bool stopped;    // by the deadline or Ctrl-C: the count is not complete
    int64_t leaves;  // sequences counted so far, also of counts that were stopped
    struct PerftLevel {
        uint8_t *state;
        Move *moves;
        int cap;
    } level[PERFT_MAX + 1];
} Perft;

// The number of sequences of `depth` moves from `state`; -1 on a fault (runner_error) or when
// stopped. A Perft starts as {.runner = ...}.
int64_t perft_count(Perft *p, const uint8_t *state, int depth);
void perft_free(Perft *p);

// perft_merge.c: perft --merge. An exit status.
int perft_merge(const Cli *cli, Table *t, int depth);

#endif
