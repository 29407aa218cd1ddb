// clips: a rules file in CLIPS, for knowledge/ alone; others see knowledge.h.
//
//     file.clp --clips_engine.c--> an environment of CLIPS, one a thread
//     position --clips_facts.c--> facts --CLIPS--> more facts --clips_found.c--> what it is worth
//
// Without the CLIPS library, clips_none.c stands for all of it.
#ifndef LUDENS_CLIPS_H
#define LUDENS_CLIPS_H

#include "knowledge/knowledge.h"

typedef struct Clips Clips;

// Nothing is read before the first call of clips_run. NULL when out of memory.
Clips *clips_new(const Knowledge *k);
void clips_free_all(Clips *c);
// Reads the file; false, and all that is wrong in `diags`.
bool clips_read(Clips *c, Diags *diags);
// Lets the rules run on a position, seen by `me`. `facts` are the relations of the game's own
// facts. NULL with the reason in `why`. What is found holds until the next call.
const ClipsFound *clips_run(Clips *c, const uint8_t *state, int me, const uint64_t *const *facts,
                            ClipsDetail detail, Text *why);

#endif
