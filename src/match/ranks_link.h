// ranks_link: what the program and its part that knows MPI agree on. That part is a file of its own
// (mpi_link.c, ludens-mpi.so), which is loaded when mpirun has started the program and not
// otherwise: see docs/decisions.md.
//
// All calls come from the thread that opened it. `with` is for links that are there several times;
// MPI is there once in a process.
#ifndef LUDENS_RANKS_LINK_H
#define LUDENS_RANKS_LINK_H

#include <stdbool.h>
#include <stddef.h>

#define RANKS_LINK_VERSION 1 // another one does not fit
#define RANKS_LINK_OPEN "ludens_ranks_link"

typedef struct RanksLink {
    int version;
    int rank, count;
    void *with;
    bool (*send)(void *with, int to, const void *bytes, size_t n); // false: it cannot be reached
    // Whether a message is there: 1 with who sent it and how long it is, 0, or -1 on an error. The
    // call of `read` that follows takes it.
    int (*look)(void *with, int *from, size_t *n);
    bool (*read)(void *with, void *bytes);
    void (*close)(void *with); // waits for the others to do the same
} RanksLink;

typedef const RanksLink *RanksLinkOpen(void); // NULL: MPI cannot be had

#endif
