// ranks: see ranks.h.
#include "match/ranks.h"

#include "base/mem.h"
#include "match/ranks_link.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// A message waits for half of it on average; looking a thousand times a second costs nothing that
// can be measured.
#define PAUSE_LEAST 0.00005
#define PAUSE_MOST 0.001

struct Ranks {
    const RanksLink *link;
    double pause;
};

// --- how it was started ---

// A number from the environment, -1 if it has none.
static int number_of(const char *name) {
    const char *text = getenv(name);
    char *end;
    long n = text ? strtol(text, &end, 10) : -1;
    return text && end != text && !*end && n >= 0 && n <= RANKS_MOST ? (int)n : -1;
}

// Open MPI, and others by the way that they have in common.
bool ranks_launched(RanksLaunch *launch) {
    static const char *const names[][3] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
        {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int rank = number_of(names[i][0]), count = number_of(names[i][1]);
        int neighbours = number_of(names[i][2]);
        if (rank < 0 || rank >= count || count < 2)
            continue;
        *launch = (RanksLaunch){rank, count, neighbours > 0 ? neighbours : 1};
        return true;
    }
    return false;
}

// --- loading ---

// Beside the program, where it was built, or where it was installed.
static void *load(Text *why) {
    static const char *const places[] = {"", "../lib/ludens/"};
    char program[4096];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash)
        slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        Text path = {0};
        text_f(&path, "%s%s%s", program, places[i], "ludens-mpi.so");
        bool there = !path.failed && access(text_c(&path), R_OK) == 0;
        // Global: the parts that Open MPI loads itself look for its names there.
        void *file = there ? dlopen(text_c(&path), RTLD_NOW | RTLD_GLOBAL) : NULL;
        const char *error = there && !file ? dlerror() : NULL;
        if (there && !file)
            text_f(why, "MPI does not work here: %s", error ? error : "it cannot be loaded");
        text_free(&path);
        if (there)
            return file;
    }
    text_add(why, "mpirun has started this program several times, but it was built without MPI; "
                  "install libopenmpi-dev and build it again");
    return NULL;
}

Ranks *ranks_open(Text *why) {
    void *file = load(why);
    RanksLinkOpen *open_link = NULL;
    void *symbol = file ? dlsym(file, RANKS_LINK_OPEN) : NULL;
    memcpy(&open_link, &symbol, sizeof symbol); // ISO C has no other way from data to code
    const RanksLink *link = symbol ? open_link() : NULL;
    if (file && !link)
        text_add(why, "MPI does not work here: the ranks do not find each other");
    else if (link && link->version != RANKS_LINK_VERSION)
        text_add(why, "ludens-mpi.so is not of this version of Ludens");
    Ranks *r = why->n ? NULL : ranks_over(link);
    if (!r && !why->n)
        text_add(why, "out of memory");
    return r;
}

Ranks *ranks_over(const RanksLink *link) {
    Ranks *r = mem_alloc(sizeof *r);
    if (r)
        *r = (Ranks){link, PAUSE_LEAST};
    return r;
}

void ranks_close(Ranks *r) {
    if (!r)
        return;
    r->link->close(r->link->with);
    mem_free(r);
}

// --- messages ---

int ranks_rank(const Ranks *r) {
    return r->link->rank;
}

int ranks_count(const Ranks *r) {
    return r->link->count;
}

bool ranks_send(Ranks *r, int to, const Text *message) {
    return !message->failed && r->link->send(r->link->with, to, text_c(message), message->n);
}

int ranks_take(Ranks *r, int *from, Text *message) {
    size_t n;
    text_clear(message);
    int there = r->link->look(r->link->with, from, &n);
    if (there <= 0)
        return there;
    char *bytes = n <= RANKS_MESSAGE ? mem_alloc(n + 1) : NULL;
    bool ok = bytes && r->link->read(r->link->with, bytes);
    if (ok)
        text_add_n(message, bytes, n);
    mem_free(bytes);
    r->pause = PAUSE_LEAST;
    return ok && !message->failed ? 1 : -1;
}

double ranks_pause(Ranks *r) {
    double pause = r->pause;
    r->pause = 2 * pause < PAUSE_MOST ? 2 * pause : PAUSE_MOST;
    return pause;
}

void ranks_rest(Ranks *r) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(ranks_pause(r) * 1e9)}, NULL);
}
