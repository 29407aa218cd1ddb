// describe_look: pictures and places of files that say how a game looks; see describe.h.
#include "game/describe.h"

static void picture_json(const LookPicture *p, Text *out) {
    if (!p || !p->file) {
        text_add(out, "null");
        return;
    }
    text_add(out, "{\"file\":");
    text_json(out, p->file);
    text_f(out, ",\"x\":%d,\"y\":%d}", p->x, p->y);
}

static void place_json(const Look *look, const LookPlace *place, Text *out) {
    static const char *const shapes[] = {"null", "\"circle\"", "\"rectangle\""};
    if (!place->has_point) {
        text_add(out, "null");
        return;
    }
    text_f(out, "{\"x\":%d,\"y\":%d", place->x, place->y);
    if (place->type >= 0) {
        const LookPlaceType *type = &look->place_type[place->type];
        text_f(out, ",\"shape\":%s,\"width\":%d,\"height\":%d,\"picture\":", shapes[type->shape],
               type->width, type->height);
        picture_json(&type->picture, out);
    }
    text_char(out, '}');
}

void describe_look(const Game *g, Text *out) {
    const Look *look = g->ir->look;
    if (!look) {
        text_add(out, "null");
        return;
    }
    text_add(out, "{\"board\":");
    if (look->board_picture)
        text_json(out, look->board_picture);
    else
        text_add(out, "null");
    text_add(out, ",\"pieces\":[");
    for (int i = 0; i < g->ir->planes; i++) {
        text_add(out, i ? "," : "");
        picture_json(g->ir->plane[i].picture, out);
    }
    text_add(out, "],\"places\":[");
    for (int i = 0; i < look->places; i++) {
        text_add(out, i ? "," : "");
        place_json(look, &look->place[i], out);
    }
    text_add(out, "]}");
}
