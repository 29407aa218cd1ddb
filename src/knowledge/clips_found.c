// clips_found: what the rules of a CLIPS file have concluded.
#include "knowledge/clips_parts.h"

#include <math.h>
#include <string.h>

// A fact longer than this is cut where it is shown.
#define SHOWN 400

// --- worth ---

// `(worth NUMBER)` or `(worth NUMBER "sentence" what it is about …)`.
static bool read_weight(Clips *c, const DATA_OBJECT *fields, int64_t *weight) {
    long first = GetpDOBegin(fields);
    if (GetpDOLength(fields) < 1)
        return clips_fail(c, "`(worth)` has no number");
    int type = GetMFType(fields->value, first);
    const void *value = GetMFValue(fields->value, first);
    if (type != INTEGER && type != FLOAT)
        return clips_fail(c, "a `worth` begins with a number, as in (worth 3 \"a mill\")");
    double x = type == INTEGER ? (double)ValueToLong(value) : ValueToDouble(value);
    if (!(fabs(x) <= (double)CLIPS_WORTH))
        return clips_fail(c, "a `worth` is larger than %lld", CLIPS_WORTH);
    *weight = type == INTEGER ? ValueToLong(value) : (int64_t)llround(x);
    return true;
}

static const char *copy(Clips *c, const char *text) {
    return arena_text(&c->arena, text, strlen(text));
}

// The fields from `from` on, with blanks between them.
static const char *fields_text(Clips *c, const DATA_OBJECT *fields, long from) {
    text_clear(&c->word);
    for (long i = from; i <= GetpDOEnd(fields); i++) {
        const void *value = GetMFValue(fields->value, i);
        int type = GetMFType(fields->value, i);
        if (i > from)
            text_char(&c->word, ' ');
        if (type == INTEGER)
            text_f(&c->word, "%lld", ValueToLong(value));
        else if (type == FLOAT)
            text_f(&c->word, "%g", ValueToDouble(value));
        else if (type == SYMBOL || type == STRING)
            text_add(&c->word, ValueToString(value));
    }
    return copy(c, text_c(&c->word));
}

static bool gather_worth(Clips *c, void *fact, int *cap) {
    ClipsFound *found = &c->found;
    DATA_OBJECT fields;
    int64_t weight = 0;
    if (!((const struct deftemplate *)EnvFactDeftemplate(c->env, fact))->implied) // of a module
        return clips_fail(c, "`worth` is a fact without slots: it needs no deftemplate");
    if (!EnvGetFactSlot(c->env, fact, NULL, &fields) || fields.type != MULTIFIELD)
        return clips_fail(c, "a `worth` has no fields");
    if (!read_weight(c, &fields, &weight))
        return false;
    found->value += weight;
    if (c->detail == CLIPS_VALUE)
        return true;
    ARENA_GROW(&c->arena, ClipsWorth, found->worth, found->worths, *cap);
    ClipsWorth *w = &found->worth[found->worths++];
    long second = GetDOBegin(fields) + 1;
    *w = (ClipsWorth){.weight = weight, .about = ""};
    if (second > GetDOEnd(fields))
        return true;
    int type = GetMFType(fields.value, second);
    if (type == STRING || type == SYMBOL)
        w->sentence = copy(c, ValueToString(GetMFValue(fields.value, second)));
    w->about = fields_text(c, &fields, w->sentence ? second + 1 : second);
    return true;
}

// --- facts ---

static void gather_fact(Clips *c, void *fact, bool given, int *cap) {
    ClipsFound *found = &c->found;
    char text[SHOWN];
    EnvGetFactPPForm(c->env, text, sizeof text, fact);
    const char *open = strchr(text, '('); // behind "f-12"
    ARENA_GROW(&c->arena, ClipsFact, found->fact, found->facts, *cap);
    found->fact[found->facts++] = (ClipsFact){
        .name = copy(c, EnvGetDeftemplateName(c->env, EnvFactDeftemplate(c->env, fact))),
        .text = copy(c, open ? open : text),
        .given = given};
}

void clips_gather(Clips *c, long long given) {
    int worth_cap = 0, fact_cap = 0;
    c->found = (ClipsFound){0};
    for (void *fact = EnvGetNextFact(c->env, NULL); fact && !c->failed;
         fact = EnvGetNextFact(c->env, fact)) {
        const char *name = EnvGetDeftemplateName(c->env, EnvFactDeftemplate(c->env, fact));
        if (strcmp(name, "worth") == 0)
            gather_worth(c, fact, &worth_cap);
        if (c->detail != CLIPS_VALUE && strcmp(name, "initial-fact") != 0)
            gather_fact(c, fact, EnvFactIndex(c->env, fact) < given, &fact_cap);
    }
    if (c->detail != CLIPS_VALUE)
        c->found.printed = copy(c, text_c(&c->printed));
}
