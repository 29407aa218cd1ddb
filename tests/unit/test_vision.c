// What stands on a board, read from drawn pictures: noise, uneven light, perspective, a camera that
// shakes, tall pieces, piles, hands, kinds in every colour.
#include "base/mem.h"
#include "board_picture.h"
#include "vision/blobs.h"
#include "vision/see.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t wood[3] = {215, 185, 140}, ground[3] = {118, 116, 112}, ink[3] = {50, 40, 35};

typedef struct Paint {
    Colours colours;
    uint8_t rgb[3];
} Paint;

static const Paint yellow = {{42, 68, 0.4, 1, 0.3, 1, 0, 0}, {240, 205, 30}},
                   blue = {{205, 250, 0.35, 1, 0.2, 1, 0, 0}, {40, 80, 215}},
                   red = {{345, 10, 0.4, 1, 0.25, 1, 0, 0}, {215, 30, 35}},
                   green = {{95, 150, 0.35, 1, 0.2, 1, 0, 0}, {40, 165, 60}},
                   purple = {{262, 295, 0.3, 1, 0.2, 1, 0, 0}, {135, 50, 190}},
                   cyan = {{168, 195, 0.35, 1, 0.25, 1, 0, 0}, {30, 190, 200}},
                   white = {{0, 360, 0, 0.2, 0.7, 1, 0, 0}, {240, 240, 240}},
                   black = {{0, 360, 0, 1, 0, 0.22, 0, 0}, {20, 20, 20}};

typedef struct Stage { // a board on a table, and the camera before it
    Pinhole camera;
    View view;
    uint8_t rgb[VIEW_KINDS][3];
    int cells;
} Stage;

// The points of a mill board, then 9 stores on each side.
static void place_mill(View *v) {
    for (int y = -3; y <= 3; y++)
        for (int x = -3; x <= 3; x++) {
            int ring = abs(x) > abs(y) ? abs(x) : abs(y);
            if (ring && (x == 0 || y == 0 || abs(x) == abs(y)))
                v->place[v->places++] = (ViewPlace){.x = 3 * x, .y = 21 + 3 * y, .z = 0.5};
        }
    for (int side = -1; side <= 1; side += 2)
        for (int i = 0; i < 9; i++)
            v->place[v->places++] = (ViewPlace){.x = 13 * side, .y = 9 + 3 * i};
}

static void place_squares(View *v, int n) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            v->place[v->places++] = (ViewPlace){
                .x = 3 * (x - (n - 1) / 2.0), .y = 21 + 3 * (y - (n - 1) / 2.0), .z = 0.5};
}

static const double corner[8] = {-11.5, 9.5, 11.5, 9.5, 11.5, 32.5, -11.5, 32.5};

static Stage stage_of(const Pinhole *c, const Paint *const *paint, double height) {
    Stage s = {.camera = *c};
    s.view.width = c->width;
    s.view.height = c->height;
    s.view.plane = 0.5;
    for (; paint[s.view.kinds]; s.view.kinds++) {
        s.view.kind[s.view.kinds] =
            (ViewKind){.colours = paint[s.view.kinds]->colours, .radius = 1.1, .height = height};
        memcpy(s.rgb[s.view.kinds], paint[s.view.kinds]->rgb, 3);
    }
    double pixels[8];
    for (int i = 0; i < 4; i++)
        pinhole_see(c, corner[2 * i], corner[2 * i + 1], 0.5, &pixels[2 * i], &pixels[2 * i + 1]);
    assert_true(view_place(&s.view, corner, pixels, 4));
    return s;
}

static void draw_board(const Stage *s, Drawing *d) {
    static const double table[8] = {-11.5, 9.5, 11.5, 9.5, 11.5, 32.5, -11.5, 32.5};
    draw_begin(d, &s->camera, ground);
    draw_shape(d, table, 4, 0.5, wood);
    for (int ring = 3; ring <= 9; ring += 3)
        for (int side = -1; side <= 1; side += 2) {
            draw_line(d, -ring, 21 + side * ring, ring, 21 + side * ring, 0.2, 0.5, ink);
            draw_line(d, side * ring, 21 - ring, side * ring, 21 + ring, 0.2, 0.5, ink);
        }
    for (int side = -1; side <= 1; side += 2) {
        draw_line(d, side * 3, 21, side * 9, 21, 0.2, 0.5, ink);
        draw_line(d, 0, 21 + side * 3, 0, 21 + side * 9, 0.2, 0.5, ink);
    }
}

// Pieces from far to near, so that the near ones hide the others; askew within a mm or two.
static void draw_pieces(const Stage *s, const uint8_t *content, Rng *rng, Drawing *d) {
    int order[VIEW_PLACES];
    double far[VIEW_PLACES], tilt = s->camera.tilt * M_PI / 180, turn = s->camera.turn * M_PI / 180;
    double back = s->camera.distance * sin(tilt); // where the camera's foot is
    double fx = sin(turn) * back, fy = 21 - cos(turn) * back;
    for (int i = 0; i < s->view.places; i++) {
        far[i] = hypot(s->view.place[i].x - fx, s->view.place[i].y - fy);
        int k = i;
        for (; k > 0 && far[order[k - 1]] < far[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (int i = 0; i < s->view.places; i++) {
        const ViewPlace *p = &s->view.place[order[i]];
        int kind = content[order[i]];
        if (kind != SEE_NOTHING)
            draw_piece(d, p->x + draw_uniform(rng, -0.15, 0.15),
                       p->y + draw_uniform(rng, -0.15, 0.15), p->z, s->view.kind[kind].height,
                       s->view.kind[kind].radius, s->rgb[kind]);
    }
}

static void random_content(const Stage *s, Rng *rng, uint8_t *content) {
    int full = (int)rng_below(rng, 11);
    for (int i = 0; i < s->view.places; i++)
        content[i] = (int)rng_below(rng, 10) < full
                         ? (uint8_t)rng_below(rng, (uint64_t)s->view.kinds)
                         : SEE_NOTHING;
}

// What was read, over many pictures.
typedef struct Score {
    int places, wrong, hands, doubtful;
    double margin; // the least by which the right one was ahead
} Score;

static void compare(const Stage *s, const uint8_t *content, const Sight *sight, Score *score) {
    score->hands += sight->hand;
    for (int i = 0; i < s->view.places; i++) {
        const Seen *seen = &sight->seen[i];
        int right = content[i] == SEE_NOTHING ? VIEW_KINDS : content[i];
        double ahead = 1e9;
        for (int k = 0; k <= VIEW_KINDS; k++)
            if (k != right && (k < s->view.kinds || k == VIEW_KINDS))
                ahead = fmin(ahead, (double)(seen->support[right] - seen->support[k]));
        score->places++;
        score->wrong += seen->kind != content[i];
        score->doubtful += ahead < 6;
        score->margin = fmin(score->margin, ahead);
        if (seen->kind == content[i])
            assert_true(seen->sure > 0.5);
    }
}

static void read_many(const char *what, const Stage *s, const Weather *w, double shake,
                      int pictures, Score *score) {
    Rng rng;
    rng_seed(&rng, 11);
    Drawing d = {0};
    Picture p = {0};
    Sight *sight = mem_alloc(sizeof *sight);
    Eye *e = eye_new(&s->view);
    assert_non_null(e);
    *score = (Score){.margin = 1e9};
    for (int i = 0; i < pictures; i++) {
        uint8_t content[VIEW_PLACES];
        Weather now = *w;
        now.where = draw_uniform(&rng, 0, 360);
        now.dx = draw_uniform(&rng, -shake, shake);
        now.dy = draw_uniform(&rng, -shake, shake);
        random_content(s, &rng, content);
        draw_board(s, &d);
        draw_pieces(s, content, &rng, &d);
        draw_end(&d, &now, &rng, &p);
        assert_true(eye_look(e, &p, sight));
        compare(s, content, sight, score);
        const char *keep = getenv("LUDENS_SHOTS");
        if (keep && i < 3) {
            char path[256];
            Text why = {0};
            snprintf(path, sizeof path, "%s/%s-%d.png", keep, what, i);
            eye_draw(e, sight, &p);
            assert_true(picture_save(&p, path, &why));
        }
    }
    print_message("# %s: %d of %d places wrong, %d doubtful, least margin %.1f, %d hands\n", what,
                  score->wrong, score->places, score->doubtful, score->margin, score->hands);
    eye_free(e);
    mem_free(sight);
    picture_free(&p);
    picture_free(&d.fine);
}

static const Paint *const two[] = {&yellow, &blue, NULL};
static const Paint *const plain[] = {&white, &black, NULL};
static const Paint *const many[] = {&yellow, &blue,  &red,   &green, &purple,
                                    &cyan,   &white, &black, NULL};

static const Pinhole above = {62, 0, 0, 560, 640, 480}, beside = {62, 25, 30, 560, 640, 480};

// `wrong` of 1,000 may be read wrongly.
static void all_right(const char *what, const Stage *s, const Weather *w, double shake, int wrong) {
    Score score;
    read_many(what, s, w, shake, getenv("LUDENS_ALL") ? 30 : 2, &score);
    assert_true(score.wrong * 1000 <= wrong * score.places);
    assert_int_equal(score.hands, 0);
    assert_true(score.doubtful * 50 <= score.places);
}

static void test_mill(void **state) {
    (void)state;
    static const struct {
        const char *name;
        const Paint *const *paint;
        const Pinhole *camera;
        Weather weather;
        double shake;
    } rows[] = {
        {"clear", two, &above, {.dim = 1}, 0},
        {"tilted", two, &beside, {.dim = 1}, 0},
        {"noise", two, &beside, {.noise = 12, .dim = 1}, 0},
        {"light", two, &beside, {.light = 0.3, .dim = 0.9}, 0},
        {"all", two, &beside, {.noise = 12, .light = 0.3, .dim = 0.9}, 2},
        {"plain", plain, &above, {.noise = 12, .dim = 0.95}, 2},
        {"plain-light", plain, &beside, {.noise = 12, .light = 0.3, .dim = 0.85}, 2},
        {"many", many, &beside, {.noise = 12, .light = 0.3, .dim = 0.85}, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Stage s = stage_of(rows[i].camera, rows[i].paint, 1.2);
        place_mill(&s.view);
        all_right(rows[i].name, &s, &rows[i].weather, rows[i].shake, 0);
    }
}

// Chess pieces: tall, on squares that touch.
static void test_tall(void **state) {
    (void)state;
    Stage s = stage_of(&beside, many, 3.5);
    place_squares(&s.view, 7);
    Weather w = {.noise = 8, .light = 0.2, .dim = 0.95};
    all_right("tall", &s, &w, 1, 1); // some are hidden but for a corner
}

// Piles: what is on top counts, and it is seen further out the higher the pile.
static void test_piles(void **state) {
    (void)state;
    Rng rng;
    rng_seed(&rng, 12);
    Stage s = stage_of(&beside, many, 1.2);
    place_squares(&s.view, 4);
    for (int i = 0; i < s.view.places; i++) {
        s.view.place[i].x *= 1.6;
        s.view.place[i].y = 21 + (s.view.place[i].y - 21) * 1.6;
        s.view.place[i].room = 5;
    }
    Drawing d = {0};
    Picture p = {0};
    Weather w = {.noise = 10, .light = 0.2, .where = 200, .dim = 0.95};
    Sight *sight = mem_alloc(sizeof *sight);
    Eye *e = eye_new(&s.view);
    int wrong = 0;
    for (int round = 0; round < 6; round++) {
        uint8_t top[VIEW_PLACES];
        draw_board(&s, &d);
        for (int i = s.view.places - 1; i >= 0; i--) { // from far to near, for this camera
            const ViewPlace *place = &s.view.place[i];
            int high = (int)rng_below(&rng, 6);
            top[i] = SEE_NOTHING;
            for (int level = 0; level < high; level++) {
                top[i] = (uint8_t)rng_below(&rng, (uint64_t)s.view.kinds);
                draw_piece(&d, place->x, place->y, 0.5 + 1.2 * level, 1.2, 1.1, s.rgb[top[i]]);
            }
        }
        draw_end(&d, &w, &rng, &p);
        assert_true(eye_look(e, &p, sight));
        for (int i = 0; i < s.view.places; i++)
            wrong += sight->seen[i].kind != top[i];
    }
    assert_int_equal(wrong, 0);
    eye_free(e);
    mem_free(sight);
    picture_free(&p);
    picture_free(&d.fine);
}

// A piece that lies between two places is told of, and counts for neither.
static void test_beside(void **state) {
    (void)state;
    Rng rng;
    rng_seed(&rng, 13);
    Stage s = stage_of(&above, two, 1.2);
    place_mill(&s.view);
    Drawing d = {0};
    Picture p = {0};
    Weather w = {.noise = 8, .dim = 1};
    Sight *sight = mem_alloc(sizeof *sight);
    Eye *e = eye_new(&s.view);
    draw_board(&s, &d);
    draw_piece(&d, 4.5, 25.5, 0.5, 1.2, 1.1, s.rgb[1]);
    draw_piece(&d, 9, 30, 0.5, 1.2, 1.1, s.rgb[0]); // one that stands right
    draw_end(&d, &w, &rng, &p);
    assert_true(eye_look(e, &p, sight));
    int on = 0, loose = 0;
    for (int i = 0; i < s.view.places; i++)
        on += sight->seen[i].kind != SEE_NOTHING;
    for (int i = 0; i < sight->blobs; i++)
        if (sight->blob[i].place < 0) {
            double x, y;
            loose++;
            assert_int_equal(sight->blob[i].kind, 1);
            homography_map(s.view.to_table, sight->blob[i].x, sight->blob[i].y, &x, &y);
            assert_true(hypot(x - 4.5, y - 25.5) < 0.5);
        }
    assert_int_equal(on, 1);
    assert_int_equal(loose, 1);
    assert_false(sight->hand);
    eye_free(e);
    mem_free(sight);
    picture_free(&p);
    picture_free(&d.fine);
}

// How far off its place a piece may stand: half a radius is nothing, more than a radius is too far.
static void test_askew(void **state) {
    (void)state;
    Rng rng;
    rng_seed(&rng, 16);
    Stage s = stage_of(&beside, two, 1.2);
    place_mill(&s.view);
    Drawing d = {0};
    Picture p = {0};
    Weather w = {.noise = 8, .dim = 1};
    Sight *sight = mem_alloc(sizeof *sight);
    Eye *e = eye_new(&s.view);
    for (int far = 0; far < 2; far++)
        for (int round = 0; round < 8; round++) {
            double off = far ? 1.35 : 0.55, a = round * M_PI / 4;
            draw_board(&s, &d);
            draw_piece(&d, off * cos(a) + 9, off * sin(a) + 30, 0.5, 1.2, 1.1, s.rgb[round % 2]);
            draw_end(&d, &w, &rng, &p);
            assert_true(eye_look(e, &p, sight));
            int at = 0, loose = 0;
            while (s.view.place[at].x != 9 || s.view.place[at].y != 30)
                at++;
            assert_int_equal(sight->seen[at].kind, far ? SEE_NOTHING : round % 2);
            for (int i = 0; i < sight->blobs; i++)
                loose += sight->blob[i].place < 0;
            assert_int_equal(loose, far);
        }
    eye_free(e);
    mem_free(sight);
    picture_free(&p);
    picture_free(&d.fine);
}

// --- parts ---

static void test_colours(void **state) {
    (void)state;
    static const struct {
        uint8_t rgb[3];
        double hue, saturation, value;
    } rows[] = {
        {{255, 0, 0}, 0, 1, 1},    {{0, 255, 0}, 120, 1, 1},   {{0, 0, 255}, 240, 1, 1},
        {{255, 255, 0}, 60, 1, 1}, {{255, 0, 255}, 300, 1, 1}, {{0, 0, 0}, 0, 0, 0},
        {{51, 51, 51}, 0, 0, 0.2}, {{255, 0, 51}, 348, 1, 1},  {{102, 51, 51}, 0, 0.5, 0.4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double hue, saturation, value;
        colours_hsv(rows[i].rgb, &hue, &saturation, &value);
        assert_true(fabs(hue - rows[i].hue) < 1e-9 &&
                    fabs(saturation - rows[i].saturation) < 1e-9 &&
                    fabs(value - rows[i].value) < 1e-9);
    }
    Colours c = {350, 10, 0, 1, 0, 1, 0, 0}; // through 0
    assert_true(colours_match(&c, (uint8_t[]){255, 0, 0}));
    assert_true(colours_match(&c, (uint8_t[]){255, 0, 40}));
    assert_false(colours_match(&c, (uint8_t[]){255, 0, 51}));
    assert_false(colours_match(&c, (uint8_t[]){0, 255, 0}));
    c.hue_max = c.hue_min; // all hues, as in S3 files
    assert_true(colours_match(&c, (uint8_t[]){0, 255, 0}));
}

// Blobs against a slow flood, on random maps.
static int slow_flood(uint8_t *map, int width, int height, int x, int y, int kind) {
    if (x < 0 || y < 0 || x >= width || y >= height || map[y * width + x] != kind)
        return 0;
    map[y * width + x] = BLOB_NONE;
    return 1 + slow_flood(map, width, height, x + 1, y, kind) +
           slow_flood(map, width, height, x - 1, y, kind) +
           slow_flood(map, width, height, x, y + 1, kind) +
           slow_flood(map, width, height, x, y - 1, kind);
}

static void test_blobs(void **state) {
    (void)state;
    Rng rng;
    rng_seed(&rng, 14);
    Blobs b = {0};
    for (int round = 0; round < 300; round++) {
        uint8_t map[30 * 20], copy[30 * 20];
        int width = 1 + (int)rng_below(&rng, 30), height = 1 + (int)rng_below(&rng, 20), n = 0;
        int kinds = 1 + (int)rng_below(&rng, 4);
        for (int i = 0; i < width * height; i++)
            map[i] = rng_below(&rng, 2) ? (uint8_t)rng_below(&rng, (uint64_t)kinds) : BLOB_NONE;
        memcpy(copy, map, sizeof copy);
        assert_true(blobs_find(&b, map, width, height));
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int kind = copy[y * width + x];
                if (kind == BLOB_NONE)
                    continue; // the first of a blob, row by row: blobs come in that order
                assert_true(n < b.sums);
                assert_int_equal(b.sum[n].kind, kind);
                assert_int_equal(b.sum[n].top, y);
                assert_int_equal(b.sum[n].size, slow_flood(copy, width, height, x, y, kind));
                n++;
            }
        assert_int_equal(n, b.sums);
        for (int i = 0; i < n; i++)
            blobs_remove(&b, i, map, width);
        for (int i = 0; i < width * height; i++)
            assert_int_equal(map[i], BLOB_NONE);
    }
    blobs_free(&b);
}

// Pictures of another size, views without a place, anything at all as a picture, no memory.
static void test_what_cannot_be_seen(void **state) {
    (void)state;
    Rng rng;
    rng_seed(&rng, 15);
    Stage s = stage_of(&above, two, 1.2);
    place_mill(&s.view);
    Sight *sight = mem_alloc(sizeof *sight);
    Picture p = {0};
    Text why = {0};
    uint8_t content[VIEW_PLACES] = {0};
    Eye *e = eye_new(&s.view);
    assert_false(eye_look(e, &p, sight));
    assert_true(picture_size(&p, 320, 240));
    assert_false(eye_look(e, &p, sight));
    assert_false(colours_learn(&s.view, &p, content, &why));
    assert_non_null(strstr(text_c(&why), "another size"));
    assert_true(picture_size(&p, 640, 480));
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 640 * 480 * 3; i++)
            p.pixel[i] = (uint8_t)(round == 0 ? 0 : round == 1 ? 255 : rng_next(&rng));
        assert_true(eye_look(e, &p, sight));
        assert_false(colours_learn(&s.view, &p, content, &why));
    }
    eye_draw(e, sight, &p);
    eye_free(e);
    View not_placed = s.view;
    not_placed.placed = false;
    e = eye_new(&not_placed);
    assert_false(eye_look(e, &p, sight));
    eye_draw(e, sight, &p);
    eye_free(e);
    bool whole = false;
    for (long n = 1; !whole; n++) {
        assert_true(n < 100);
        mem_fail_at(n);
        Watcher *w = watcher_new(&s.view, 1);
        Watched watched = w ? watcher_look(w, &p, sight) : WATCH_MORE;
        bool learnt = colours_learn(&s.view, &p, content, &why);
        whole = mem_fail_at(0) > 0;
        assert_false(learnt);
        assert_true(!whole || watched != WATCH_MORE);
        watcher_free(w);
    }
    text_free(&why);
    picture_free(&p);
    mem_free(sight);
}

// --- learning ---

// Colours from a picture, then pictures in other light are read with them.
static void test_learn(void **state) {
    (void)state;
    static const Paint *const *const sets[] = {two, plain, many};
    for (int set = 0; set < 3; set++) {
        Rng rng;
        rng_seed(&rng, 5);
        Stage s = stage_of(&beside, sets[set], 1.2);
        place_mill(&s.view);
        for (int k = 0; k < s.view.kinds; k++)
            s.view.kind[k].colours = (Colours){0};
        uint8_t content[VIEW_PLACES];
        for (int i = 0; i < s.view.places; i++)
            content[i] = (uint8_t)(i % 2 ? SEE_NOTHING : i / 2 % s.view.kinds);
        Drawing d = {0};
        Picture p = {0};
        Text why = {0};
        Weather w = {.noise = 6, .light = 0.2, .where = 100, .dim = 0.9};
        draw_board(&s, &d);
        draw_pieces(&s, content, &rng, &d);
        draw_end(&d, &w, &rng, &p);
        if (!colours_learn(&s.view, &p, content, &why))
            fail_msg("%s", text_c(&why));
        assert_true(s.view.light > 50);
        Weather darker = {.noise = 12, .light = 0.3, .dim = 0.7};
        all_right("learnt, in darker light", &s, &darker, 2, 0);
        // One that is not there; two that look the same; one as the board.
        View was = s.view;
        uint8_t other[VIEW_PLACES];
        for (int i = 0; i < s.view.places; i++)
            other[i] = content[i] == 1 ? 0 : content[i];
        assert_false(colours_learn(&s.view, &p, other, &why));
        assert_non_null(strstr(text_c(&why), "there is no kind 2 to be seen"));
        for (int i = 0; i < s.view.places; i++)
            other[i] = content[i] == SEE_NOTHING && i % 3 == 0 ? 0 : content[i];
        text_clear(&why);
        assert_false(colours_learn(&s.view, &p, other, &why));
        assert_true(why.n > 0);
        for (int i = 0; i < s.view.places; i++)
            other[i] = i % 4 == 0 ? 0 : i % 4 == 2 ? 1 : SEE_NOTHING;
        if (set == 2) {
            text_clear(&why);
            assert_false(colours_learn(&s.view, &p, other, &why));
            assert_true(why.n > 0);
        }
        assert_memory_equal(&was, &s.view, sizeof was);
        text_free(&why);
        picture_free(&p);
        picture_free(&d.fine);
    }
}

// --- hands ---

// A hand comes from below over the middle, as large as a hand is.
static void draw_hand(Drawing *d, double x, double y, const uint8_t rgb[3]) {
    double arm[8] = {x - 3, y - 20, x + 3, y - 20, x + 4, y, x - 4, y};
    draw_shape(d, arm, 4, 6, rgb);
    for (int i = 0; i < 4; i++)
        draw_line(d, x - 3 + 2 * i, y - 1, x - 3 + 2.2 * i, y + 6, 1.7, 5, rgb);
}

static void test_hand(void **state) {
    (void)state;
    static const uint8_t hands[][3] = {
        {226, 174, 142}, {120, 80, 60}, {60, 70, 90}, {245, 245, 245}};
    for (int bright = 0; bright < 2; bright++) {
        Rng rng;
        rng_seed(&rng, 6);
        Stage s = stage_of(&beside, bright ? plain : two, 1.2);
        place_mill(&s.view);
        Drawing d = {0};
        Picture p = {0};
        Sight *sight = mem_alloc(sizeof *sight);
        Watcher *watcher = watcher_new(&s.view, 3);
        uint8_t content[VIEW_PLACES];
        int still = 0, hand = 0, moving = 0;
        for (int round = 0; round < 8; round++) {
            random_content(&s, &rng, content);
            for (int frame = 0; frame < 5; frame++) {
                Weather w = {.noise = 8, .light = 0.2, .where = 30, .dim = 0.95};
                Rng same;
                rng_seed(&same, (uint64_t)round);
                w.dx = draw_uniform(&rng, -1, 1);
                draw_board(&s, &d);
                draw_pieces(&s, content, &same, &d);
                bool there = round % 2 && frame < 2;
                if (there)
                    draw_hand(&d, draw_uniform(&rng, -6, 6), draw_uniform(&rng, 18, 27),
                              hands[round / 2 % 4]);
                draw_end(&d, &w, &rng, &p);
                Watched watched = watcher_look(watcher, &p, sight);
                hand += watched == WATCH_HAND;
                if (there && watched != WATCH_HAND)
                    fail_msg("hand %d in frame %d of round %d: %d", round / 2 % 4, frame, round,
                             watched);
                if (!there && watched == WATCH_HAND)
                    fail_msg("no hand in frame %d of round %d", frame, round);
                moving += watched == WATCH_MOVING;
                if (watched != WATCH_STILL)
                    continue;
                still++;
                for (int i = 0; i < s.view.places; i++)
                    assert_int_equal(sight->seen[i].kind, content[i]);
            }
        }
        print_message("# %d still, %d hand, %d moving\n", still, hand, moving);
        assert_true(still >= 4 && moving >= 3);
        watcher_free(watcher);
        mem_free(sight);
        picture_free(&p);
        picture_free(&d.fine);
    }
}

// A hand that is there from the beginning, then goes: that is noticed.
static void test_hand_at_first(void **state) {
    (void)state;
    static const uint8_t hand[3] = {226, 174, 142};
    Rng rng;
    rng_seed(&rng, 17);
    Stage s = stage_of(&beside, two, 1.2);
    place_mill(&s.view);
    Drawing d = {0};
    Picture p = {0};
    Weather w = {.noise = 8, .light = 0.2, .where = 30, .dim = 0.95};
    Sight *sight = mem_alloc(sizeof *sight);
    for (int round = 0; round < 6; round += 2) {
        uint8_t content[VIEW_PLACES];
        Watcher *watcher = watcher_new(&s.view, 2);
        Watched watched = WATCH_MORE;
        random_content(&s, &rng, content);
        for (int frame = 0; frame < 5; frame++) {
            Rng same;
            rng_seed(&same, (uint64_t)round);
            draw_board(&s, &d);
            draw_pieces(&s, content, &same, &d);
            if (frame < 2)
                draw_hand(&d, -10 + 4 * round, 12 + 3 * round, hand);
            draw_end(&d, &w, &rng, &p);
            watched = watcher_look(watcher, &p, sight);
        }
        assert_true(watched == WATCH_STILL || watched == WATCH_MORE);
        for (int i = 0; i < s.view.places; i++)
            assert_int_equal(sight->seen[i].kind, content[i]);
        watcher_free(watcher);
    }
    mem_free(sight);
    picture_free(&p);
    picture_free(&d.fine);
}

// The last reading of frames in which one place looks black (`#`) or like nothing (`.`), all others
// always like the same; and how much likelier that reading is there than the other, as a logarithm.
static Watched watch_place(const char *frames, Sight *sight, double *lead) {
    enum { AT = 5 };
    Stage s = stage_of(&beside, plain, 1.2);
    place_mill(&s.view);
    Drawing d = {0};
    Picture p = {0};
    Weather w = {.dim = 1};
    uint8_t content[VIEW_PLACES], kind = 0;
    Watcher *watcher = watcher_new(&s.view, 3);
    Watched watched = WATCH_MORE;
    memset(content, SEE_NOTHING, sizeof content);
    while (memcmp(s.rgb[kind], black.rgb, 3) != 0)
        kind++;
    content[AT] = kind;
    for (const char *f = frames; *f; f++) {
        Rng same;
        rng_seed(&same, 1);
        assert_int_equal(watched, WATCH_MORE);
        memset(s.rgb[kind], *f == '#' ? 50 : 66, 3); // so near that nothing seems to move
        draw_board(&s, &d);
        draw_pieces(&s, content, &same, &d);
        draw_end(&d, &w, &same, &p);
        watched = watcher_look(watcher, &p, sight);
    }
    for (int i = 0; i < s.view.places; i++)
        assert_true(i == AT || (sight->seen[i].kind == SEE_NOTHING && sight->seen[i].sure > 0.99f));
    const Seen *seen = &sight->seen[AT];
    *lead = fabs((double)(seen->support[kind] - seen->support[VIEW_KINDS]));
    watcher_free(watcher);
    picture_free(&p);
    picture_free(&d.fine);
    return watched;
}

// Frames that never agree are read as surely as they voted, and never for certain.
static void test_no_agreement(void **state) {
    (void)state;
    static const struct {
        const char *frames;
        double most; // times likelier
    } rows[] = {
        {"#.#.#.#.#.#.#.#", 8 / 7.0},
        {"##.##.##.##.##.", 10 / 5.0},
        {"..#..#..#..#..#", 10 / 5.0},
        {"##.##.##...", 6 / 5.0}, // the last agree, but most were others
    };
    Sight *sight = mem_alloc(sizeof *sight);
    double lead;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(watch_place(rows[i].frames, sight, &lead), WATCH_STILL);
        if (!(lead <= log(rows[i].most) + 1e-3) || !(sight->seen[5].sure < 0.7f))
            fail_msg("%s: ahead by %.3f, sure %.3f", rows[i].frames, lead,
                     (double)sight->seen[5].sure);
    }
    assert_int_equal(watch_place("##.##.##.##.##", sight, &lead), WATCH_MORE);
    assert_int_equal(watch_place("###", sight, &lead), WATCH_STILL);
    assert_true(lead > 3 && sight->seen[5].sure > 0.95f);
    assert_int_equal(watch_place(".#...", sight, &lead), WATCH_STILL);
    assert_true(lead > 3 && sight->seen[5].kind == SEE_NOTHING);
    mem_free(sight);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mill),          cmocka_unit_test(test_tall),
        cmocka_unit_test(test_piles),         cmocka_unit_test(test_beside),
        cmocka_unit_test(test_askew),         cmocka_unit_test(test_colours),
        cmocka_unit_test(test_blobs),         cmocka_unit_test(test_what_cannot_be_seen),
        cmocka_unit_test(test_learn),         cmocka_unit_test(test_hand),
        cmocka_unit_test(test_hand_at_first), cmocka_unit_test(test_no_agreement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
