// file: whole files in and out.
//
// Functions return NULL or false on failure and add one line to `why` (without a newline) that
// names the file and the reason, such as: cannot read `x.game`: No such file or directory
#ifndef LUDENS_FILE_H
#define LUDENS_FILE_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

// A rules file or a saved game is a few thousand bytes; a megabyte is a mistake.
#define FILE_LIMIT ((size_t)1 << 20)

// The content of a file of at most `limit` bytes, ended with a NUL that `size` (may be NULL) does
// not count. The caller frees it with mem_free. Pipes can be read too: that waits for who writes
// into them, until a signal comes.
char *file_read(const char *path, size_t limit, size_t *size, Text *why);
// The same for files that are never pipes, such as pictures: never waits for anybody.
char *file_read_regular(const char *path, size_t limit, size_t *size, Text *why);

// Writes beside the file, then renames: a reader sees the old content or the new, whole, even
// after a power cut. Follows a symbolic link; refuses what exists and is not a regular file.
bool file_write_atomic(const char *path, const char *data, size_t n, Text *why);

#endif
