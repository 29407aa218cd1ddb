// database: what SQLite says about a file, in words that help.
#ifndef LUDENS_DATABASE_H
#define LUDENS_DATABASE_H

#include "base/text.h"

#include <sqlite3.h>
#include <stdint.h>

// One line about what went wrong last.
void database_explain(sqlite3 *db, const char *path, Text *why);
// The number that a question gives in its first row.
bool database_number(sqlite3 *db, const char *path, const char *sql, int64_t *number, Text *why);
// Whether all pages are sound. Files of more than `most` bytes are taken for it: they would take
// too long to look through.
bool database_is_whole(sqlite3 *db, const char *path, int64_t most, Text *why);

#endif
