// sink: where a command writes what may be long: standard output, or a file that appears as a whole
// when all is written.
#ifndef LUDENS_SINK_H
#define LUDENS_SINK_H

#include "base/text.h"

#include <stdio.h>

typedef struct Sink {
    FILE *file;
    char *path, *unfinished; // NULL: standard output
} Sink;

bool sink_open(Sink *s, const char *path, Text *why); // path NULL: standard output
bool sink_write(Sink *s, Text *t);                    // empties it; false: see sink_close
// `keep` false: the file does not appear. False with the reason if it could not be written.
bool sink_close(Sink *s, bool keep, Text *why);

#endif
