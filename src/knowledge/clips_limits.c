// clips_limits: where the work of a rules file is watched, so that none of it goes on for ever.
//
// CLIPS itself looks around between statements only. Here the time is looked at wherever an
// expression is evaluated or a field is compared, and texts and multifields are kept so short that
// no single function of CLIPS takes long: some compare everything with everything.
#include "knowledge/clips_parts.h"

#include <string.h>

// --- in place of functions of CLIPS; see tools/guard_clips.sh ---

int clips_evaluate(void *env, struct expr *e, struct dataObject *result) {
    clips_heap_look();
    return EvaluateExpression(env, e, result);
}

void *clips_add_symbol(void *env, const char *text) {
    if (strlen(text) > CLIPS_TEXT)
        clips_heap_stop("the rules make a text that is too long");
    return EnvAddSymbol(env, text);
}

static void limit_fields(long n) {
    if (n > CLIPS_FIELDS)
        clips_heap_stop("the rules make a multifield that is too long");
}

void *clips_create_multifield(void *env, long n) {
    limit_fields(n);
    return CreateMultifield2(env, n);
}

void clips_store_multifield(void *env, DATA_OBJECT *to, struct expr *values, int collected) {
    StoreInMultifield(env, to, values, collected);
    limit_fields(GetpDOLength(to));
}

// For messages only. CLIPS would indent in 120 bytes, however deep the parentheses are.
void clips_new_line(void *env) {
    SavePPBuffer(env, "\n");
}

// --- in place of what CLIPS finds in tables ---

static intBool call_guarded(void *env, void *function, DATA_OBJECT *result) {
    Clips *c = GetEnvironmentContext(env);
    clips_heap_deeper();
    return c->plain[CLIPS_CALL](env, function, result);
}

// Comparisons of fields, in patterns and between them.
#define COMPARE(name, which)                                                                       \
    static intBool name(void *env, void *what, DATA_OBJECT *result) {                              \
        Clips *c = GetEnvironmentContext(env);                                                     \
        clips_heap_look();                                                                         \
        return c->plain[which](env, what, result);                                                 \
    }
COMPARE(compare_in_pattern, CLIPS_PN_CMP1)
COMPARE(compare_constant, CLIPS_PN_CONSTANT1)
COMPARE(compare_constant_behind, CLIPS_PN_CONSTANT2)
COMPARE(compare_slots, CLIPS_JN_CMP1)
COMPARE(compare_fields, CLIPS_JN_CMP2)

static void watch(Clips *c, void *env, int type, int which, ClipsEntity *by) {
    ENTITY_RECORD **record = &EvaluationData(env)->PrimitivesArray[type];
    c->watched[which] = **record;
    c->plain[which] = (*record)->evaluateFunction;
    c->watched[which].evaluateFunction = by;
    *record = &c->watched[which];
}

static void look(void *env) {
    (void)env;
    clips_heap_look();
}

void clips_limit(Clips *c, void *env) {
    watch(c, env, PCALL, CLIPS_CALL, call_guarded);
    watch(c, env, FACT_PN_CMP1, CLIPS_PN_CMP1, compare_in_pattern);
    watch(c, env, FACT_PN_CONSTANT1, CLIPS_PN_CONSTANT1, compare_constant);
    watch(c, env, FACT_PN_CONSTANT2, CLIPS_PN_CONSTANT2, compare_constant_behind);
    watch(c, env, FACT_JN_CMP1, CLIPS_JN_CMP1, compare_slots);
    watch(c, env, FACT_JN_CMP2, CLIPS_JN_CMP2, compare_fields);
    EnvAddPeriodicFunction(env, "ludens", look, 0);
}
