// guard: a small process that kills what bots have left behind when this program is gone, however
// it ended. A bot dies with the program by itself; its children do not. Where bubblewrap works, it
// does this better, and there is no guard.
//
// It finds the processes in the groups that it was told of, and those that have the variable
// SANDBOX_TOKEN with the mark of this program. Who leaves its group *and* clears its environment
// escapes.
#ifndef LUDENS_GUARD_H
#define LUDENS_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

#define GUARD_GROUPS 1024 // at a time: four for each thread that plays

// What the token of every bot begins with; starts the guard when it is called first. Threads may.
const char *guard_mark(bool wanted);
void guard_add(pid_t group);
void guard_remove(pid_t group);

#endif
