// convert_table: where the board lies on a real table, and colours for a camera, as far as a
// `table` section can say it; what it cannot say becomes a remark.
//
// An S3 file gives the arm's joints at each place. A section says where the middle of a board is,
// how far its cells are apart and how it is turned: the best such board is looked for, and taken if
// no place is far from it.
#include "s3/convert_rules.h"

#include <math.h>
#include <string.h>

#define DEGREES (180 / 3.14159265358979323846)
#define FAR 1.5    // cm that a place may be beside the best board; they are measured by hand
#define NARROW 1.0 // cm: cells are not nearer to each other

typedef struct Lay {
    double middle_x, middle_y, pitch, turn, surface; // cm, degrees
    double off;                                      // cm: the worst place
    int given, missing;                              // places of the board with joints, without
} Lay;

// Column and row of a place as the board is drawn, from the left and from below; false: it is none
// of the board.
static bool drawn_at(Convert *c, int location, double *x, double *y) {
    const Family *f = &c->place[c->main];
    int index[4], indices;
    if (strcmp(cv_key(c, c->file->location[location].name, index, &indices), f->key) != 0)
        return false;
    int first = index[c->column] - f->low[c->column];
    int row = c->numbered ? first / c->width : c->row < 0 ? 0 : index[c->row] - f->low[c->row];
    *x = c->numbered ? first % c->width : first;
    *y = c->matrix ? c->height - 1 - row : row;
    return true;
}

typedef struct Pair {
    double x, y, at[3]; // of the board; of the table, cm
} Pair;

static int pairs_of(Convert *c, Pair *pair, Lay *lay) {
    int n = 0;
    for (int i = 0; i < c->file->locations; i++) {
        const LookPlace *place = &c->file->look->place[i];
        Pair p;
        if (!drawn_at(c, i, &p.x, &p.y))
            continue;
        if (place->robot_count > 0 && c->reach) {
            c->reach(place->robot, place->robot_count, p.at);
            pair[n++] = p;
        } else {
            lay->missing++;
        }
    }
    lay->given = n;
    return n;
}

// The board that is nearest to the places: turned, stretched and moved, but not mirrored.
static void find_board(const Convert *c, const Pair *pair, int n, Lay *lay) {
    double x = 0, y = 0, u = 0, v = 0, along = 0, across = 0, size = 0;
    lay->surface = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        x += pair[i].x / n;
        y += pair[i].y / n;
        u += pair[i].at[0] / n;
        v += pair[i].at[1] / n;
        lay->surface = fmin(lay->surface, pair[i].at[2]);
    }
    for (int i = 0; i < n; i++) {
        double px = pair[i].x - x, py = pair[i].y - y, pu = pair[i].at[0] - u,
               pv = pair[i].at[1] - v;
        along += px * pu + py * pv;
        across += px * pv - py * pu;
        size += px * px + py * py;
    }
    double a = size > 0 ? along / size : 0, b = size > 0 ? across / size : 0;
    double mx = (c->width - 1) / 2.0 - x, my = (c->height - 1) / 2.0 - y;
    lay->pitch = hypot(a, b);
    lay->turn = atan2(b, a) * DEGREES;
    lay->middle_x = u + a * mx - b * my;
    lay->middle_y = v + b * mx + a * my;
    for (int i = 0; i < n; i++) {
        double px = pair[i].x - x, py = pair[i].y - y;
        lay->off = fmax(lay->off, hypot(u + a * px - b * py - pair[i].at[0],
                                        v + b * px + a * py - pair[i].at[1]));
    }
}

static void add_board(Convert *c, Text *lines, Text *remarks) {
    Lay lay = {0};
    Pair *pair = ARENA_ARRAY(c->arena, Pair, c->file->locations + 1);
    int n = pairs_of(c, pair, &lay);
    if (n == 0)
        return;
    find_board(c, pair, n, &lay);
    if (lay.missing > 0 || n < 2)
        text_f(remarks, "# The S3 file gives joints for %d of the %d places of the board.\n", n,
               n + lay.missing);
    else if (lay.pitch < NARROW)
        text_add(remarks, "# The S3 file gives its places the same joints, or nearly: they do not "
                          "say where the board lies.\n");
    else if (lay.off > FAR)
        text_f(remarks,
               "# The joints that the S3 file gives its places do not make a board of squares: one "
               "would be %.0f mm off.\n",
               10 * lay.off);
    else {
        text_f(lines, "    middle %.0f, %.0f\n    pitch %.0f\n", 10 * lay.middle_x,
               10 * lay.middle_y, 10 * lay.pitch);
        if (fabs(lay.turn) >= 0.5)
            text_f(lines, "    turn %.0f\n", lay.turn);
        if (lay.surface >= 0.05)
            text_f(lines, "    surface %.0f\n", 10 * lay.surface);
        text_f(remarks,
               "# The board lies where the joints of the S3 file lead an AL5D, to %.0f mm.\n",
               10 * lay.off);
    }
}

// The kind that elements of a type became; -1: none, or several.
static int kind_of_type(Convert *c, const char *type) {
    int found = -1;
    for (int i = 0; i < c->file->elements; i++) {
        const S3Element *e = &c->file->element[i];
        int index[4], indices;
        if (!e->type_name || strcmp(e->type_name, type) != 0)
            continue;
        int family = cv_find(c->element, c->elements, cv_key(c, e->name, index, &indices));
        int kind = family >= 0 ? c->element[family].kind : -1;
        if (kind < 0 || (found >= 0 && found != kind))
            return -1;
        found = kind;
    }
    return found;
}

static double within(double value, double most) {
    return fmax(0, fmin(most, value));
}

static void add_colours(Convert *c, Text *lines, Text *remarks) {
    const Look *look = c->file->look;
    bool done[CV_FAMILIES] = {0}, odd = false;
    for (int i = 0; i < look->colours; i++) {
        const LookColour *colour = &look->colour[i];
        int k = kind_of_type(c, colour->name);
        if (k < 0 || done[k] || colour->saturation_min > colour->saturation_max ||
            colour->value_min > colour->value_max) {
            odd = true;
            continue;
        }
        done[k] = true;
        if (c->merged)
            text_f(lines, "    colour %s of %s ", c->piece_name, c->kind[k].name);
        else
            text_f(lines, "    colour %s ", c->kind[k].name);
        text_f(lines, "hue %.0f..%.0f saturation %.0f..%.0f value %.0f..%.0f\n",
               within(colour->hue_min, 360), within(colour->hue_max, 360),
               within(100 * colour->saturation_min, 100), within(100 * colour->saturation_max, 100),
               within(100 * colour->value_min, 100), within(100 * colour->value_max, 100));
    }
    if (odd)
        text_add(remarks, "# Not all colours for the camera could be kept: one for each kind.\n");
}

static bool has_pixels(const Look *look, int places) {
    for (int i = 0; i < places; i++)
        if (look->place[i].has_camera)
            return true;
    return false;
}

void cv_table(Convert *c, Text *out) {
    const Look *look = c->file->look;
    Text lines = {0}, remarks = {0};
    if (!look)
        return;
    add_board(c, &lines, &remarks);
    add_colours(c, &lines, &remarks);
    if (has_pixels(look, c->file->locations))
        text_add(&remarks,
                 "# Pixels of places are left out: tags or corners tell where the board is "
                 "in a picture.\n");
    if (remarks.n)
        text_f(out, "\n%s", text_c(&remarks));
    if (lines.n)
        text_f(out, "%stable\n%s", remarks.n ? "" : "\n", text_c(&lines));
    text_free(&lines);
    text_free(&remarks);
}
