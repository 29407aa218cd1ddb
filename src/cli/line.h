// line: lines from a person or from a pipe.
//
// On a terminal, with libedit (if the program was built with it): editing, history, completion.
// Otherwise plain reading. Owns the terminal's settings while open; line_close restores them.
#ifndef LUDENS_LINE_H
#define LUDENS_LINE_H

#include "base/text.h"

typedef struct Line Line;

// Adds to `out` everything that begins with `typed`, each followed by a newline.
typedef void LineComplete(void *context, const char *typed, Text *out);

Line *line_open(bool terminal, LineComplete *complete, void *context); // NULL: out of memory
void line_close(Line *line);
// The next line without its end, valid until the next call; NULL at the end of input or when
// Ctrl-C was pressed (cli_interrupted tells). `prompt` is shown on terminals only.
const char *line_read(Line *line, const char *prompt);

#endif
