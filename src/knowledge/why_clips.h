// why_clips: facts, values and moves as a rules file in CLIPS sees them, for `ludens facts` and
// `ludens explain`.
#ifndef LUDENS_WHY_CLIPS_H
#define LUDENS_WHY_CLIPS_H

#include "knowledge/why.h"

// --- facts_clips.c ---
// The facts that the rules ask for (with `all`, all that there are), and what follows.
void clips_facts_text(const ClipsFound *found, bool all, Text *out);
void clips_facts_json(const ClipsFound *found, Text *out); // ,"relations":[…],"printed":…

// --- why_clips.c: as the functions of why.h ---
bool clips_value(Why *w, const uint8_t *state, int me);
bool clips_value_json(Why *w, const uint8_t *state, int me);
bool clips_move(Why *w, Runner *runner, const uint8_t *before, Move move, const uint8_t *after);
bool clips_move_json(Why *w, Runner *runner, const uint8_t *before, Move move,
                     const uint8_t *after);

#endif
