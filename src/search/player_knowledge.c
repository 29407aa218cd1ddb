// player_knowledge: what a player knows about its game besides the rules; see player.h.
#include "search/parameters.h"

#include "game/library.h"

#include <math.h>
#include <string.h>

// The first thing that is wrong with a rules file, on one line.
static void add_reason(const Player *p, const Diags *diags, Text *why) {
    const char *name = p->options.knowledge;
    const Diag *first = NULL;
    for (int i = 0; i < diags->count && !first; i++)
        first = diags->items[i].severity == SEV_ERROR ? &diags->items[i] : NULL;
    if (!first) {
        text_f(why, "`knowledge=%s`: out of memory", name);
        return;
    }
    bool library = player_rule_set(name, strlen(name)) != NULL;
    if (library)
        text_f(why, "the rule set `%s` is not for %s: ", name, p->game->name);
    else
        text_f(why, "`knowledge=%s`: ", name);
    if (first->span.line)
        text_f(why, "line %d: ", first->span.line);
    text_add(why, first->message);
    if (first->help && !library)
        text_f(why, " (%s)", first->help);
}

void player_knowledge_use(Player *p) {
    Text ignored = {0}; // without it, it is slower
    if (p->knowledge && p->game->job)
        knowledge_use(p->knowledge, BACKEND_AUTO, &ignored);
    text_free(&ignored);
}

bool player_knowledge_begin(Player *p, Knowledge *given, Text *why) {
    if (!parameters_has(p->kind, "knowledge"))
        return true;
    if (p->options.knowledge) {
        Diags diags = {0};
        p->knowledge = knowledge_load(p->game, p->options.knowledge, &diags);
        if (!p->knowledge)
            add_reason(p, &diags, why);
        diag_free(&diags);
        if (!p->knowledge)
            return false;
    } else if (given) {
        p->knowledge = given;
        p->knowledge_lent = true;
    } else if (p->game->ir->knowledge) {
        p->knowledge = knowledge_own(p->game);
        if (!p->knowledge) {
            text_add(why, "out of memory");
            return false;
        }
    }
    // A moment for the compiler, where there is to be machine code: looking at the game with rules
    // that are interpreted would take longer by far.
    player_knowledge_use(p);
    if (p->knowledge)
        knowledge_wait(p->knowledge, p->stop);
    return true;
}

void player_knowledge_end(Player *p) {
    if (!p->knowledge_lent)
        knowledge_free(p->knowledge);
}

bool player_prefers(const Player *p) {
    return p->knowledge && knowledge_ir(p->knowledge)->prefers > 0;
}

double player_doublings(Reasoner *r, const uint8_t *before, Move move, const uint8_t *after) {
    int64_t priority = reasoner_priority(r, before, move, after);
    double doublings = priority > 0 ? log2((double)priority / PRIORITY_ONE) : -16;
    return doublings > 16 ? 16 : doublings < -16 ? -16 : doublings;
}

// --- rule sets as players ---

// Whether a section of that name is in a file: a line that begins with it.
static bool has_section(const char *text, const char *name) {
    size_t n = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, n) == 0 && strspn(line + n, " \t\r\n#") > 0)
            return true;
    }
    return false;
}

const char *player_rule_set(const char *name, size_t n) {
    for (int i = 0; i < library_rules_count; i++)
        if (strlen(library_rules[i].name) == n && strncmp(library_rules[i].name, name, n) == 0)
            return library_rules[i].name;
    return NULL;
}

// The title of a file, `knowledge "Title"`, or nothing.
static void add_title(const char *text, Text *out) {
    const char *at = strstr(text, "knowledge \"");
    if (!at || (at != text && at[-1] != '\n'))
        return;
    at += strlen("knowledge \"");
    text_add_n(out, at, strcspn(at, "\"\n"));
}

void player_list_rule_sets(Text *out, bool json) {
    for (int i = 0; i < library_rules_count; i++) {
        const LibraryGame *set = &library_rules[i];
        if (!has_section(set->text, "prefer"))
            continue;
        Text help = {0};
        text_f(&help, "rules:knowledge=%s", set->name);
        size_t plain = help.n;
        text_add(&help, ", ");
        add_title(set->text, &help);
        if (help.n == plain + 2)
            help.s[plain] = '\0';
        if (json) {
            text_add(out, ",{\"name\":");
            text_json(out, set->name);
            text_add(out, ",\"help\":");
            text_json(out, text_c(&help));
            text_add(out, ",\"usual\":\"\",\"parameters\":[]}");
        } else {
            text_f(out, "%s: %s\n    seed\n", set->name, text_c(&help));
        }
        text_free(&help);
    }
}
