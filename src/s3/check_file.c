// check_file: cross references of an S3 file, and what the original finds out only in play.
#include "s3/reader.h"

#include <string.h>

static const Span nowhere = {0};

// ---- Elements --------------------------------------------------------------------------------

static int find_piece(const Look *look, const char *name) {
    for (int i = 0; i < look->pieces; i++)
        if (strcmp(look->piece[i].name, name) == 0)
            return i;
    return -1;
}

static void find_type(Reader *r, S3Element *element) {
    const Look *look = r->look;
    if (!element->type_name) {
        s3_warn(r, element->span, "`%s` has no `type`", element->name);
        return;
    }
    element->type = find_piece(look, element->type_name);
    if (element->type >= 0)
        return;
    const char **names = ARENA_ARRAY(r->arena, const char *, look->pieces + 1);
    for (int i = 0; i < look->pieces; i++)
        names[i] = look->piece[i].name;
    s3_warn(r, element->type_span, "there is no element type `%s`", element->type_name);
    const char *near = s3_nearest(r, element->type_name, names, look->pieces);
    if (near)
        s3_warn_help(r, "did you mean `%s`?", near);
}

static void find_location(Reader *r, S3Element *element) {
    const S3File *file = r->file;
    if (!element->location_name) {
        diag_error(r->diags, element->span, "`%s` has no `location`", element->name);
        diag_help(r->diags, "every element stands somewhere at the start");
        return;
    }
    for (int i = 0; i < file->locations && element->location < 0; i++)
        if (strcmp(file->location[i].name, element->location_name) == 0)
            element->location = i;
    if (element->location >= 0)
        return;
    const char **names = ARENA_ARRAY(r->arena, const char *, file->locations + 1);
    for (int i = 0; i < file->locations; i++)
        names[i] = file->location[i].name;
    s3_warn(r, element->location_span, "there is no location `%s`", element->location_name);
    const char *near = s3_nearest(r, element->location_name, names, file->locations);
    if (near)
        s3_warn_help(r, "did you mean `%s`? As it is, `%s` is nowhere", near, element->name);
}

static void check_state(Reader *r, const S3Element *element) {
    Span at = element->state_span.line ? element->state_span : element->span;
    if (element->state < 0 || element->state > S3_MAX_STATES) {
        diag_error(r->diags, at, "a state can be 0 to %d", S3_MAX_STATES);
        return;
    }
    if (element->type < 0)
        return;
    const LookPiece *piece = &r->look->piece[element->type];
    if (element->state < 1 || element->state > piece->states) {
        s3_warn(r, at, "`%s` has state %d, but its type has %d state%s", element->name,
                element->state, piece->states, piece->states == 1 ? "" : "s");
        if (piece->states == 0)
            s3_warn_help(r, "say `states=1` in the element type `%s`", piece->name);
    }
}

static void check_elements(Reader *r) {
    S3File *file = r->file;
    int *holder = ARENA_ARRAY(r->arena, int, file->locations + 1);
    for (int i = 0; i < file->elements; i++) {
        S3Element *element = &file->element[i];
        find_type(r, element);
        find_location(r, element);
        check_state(r, element);
        if (element->owner < 0 || element->owner > file->players) {
            diag_error(r->diags, element->owner_span, "there is no player %d", element->owner);
            diag_help(r->diags, "players are 1 to %d; 0 is nobody", file->players);
        }
        if (element->location < 0)
            continue;
        int *first = &holder[element->location];
        if (*first) {
            s3_warn(r, element->location_span, "`%s` already stands on `%s`",
                    file->element[*first - 1].name, element->location_name);
            s3_warn_help(r, "a location holds one element; the later is seen there");
        }
        *first = i + 1;
    }
}

// ---- Rules -----------------------------------------------------------------------------------

// A pattern that fits nothing makes a rule without moves.
static void check_pattern(Reader *r, const S3Node *pattern, bool elements) {
    const S3File *file = r->file;
    int count = elements ? file->elements : file->locations;
    if (!pattern)
        return;
    int32_t *value = ARENA_ARRAY(r->arena, int32_t, pattern->parts);
    for (int i = 0; i < count; i++)
        if (s3_match(pattern, elements ? file->element[i].name : file->location[i].name, value))
            return;
    s3_warn(r, pattern->span, "no %s fits this pattern", elements ? "element" : "location");
    bool digits = false;
    for (int i = 0; i < pattern->parts; i++)
        digits = digits || strpbrk(pattern->part[i].text, "0123456789");
    if (pattern->parts > 1 && digits)
        s3_warn_help(r,
                     "beside variables, a pattern has no digits; test the number in `condition`");
}

static void check_rules(Reader *r) {
    const S3File *file = r->file;
    for (int i = 0; i < file->rules; i++) {
        check_pattern(r, file->rule[i].element, true);
        check_pattern(r, file->rule[i].from, false);
        check_pattern(r, file->rule[i].to, false);
    }
    if (file->rules == 0)
        s3_warn(r, nowhere, "the game has no rules: nobody can move");
}

void s3_check_file(Reader *r) {
    const S3File *file = r->file;
    if (file->players == 0) {
        diag_error(r->diags, nowhere, "the game has no players");
        diag_help(r->diags, "write `1=name` below [PLAYER NAMES]");
    }
    if (file->locations == 0) {
        diag_error(r->diags, nowhere, "the game has no locations");
        diag_help(r->diags, "write `name=...` and `type=...` below [LOCATIONS]");
    }
    if (file->players == 0 || file->locations == 0)
        return;
    for (int i = 0; i < file->locations; i++)
        if (file->location[i].type < 0)
            s3_warn(r, file->location[i].span, "`%s` has no `type`", file->location[i].name);
    check_elements(r);
    s3_bind_calls(r);
    check_rules(r);
    s3_check_look(r);
    s3_check_pictures(r);
}
