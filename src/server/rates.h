// rates: how much clients may ask for. There is one loop for all: who takes much of it waits.
//
// Everything costs tokens: a message one, and more if it is long or took long to answer. Tokens
// come back with time, to a client and to all clients of its address together: more connections
// are not more of the loop.
#ifndef LUDENS_RATES_H
#define LUDENS_RATES_H

#include "server/hub.h"

#define RATES_BURST (4 * HUB_RATE) // tokens that can be saved up
#define RATES_ADDRESS 4            // an address has as much as so many clients: a class goes on
#define RATES_BYTES 8192.0         // that cost one token
#define RATES_SECONDS 0.002        // of the loop's work that cost one token

typedef struct Bucket {
    double tokens; // below zero: it has to wait
    double filled; // when that was counted
} Bucket;

typedef struct Address {
    struct Address *next;
    char name[64];
    int users; // clients, and requests being answered
    int waits; // of these, for a game to be loaded: see games_wait.h
    Bucket bucket;
} Address;

// The address is kept while it is used and until its bucket is full again. NULL: out of memory.
Address *rates_use(Address **all, const char *name);
void rates_release(Address *address);
void rates_free(Address **all);

Bucket rates_full(int share);
// Takes tokens. False if there are none left; then it has to wait.
bool rates_take(Bucket *bucket, int share, double tokens);
// Takes what the work afterwards turned out to cost; at most so much that it is made good in a few
// seconds.
void rates_charge(Bucket *bucket, int share, double seconds);
double rates_work(void); // seconds that this thread has worked

#endif
