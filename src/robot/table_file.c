// table_file: what people taught about a table, as a text file.
//
//     game = mill
//     light = 183                           # of the board when colours were learnt, of 255
//     [corners]                             # of Table.corner, in the camera's picture
//     picture = 640, 480
//     front left = 80.5, 410                # and so on
//     [d3]
//     above = 0, -5.6, -1.8, -82.7, 85
//     down = 0, -17.5, -16.1, -56.4, 85
//     [white man]
//     hue = 40, 60                          # degrees
//     saturation = 30, 100                  # percent
//     value = 40, 100
//     size = 120, 900                       # pixels; 0, 0 is worked out
//
// Everything is checked before anything is taken over.
#include "robot/table.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOST 300 // bytes
#define NUMBERS 5     // of a line, at most: the joints of a pose

static const char *const corner_names[] = {"front left", "front right", "back right", "back left"};

typedef enum Below { BELOW_NOTHING, BELOW_CORNERS, BELOW_SITE, BELOW_KIND, BELOW_UNKNOWN } Below;

typedef struct Reading {
    const Table *table;
    Diags *diags;
    Span span; // of the line
    Below below;
    int which;                  // site or kind of the heading
    Span *said;                 // [sites]: where the heading of a site is
    bool *has_above, *has_down; // [sites]
    Pose *above, *down;         // [sites]
    Colours colours[VIEW_KINDS];
    double light; // 0: not said
    double size[2], corner[8];
    int corners; // a bit for each that was said
    Span corners_at;
} Reading;

static char *trim(char *s) {
    s += strspn(s, " \t\r");
    size_t n = strlen(s);
    while (n > 0 && strchr(" \t\r", s[n - 1]))
        s[--n] = 0;
    return s;
}

// --- lines ---

static void heading(Reading *r, char *line) {
    char *end = strrchr(line, ']');
    r->below = BELOW_UNKNOWN;
    if (!end || end[1]) {
        diag_error(r->diags, r->span, "a heading is a place or a piece in brackets: `[a1]`");
        return;
    }
    *end = 0;
    const char *name = trim(line + 1);
    int site = table_site_named(r->table, name), kind = table_kind_named(r->table, name);
    r->which = site >= 0 ? site : kind;
    if (site >= 0) {
        r->below = BELOW_SITE;
        r->said[site] = r->span;
    } else if (kind >= 0) {
        r->below = BELOW_KIND;
    } else if (strcmp(name, "corners") == 0) {
        r->below = BELOW_CORNERS;
        r->corners_at = r->span;
    } else {
        diag_error(r->diags, r->span, "`%s` has no place and no piece `%.60s`",
                   r->table->game->name, name);
    }
}

// So many numbers with commas between them; false if it is something else.
static bool numbers(Reading *r, const char *name, const char *value, int count, double *out) {
    const char *at = value;
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        char *end;
        out[i] = strtod(at, &end);
        ok = end != at && isfinite(out[i]);
        end += strspn(end, " \t");
        ok = ok && *end == (i + 1 < count ? ',' : '\0');
        at = end + 1;
    }
    if (!ok || strpbrk(value, "xXpPnN")) {
        diag_error(r->diags, r->span, "`%s` has %d numbers, with commas between them", name, count);
        return false;
    }
    return true;
}

static void set_pose(Reading *r, const char *name, const char *value) {
    bool above = strcmp(name, "above") == 0;
    double angle[NUMBERS], degrees;
    Pose pose;
    if (!above && strcmp(name, "down") != 0) {
        diag_error(r->diags, r->span, "a place has `above` and `down`, not `%.40s`", name);
        return;
    }
    if (!numbers(r, name, value, ARM_JOINTS, angle))
        return;
    memcpy(pose.angle, angle, sizeof pose.angle);
    int joint = arm_beyond(r->table->arm, &pose, &degrees);
    if (joint >= 0) {
        const ArmJoint *a = &r->table->arm->joint[joint];
        diag_error(r->diags, r->span, "the %s cannot stand at %g degrees: it can from %g to %g",
                   arm_joint_name(joint), angle[joint], a->low, a->high);
        return;
    }
    (above ? r->above : r->down)[r->which] = pose;
    (above ? r->has_above : r->has_down)[r->which] = true;
}

// Two bounds; a range of hues may go through 0.
static bool range(Reading *r, const char *name, const char *value, double most, double *low,
                  double *high) {
    double n[2];
    if (!numbers(r, name, value, 2, n))
        return false;
    if (!(n[0] >= 0 && n[0] <= most && n[1] >= 0 && n[1] <= most) ||
        (n[0] > n[1] && strcmp(name, "hue") != 0)) {
        diag_error(r->diags, r->span, "`%s` is from 0 to %g, the smaller first", name, most);
        return false;
    }
    *low = n[0];
    *high = n[1];
    return true;
}

static void set_colours(Reading *r, const char *name, const char *value) {
    Colours *c = &r->colours[r->which];
    double low, high;
    if (strcmp(name, "hue") == 0) {
        range(r, name, value, 360, &c->hue_min, &c->hue_max);
    } else if (strcmp(name, "saturation") == 0) {
        if (range(r, name, value, 100, &low, &high))
            c->saturation_min = low / 100, c->saturation_max = high / 100;
    } else if (strcmp(name, "value") == 0) {
        if (range(r, name, value, 100, &low, &high))
            c->value_min = low / 100, c->value_max = high / 100;
    } else if (strcmp(name, "size") == 0) {
        if (range(r, name, value, 1e7, &low, &high))
            c->size_min = (int)low, c->size_max = (int)high;
    } else {
        diag_error(r->diags, r->span,
                   "a piece has `hue`, `saturation`, `value` and `size`, not `%.40s`", name);
    }
}

static void set_corner(Reading *r, const char *name, const char *value) {
    double n[2];
    bool size = strcmp(name, "picture") == 0;
    int which = 0;
    while (which < 4 && strcmp(corner_names[which], name) != 0)
        which++;
    if (!size && which == 4) {
        diag_error(r->diags, r->span,
                   "corners are `front left`, `front right`, `back right` and "
                   "`back left`, of a `picture`");
        return;
    }
    if (!numbers(r, name, value, 2, n))
        return;
    if (size && !(n[0] >= 1 && n[0] <= PICTURE_SIDE_MOST && n[1] >= 1 && n[1] <= PICTURE_SIDE_MOST))
        diag_error(r->diags, r->span, "a picture has from 1 to %d pixels each way",
                   PICTURE_SIDE_MOST);
    memcpy(size ? r->size : &r->corner[2 * which], n, sizeof n);
    r->corners |= 1 << (size ? 4 : which);
}

static void set_light(Reading *r, const char *value) {
    double n[NUMBERS];
    if (!numbers(r, "light", value, 1, n))
        return;
    if (n[0] >= 1 && n[0] <= 255)
        r->light = n[0];
    else
        diag_error(r->diags, r->span, "the board's `light` is from 1 to 255");
}

static void setting(Reading *r, char *line) {
    char *equals = strchr(line, '=');
    if (!equals) {
        diag_error(r->diags, r->span, "a line is `name = value`, or a heading in brackets");
        return;
    }
    *equals = 0;
    const char *name = trim(line), *value = trim(equals + 1);
    switch (r->below) {
    case BELOW_NOTHING:
        if (strcmp(name, "light") == 0)
            set_light(r, value);
        else if (strcmp(name, "game") != 0)
            diag_error(r->diags, r->span, "nothing is known about `%.40s` here", name);
        else if (strcmp(value, r->table->game->name) != 0)
            diag_error(r->diags, r->span, "this is about `%.60s`, not about `%s`", value,
                       r->table->game->name);
        break;
    case BELOW_CORNERS: set_corner(r, name, value); break;
    case BELOW_SITE: set_pose(r, name, value); break;
    case BELOW_KIND: set_colours(r, name, value); break;
    case BELOW_UNKNOWN: break; // told of already
    }
}

static void read_line(Reading *r, const char *text, size_t n) {
    char copy[LINE_MOST + 1];
    if (n > LINE_MOST || memchr(text, 0, n)) {
        diag_error(r->diags, r->span, "a line has at most %d bytes, all of text", LINE_MOST);
        return;
    }
    memcpy(copy, text, n);
    copy[n] = 0;
    r->span.length = n > 0 ? (int)n : 1;
    char *line = trim(copy);
    if (*line == '#')
        return;
    if (*line != '[') // names of places may have anything in them
        line[strcspn(line, "#")] = 0;
    else if (strstr(line, "] "))
        strstr(line, "] ")[1] = 0;
    line = trim(line);
    if (*line == '[')
        heading(r, line);
    else if (*line)
        setting(r, line);
}

// --- the whole ---

static void check_whole(Reading *r) {
    for (int i = 0; i < r->table->sites; i++)
        if (r->has_above[i] != r->has_down[i])
            diag_error(r->diags, r->said[i], "`%s` needs both `above` and `down`",
                       r->table->site[i].name);
    if (r->corners && r->corners != 31)
        diag_error(r->diags, r->corners_at, "corners are four, and the size of their `picture`");
}

static bool take_corners(Reading *r, View *view) {
    if (!r->corners)
        return true;
    View next = *view;
    next.width = (int)r->size[0];
    next.height = (int)r->size[1];
    next.plane = r->table->surface;
    if (view_place(&next, r->table->corner, r->corner, 4)) {
        view_check_pixels(&next);
        *view = next;
        return true;
    }
    diag_error(r->diags, r->corners_at, "three of the corners are in a row");
    return false;
}

static void take_over(const Reading *r, Table *t, View *view) {
    if (view && r->light > 0)
        view->light = r->light;
    for (int i = 0; i < t->sites; i++) {
        if (!r->has_above[i])
            continue;
        table_teach(t, i, &r->above[i], &r->down[i]);
    }
    for (int k = 0; k < t->kinds && k < VIEW_KINDS; k++) {
        t->kind[k].colours = r->colours[k];
        if (view && k < view->kinds)
            view->kind[k].colours = r->colours[k];
    }
}

static bool begin(Reading *r) {
    size_t n = (size_t)r->table->sites + 1;
    r->said = mem_alloc(sizeof *r->said * n);
    r->has_above = mem_alloc(sizeof *r->has_above * n);
    r->has_down = mem_alloc(sizeof *r->has_down * n);
    r->above = mem_alloc(sizeof *r->above * n);
    r->down = mem_alloc(sizeof *r->down * n);
    for (int k = 0; k < r->table->kinds && k < VIEW_KINDS; k++)
        r->colours[k] = r->table->kind[k].colours;
    return r->said && r->has_above && r->has_down && r->above && r->down;
}

static void end(Reading *r) {
    mem_free(r->said);
    mem_free(r->has_above);
    mem_free(r->has_down);
    mem_free(r->above);
    mem_free(r->down);
}

bool table_read(const Source *source, Table *t, View *view, Diags *diags) {
    int before = diags->errors;
    Reading r = {.table = t, .diags = diags};
    diags->source = source;
    if (!begin(&r)) {
        diag_error(diags, (Span){0}, "out of memory");
    } else {
        const char *at = source->text, *stop = source->text + source->size;
        for (int line = 1; at < stop; line++) {
            const char *newline = memchr(at, '\n', (size_t)(stop - at));
            size_t n = (size_t)((newline ? newline : stop) - at);
            r.span = (Span){line, 1, 1};
            read_line(&r, at, n);
            at += n + (newline ? 1 : 0);
        }
        check_whole(&r);
    }
    View none = {0};
    bool ok = diags->errors == before && take_corners(&r, view ? view : &none);
    if (ok)
        take_over(&r, t, view);
    end(&r);
    return ok;
}

// --- writing ---

static void write_pose(const char *name, const Pose *pose, Text *out) {
    text_f(out, "%s = ", name);
    for (int j = 0; j < ARM_JOINTS; j++)
        text_f(out, "%s%.10g", j ? ", " : "", pose->angle[j]);
    text_char(out, '\n');
}

static void write_corners(const Table *t, const View *view, Text *out) {
    text_f(out, "\n[corners]\npicture = %d, %d\n", view->width, view->height);
    for (int i = 0; i < 4; i++) {
        double x, y;
        homography_map(view->to_picture, t->corner[2 * i], t->corner[2 * i + 1], &x, &y);
        text_f(out, "%s = %.4f, %.4f\n", corner_names[i], x, y);
    }
}

void table_write(const Table *t, const View *view, Text *out) {
    text_f(out,
           "# What was taught: joints in degrees, pixels of the picture, colours of pieces.\n"
           "game = %s\n",
           t->game->name);
    if (view && view->light > 0)
        text_f(out, "light = %.1f\n", view->light);
    if (view && view->placed && view->width > 0)
        write_corners(t, view, out);
    for (int k = 0; k < t->kinds && k < VIEW_KINDS; k++) {
        const Colours *c = view && k < view->kinds ? &view->kind[k].colours : &t->kind[k].colours;
        text_f(out, "\n[%s]\nhue = %.10g, %.10g\nsaturation = %.10g, %.10g\n", t->kind[k].name,
               c->hue_min, c->hue_max, 100 * c->saturation_min, 100 * c->saturation_max);
        text_f(out, "value = %.10g, %.10g\nsize = %d, %d\n", 100 * c->value_min, 100 * c->value_max,
               c->size_min, c->size_max);
    }
    for (int i = 0; i < t->sites; i++) {
        if (!t->site[i].taught)
            continue;
        text_f(out, "\n[%s]\n", t->site[i].name);
        write_pose("above", &t->site[i].above, out);
        write_pose("down", &t->site[i].down, out);
    }
}
