// watch: tournaments to look at: archives that other processes, or the server itself, write.
//
// An archive is read in a thread, whole, whenever it has changed and somebody looks; what pages get
// is kept as text. The loop only looks at the size and the time of the file.
#ifndef LUDENS_WATCH_H
#define LUDENS_WATCH_H

#include "server/hub.h"
#include "server/think.h"

#define WATCH_FILES 32          // archives
#define WATCH_CONTESTS 64       // of an archive, the last ones
#define WATCH_RECENT 20         // games that are listed
#define WATCH_SUBSCRIBED 8      // contests of a client
#define WATCH_OWN "tournaments" // of the server itself, beside the store: tournaments.db,
#define WATCH_OWNS 8            //   tournaments-2.db and so on; more do not run at once

typedef struct WatchContest {
    Text title;
    int64_t games, of; // of 0: not known
    bool over;
    Text json; // members of docs/web-protocol.md, without `running`
} WatchContest;

typedef struct WatchRead { // what an archive says
    WatchContest *contest;
    int contests;
} WatchRead;

// --- watch_read.c: in a thread ---
// `before` is what was read the last time, or NULL: what has not changed is taken from there. False
// with the reason: damaged, gone.
bool watch_read(const char *path, const WatchRead *before, WatchRead *out, Text *why);
void watch_read_free(WatchRead *read);

// --- watch.c ---
// An archive that was not there before, or has changed: it is looked at soon.
bool watch_add(Hub *hub, const char *path, Text *why);
// A tournament of the server came to nothing: who waits for it is told.
void watch_failed(Hub *hub, const char *title);

// --- watch_own.c: tournaments of the server itself ---
typedef struct WatchOwned { // one that runs or waits for its turn, or came to nothing
    struct WatchOwned *next;
    Task *task; // NULL: it came to nothing
    char *title;
    char *page;     // the word of the page that began it, or ""
    int64_t client; //   and the number of the client
    int64_t of;     // games
    char *why;      // it came to nothing; or NULL
} WatchOwned;
WatchOwned **watch_owned(Hub *hub); // all of them; in watch.c
// From now on it may be subscribed to, and stopped by whoever began it. False when out of memory.
bool watch_began(Hub *hub, Client *c, Task *task, const char *title, int64_t of);
void watch_ended(Hub *hub, const char *title, const char *why); // `why` NULL: it has its games
void watch_owned_free(WatchOwned *all);
const WatchOwned *watch_find_owned(const WatchOwned *all, const char *title); // or NULL
bool watch_is_of(const WatchOwned *o, Client *c);                    // whether this page began it
void watch_stop(Hub *hub, Client *c, int64_t id, const char *title); // `stop`, and answers

// --- watch_file.c ---
typedef struct WatchStamp { // of a file and its write-ahead log
    int64_t size, seconds, nano, log_size, log_seconds, log_nano;
} WatchStamp;
WatchStamp watch_stamp(const char *path);
bool watch_running(const char *path); // whether somebody writes: the file beside it is locked
// Where the server keeps its own, the one with this number below WATCH_OWNS: an archive has one
// writer, so tournaments that run at the same time have one each. False with the reason.
bool watch_own_path(const Hub *hub, int number, Text *path, Text *why);

#endif
