// sim_board: a servo controller SSC-32U that is not there: a pseudo-terminal that understands its
// commands, moves servos in simulated time, and can be made to fail.
//
// It has a thread of its own. What speaks to the port cannot tell it from a real one, except that
// time may pass faster (`rate`).
#ifndef LUDENS_SIM_BOARD_H
#define LUDENS_SIM_BOARD_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

#define SIM_CHANNELS 32

typedef struct SimBoard SimBoard;

typedef struct SimFaults {
    double lose;      // chance that a byte sent to it is lost
    double lose_back; // chance that a byte of an answer is lost
    double garble;    // chance that a byte of an answer is another one
    uint32_t stuck;   // channels that do not move any more, a bit each
    bool silent;      // it has no power: commands are lost, nothing is answered
    bool pulled;      // the cable is out: there is no port until it is in again, as another one
} SimFaults;

// `rate` simulated seconds pass in a second. NULL with the reason.
SimBoard *sim_board_new(double rate, uint64_t seed, Text *why);
void sim_board_free(SimBoard *b);
const char *sim_board_port(const SimBoard *b); // "/dev/pts/7"
void sim_board_fail(SimBoard *b, const SimFaults *faults);
void sim_board_pull(SimBoard *b); // the cable: the port is gone; another one is there afterwards
double sim_board_seconds(const SimBoard *b); // of simulated time
// Where the servos really are, in microseconds of pulse; 0: never commanded. True if one moves.
bool sim_board_pulses(SimBoard *b, double pulse[SIM_CHANNELS]);

// Called by the board's own thread, or the one of sim_board_pulses, for every SIM_STEP of simulated
// time in which a servo moves: nothing of a path is left out, however fast time passes. It may
// change the faults; it may not call the board.
#define SIM_STEP 0.005
typedef void (*SimStep)(void *with, const double pulse[SIM_CHANNELS], SimFaults *faults);
void sim_board_watch(SimBoard *b, SimStep step, void *with);

typedef struct SimCounts {
    int64_t commands, wrong; // lines that were understood, and not
    int64_t moves;           // group movements
    int64_t jumps;           // of channels that were cold, or without a time
    int64_t beyond;          // pulses outside 500 to 2500 that were asked for
} SimCounts;
void sim_board_counts(SimBoard *b, SimCounts *counts);

#endif
