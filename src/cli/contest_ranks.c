// contest_ranks: a contest on several machines, with mpirun; see contest_run.h.
#include "cli/contest_run.h"

#include "match/dealer.h"
#include "match/helper.h"

#include <stdio.h>
#include <unistd.h>

// Rank 0 does all of the command. The others wait until it has understood everything: what is wrong
// is told once. A rank that ends with an error would end all of them, so rank 0 alone does that.
static int run_rank(ContestRanks *us, const Cli *cli, int (*command)(const Cli *cli)) {
    if (ranks_rank(us->ranks) == 0) {
        int status = command(cli);
        if (!us->dealt)
            dealer_dismiss(us->ranks);
        return status;
    }
    if (helper_begin(us->ranks, &us->hello) && command(cli) != EXIT_OK)
        helper_refuse(us->ranks, "it could not begin, as its own message says");
    return EXIT_OK;
}

int contest_on_ranks(const Cli *cli, int (*command)(const Cli *cli)) {
    RanksLaunch launch;
    if (!ranks_launched(&launch))
        return command(cli);
    Text why = {0};
    ContestRanks us = {.ranks = ranks_open(&why)};
    int status = EXIT_INPUT;
    if (us.ranks) {
        Cli together = *cli;
        together.ranks = &us;
        status = run_rank(&us, &together, command);
        fflush(stdout); // before the others end, and with them perhaps this one
        ranks_close(us.ranks);
    } else if (launch.rank == 0) {
        cli_error("%s", text_c(&why));
    }
    text_free(&us.hello);
    text_free(&why);
    return status;
}

// mpirun may have bound each rank to processors of its own: those are its share. Otherwise all
// ranks on a machine share it; rank 0 needs next to nothing.
int contest_jobs(const Cli *cli) {
    RanksLaunch launch;
    int processors = workers_usual();
    if (!cli->ranks || !ranks_launched(&launch) || processors < sysconf(_SC_NPROCESSORS_ONLN))
        return processors;
    int players = launch.neighbours - (launch.neighbours == launch.count);
    int share = processors / (players > 0 ? players : 1);
    return share > 0 ? share : 1;
}

int contest_help(ContestRun *r, const WorkersTask *task) {
    ContestRanks *us = r->cli->ranks;
    Text why = {0};
    bool ok = helper_run(task, us->ranks, &us->hello, &why);
    text_free(&why); // rank 0 has it
    return ok ? EXIT_OK : EXIT_INPUT;
}

static void complain(void *with, int rank, const char *why) {
    (void)with;
    cli_error("rank %d: %s; the others go on", rank, why);
}

bool contest_deal(ContestRun *r, const WorkersTask *task, Text *why) {
    ContestRanks *us = r->cli->ranks;
    us->dealt = true;
    return dealer_run(task, us->ranks, complain, why);
}
