// format: canonical layout of a rules file (`ludens fmt`).
//
// Keeps every comment and every token; changes only indentation (4 blanks a level), blanks
// between tokens, trailing blanks, runs of blank lines (at most one), and aligns trailing
// comments and help texts of neighbouring lines. Formatting twice gives the same text.
// A file with syntax errors is left alone: returns false with the errors in `diags`.
#ifndef LUDENS_FORMAT_H
#define LUDENS_FORMAT_H

#include "base/diag.h"

bool format_file(const Source *source, Diags *diags, Text *out);

#endif
