// rows: see rows.h.
#include "base/rows.h"

void rows_add(Rows *r, const char *text) {
    int width = text_columns(text);
    if (r->column && r->column + 2 + width > ROWS_COLUMNS)
        rows_end(r);
    if (r->column)
        text_add(r->out, "  ");
    else
        text_f(r->out, "%*s", r->indent, "");
    r->column += width + (r->column ? 2 : r->indent);
    text_add(r->out, text);
}

void rows_end(Rows *r) {
    if (r->column)
        text_char(r->out, '\n');
    r->column = 0;
}
