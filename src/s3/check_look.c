// check_look: what is odd about how an S3 game looks and what the camera should see. Nothing here
// keeps a game from being played.
#include "s3/reader.h"

#include <string.h>

// Without places for the camera, nothing asks for colours: several of the old games have some that
// were never finished.
static bool camera_is_used(const Look *look) {
    for (int i = 0; i < look->places; i++)
        if (look->place[i].has_camera)
            return true;
    return false;
}

static void check_colour_type(Reader *r, const LookColour *colour) {
    const Look *look = r->look;
    int piece = 0;
    while (piece < look->pieces && strcmp(look->piece[piece].name, colour->name) != 0)
        piece++;
    if (piece == look->pieces) {
        s3_warn(r, colour->span, "no element type is called `%s`", colour->name);
        s3_warn_help(r, "what the camera sees in this colour belongs to no element");
    } else if (colour->state < 1 || colour->state > look->piece[piece].states) {
        s3_warn(r, colour->span, "`%s` has no state %d", colour->name, colour->state);
    }
}

static void check_ranges(Reader *r, const LookColour *colour) {
    const char *range = colour->saturation_min > colour->saturation_max ? "saturation"
                        : colour->value_min > colour->value_max         ? "value"
                        : colour->size_min > colour->size_max           ? "size"
                                                                        : NULL;
    if (range) {
        s3_warn(r, colour->span, "`%sMin` is above `%sMax`", range, range);
        s3_warn_help(r, "only the hue may go round: from 340 through 0 to 20, for instance");
    }
}

void s3_check_look(Reader *r) {
    const Look *look = r->look;
    bool used = camera_is_used(look);
    for (int i = 0; i < look->colours; i++) {
        if (used)
            check_colour_type(r, &look->colour[i]);
        check_ranges(r, &look->colour[i]);
        for (int j = 0; j < i; j++)
            if (look->colour[j].state == look->colour[i].state &&
                strcmp(look->colour[j].name, look->colour[i].name) == 0) {
                s3_warn(r, look->colour[i].span, "`%s` in state %d has two colours",
                        look->colour[i].name, look->colour[i].state);
                break;
            }
    }
}
