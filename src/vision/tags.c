// tags: AprilTags at the corners of the board, by libapriltag.
#include "vision/view.h"

#ifdef LUDENS_HAVE_TAGS

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#include <apriltag/apriltag.h>
#include <apriltag/common/zarray.h>
#include <apriltag/tagStandard41h12.h>

#define MARGIN_LEAST 20 // how clear a tag has to be; chance finds are below 10
// Pixels of a side. libapriltag reads beside pictures of less than 7 (it halves them and works in
// tiles of 4); a tag has 9 cells with its margin and needs more than one pixel for each.
#define SIDE_LEAST 16

struct Tags {
    apriltag_family_t *family;
    apriltag_detector_t *detector;
};

Tags *tags_new(Text *why) {
    Tags *t = mem_alloc(sizeof *t);
    if (!t) {
        text_add(why, "out of memory");
        return NULL;
    }
    t->family = tagStandard41h12_create();
    t->detector = apriltag_detector_create();
    t->detector->nthreads = 1;
    // One wrong bit is put right; more would need tables of many megabytes.
    apriltag_detector_add_family_bits(t->detector, t->family, 1);
    return t;
}

void tags_free(Tags *t) {
    if (!t)
        return;
    apriltag_detector_destroy(t->detector);
    tagStandard41h12_destroy(t->family);
    mem_free(t);
}

static void keep_best(zarray_t *found, double pixels[8], double margin[4]) {
    for (int i = 0; i < zarray_size(found); i++) {
        apriltag_detection_t *d;
        zarray_get(found, i, &d);
        double clear = (double)d->decision_margin;
        if (d->id < 0 || d->id > 3 || clear < MARGIN_LEAST || clear <= margin[d->id])
            continue;
        margin[d->id] = clear;
        pixels[2 * d->id] = d->c[0];
        pixels[2 * d->id + 1] = d->c[1];
    }
}

static bool has_all(const double margin[4]) {
    return margin[0] > 0 && margin[1] > 0 && margin[2] > 0 && margin[3] > 0;
}

static void tell_missing(const double margin[4], Text *why) {
    static const char *const corner[4] = {"front left", "front right", "back right", "back left"};
    text_add(why, "these tags are not seen:");
    bool first = true;
    for (int i = 0; i < 4; i++)
        if (!(margin[i] > 0)) {
            text_f(why, "%s %d (%s)", first ? "" : ",", i, corner[i]);
            first = false;
        }
}

static uint8_t *grey_of(const Picture *p) {
    int n = p->width * p->height;
    uint8_t *grey = mem_alloc((size_t)n);
    for (int i = 0; grey && i < n; i++) {
        const uint8_t *at = p->pixel + (size_t)i * 3;
        grey[i] = (uint8_t)((at[0] * 77 + at[1] * 150 + at[2] * 29) >> 8);
    }
    return grey;
}

static bool large_enough(const Picture *p, Text *why) {
    if (!p->pixel)
        text_add(why, "the picture is empty");
    else if (p->width < SIDE_LEAST || p->height < SIDE_LEAST)
        text_f(why, "%d x %d pixels are too few to see tags", p->width, p->height);
    else
        return true;
    return false;
}

int tags_seen(Tags *t, const Picture *p, double pixels[8], Text *why) {
    if (!large_enough(p, why))
        return 0;
    uint8_t *grey = grey_of(p);
    if (!grey) {
        text_add(why, "out of memory");
        return 0;
    }
    image_u8_t image = {.width = p->width, .height = p->height, .stride = p->width, .buf = grey};
    double margin[4] = {0};
    for (int decimate = 2; decimate >= 1 && !has_all(margin); decimate--) { // small ones need more
        t->detector->quad_decimate = (float)decimate;
        zarray_t *found = apriltag_detector_detect(t->detector, &image);
        keep_best(found, pixels, margin);
        apriltag_detections_destroy(found);
    }
    mem_free(grey);
    if (!has_all(margin))
        tell_missing(margin, why);
    int seen = 0;
    for (int i = 0; i < 4; i++)
        seen |= (margin[i] > 0) << i;
    return seen;
}

bool tags_cells(int number, uint8_t cell[TAG_CELLS * TAG_CELLS]) {
    apriltag_family_t *family = tagStandard41h12_create();
    bool ok = number >= 0 && (uint32_t)number < family->ncodes && family->total_width == TAG_CELLS;
    image_u8_t *image = ok ? apriltag_to_image(family, number) : NULL;
    for (int y = 0; image && y < TAG_CELLS; y++)
        for (int x = 0; x < TAG_CELLS; x++)
            cell[y * TAG_CELLS + x] = image->buf[y * image->stride + x] ? 255 : 0;
    bool drawn = image != NULL;
    if (image) { // as image_u8_destroy does, which is in another library
        free(image->buf);
        free(image);
    }
    tagStandard41h12_destroy(family);
    return drawn;
}

#else

Tags *tags_new(Text *why) {
    text_add(why, "this program was built without libapriltag: it finds no tags");
    return NULL;
}

void tags_free(Tags *t) {
    (void)t;
}

int tags_seen(Tags *t, const Picture *p, double pixels[8], Text *why) {
    (void)t, (void)p, (void)pixels;
    text_add(why, "this program was built without libapriltag: it finds no tags");
    return 0;
}

bool tags_cells(int number, uint8_t cell[TAG_CELLS * TAG_CELLS]) {
    (void)number, (void)cell;
    return false;
}

#endif

bool tags_find(Tags *t, const Picture *p, double pixels[8], Text *why) {
    return tags_seen(t, p, pixels, why) == TAGS_ALL;
}

// A margin of one white cell all round belongs to the drawing: `cm` is the tag without it.
bool tags_svg(int number, double cm, Text *out) {
    uint8_t cell[TAG_CELLS * TAG_CELLS];
    if (!(cm > 0) || !tags_cells(number, cell))
        return false;
    double all = cm * (TAG_CELLS + 2) / TAG_CELLS;
    text_f(out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.2fcm\" height=\"%.2fcm\" "
           "viewBox=\"-1 -1 %d %d\" shape-rendering=\"crispEdges\">\n"
           "<rect x=\"-1\" y=\"-1\" width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n<path d=\"",
           all, all, TAG_CELLS + 2, TAG_CELLS + 2, TAG_CELLS + 2, TAG_CELLS + 2);
    for (int y = 0; y < TAG_CELLS; y++)
        for (int x = 0; x < TAG_CELLS; x++)
            if (!cell[y * TAG_CELLS + x])
                text_f(out, "M%d %dh1v1h-1z", x, y);
    text_add(out, "\"/>\n</svg>\n");
    return !out->failed;
}

// Four tags on a page of A4, each with its corner. An inch has 96 of SVG's units.
bool tags_page(double cm, Text *out) {
    static const char *const corner[4] = {"front left", "front right", "back right", "back left"};
    const double unit = 96 / 2.54;
    text_add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"21cm\" height=\"29.7cm\">\n");
    for (int i = 0; i < 4; i++) {
        double x = (2 + i % 2 * 9.5) * unit, y = (2 + i / 2 * 9.5) * unit;
        text_f(out, "<g transform=\"translate(%.1f %.1f)\">\n", x, y);
        if (!tags_svg(i, cm, out))
            return false;
        text_f(out,
               "<text x=\"0\" y=\"%.1f\" font-family=\"sans-serif\" font-size=\"14\">%d: %s, as "
               "the arm sees it</text>\n</g>\n",
               (cm * (TAG_CELLS + 2) / TAG_CELLS + 0.7) * unit, i, corner[i]);
    }
    text_add(out, "</svg>\n");
    return !out->failed;
}
