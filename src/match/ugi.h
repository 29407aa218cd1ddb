// ugi: an engine of the protocol of docs/protocol.md: lines in, lines out. With a player it
// searches; without one it is a rules server, which answers questions about positions.
//
// A Ugi is used by one thread. A search runs in a thread of its own meanwhile, so that `stop`,
// `isready` and `quit` are answered at once; other lines end it first. It survives any line.
#ifndef LUDENS_UGI_H
#define LUDENS_UGI_H

#include "match/protocol.h"

typedef struct Ugi Ugi;

// A line without its end. Called by one thread at a time, but not always by the same.
typedef void UgiSay(void *with, const char *line, size_t n);

typedef struct UgiSetup {
    const char *name;   // the program, for `id name`
    const char *game;   // with parameters, as protocol_game writes it
    const char *player; // of search.h; NULL: rules only
    Backend backend;    // of the rules; without a player they are interpreted
    UgiSay *say;
    void *with;
} UgiSetup;

Ugi *ugi_new(const UgiSetup *setup, Text *why); // NULL: no such game or player
// Obeys one line; false after `quit`.
bool ugi_line(Ugi *u, const char *line);
void ugi_too_long(Ugi *u); // a line was longer than PROTOCOL_LINE and was left out
void ugi_finish(Ugi *u);   // the end of the input: waits for a search that has an end
void ugi_free(Ugi *u);

#endif
