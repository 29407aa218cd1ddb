// read_look: the sections that say how a game looks: BOARD, REALBOARD ELEMENT TYPES, ELEMENT TYPES,
// LOCATION TYPES.
#include "s3/reader.h"

#include <string.h>
#include <strings.h>

// ---- Pictures --------------------------------------------------------------------------------

// The name of a picture's file, NULL if it is none. Whoever shows the game opens it: it must not
// lead out of the picture folder.
static const char *picture_file(Reader *r, const Field *field) {
    const char *file = field->value;
    if (*file == '\0') {
        s3_warn(r, field->key_span, "there is no file name after `%s=`", field->key);
        return NULL;
    }
    bool outside = *file == '/' || *file == '\\' || strchr(file, ':') || strlen(file) > 255;
    for (const char *s = file; *s && !outside; s += strcspn(s, "/\\"), s += *s != '\0')
        outside = s[0] == '.' && s[1] == '.' && (s[2] == '\0' || s[2] == '/' || s[2] == '\\');
    if (outside) {
        s3_warn(r, field->value_span, "this picture is not in the picture folder");
        return NULL;
    }
    return arena_text(r->arena, file, strlen(file));
}

static void take_board_image(Reader *r, const Field *field) {
    r->look->board_picture = picture_file(r, field);
    r->look->board_span = field->value_span;
}

const S3Key s3_board_keys[] = {
    {"image", S3_KEY_ALONE | S3_KEY_EXACT, take_board_image},
    {0},
};

// ---- What the camera sees --------------------------------------------------------------------

static void take_colour_name(Reader *r, const Field *field) {
    Look *look = r->look;
    const char *name = s3_read_name(r, field);
    r->colour = -1;
    if (!s3_has_room(r, field->key_span, look->colours, S3_MAX_TYPES, "types for the camera"))
        return;
    ARENA_GROW(r->arena, LookColour, look->colour, look->colours, r->colour_cap);
    r->colour = look->colours++;
    look->colour[r->colour] = (LookColour){.name = name, .state = 1, .span = field->value_span};
}

static LookColour *open_colour(Reader *r) {
    return &r->look->colour[r->colour];
}

static void take_colour_state(Reader *r, const Field *field) {
    s3_read_int(r, field, &open_colour(r)->state);
}

// A number of a camera's range; outside of what can be it is odd, but harms nobody.
static void take_limited(Reader *r, const Field *field, double *value, double most) {
    if (s3_read_double(r, field, value) && (*value < 0 || *value > most))
        s3_warn(r, field->value_span, "`%s` can be 0 to %g", field->key, most);
}

#define TAKE_LIMITED(field_name, most)                                                             \
    static void take_##field_name(Reader *r, const Field *field) {                                 \
        take_limited(r, field, &open_colour(r)->field_name, most);                                 \
    }
TAKE_LIMITED(hue_min, 360)
TAKE_LIMITED(hue_max, 360)
TAKE_LIMITED(saturation_min, 1)
TAKE_LIMITED(saturation_max, 1)
TAKE_LIMITED(value_min, 1)
TAKE_LIMITED(value_max, 1)

static void take_size(Reader *r, const Field *field, int *size) {
    if (s3_read_int(r, field, size) && *size < 0)
        s3_warn(r, field->value_span, "a size cannot be negative");
}

static void take_size_min(Reader *r, const Field *field) {
    take_size(r, field, &open_colour(r)->size_min);
}

static void take_size_max(Reader *r, const Field *field) {
    take_size(r, field, &open_colour(r)->size_max);
}

const S3Key s3_camera_keys[] = {
    {"name", S3_KEY_OPENS, take_colour_name},
    {"state", 0, take_colour_state},
    {"hueMin", 0, take_hue_min},
    {"hueMax", 0, take_hue_max},
    {"saturationMin", 0, take_saturation_min},
    {"saturationMax", 0, take_saturation_max},
    {"valueMin", 0, take_value_min},
    {"valueMax", 0, take_value_max},
    {"sizeMin", 0, take_size_min},
    {"sizeMax", 0, take_size_max},
    {0},
};

// ---- Types of elements -----------------------------------------------------------------------

// Every state without a picture gets the first.
void s3_close_piece(Reader *r) {
    if (r->piece < 0)
        return;
    LookPiece *piece = &r->look->piece[r->piece];
    for (int i = r->piece_points > 0 ? r->piece_points : 1; i < piece->states; i++)
        piece->picture[i] = piece->picture[0];
    r->piece = -1;
}

static void take_piece_name(Reader *r, const Field *field) {
    Look *look = r->look;
    s3_close_piece(r);
    const char *name = s3_read_name(r, field);
    int i = 0;
    while (i < look->pieces && strcmp(look->piece[i].name, name) != 0)
        i++;
    if (i < look->pieces) {
        s3_warn(r, field->value_span, "the element type `%s` is declared twice", name);
        s3_warn_help(r, "the one of line %d does not count", look->piece[i].span.line);
    } else {
        if (!s3_has_room(r, field->key_span, i, S3_MAX_TYPES, "types of elements"))
            return;
        ARENA_GROW(r->arena, LookPiece, look->piece, look->pieces, r->piece_cap);
        look->pieces++;
    }
    r->piece = i;
    r->piece_points = 0;
    look->piece[i] = (LookPiece){.name = name, .span = field->value_span};
    look->piece[i].picture = ARENA_NEW(r->arena, LookPicture);
}

static void take_states(Reader *r, const Field *field) {
    LookPiece *piece = &r->look->piece[r->piece];
    int32_t states;
    if (!s3_read_int(r, field, &states))
        return;
    if (states < 0 || states > S3_MAX_STATES) {
        diag_error(r->diags, field->value_span, "a type can have 1 to %d states", S3_MAX_STATES);
        return;
    }
    piece->states = states;
    piece->picture = ARENA_ARRAY(r->arena, LookPicture, states + 1);
    r->piece_points = 0;
}

static void take_piece_image(Reader *r, const Field *field) {
    r->piece_image = (LookPicture){.file = picture_file(r, field), .span = field->value_span};
}

static void take_piece_point(Reader *r, const Field *field) {
    LookPiece *piece = &r->look->piece[r->piece];
    LookPicture picture = r->piece_image;
    if (!s3_read_point(r, field, &picture.x, &picture.y))
        return;
    if (r->piece_points == piece->states) {
        if (piece->states == 0)
            diag_error(r->diags, field->key_span, "`states` is missing before this `point`");
        else
            diag_error(r->diags, field->key_span, "`%s` has %d state%s, but this is picture %d",
                       piece->name, piece->states, piece->states == 1 ? "" : "s",
                       r->piece_points + 1);
        return;
    }
    piece->picture[r->piece_points++] = picture;
}

const S3Key s3_element_type_keys[] = {
    {"name", S3_KEY_OPENS, take_piece_name},
    {"states", 0, take_states},
    {"image", S3_KEY_REPEATS, take_piece_image},
    {"point", S3_KEY_REPEATS, take_piece_point},
    {0},
};

// ---- Types of locations ----------------------------------------------------------------------

static void take_place_type_name(Reader *r, const Field *field) {
    Look *look = r->look;
    const char *name = s3_read_name(r, field);
    r->place_type = -1;
    int i = 0;
    while (i < look->place_types && strcmp(look->place_type[i].name, name) != 0)
        i++;
    if (i < look->place_types) {
        s3_warn(r, field->value_span, "the location type `%s` is declared twice", name);
        s3_warn_help(r, "the one of line %d does not count", look->place_type[i].span.line);
    } else {
        if (!s3_has_room(r, field->key_span, i, S3_MAX_TYPES, "types of locations"))
            return;
        ARENA_GROW(r->arena, LookPlaceType, look->place_type, look->place_types, r->place_type_cap);
        look->place_types++;
    }
    r->place_type = i;
    look->place_type[i] =
        (LookPlaceType){.name = name, .relevant = true, .span = field->value_span};
}

static LookPlaceType *open_place_type(Reader *r) {
    return &r->look->place_type[r->place_type];
}

static void take_relevant(Reader *r, const Field *field) {
    open_place_type(r)->relevant = strcasecmp(field->value, "yes") == 0;
    if (strcasecmp(field->value, "yes") != 0 && strcasecmp(field->value, "no") != 0) {
        s3_warn(r, field->value_span, "`relevant` is `yes` or `no`");
        s3_warn_help(r, "everything but `yes` means no");
    }
}

static void take_place_image(Reader *r, const Field *field) {
    r->place_image = (LookPicture){.file = picture_file(r, field), .span = field->value_span};
}

// circle(radius), rectangular(width,height); more numbers do not count.
static void take_shape(Reader *r, const Field *field) {
    const char *open = strchr(field->value, '(');
    size_t n = open ? (size_t)(open - field->value) : strlen(field->value);
    bool circle = n == 6 && memcmp(field->value, "circle", n) == 0;
    bool rectangle = n == 11 && memcmp(field->value, "rectangular", n) == 0;
    LookPlaceType *type = open_place_type(r);
    type->shape = LOOK_NO_SHAPE;
    if (!circle && !rectangle) {
        s3_warn(r, field->value_span, "there is no shape `%.*s`", (int)n, field->value);
        s3_warn_help(r, "shapes are `circle(radius)` and `rectangular(width,height)`");
        return;
    }
    const char *close = open ? strrchr(open, ')') : NULL;
    double size[8] = {0};
    int count = 0;
    if (close && close[1] == '\0') {
        Field inside = *field;
        inside.value = arena_text(r->arena, open + 1, (size_t)(close - open - 1));
        inside.value_span = s3_span_at(field->value_span, n + 1, (size_t)(close - open - 1));
        count = s3_read_list(r, &inside, size, 8);
        if (count < 0)
            return;
    }
    if (count < (circle ? 1 : 2)) {
        diag_error(r->diags, field->value_span, "this shape has no size");
        diag_help(r->diags, "write `%s`", circle ? "circle(30)" : "rectangular(40,30)");
        return;
    }
    for (int i = 0; i < (circle ? 1 : 2); i++)
        if (!(size[i] >= 0 && size[i] <= 100000)) {
            s3_warn(r, field->value_span, "the size of a shape can be 0 to 100000");
            return;
        }
    type->shape = circle ? LOOK_CIRCLE : LOOK_RECTANGLE;
    type->width = (int)size[0];
    type->height = circle ? 0 : (int)size[1];
}

static void take_place_point(Reader *r, const Field *field) {
    LookPicture picture = r->place_image;
    if (s3_read_point(r, field, &picture.x, &picture.y))
        open_place_type(r)->picture = picture;
}

const S3Key s3_location_type_keys[] = {
    {"name", S3_KEY_OPENS, take_place_type_name},
    {"relevant", 0, take_relevant},
    {"image", 0, take_place_image},
    {"shape", 0, take_shape},
    {"point", 0, take_place_point},
    {0},
};
