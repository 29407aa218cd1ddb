// process_parts: what the files of a process share; see process.h.
#ifndef LUDENS_PROCESS_PARTS_H
#define LUDENS_PROCESS_PARTS_H

#include "match/process.h"

#include <sys/types.h>

struct Process {
    pid_t pid;
    int in, out, err; // -1: closed
    char token[64];
    bool ended; // and waited for
    int status;
    size_t most; // resident bytes of the largest process, known at the end
    Text heard;  // not yet taken
    size_t taken;
    Text errors;
    size_t since; // bytes since something was said to it
    double said, looked;
};

void process_close(int *fd); // -1: is closed already

#endif
