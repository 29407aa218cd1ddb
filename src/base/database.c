// database: see database.h.
#include "base/database.h"

#include <string.h>

void database_explain(sqlite3 *db, const char *path, Text *why) {
    switch (sqlite3_errcode(db) & 0xFF) {
    case SQLITE_CORRUPT: text_f(why, "`%s` is damaged", path); break;
    case SQLITE_NOTADB: text_f(why, "`%s` is not a database", path); break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: text_f(why, "`%s` is in use by another program", path); break;
    case SQLITE_READONLY:
    case SQLITE_PERM: text_f(why, "cannot write `%s`: it or its folder is read-only", path); break;
    case SQLITE_CANTOPEN:
        text_f(why, "cannot write `%s`: it or its folder is not there or read-only", path);
        break;
    case SQLITE_FULL: text_f(why, "cannot write `%s`: the disk is full", path); break;
    case SQLITE_NOMEM: text_add(why, "out of memory"); break;
    default: text_f(why, "`%s`: %s", path, sqlite3_errmsg(db));
    }
}

bool database_number(sqlite3 *db, const char *path, const char *sql, int64_t *number, Text *why) {
    sqlite3_stmt *q = NULL;
    bool ok =
        sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW;
    if (ok)
        *number = sqlite3_column_int64(q, 0);
    else
        database_explain(db, path, why);
    sqlite3_finalize(q);
    return ok;
}

bool database_is_whole(sqlite3 *db, const char *path, int64_t most, Text *why) {
    int64_t pages, size;
    if (!database_number(db, path, "PRAGMA page_count", &pages, why) ||
        !database_number(db, path, "PRAGMA page_size", &size, why))
        return false;
    if (pages > most / (size > 0 ? size : 1))
        return true;
    sqlite3_stmt *q = NULL;
    bool stepped = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &q, NULL) == SQLITE_OK &&
                   sqlite3_step(q) == SQLITE_ROW;
    const char *found = stepped ? (const char *)sqlite3_column_text(q, 0) : NULL;
    bool ok = found && sqlite3_stricmp(found, "ok") == 0;
    if (!stepped) {
        database_explain(db, path, why);
    } else if (!ok) {
        const char *line = found ? strrchr(found, '\n') : NULL; // the last one says what it is
        text_f(why, "`%s` is damaged: %.200s", path, line ? line + 1 : found ? found : "");
    }
    sqlite3_finalize(q);
    return ok;
}
