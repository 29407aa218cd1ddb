// read_setup: the sections that say what there is at the start: LOCATIONS, PLAYER NAMES,
// MOVABLE ELEMENTS.
#include "s3/reader.h"

#include <ctype.h>
#include <string.h>

// ---- Locations -------------------------------------------------------------------------------

static bool same_place(const LookPlace *a, const LookPlace *b) {
    bool same = a->type == b->type && a->has_point == b->has_point && a->x == b->x &&
                a->y == b->y && a->has_camera == b->has_camera && a->camera_x == b->camera_x &&
                a->camera_y == b->camera_y && a->robot_count == b->robot_count;
    for (int i = 0; i < 10; i++)
        same = same && a->robot[i] <= b->robot[i] && a->robot[i] >= b->robot[i];
    return same;
}

static void warn_twice(Reader *r, Span at, const char *name, Span old) {
    s3_warn(r, at, "`%s` is declared twice, and differently", name);
    s3_warn_help(r, "the one of line %d does not count", old.line);
}

void s3_close_location(Reader *r) {
    if (r->location >= 0 && r->location_again) {
        const LookPlace *place = &r->look->place[r->location];
        if (!same_place(place, &r->old_place))
            warn_twice(r, place->span, place->name, r->old_place.span);
    }
    r->location = -1;
}

static void take_location_name(Reader *r, const Field *field) {
    S3File *file = r->file;
    s3_close_location(r);
    const char *name = s3_read_name(r, field);
    int i = 0;
    while (i < file->locations && strcmp(file->location[i].name, name) != 0)
        i++;
    r->location_again = i < file->locations;
    if (r->location_again) {
        r->old_place = r->look->place[i];
    } else {
        if (!s3_has_room(r, field->key_span, i, BOARD_MAX_CELLS, "locations"))
            return;
        ARENA_GROW(r->arena, S3Location, file->location, file->locations, r->location_cap);
        ARENA_GROW(r->arena, LookPlace, r->look->place, r->look->places, r->place_cap);
        file->locations = ++r->look->places;
    }
    r->location = i;
    file->location[i] = (S3Location){.name = name, .type = -1, .span = field->value_span};
    r->look->place[i] = (LookPlace){.name = name, .type = -1, .span = field->value_span};
}

static LookPlace *open_place(Reader *r) {
    return &r->look->place[r->location];
}

// Whether the type is relevant is looked up now, as in the original.
static void take_location_type(Reader *r, const Field *field) {
    const Look *look = r->look;
    S3Location *location = &r->file->location[r->location];
    for (int i = 0; i < look->place_types; i++) {
        if (strcmp(look->place_type[i].name, field->value) != 0)
            continue;
        location->type = open_place(r)->type = i;
        location->relevant = look->place_type[i].relevant;
        return;
    }
    diag_error(r->diags, field->value_span, "there is no location type `%s`", field->value);
    const char **names = ARENA_ARRAY(r->arena, const char *, look->place_types + 1);
    for (int i = 0; i < look->place_types; i++)
        names[i] = look->place_type[i].name;
    // Many long names would take long to compare, and these messages are not kept any more.
    const char *near = NULL;
    if (r->diags->errors < DIAG_MAX)
        near = text_nearest(field->value, names, look->place_types);
    if (near)
        diag_help(r->diags, "did you mean `%s`?", near);
    else if (look->place_types == 0)
        diag_help(r->diags, "the section [LOCATION TYPES] comes before [LOCATIONS]");
}

static void take_location_point(Reader *r, const Field *field) {
    LookPlace *place = open_place(r);
    if (s3_read_point(r, field, &place->x, &place->y))
        place->has_point = true;
}

static void take_camera(Reader *r, const Field *field) {
    LookPlace *place = open_place(r);
    if (s3_read_point(r, field, &place->camera_x, &place->camera_y))
        place->has_camera = true;
}

static void take_robot(Reader *r, const Field *field) {
    LookPlace *place = open_place(r);
    int n = s3_read_list(r, field, place->robot, 10);
    if (n == 3 || n == 5 || n == 10) {
        place->robot_count = n;
    } else if (n >= 0) {
        diag_error(r->diags, field->value_span, "`robot` has %d number%s", n, n == 1 ? "" : "s");
        diag_help(r->diags, "give x, y, z in cm, or 5 angles, or 10: above the place and at it");
    }
}

const S3Key s3_location_keys[] = {
    {"name", S3_KEY_OPENS, take_location_name},
    {"type", 0, take_location_type},
    {"point", 0, take_location_point},
    {"camera", 0, take_camera},
    {"robot", 0, take_robot},
    {0},
};

// ---- Players ---------------------------------------------------------------------------------

static void take_score(Reader *r, const Field *field) {
    s3_read_int(r, field, &r->file->score);
}

// As in the original, a line adds a player even if its number was there before. That player then
// has no name.
bool s3_take_player(Reader *r, const Field *field) {
    S3File *file = r->file;
    size_t digits = strspn(field->key, "0123456789");
    if (digits == 0 || field->key[digits] != '\0')
        return false;
    int number = 0;
    for (size_t i = 0; i < digits && number <= IR_MAX_PLAYERS; i++)
        number = 10 * number + (field->key[i] - '0');
    if (number > IR_MAX_PLAYERS || file->players == IR_MAX_PLAYERS) {
        diag_error(r->diags, field->key_span, "more than %d players", IR_MAX_PLAYERS);
        return true;
    }
    if (number == 0 || number > file->players + 1) {
        diag_error(r->diags, field->key_span, "player %d comes before player %d", number,
                   file->players + 1);
        diag_help(r->diags, "players are numbered 1, 2, 3 in this order");
        return true;
    }
    ARENA_GROW(r->arena, const char *, file->player, file->players, r->player_cap);
    if (number <= file->players) {
        s3_warn(r, field->key_span, "player %d is named twice", number);
        s3_warn_help(r, "every line adds a player; this makes %d of them", file->players + 1);
    }
    file->players++;
    file->player[file->players - 1] = arena_printf(r->arena, "player %d", file->players);
    const char *name = field->value + strspn(field->value, " \t");
    size_t n = strlen(name);
    if (n > S3_MAX_NAME)
        diag_error(r->diags, field->value_span, "this name has more than %d bytes", S3_MAX_NAME);
    else if (n > 0)
        file->player[number - 1] = arena_text(r->arena, name, n);
    return true;
}

const S3Key s3_player_keys[] = {
    {"score", S3_KEY_ALONE | S3_KEY_REPEATS, take_score},
    {0},
};

// ---- Elements --------------------------------------------------------------------------------

// Without regard to the location: it is looked up at the end.
static bool same_element(const S3Element *a, const S3Element *b) {
    bool types = a->type_name && b->type_name ? strcmp(a->type_name, b->type_name) == 0
                                              : a->type_name == b->type_name;
    bool places = a->location_name && b->location_name
                      ? strcmp(a->location_name, b->location_name) == 0
                      : a->location_name == b->location_name;
    return types && places && a->owner == b->owner && a->state == b->state &&
           a->zindex == b->zindex;
}

void s3_close_element(Reader *r) {
    if (r->element >= 0 && r->element_again) {
        const S3Element *element = &r->file->element[r->element];
        if (!same_element(element, &r->old_element))
            warn_twice(r, element->span, element->name, r->old_element.span);
    }
    r->element = -1;
}

static void take_element_name(Reader *r, const Field *field) {
    S3File *file = r->file;
    s3_close_element(r);
    const char *name = s3_read_name(r, field);
    int i = 0;
    while (i < file->elements && strcmp(file->element[i].name, name) != 0)
        i++;
    r->element_again = i < file->elements;
    if (r->element_again) {
        r->old_element = file->element[i];
    } else {
        if (!s3_has_room(r, field->key_span, i, S3_MAX_ELEMENTS, "elements"))
            return;
        ARENA_GROW(r->arena, S3Element, file->element, file->elements, r->element_cap);
        file->elements++;
    }
    r->element = i;
    file->element[i] = (S3Element){
        .name = name, .type = -1, .location = -1, .state = 1, .span = field->value_span};
}

static S3Element *open_element(Reader *r) {
    return &r->file->element[r->element];
}

static void take_element_type(Reader *r, const Field *field) {
    open_element(r)->type_name = arena_text(r->arena, field->value, strlen(field->value));
    open_element(r)->type_span = field->value_span;
}

static void take_element_location(Reader *r, const Field *field) {
    open_element(r)->location_name = arena_text(r->arena, field->value, strlen(field->value));
    open_element(r)->location_span = field->value_span;
}

static void take_element_player(Reader *r, const Field *field) {
    s3_read_int(r, field, &open_element(r)->owner);
    open_element(r)->owner_span = field->value_span;
}

static void take_element_state(Reader *r, const Field *field) {
    s3_read_int(r, field, &open_element(r)->state);
    open_element(r)->state_span = field->value_span;
}

static void take_element_zindex(Reader *r, const Field *field) {
    s3_read_int(r, field, &open_element(r)->zindex);
}

const S3Key s3_element_keys[] = {
    {"name", S3_KEY_OPENS, take_element_name},
    {"type", 0, take_element_type},
    {"player", 0, take_element_player},
    {"location", 0, take_element_location},
    {"state", 0, take_element_state},
    {"zindex", 0, take_element_zindex},
    {0},
};
