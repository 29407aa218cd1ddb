// diag: errors and warnings are values with a place.
//
// A Diags collects them while a file is read; nothing is printed until diag_print. A Source is
// borrowed and must outlive the Diags. All texts are copied into the Diags' own memory.
#ifndef LUDENS_DIAG_H
#define LUDENS_DIAG_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Source {
    const char *name; // as shown in messages, usually the path
    const char *text; // NUL-terminated
    size_t size;
} Source;

// A place in a source: line and column count from 1, columns count bytes; `length` bytes long.
// line 0 means "no place" (a wrong command-line parameter, for instance).
typedef struct Span {
    int line;
    int column;
    int length;
} Span;

typedef enum Severity { SEV_ERROR, SEV_WARNING } Severity;

typedef struct Diag {
    Severity severity;
    Span span;
    char *message;
    char *help; // NULL if there is none
    char *source_name;
    char *source_line; // the text of the line, NULL without a place
} Diag;

typedef struct Diags {
    const Source *source; // what spans refer to; may be NULL
    Diag *items;
    int count;
    int cap;
    int errors;     // counts errors only, kept or not
    bool last_kept; // whether the message reported last is the last of items
    bool silent;    // messages are counted only
} Diags;

// More than this many messages help nobody; later ones are counted but not kept. So are messages
// for which there is no memory: `errors` is right in any case.
#define DIAG_MAX 50

void diag_error(Diags *d, Span at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diag_warn(Diags *d, Span at, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Attaches a help line to the message reported last, in place of one it may have.
void diag_help(Diags *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A Diags starts as {.source = ...} or {0}. Messages and help are one line each.
//
// mill.game:12:20: error: there is no piece or name `emty`
//    12 |     choose to in emty
//       |                  ^~~~
//       = help: did you mean `empty`?
void diag_print(const Diags *d, Text *out, bool colour);
void diag_json(const Diags *d, Text *out); // an array of objects, on one line
void diag_free(Diags *d);

#endif
