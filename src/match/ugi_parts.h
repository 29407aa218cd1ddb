// ugi_parts: what the files of an engine share; see ugi.h.
#ifndef LUDENS_UGI_PARTS_H
#define LUDENS_UGI_PARTS_H

#include "match/ugi.h"

#include <pthread.h>

struct Ugi {
    UgiSetup setup;
    Text player_text; // as the option was set; "": rules only
    Game *game;
    Runner *runner; // of the thread that reads
    Runner *talker; // of the thread that searches, for the texts of moves
    Player *player; // made when it is needed first
    Record *record; // NULL: the last `position` was wrong
    Text position;  // the text that it was read from
    uint64_t seed;
    pthread_mutex_t saying;

    bool searching; // there is a thread to join
    pthread_t thread;
    atomic_bool stop;
    GoLimits go;
    double told; // when news was told last, in seconds of the search
    bool quit;
};

void ugi_say(Ugi *u, const Text *line);
void ugi_say_f(Ugi *u, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ugi_say_error(Ugi *u, const char *why);

// --- ugi_query.c ---
void ugi_query(Ugi *u, const char *rest); // what follows `query`
void ugi_show(Ugi *u);

#endif
