// contest_file: a tournament as a text file.
//
//     ludens tournament 1
//     title Spring cup
//     kind round-robin                 match, round-robin, gauntlet, knockout, swiss
//     game mill men=9                  as many lines as there are games
//     game connect-four
//     each 4                           games of a pair in each game
//     openings 2                       random moves at the beginning
//     time 0.5s                        of all sides that have no other
//     entrant Anna = bot:./anna/bot.py
//     entrant Ben = alphabeta:depth=4
//         time 5m+3s                   indented: of this entrant
//
// also: swap yes|no, plies N, rounds N, seed N, sprt 0,10. `#` begins a comment. What is wrong is
// reported with its line and what would be right, all of it at once.
#ifndef LUDENS_CONTEST_FILE_H
#define LUDENS_CONTEST_FILE_H

#include "base/diag.h"
#include "match/contest_make.h"

// NULL if there are errors. The Source must outlive the Diags, not the Contest.
Contest *contest_read(const Source *source, Diags *diags);

#endif
