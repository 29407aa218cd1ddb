// knowledge_native: a Knowledge as machine code, made in the background like that of a game.

#include "knowledge/knowledge_parts.h"

_Static_assert(PRIORITY_ONE == NATIVE_PRIORITY_ONE && PRIORITY_MOST == NATIVE_PRIORITY_MOST,
               "both evaluators give the same numbers");

bool knowledge_use(Knowledge *k, Backend backend, Text *why) {
    if (backend == BACKEND_INTERP || k->clips) // CLIPS needs none
        return true;
    if (!k->job)
        k->job = native_knowledge_start(k->ir, k->what, &k->native);
    if (!k->job) {
        text_add(why, "no thread can be had to compile the rules");
        return false;
    }
    if (backend == BACKEND_AUTO)
        return true;
    native_job_wait(k->job);
    bool ok = knowledge_native(k) != NULL;
    if (!ok)
        text_add(why, native_job_why(k->job));
    return ok;
}

void knowledge_wait(Knowledge *k, const atomic_bool *stop) {
    if (k->job && stop)
        native_job_wait_unless(k->job, stop);
    else if (k->job)
        native_job_wait(k->job);
}

bool knowledge_worth(const Knowledge *k, const uint8_t *state, int me, int64_t *worth) {
    const NativeKnowledge *n = knowledge_native(k);
    if (n)
        *worth = n->worth(state, me);
    return n != NULL;
}

int64_t native_priority(Reasoner *r, const NativeKnowledge *n, const uint8_t *before, Move move,
                        const uint8_t *after) {
    const IrKnowledge *k = r->k->what;
    VmChoice made[VM_MAX_CHOICES];
    int32_t choice[64]; // IrPrefer.choices has a bit for each
    int count = vm_choices(r->vm, before, move, made, VM_MAX_CHOICES);
    if (count < 0)
        return -1;
    for (int i = 0; i < k->choices; i++)
        choice[i] = INT32_MIN;
    for (int i = 0; i < count && i < VM_MAX_CHOICES; i++)
        if (k->site_choice[made[i].site] >= 0)
            choice[k->site_choice[made[i].site]] = (int32_t)made[i].value;
    return n->priority(before, after, before[r->k->ir->layout.player], choice);
}
