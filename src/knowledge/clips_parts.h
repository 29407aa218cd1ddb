// clips_parts: what the files that call CLIPS share. No others see its names and macros.
#ifndef LUDENS_CLIPS_PARTS_H
#define LUDENS_CLIPS_PARTS_H

#include "knowledge/clips.h"
#include "knowledge/clips_heap.h"
#include "knowledge/knowledge_parts.h"

#include <clips/clips.h>
#include <clips/tmpltutl.h>

// Rules that fire in a position. A rule set for people fires some hundreds.
#define CLIPS_FIRINGS 100000
// Parentheses inside one another: the reader calls itself for each.
#define CLIPS_DEPTH 200
// What a position can be worth by one fact; sums of these stay far from the end of a number.
#define CLIPS_WORTH 1000000000000LL
// Of what rules print, and of what CLIPS says about an error.
#define CLIPS_PRINTED 4000

// The facts that every game has.
enum {
    FACT_ME,
    FACT_MOVER,
    FACT_OPPONENT,
    FACT_PLAYER,
    FACT_CELL,
    FACT_NEXT,
    FACT_STEP,
    FACT_LINE,
    FACT_ON,
    FACT_TOP,
    FACT_HEIGHT,
    FACT_EMPTY,
    FACT_ATTRIBUTE,
    FACT_VAR,
    FACTS
};

struct Clips {
    const Knowledge *k;
    ClipsHeap heap;
    void *env;          // in the heap; NULL: nothing is read yet, or it was stopped
    void *given[FACTS]; // templates, in the heap; NULL: not asserted
    void **own;         //   of the game's own facts, [relations]
    ENTITY_RECORD call; // how functions are called: guarded
    intBool (*plain_call)(void *env, void *function, DATA_OBJECT *result);
    Diags *diags; // while the file is read
    Text errors;  // what CLIPS says
    Text printed; // what rules print
    Text word;    // under construction; here, since work that is stopped frees nothing
    Arena arena;  // what was found last
    ClipsFound found;
    // What is to be done; see clips_run.
    const uint8_t *state;
    int me;
    const uint64_t *const *facts;
    ClipsDetail detail;
    bool failed; // the run, with an error of its own in `errors`
};

// --- clips_allow.c: what a file may use ---
void clips_restrict(Clips *c, void *env);
// --- clips_facts.c ---
// Names of the facts that every game has, and of the game's own, as ordered facts: before the file
// is read, so that it can ask for them.
void clips_declare(Clips *c, void *env);
// Finds their templates when the file is read. False if it has one with slots of such a name.
bool clips_find_templates(Clips *c);
void clips_assert_position(Clips *c);
// --- clips_found.c ---
void clips_gather(Clips *c, long long given); // facts before number `given` are not conclusions
// --- clips_engine.c ---
bool clips_fail(Clips *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
