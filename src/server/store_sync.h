// store_sync: brings the write-ahead log of a database home, in a thread of its own.
//
// SQLite does that behind some commit, and whoever commits waits for the disk: here the event loop
// and all who play. A thread with a connection of its own does it without being in the way.
#ifndef LUDENS_STORE_SYNC_H
#define LUDENS_STORE_SYNC_H

#include <sqlite3.h>

typedef struct StoreSync StoreSync;

// For the connection `db` to the file `path`. NULL: there is no thread to be had, and all stays as
// it is.
StoreSync *store_sync_begin(sqlite3 *db, const char *path);
void store_sync_end(StoreSync *sync); // before `db` is closed; waits for what is being written

#endif
