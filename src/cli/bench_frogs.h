// bench_frogs: the frogs puzzle solved over and over, as a thesis of 2017 timed it.
#ifndef LUDENS_BENCH_FROGS_H
#define LUDENS_BENCH_FROGS_H

#include "cli/cli.h"

// With the rules in both forms, beside the published times. An exit status.
int bench_frogs(const Cli *cli);

#endif
