// knowledge_clips: a CLIPS file as a Knowledge.
//
// Its relations are the game's own facts, so that the reference evaluator finds them; worth comes
// from CLIPS. It has no priorities.
#include "knowledge/clips.h"
#include "knowledge/knowledge_parts.h"

#include <string.h>

bool knowledge_is_clips(const Knowledge *k) {
    return k->clips;
}

// The facts alone, which ask no relation: none is missed.
static void take_facts(IrKnowledge *what, const IrKnowledge *all, Arena *arena) {
    what->relation = ARENA_ARRAY(arena, IrRelation, all->relations + 1);
    what->order = ARENA_ARRAY(arena, int, all->relations + 1);
    for (int i = 0; i < all->relations; i++) {
        if (all->relation[i].derived)
            continue;
        what->order[what->relations] = what->relations;
        what->relation[what->relations++] = all->relation[i];
    }
}

// All is in the arena, which jumps when memory is short.
static void make_what(Knowledge *k) {
    const IrGame *g = k->game->ir;
    IrKnowledge *what = ARENA_NEW(&k->arena, IrKnowledge);
    if (g->knowledge)
        take_facts(what, g->knowledge, &k->arena);
    what->strata = 1;
    what->prefer_frame.slots = 1; // the mover
    what->site_choice = ARENA_ARRAY(&k->arena, int, g->sites + 1);
    for (int i = 0; i < g->sites; i++)
        what->site_choice[i] = -1;
    k->ir = g;
    k->what = what;
    k->title = k->source.name;
    k->clips = true;
}

bool knowledge_read_clips(Knowledge *k, Diags *diags) {
    jmp_buf recovery;
    k->arena.recovery = &recovery;
    if (setjmp(recovery)) {
        diag_error(diags, (Span){0}, "out of memory");
        return false;
    }
    make_what(k);
    k->arena.recovery = NULL;
    Clips *c = clips_new(k);
    if (!c)
        diag_error(diags, (Span){0}, "out of memory");
    bool ok = c && clips_read(c, diags);
    clips_free_all(c);
    return ok;
}

static void fail(Reasoner *r, const char *why) {
    reasoner_fail(r, "%s: ", r->k->source.name);
    r->place = r->error.n;
    text_add(&r->error, why);
}

const ClipsFound *reasoner_clips(Reasoner *r, const uint8_t *state, int me, ClipsDetail detail) {
    if (!reasoner_conclude(r, state, me))
        return NULL;
    Text why = {0};
    if (!r->clips)
        r->clips = clips_new(r->k);
    const ClipsFound *found =
        r->clips ? clips_run(r->clips, r->now.state, me, r->relations.bits, detail, &why) : NULL;
    if (!found)
        fail(r, why.n ? text_c(&why) : "out of memory");
    text_free(&why);
    return found;
}
