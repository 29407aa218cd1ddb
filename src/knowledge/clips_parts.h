// clips_parts: what the files that call CLIPS share. No others see its names and macros.
#ifndef LUDENS_CLIPS_PARTS_H
#define LUDENS_CLIPS_PARTS_H

#include "knowledge/clips.h"
#include "knowledge/clips_heap.h"
#include "knowledge/knowledge_parts.h"

#include <clips/clips.h>
#include <clips/sortfun.h>
#include <clips/tmpltutl.h>

// Rules that fire in a position. A rule set for people fires some hundreds.
#define CLIPS_FIRINGS 100000
// Parentheses inside one another: the reader calls itself for each.
#define CLIPS_DEPTH 200
// What a position can be worth by one fact; sums of these stay far from the end of a number.
#define CLIPS_WORTH 1000000000000LL
// Facts `worth` in a position. Equal ones lie in one chain, which CLIPS walks for each it retracts.
#define CLIPS_WORTHS 10000
// Of what rules print, and of what CLIPS says about an error.
#define CLIPS_PRINTED 4000

// Bytes of a text and fields of a multifield that rules make: a set of cells has fewer, and
// functions of CLIPS that compare all with all are done within a second.
#define CLIPS_TEXT 30000
#define CLIPS_FIELDS 10000

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

// What CLIPS finds in a table and calls by way of us: functions of a file, comparisons of fields.
enum {
    CLIPS_CALL,
    CLIPS_PN_CMP1,
    CLIPS_PN_CONSTANT1,
    CLIPS_PN_CONSTANT2,
    CLIPS_JN_CMP1,
    CLIPS_JN_CMP2,
    CLIPS_WATCHED
};
typedef intBool ClipsEntity(void *env, void *what, DATA_OBJECT *result);

struct Clips {
    const Knowledge *k;
    ClipsHeap heap;
    void *env;          // in the heap; NULL: nothing is read yet, or it was stopped
    void *given[FACTS]; // templates, in the heap; NULL: not asserted
    void **own;         //   of the game's own facts, [relations]
    ENTITY_RECORD watched[CLIPS_WATCHED];
    ClipsEntity *plain[CLIPS_WATCHED]; // what these were before
    Diags *diags;                      // while the file is read
    Text errors;                       // what CLIPS says
    Text printed;                      // what rules print
    Text word;   // under construction; here, since work that is stopped frees nothing
    Arena arena; // what was found last
    ClipsFound found;
    // What is to be done; see clips_run.
    const uint8_t *state;
    int me;
    const uint64_t *const *facts;
    ClipsDetail detail;
    int worths;  // asserted by the rules
    bool failed; // the run, with an error of its own in `errors`
};

// --- clips_allow.c: what a file may use ---
void clips_restrict(void *env);
// --- clips_limits.c: how much of it ---
void clips_limit(Clips *c, void *env);
int clips_evaluate(void *env, struct expr *e, struct dataObject *result);
void *clips_add_symbol(void *env, const char *text);
void *clips_create_multifield(void *env, long n);
void clips_store_multifield(void *env, DATA_OBJECT *to, struct expr *values, int collected);
void clips_new_line(void *env);
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
