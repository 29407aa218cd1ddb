// rows: texts that stand beside each other in lines of at most ROWS_COLUMNS, each line with
// `indent` blanks before it.
#ifndef LUDENS_ROWS_H
#define LUDENS_ROWS_H

#include "base/text.h"

#define ROWS_COLUMNS 96
typedef struct Rows {
    Text *out;
    int indent;
    int column; // of the line that is begun; 0: none
} Rows;
void rows_add(Rows *r, const char *text);
void rows_end(Rows *r);

#endif
