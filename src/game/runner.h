// runner: the inside of a Runner, for the files of game/ alone; others see game.h.
#ifndef LUDENS_RUNNER_H
#define LUDENS_RUNNER_H

#include "game/game.h"

struct Runner {
    const Game *game;
    Vm *vm;
    Move *moves; // of the state asked about last; applying and writing moves leave them alone
    int cap;
    uint8_t *other;  // a copy of a state with another player on move
    int64_t *values; // what move_options found
    int value_cap;
    Text error; // of the call that failed last
    Span at;    // where in the rules, and how much of the text says that
    size_t place;
};

// Keeps what went wrong for runner_error. Both return false, for use in a return.
bool runner_fail(Runner *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool runner_fault(Runner *r); // what the interpreter says, with its place in the rules

// The moves of the turn program alone, into r->moves; -1 on a fault.
int runner_fill(Runner *r, const uint8_t *state);

#endif
