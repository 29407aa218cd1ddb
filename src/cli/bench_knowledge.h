// bench_knowledge: how many positions a second a rule set judges.
#ifndef LUDENS_BENCH_KNOWLEDGE_H
#define LUDENS_BENCH_KNOWLEDGE_H

#include "cli/cli.h"

// The rules of --knowledge, `own` for those of the game's own file: as machine code and by the
// reference evaluator, on the same positions of random games; or by CLIPS. An exit status.
int bench_knowledge(const Cli *cli, double seconds);

#endif
