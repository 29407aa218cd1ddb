// record_words: the moves of a saved record (record.h) as words, without the rules: for tables and
// exports, where loading and replaying every game would take too long.
#ifndef LUDENS_RECORD_WORDS_H
#define LUDENS_RECORD_WORDS_H

#include "base/text.h"

typedef struct RecordWords {
    const char *at; // where to go on; NULL: at the end
    bool line;      // at the beginning of a line
    char name[64];  // of who moves, if the record says it; else ""
    Text word;      // the move read last
} RecordWords;

void record_words_begin(RecordWords *w, const char *record);
bool record_words_next(RecordWords *w); // false at the end
void record_words_end(RecordWords *w);

#endif
