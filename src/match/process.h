// process: a bot as a process: lines to it, lines from it, each with a deadline. Nothing that it
// does blocks for longer: a full pipe, an endless line, a flood, an end.
//
// A Process is used by one thread. It is in a group of its own; process_free kills it with all that
// it has started.
#ifndef LUDENS_PROCESS_H
#define LUDENS_PROCESS_H

#include "base/text.h"

#include <stdatomic.h>

#define PROCESS_LINE ((size_t)1 << 16)  // a longer line is no line
#define PROCESS_FLOOD ((size_t)4 << 20) // bytes that may come after a line to it,
#define PROCESS_RATE ((size_t)1 << 20)  //   and for each second
#define PROCESS_TAIL 4096               // bytes of standard error that are kept

typedef struct Process Process;

typedef struct ProcessSetup {
    char *const *command;      // the words; the first one has a slash or is found by PATH
    const char *folder;        // where it may write; NULL: nowhere
    const char *rules;         // the variable LUDENS_RULES
    const char *const *needed; // paths that it must see, ended by NULL; may be NULL
} ProcessSetup;

// Whether there is a program to start; false with the reason.
bool process_find(char *const *command, Text *why);
Process *process_start(const ProcessSetup *setup, Text *why); // NULL: cannot be started
void process_free(Process *p);

// False: it does not read any more, or has ended.
bool process_say(Process *p, const char *line, double deadline);

typedef enum Heard {
    HEARD_LINE,
    HEARD_NOTHING, // until the deadline
    HEARD_STOPPED, // `stop` was set
    HEARD_END,     // it has ended or has closed its output
    HEARD_TOO_LONG,
    HEARD_FLOOD, // of standard output or standard error
    HEARD_LIMIT, // too much memory or too many processes
} Heard;
// The next line without its end; what went wrong otherwise is in words in `line`.
Heard process_hear(Process *p, double deadline, const atomic_bool *stop, Text *line);

// How it ended, waiting a moment for that: "ended with status 1". True if a limit did it.
bool process_ending(Process *p, Text *out);
const char *process_errors(const Process *p); // the end of what it wrote to standard error

#endif
