// serial: a serial line, opened for this program alone.
//
// Nothing here waits longer than it is told. What goes wrong is one line in `why`, in words that
// help: no such port, no permission (with the group to join), in use, pulled out. A Serial may be
// used by one thread at a time.
#ifndef LUDENS_SERIAL_H
#define LUDENS_SERIAL_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Serial Serial;

// 8 data bits, no parity, one stop bit, no flow control. NULL with the reason.
Serial *serial_open(const char *path, int baud, Text *why);
void serial_close(Serial *s);
const char *serial_path(const Serial *s);
// All of it, or false: the line is gone, or does not take it in time.
bool serial_write(Serial *s, const char *data, size_t size, double seconds, Text *why);
// As many bytes as have come, at least one and at most `size`; 0: nothing came in time; -1: the
// line is gone.
int serial_read(Serial *s, void *data, size_t size, double seconds, Text *why);
void serial_forget(Serial *s); // what has come and was not read
void serial_unsend(Serial *s); // what was written and is not out yet

#endif
