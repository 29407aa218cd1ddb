// sim_camera: see sim_camera.h.
#include "robot/sim_camera.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

#define ROUND 24            // corners of a circle
#define SIM_NOISE (1 << 16) // random numbers that are kept
#define TAG_MOST 4.0        // cm across, where there is room
#define PALM 4.5            // cm: half of a person's hand

static const Shade table_colour = {{118, 116, 112}, 1, 1}, wood = {{221, 196, 152}, 1, 1},
                   grain = {{150, 122, 84}, 1, 1}, spot = {{196, 170, 126}, 1, 1},
                   metal = {{44, 44, 48}, 1.15, 0.85}, fingers = {{70, 70, 74}, 1.1, 0.9},
                   skin = {{226, 174, 142}, 1.05, 0.85};

static Point on_surface(const Table *t, double x, double y) {
    return (Point){x, y, t->surface};
}

static double widest(const Table *t) {
    double r = 0.5;
    for (int k = 0; k < t->kinds; k++)
        r = fmax(r, t->kind[k].radius);
    return r;
}

// --- the background ---

// Cells that are as near to each other as cells of this board get.
static double pitch_of(const Table *t) {
    double nearest = HUGE_VAL;
    for (int i = 0; i < t->cells; i++)
        for (int j = 0; j < i; j++)
            nearest = fmin(nearest, hypot(t->site[i].at.x - t->site[j].at.x,
                                          t->site[i].at.y - t->site[j].at.y));
    return nearest < HUGE_VAL ? nearest : 3;
}

static void draw_board(SimEye *e, double pitch) {
    // A convex board round all cells: each of them is taken as a small octagon; the hull is taken
    // of a few at a time.
    const Table *t = e->table;
    Pixel hull[DRAW_CORNERS];
    int n = 0;
    for (int i = 0; i < t->cells; i++) {
        for (int k = 0; k < 8; k++) {
            double turn = (k + 0.5) * 0.78539816339744831, far = pitch * 0.75;
            Point at =
                on_surface(t, t->site[i].at.x + far * cos(turn), t->site[i].at.y + far * sin(turn));
            if (n < DRAW_CORNERS && lens_see(&e->lens, at, &hull[n]))
                n++;
        }
        if (n > DRAW_CORNERS - 8)
            n = draw_hull(hull, n);
    }
    if (n >= 3)
        draw_polygon(&e->background, NULL, hull, draw_hull(hull, n), wood);
}

static void draw_lines(SimEye *e, double pitch) {
    const Table *t = e->table;
    for (int i = 0; i < t->cells; i++) {
        for (int j = 0; j < i; j++) {
            Point p = on_surface(t, t->site[i].at.x, t->site[i].at.y);
            Point q = on_surface(t, t->site[j].at.x, t->site[j].at.y);
            Pixel a, b;
            if (hypot(p.x - q.x, p.y - q.y) < 1.1 * pitch && lens_see(&e->lens, p, &a) &&
                lens_see(&e->lens, q, &b))
                draw_line(&e->background, NULL, a, b, 2, 2, grain);
        }
    }
}

static void draw_spots(SimEye *e) {
    const Table *t = e->table;
    for (int i = 0; i < t->sites; i++) {
        Pixel corner[ROUND];
        Shade shade = i < t->cells ? spot : (Shade){{146, 143, 138}, 1, 1};
        double radius = widest(t) * (i < t->cells ? 0.5 : 1);
        if (draw_circle(&e->lens, on_surface(t, t->site[i].at.x, t->site[i].at.y), radius, corner,
                        ROUND))
            draw_polygon(&e->background, NULL, corner, ROUND, shade);
    }
}

// Light falls from one side; nothing is quite even.
static void draw_light(SimEye *e) {
    Picture *p = &e->background;
    for (int y = 0; y < p->height; y++) {
        for (int x = 0; x < p->width; x++) {
            size_t at = (size_t)y * (size_t)p->width + (size_t)x;
            double across = (0.8 * x / p->width + 0.2 * y / p->height);
            double wave = 1 + 0.012 * sin(x * 0.11 + 2 * sin(y * 0.017));
            e->light[at] = (uint16_t)(256 * (1 - e->look.light * across));
            for (size_t k = 0; k < 3; k++) {
                double v = p->pixel[at * 3 + k] * wave * e->light[at] / 256.0;
                p->pixel[at * 3 + k] = (uint8_t)fmin(255, v);
            }
        }
    }
}

static void draw_cell(SimEye *e, Point low, double side, uint8_t value) {
    Pixel corner[4];
    for (int k = 0; k < 4; k++) {
        Point at = {low.x + (k == 1 || k == 2 ? side : 0), low.y + (k >= 2 ? side : 0), low.z};
        if (!lens_see(&e->lens, at, &corner[k]))
            return;
    }
    draw_polygon(&e->background, NULL, corner, 4, (Shade){{value, value, value}, 1, 1});
}

static double tag_size(const Table *t, int tag) {
    double size = TAG_MOST;
    for (int i = 0; i < t->sites; i++) {
        double far = fmax(fabs(t->site[i].at.x - t->corner[tag * 2]),
                          fabs(t->site[i].at.y - t->corner[tag * 2 + 1]));
        size = fmin(size, 2 * (far - widest(t)) * TAG_CELLS / (TAG_CELLS + 2));
    }
    return fmax(size, 1.5);
}

static bool draw_tags(SimEye *e, Text *why) {
    for (int tag = 0; tag < 4; tag++) {
        uint8_t cells[TAG_CELLS * TAG_CELLS];
        if (!tags_cells(tag, cells)) {
            text_add(why, "this program was built without the library of tags");
            return false;
        }
        double cell = tag_size(e->table, tag) / TAG_CELLS, half = cell * TAG_CELLS / 2;
        Point low = on_surface(e->table, e->table->corner[tag * 2] - half,
                               e->table->corner[tag * 2 + 1] - half);
        draw_cell(e, (Point){low.x - cell, low.y - cell, low.z}, cell * (TAG_CELLS + 2), 245);
        for (int i = 0; i < TAG_CELLS * TAG_CELLS; i++) {
            Point at = {low.x + i % TAG_CELLS * cell,
                        low.y + (TAG_CELLS - 1 - i / TAG_CELLS) * cell, low.z};
            draw_cell(e, at, cell, cells[i] ? 245 : 12);
        }
    }
    return true;
}

static bool draw_background(SimEye *e, Text *why) {
    Picture *p = &e->background;
    double pitch = pitch_of(e->table);
    for (size_t i = 0; i < (size_t)p->width * (size_t)p->height; i++)
        memcpy(&p->pixel[i * 3], table_colour.rgb, 3);
    draw_board(e, pitch);
    draw_lines(e, pitch);
    draw_spots(e);
    if (e->look.tags && !draw_tags(e, why))
        return false;
    draw_light(e);
    return true;
}

// --- the eye ---

// A camera as the file says, if it gives enough pixels and such a camera sees all sites.
static bool lens_of_file(SimEye *e) {
    const Table *t = e->table;
    View v;
    table_view(t, &v); // knows which sites the file gives pixels of
    if (!view_by_pixels(&v, e->look.width, e->look.height))
        return false;
    lens_of(&e->lens, &v, t->site[0].at);
    double room = widest(t);
    for (int i = 0; i < 4 * t->sites; i++) {
        Point at = t->site[i / 4].at;
        Pixel p;
        at.x += i % 2 ? room : -room;
        at.y += i % 4 < 2 ? room : -room;
        if (!lens_see(&e->lens, at, &p) || p.x < 0 || p.x >= v.width || p.y < 0 || p.y >= v.height)
            return false;
    }
    return true;
}

// Else one over the table that sees all sites, and the tags.
static void lens_of_sites(SimEye *e) {
    const Table *t = e->table;
    Point points[8];
    for (int k = 0; k < 4; k++) {
        double x = e->corner[k * 2], y = e->corner[k * 2 + 1], out = TAG_MOST / 2 + 0.5;
        points[k] = on_surface(t, x, y);
        if (e->look.tags)
            points[k + 4] = on_surface(t, t->corner[k * 2] + (k == 1 || k == 2 ? out : -out),
                                       t->corner[k * 2 + 1] + (k >= 2 ? out : -out));
    }
    lens_over(&e->lens, points, e->look.tags ? 8 : 4, e->look.tilt, e->look.width, e->look.height);
}

static void place_lens(SimEye *e) {
    const Table *t = e->table;
    double room = widest(t) + 0.6;
    Point low = t->site[0].at, high = low;
    for (int i = 1; i < t->sites; i++) {
        Point at = t->site[i].at;
        low = (Point){fmin(low.x, at.x), fmin(low.y, at.y), 0};
        high = (Point){fmax(high.x, at.x), fmax(high.y, at.y), 0};
    }
    const double corner[8] = {low.x - room,  low.y - room,  high.x + room, low.y - room,
                              high.x + room, high.y + room, low.x - room,  high.y + room};
    memcpy(e->corner, corner, sizeof corner);
    if (!lens_of_file(e))
        lens_of_sites(e);
}

static double gauss(Rng *rng) {
    double sum = 0; // of twelve even ones: near enough, and never far out
    for (int i = 0; i < 12; i++)
        sum += (double)(rng_next(rng) >> 11) / 9007199254740992.0;
    return sum - 6;
}

bool sim_eye_init(SimEye *e, const Table *t, const SimLook *look, uint64_t seed, Text *why) {
    *e = (SimEye){.table = t, .look = *look};
    if (e->look.width == 0 && e->look.height == 0) {
        e->look.width = 640;
        e->look.height = 480;
    }
    rng_seed(&e->rng, seed);
    if (t->sites == 0 || t->kinds == 0) {
        text_add(why, "there is nothing on this table");
        return false;
    }
    size_t pixels = (size_t)e->look.width * (size_t)e->look.height;
    bool ok = picture_size(&e->background, e->look.width, e->look.height) &&
              picture_size(&e->frame, e->look.width, e->look.height);
    e->light = ok ? mem_alloc(sizeof *e->light * pixels) : NULL;
    e->noise = mem_alloc(SIM_NOISE);
    e->order = mem_alloc(sizeof *e->order * ((size_t)t->sites * SCENE_LEVELS + 1));
    if (!ok || !e->light || !e->noise || !e->order) {
        text_add(why, "out of memory, or pictures of no size");
        return false;
    }
    for (int i = 0; i < SIM_NOISE; i++)
        e->noise[i] = (int8_t)fmax(-127, fmin(127, round(gauss(&e->rng) * e->look.noise)));
    place_lens(e);
    return draw_background(e, why);
}

bool sim_eye_push(SimEye *e, double degrees, double right, double down, Text *why) {
    double turn = degrees * 0.017453292519943295, c = cos(turn), s = sin(turn);
    double mx = e->look.width / 2.0, my = e->look.height / 2.0, *m = e->lens.m;
    for (int i = 0; i < 4; i++) {
        double x = m[i] - mx * m[8 + i], y = m[4 + i] - my * m[8 + i];
        m[i] = c * x - s * y + (mx + right) * m[8 + i];
        m[4 + i] = s * x + c * y + (my + down) * m[8 + i];
    }
    return draw_background(e, why);
}

void sim_eye_free(SimEye *e) {
    picture_free(&e->background);
    picture_free(&e->frame);
    mem_free(e->light);
    mem_free(e->noise);
    mem_free(e->order);
    *e = (SimEye){0};
}

// --- a frame ---

static Shade painted(const TableKind *k, double left, double right) {
    return (Shade){{k->paint[0], k->paint[1], k->paint[2]}, left, right};
}

static void draw_piece(SimEye *e, const SimWorld *w, const SimPiece *p) {
    const TableKind *kind = &w->table->kind[p->kind];
    Pixel corner[2 * ROUND];
    Point top = {p->at.x, p->at.y, p->at.z + kind->height};
    if (!draw_circle(&e->lens, p->at, kind->radius, corner, ROUND) ||
        !draw_circle(&e->lens, top, kind->radius, corner + ROUND, ROUND))
        return;
    Pixel lid[ROUND];
    memcpy(lid, corner + ROUND, sizeof lid);
    int n = draw_hull(corner, 2 * ROUND);
    draw_polygon(&e->frame, e->light, corner, n, painted(kind, 0.86, 0.66));
    draw_polygon(&e->frame, e->light, lid, ROUND, painted(kind, 1.04, 0.94));
}

// Pieces that hide others come later: those on top, then those nearer to the camera.
static void draw_pieces(SimEye *e, const SimWorld *w) {
    int n = 0;
    for (int i = 0; i < w->pieces; i++) {
        const SimPiece *p = &w->piece[i];
        if (p->place == SIM_LIFTED)
            continue;
        const double *m = &e->lens.m[8];
        double depth = m[0] * p->at.x + m[1] * p->at.y + m[2] * p->at.z;
        int k = n++;
        for (; k > 0; k--) {
            Point q = w->piece[e->order[k - 1]].at;
            if (m[0] * q.x + m[1] * q.y + m[2] * q.z >= depth)
                break;
            e->order[k] = e->order[k - 1];
        }
        e->order[k] = i;
    }
    for (int i = 0; i < n; i++)
        draw_piece(e, w, &w->piece[e->order[i]]);
}

static void draw_bar(SimEye *e, Point a, Point b, double wide_a, double wide_b, Shade shade) {
    Pixel p, q;
    if (lens_see(&e->lens, a, &p) && lens_see(&e->lens, b, &q))
        draw_line(&e->frame, e->light, p, q, wide_a * lens_scale(&e->lens, a),
                  wide_b * lens_scale(&e->lens, b), shade);
}

static void draw_disc(SimEye *e, Point middle, double radius, Shade shade) {
    Pixel corner[ROUND];
    if (draw_circle(&e->lens, middle, radius, corner, ROUND))
        draw_polygon(&e->frame, e->light, corner, ROUND, shade);
}

static void draw_arm(SimEye *e, const SimWorld *w) {
    const SimHand *h = &w->hand;
    const Point *j = h->joint;
    draw_disc(e, (Point){j[0].x, j[0].y, 2}, 5, metal);
    if (!h->known)
        return;
    double turn = h->direction * 0.017453292519943295, half = widest(w->table) * 0.5;
    half += (w->held >= 0 ? 0.6 : fmax(0.1, h->opened)) * half;
    for (int side = -1; side <= 1; side += 2) { // two fingers, from a knuckle over them
        Point knuckle = {(j[3].x + j[2].x) / 2, (j[3].y + j[2].y) / 2, (j[3].z + j[2].z) / 2};
        Point off = {side * half * cos(turn), -side * half * sin(turn), 0};
        draw_bar(e, (Point){j[3].x + off.x, j[3].y + off.y, j[3].z - 0.3},
                 (Point){knuckle.x + off.x, knuckle.y + off.y, knuckle.z}, 0.4, 0.9, fingers);
    }
    draw_bar(e, (Point){(j[3].x + j[2].x) / 2, (j[3].y + j[2].y) / 2, (j[3].z + j[2].z) / 2}, j[2],
             2.4, 2.6, metal);
    draw_bar(e, j[2], j[1], 2.6, 3.2, metal);
    draw_bar(e, j[1], j[0], 3.2, 4, metal);
    draw_disc(e, j[2], 1.5, metal);
    draw_disc(e, j[1], 1.8, metal);
}

static void draw_person(SimEye *e, const SimWorld *w, Point at) {
    Point elbow = {at.x + 4, at.y + 35, at.z + 6};
    (void)w;
    draw_bar(e, at, elbow, 5.5, 8, skin);
    draw_disc(e, at, PALM, skin);
    for (int finger = -1; finger <= 2; finger++)
        draw_bar(e, at, (Point){at.x + finger * 1.7 - 0.8, at.y - 8 + fabs(finger - 0.5), at.z}, 2,
                 1.5, skin);
}

// Row by row out of the frame: shifted, and with noise from anywhere in the kept numbers.
static void develop(SimEye *e, Picture *out) {
    int width = out->width, height = out->height, shift[2];
    for (int k = 0; k < 2; k++) {
        double part = (double)(rng_next(&e->rng) >> 11) / 9007199254740992.0;
        shift[k] = (int)lround((2 * part - 1) * e->look.shake);
        int most = k ? height / 4 : width / 4;
        shift[k] = shift[k] < -most ? -most : shift[k] > most ? most : shift[k];
    }
    for (int y = 0; y < height; y++) {
        int from_y = y + shift[1];
        from_y = from_y < 0 ? 0 : from_y >= height ? height - 1 : from_y;
        const uint8_t *row = &e->frame.pixel[(size_t)from_y * (size_t)width * 3];
        uint8_t *to = &out->pixel[(size_t)y * (size_t)width * 3];
        int begin = shift[0] < 0 ? -shift[0] : 0, end = shift[0] > 0 ? width - shift[0] : width;
        memcpy(to + begin * 3, row + (begin + shift[0]) * 3, (size_t)(end - begin) * 3);
        for (int x = 0; x < width; x++)
            if (x < begin || x >= end)
                memcpy(to + x * 3, row + (x < begin ? 0 : width - 1) * 3, 3);
        if (!(e->look.noise > 0))
            continue;
        for (int x = 0; x < width * 3;) {
            int at = (int)rng_below(&e->rng, SIM_NOISE - 1024);
            int stop = x + 1024 < width * 3 ? x + 1024 : width * 3;
            for (; x < stop; x++, at++) {
                int v = to[x] + e->noise[at];
                to[x] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
            }
        }
    }
}

bool sim_eye_take(SimEye *e, const SimWorld *w, const Point *person, Picture *out) {
    if (out->width != e->look.width || out->height != e->look.height || !out->pixel) {
        if (!picture_size(out, e->look.width, e->look.height))
            return false;
    }
    memcpy(e->frame.pixel, e->background.pixel, (size_t)e->look.width * (size_t)e->look.height * 3);
    draw_pieces(e, w);
    draw_arm(e, w);
    if (person)
        draw_person(e, w, *person);
    develop(e, out);
    return true;
}
