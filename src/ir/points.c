// The points of a line board: every name in its lines, and where each is drawn.
//
// Places come from `point NAME at X, Y`; else from names such as d6 (column letter, row number),
// when all names are like that; else, when no place is given at all, from a circle.
#include "ir/board_build.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Point {
    const char *name;
    Span span;
    bool placed;
    double x, y;
} Point;

// Places closer than this are the same; given places are whole numbers.
#define SAME_PLACE 1e-6
// Places beyond this would not fit on any screen.
#define FARTHEST 100

// --- Names ---

static int find_point(const Point *points, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (strcmp(points[i].name, name) == 0)
            return i;
    return -1;
}

// Collects each name once; returns how many, or -1 (reported).
static int collect_points(BoardMaker *m, Point *points) {
    const BoardSpec *spec = m->spec;
    int n = 0;
    for (int l = 0; l < spec->line_count; l++)
        for (int i = 0; i < spec->lines[l].count; i++) {
            const char *name = spec->lines[l].names[i];
            if (find_point(points, n, name) >= 0)
                continue;
            if (n == BOARD_MAX_CELLS) {
                diag_error(m->diags, spec->lines[l].spans[i], "the lines have more than %d points",
                           BOARD_MAX_CELLS);
                return -1;
            }
            points[n++] = (Point){.name = name, .span = spec->lines[l].spans[i]};
        }
    if (n > 0)
        return n;
    diag_error(m->diags, spec->span, "the board has no lines");
    diag_help(m->diags, "give each line as the names of its points: `a1 b1 c1`");
    return -1;
}

// --- Places ---

// Reads a name such as d6: column and row from 1. Two letters and two digits at most.
static bool place_in_name(const char *name, int *letters, int *number) {
    int i = 0;
    *letters = *number = 0;
    for (; i < 3 && isalpha((unsigned char)name[i]); i++)
        *letters = *letters * 26 + tolower((unsigned char)name[i]) - 'a' + 1;
    int digits = 0;
    for (; i + digits < 5 && isdigit((unsigned char)name[i + digits]); digits++)
        *number = *number * 10 + name[i + digits] - '0';
    return i >= 1 && i <= 2 && digits >= 1 && digits <= 2 && name[i + digits] == '\0';
}

static bool place_by_name(const BoardMaker *m, Point *points, int n) {
    int letters, number;
    for (int i = 0; i < n; i++)
        if (!place_in_name(points[i].name, &letters, &number))
            return false;
    for (int i = 0; i < n; i++) {
        if (points[i].placed)
            continue;
        place_in_name(points[i].name, &letters, &number);
        points[i].x = m->spec->matrix ? number : letters;
        points[i].y = m->spec->matrix ? -letters : number;
        points[i].placed = true;
    }
    return true;
}

// Clockwise from the top, in order of appearance, about two units apart.
static void place_on_circle(Point *points, int n) {
    const double turn = 6.283185307179586;
    double radius = n / 3.0;
    for (int i = 0; i < n; i++) {
        points[i].x = radius * sin(turn * i / n);
        points[i].y = radius * cos(turn * i / n);
        points[i].placed = true;
    }
}

static void report_unknown_point(BoardMaker *m, const Point *points, int n, int given) {
    const char *names[BOARD_MAX_CELLS];
    for (int i = 0; i < n; i++)
        names[i] = points[i].name;
    const struct BoardSpecPoint *p = &m->spec->points[given];
    diag_error(m->diags, p->span, "no line has a point `%s`", p->name);
    const char *near = text_nearest(p->name, names, n);
    if (near)
        diag_help(m->diags, "did you mean `%s`?", near);
}

static bool place_as_given(BoardMaker *m, Point *points, int n) {
    bool ok = true;
    for (int i = 0; i < m->spec->point_count; i++) {
        const struct BoardSpecPoint *given = &m->spec->points[i];
        int p = find_point(points, n, given->name);
        if (p < 0) {
            report_unknown_point(m, points, n, i);
            ok = false;
        } else if (points[p].placed) {
            diag_error(m->diags, given->span, "the point `%s` has a place already", given->name);
            ok = false;
        } else if (abs(given->x) > FARTHEST || abs(given->y) > FARTHEST) {
            diag_error(m->diags, given->span, "places go from %d to %d, not to %d, %d", -FARTHEST,
                       FARTHEST, given->x, given->y);
            ok = false;
        } else {
            points[p].x = given->x;
            points[p].y = m->spec->matrix ? -given->y : given->y;
            points[p].placed = true;
        }
    }
    return ok;
}

static bool places_differ(BoardMaker *m, const Point *points, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(points[i].x - points[j].x) < SAME_PLACE &&
                fabs(points[i].y - points[j].y) < SAME_PLACE) {
                diag_error(m->diags, points[i].span, "`%s` and `%s` are drawn at the same place",
                           points[j].name, points[i].name);
                diag_help(m->diags, "give each point a place of its own: `point %s at X, Y`",
                          points[i].name);
                return false;
            }
    return true;
}

static bool place_points(BoardMaker *m, Point *points, int n) {
    if (!place_as_given(m, points, n))
        return false;
    if (!place_by_name(m, points, n)) {
        if (m->spec->point_count == 0)
            place_on_circle(points, n);
        for (int i = 0; i < n; i++)
            if (!points[i].placed) {
                diag_error(m->diags, points[i].span, "the point `%s` has no place", points[i].name);
                diag_help(m->diags, "add `point %s at X, Y`, or give no places at all",
                          points[i].name);
                return false;
            }
    }
    return places_differ(m, points, n);
}

// --- Numbering ---

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// Sorts and keeps one of each value; returns how many are left.
static int distinct(double *values, int n) {
    qsort(values, (size_t)n, sizeof *values, compare_numbers);
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (kept == 0 || values[i] - values[kept - 1] >= SAME_PLACE)
            values[kept++] = values[i];
    return kept;
}

// 1 for the least value.
static int rank_of(const double *values, int n, double x) {
    int rank = 0;
    while (rank < n && values[rank] <= x + SAME_PLACE)
        rank++;
    return rank < 1 ? 1 : rank;
}

bool board_make_points(BoardMaker *m) {
    Board *b = m->b;
    Point *points = ARENA_ARRAY(m->arena, Point, BOARD_MAX_CELLS);
    int n = collect_points(m, points);
    if (n < 0 || !place_points(m, points, n))
        return false;

    double *xs = ARENA_ARRAY(m->arena, double, n);
    double *ys = ARENA_ARRAY(m->arena, double, n);
    for (int i = 0; i < n; i++) {
        xs[i] = points[i].x;
        ys[i] = points[i].y;
    }
    b->width = distinct(xs, n);
    b->height = distinct(ys, n);
    b->cells = n;
    b->cell = ARENA_ARRAY(m->arena, BoardCell, n);
    b->at = ARENA_ARRAY(m->arena, int16_t, b->width * b->height);

    // Each grid position holds at most one point, so filling the grid sorts them.
    for (int p = 0; p < b->width * b->height; p++)
        b->at[p] = (int16_t)n;
    for (int i = 0; i < n; i++) {
        int column = rank_of(xs, b->width, points[i].x);
        int row = rank_of(ys, b->height, points[i].y);
        if (m->spec->matrix)
            row = b->height + 1 - row;
        b->at[(row - 1) * b->width + column - 1] = (int16_t)i;
    }
    int c = 0;
    for (int p = 0; p < b->width * b->height; p++) {
        if (b->at[p] == n)
            continue;
        const Point *point = &points[b->at[p]];
        b->cell[c] = (BoardCell){
            .name = arena_text(m->arena, point->name, strlen(point->name)),
            .column = p % b->width + 1,
            .row = p / b->width + 1,
            .x = point->x,
            .y = point->y,
        };
        b->at[p] = (int16_t)c++;
    }
    return true;
}
