// contest_run: a contest from the command line to its result: loads the games, opens the database,
// plays what is missing, prints. What `ludens match` and `ludens tournament` share.
#ifndef LUDENS_CONTEST_RUN_H
#define LUDENS_CONTEST_RUN_H

#include "cli/cli.h"
#include "match/ranks.h"
#include "match/results.h"
#include "match/schedule.h"
#include "match/workers.h"

#define ENDINGS (END_STOPPED + 1)

typedef struct ContestRun {
    const Cli *cli;
    const Contest *contest;
    Game *games[CONTEST_GAMES];
    Schedule *schedule;
    const char *db;
    int64_t found; // games that the database had already
    // What happened, by entrant that it is due to; the last row: nobody.
    int64_t endings[CONTEST_ENTRANTS + 1][ENDINGS];
    int64_t won[IR_MAX_PLAYERS], drawn; // by seat
    int64_t moves;
    double seconds;         // that this run took
    const Results *results; // of a tournament, at its end; else NULL
} ContestRun;

// What both commands have on their command line: --swap, --openings, --plies, --seed, --time. An
// exit status.
int contest_options(const Cli *cli, Contest *c, TimeControl *time);
// Adds players by their texts; one that is there already is numbered. An exit status.
int contest_players(const Cli *cli, Contest *c, const char *const *text, int count);
// Plays it. An exit status.
int contest_run(const Cli *cli, const Contest *c, const char *db);

// --- contest_ranks.c ---
// Runs a command that plays a contest: alone, or together with the others that mpirun has started.
// Then `ranks` of its Cli is set; rank 0 has the database and speaks, the others only play. An exit
// status.
typedef struct ContestRanks {
    Ranks *ranks;
    Text hello; // of rank 0
    bool dealt; // rank 0 has sent the others home
} ContestRanks;
int contest_on_ranks(const Cli *cli, int (*command)(const Cli *cli));
// How many games at a time a rank plays that is not told: the processors are shared.
int contest_jobs(const Cli *cli);
// A rank other than 0 plays. An exit status.
int contest_help(ContestRun *r, const WorkersTask *task);
// Rank 0 deals. As workers_run.
bool contest_deal(ContestRun *r, const WorkersTask *task, Text *why);

// --- contest_show.c ---
void contest_show(const ContestRun *r, Text *out);
void contest_show_json(const ContestRun *r, bool over, Text *out);

// --- progress.c ---
typedef struct Progress {
    const Contest *contest;
    bool terminal, shown;
    double began, last;
    int64_t found; // games that were there at the beginning
} Progress;
void progress_begin(Progress *p, const Contest *c, int64_t found);
// A bar on a terminal, a line now and then elsewhere; to standard error.
void progress_show(Progress *p, const WorkersNews *news);
void progress_end(Progress *p);

#endif
