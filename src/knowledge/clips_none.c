// clips_none: in place of CLIPS, where Ludens was built without it; see clips.h.
#include "knowledge/clips.h"

Clips *clips_new(const Knowledge *k) {
    (void)k;
    return mem_alloc(1);
}

void clips_free_all(Clips *c) {
    mem_free(c);
}

bool clips_read(Clips *c, Diags *diags) {
    (void)c;
    diag_error(diags, (Span){0}, "this Ludens was built without CLIPS");
    diag_help(diags, "install libclips-dev and build it again");
    return false;
}

const ClipsFound *clips_run(Clips *c, const uint8_t *state, int me, const uint64_t *const *facts,
                            ClipsDetail detail, Text *why) {
    (void)c, (void)state, (void)me, (void)facts, (void)detail;
    text_add(why, "this Ludens was built without CLIPS");
    return NULL;
}
