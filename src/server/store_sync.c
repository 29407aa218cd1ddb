// store_sync: brings the write-ahead log of a database home; see store_sync.h.
#include "server/store_sync.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdbool.h>

#define SYNC_PAGES 1000 // of the log until it is brought home: SQLite's own number
#define SYNC_LARGE                                                                                 \
    32000 // pages that the log may have while writing never pauses; then it is made to
#define SYNC_PATIENCE 200 // milliseconds to wait for a pause

struct StoreSync {
    sqlite3 *writer; // the loop's
    sqlite3 *db;     // the thread's
    pthread_t thread;
    pthread_mutex_t lock; // of what follows
    pthread_cond_t wake;
    int pages; // of the log, if it is to be looked at; else 0
    bool stop;
};

// After each commit, in the loop's thread.
static int committed(void *with, sqlite3 *db, const char *name, int pages) {
    (void)db, (void)name;
    StoreSync *s = with;
    if (pages < SYNC_PAGES)
        return SQLITE_OK;
    pthread_mutex_lock(&s->lock);
    s->pages = pages;
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->lock);
    return SQLITE_OK;
}

// The passive way never stops a writer, but a log that is added to all the time only begins anew
// when the writer waits for a moment. By then almost everything is home.
static void bring_home(StoreSync *s, int pages) {
    sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    if (pages >= SYNC_LARGE)
        sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_RESTART, NULL, NULL);
}

// A connection has a log only once it has read something: before that, bringing home does nothing
// and says that all is well.
static bool open_log(sqlite3 *db) {
    return sqlite3_exec(db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL) == SQLITE_OK;
}

static void *sync_thread(void *with) {
    StoreSync *s = with;
    pthread_mutex_lock(&s->lock);
    while (!s->stop) {
        if (s->pages == 0) {
            pthread_cond_wait(&s->wake, &s->lock);
            continue;
        }
        int pages = s->pages;
        s->pages = 0;
        pthread_mutex_unlock(&s->lock);
        bring_home(s, pages);
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

StoreSync *store_sync_begin(sqlite3 *db, const char *path) {
    StoreSync *s = sqlite3_threadsafe() ? mem_alloc(sizeof *s) : NULL;
    if (!s)
        return NULL;
    s->writer = db;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wake, NULL);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &s->db, flags, NULL) == SQLITE_OK &&
        sqlite3_busy_timeout(s->db, SYNC_PATIENCE) == SQLITE_OK && open_log(s->db) &&
        pthread_create(&s->thread, NULL, sync_thread, s) == 0) {
        sqlite3_wal_hook(db, committed, s); // in place of SQLite's own
        return s;
    }
    sqlite3_close(s->db);
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->lock);
    mem_free(s);
    return NULL;
}

void store_sync_end(StoreSync *s) {
    if (!s)
        return;
    sqlite3_wal_hook(s->writer, NULL, NULL);
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    sqlite3_close(s->db);
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->lock);
    mem_free(s);
}
