// rates: how much clients may ask for; see rates.h.
#include "server/rates.h"

#include "base/mem.h"
#include "base/now.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

Bucket rates_full(int share) {
    return (Bucket){RATES_BURST * share, now_seconds()};
}

static void fill(Bucket *b, int share) {
    double now = now_seconds();
    b->tokens += (now - b->filled) * HUB_RATE * share;
    b->filled = now;
    if (b->tokens > RATES_BURST * share)
        b->tokens = RATES_BURST * share;
}

bool rates_take(Bucket *b, int share, double tokens) {
    fill(b, share);
    b->tokens -= tokens;
    return b->tokens >= 0;
}

void rates_charge(Bucket *b, int share, double seconds) {
    double least = -RATES_BURST * share / 2.0;
    double left = b->tokens - seconds / RATES_SECONDS;
    if (left < least)
        left = b->tokens < least ? b->tokens : least;
    b->tokens = left;
}

double rates_work(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// --- addresses ---

// Those that nobody uses are dropped on the way, once they have nothing to make good.
Address *rates_use(Address **all, const char *name) {
    Address *found = NULL;
    for (Address **link = all; *link;) {
        Address *a = *link;
        if (strncmp(a->name, name, sizeof a->name - 1) == 0)
            found = a;
        fill(&a->bucket, RATES_ADDRESS);
        if (a != found && a->users == 0 && a->bucket.tokens >= RATES_BURST * RATES_ADDRESS) {
            *link = a->next;
            mem_free(a);
        } else {
            link = &a->next;
        }
    }
    if (!found && (found = mem_alloc(sizeof *found))) {
        snprintf(found->name, sizeof found->name, "%s", name);
        found->bucket = rates_full(RATES_ADDRESS);
        found->next = *all;
        *all = found;
    }
    if (found)
        found->users++;
    return found;
}

void rates_release(Address *address) {
    if (address)
        address->users--;
}

void rates_free(Address **all) {
    while (*all) {
        Address *next = (*all)->next;
        mem_free(*all);
        *all = next;
    }
}
