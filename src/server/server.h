// server: Ludens in a browser. One event loop (libwebsockets) speaks HTTP and WebSocket; everything
// else is behind hub.h and knows nothing of sockets.
//
//     socket.c, http.c ── bytes ──► hub.c ── commands ──► rooms, tasks, workshop, contests
//          ▲                                                        │
//          └────────────── bounded queues of messages ◄─────────────┘
//
// The loop's thread owns the Hub, its Clients and its Rooms. Long work runs in threads of think.h
// and comes back as events that the loop takes up (lws_cancel_service is the only call into
// libwebsockets from elsewhere).
#ifndef LUDENS_SERVER_H
#define LUDENS_SERVER_H

#include "base/text.h"

#include <stdatomic.h>

typedef struct ServerOptions {
    const char *host;  // NULL: localhost only
    int port;          // 0: any free one
    const char *store; // the SQLite file of rooms; NULL: in the data folder of the user
    const char *web;   // a folder to take the page's files from instead (for those who work on it)
    const char *save;  // where `save` of the workshop may write; NULL: nowhere
    const char *const *archives; // of tournaments to be watched
    int archive_count;
    const char *const *games; // rules files that are offered beside the library, with pictures
    int game_count;
    bool native;            // compile rules from browsers, too
    bool bots;              // let pages name `bot:` players
    int threads;            // for searches; 0: as many as processors
    const char *arm;        // the serial port of a robot arm, or "sim"; NULL: none
    const char *arm_file;   // how it is built; NULL: as the AL5D
    const char *arm_real;   // how a simulated one is built really; NULL: the same
    const char *camera;     // as of camera_open, or "sim"; NULL: none
    const char *table_file; // where what is taught is kept; NULL: nowhere
    int arm_baud;           // 0: as controllers are sold
    double arm_rate;        // seconds that pass in a second of a simulation; 0: 1
    const char *arm_token; // who knows this word may move it from another machine; NULL: nobody may
    // Called once it listens, with the address for a person.
    void (*ready)(void *with, const char *address);
    void *with;
} ServerOptions;

// Until `stop` is set. False with the reason: the port is taken, the store is damaged, …
bool server_run(const ServerOptions *options, const atomic_bool *stop, Text *why);

#endif
