// table_make: a Table from a game, and what is asked of it; see table.h.
#include "robot/path.h"
#include "robot/table_parts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define TAG_ROOM 3.0 // cm from the outermost pieces to the middle of a tag

// --- kinds ---

// "white man"; "frog" if there are no owners to tell apart.
static const char *kind_name(Table *t, int kind) {
    const IrGame *ir = t->game->ir;
    const IrPlane *p = &ir->plane[kind];
    const char *name = ir->kind[p->kind].name;
    bool alone = true;
    for (int i = 0; i < ir->planes; i++)
        alone &= i == kind || ir->plane[i].kind != p->kind;
    if (alone || p->owner >= ir->players)
        return name;
    char *full = arena_printf(&t->arena, "%s %s", ir->player[p->owner], name);
    *full = (char)tolower((unsigned char)*full);
    return full;
}

static bool make_kinds(Maker *m) {
    Table *t = m->t;
    t->kinds = t->game->ir->planes;
    if (t->kinds == 0 || t->kinds > VIEW_KINDS) {
        text_f(m->why, "the game has %d kinds of pieces, a table has 1 to %d", t->kinds,
               VIEW_KINDS);
        return false;
    }
    t->kind = ARENA_ARRAY(&t->arena, TableKind, t->kinds);
    m->most = ARENA_ARRAY(&t->arena, int, t->kinds);
    m->comes = ARENA_ARRAY(&t->arena, bool, t->kinds);
    for (int k = 0; k < t->kinds; k++)
        t->kind[k].name = kind_name(t, k);
    return table_count(m);
}

// --- checks ---

static bool reach_site(Maker *m, const Site *s, Point at, const char *where) {
    Pose pose;
    Reach reach = arm_reach_down(m->t->arm, at, NULL, &pose);
    if (reach.fault == REACH_OK)
        return true;
    text_f(m->why, "the arm does not reach %s%s at %.1f, %.1f, %.1f: ", where, s->name, at.x, at.y,
           at.z);
    arm_reach_text(&reach, m->why);
    return false;
}

static bool check_reach(Maker *m) {
    const Table *t = m->t;
    for (int i = 0; i < t->sites; i++) {
        const Site *s = &t->site[i];
        Point top = s->at, over = s->at;
        top.z += (s->room - 1) * m->height;
        over.z = t->surface + table_travel(t, s->room * m->height);
        if (s->posed)
            continue; // the file gives the joints, and they were found to be possible
        if (!reach_site(m, s, s->at, "") || !reach_site(m, s, top, "the top of ") ||
            !reach_site(m, s, over, "above "))
            return false;
    }
    return true;
}

static bool check_apart(Maker *m) {
    const Table *t = m->t;
    for (int i = 0; i < t->sites; i++)
        for (int j = 0; j < i; j++) {
            const Site *a = &t->site[j], *b = &t->site[i];
            double apart = hypot(a->at.x - b->at.x, a->at.y - b->at.y);
            if (apart < TABLE_SAME) {
                text_f(m->why, "%s and %s are at the same point, %.1f, %.1f", a->name, b->name,
                       b->at.x, b->at.y);
                return false;
            }
            if (apart < 2 * m->radius) {
                text_f(m->why, "pieces of %.1f cm on %s and %s would touch: they are %.1f cm apart",
                       2 * m->radius, a->name, b->name, apart);
                return false;
            }
        }
    return true;
}

// Where stores are, they hold all that can be off the board.
static bool check_room(Maker *m) {
    const Table *t = m->t;
    int pieces = 0, room = 0;
    for (int i = t->cells; i < t->sites; i++)
        room += t->site[i].room;
    for (int k = 0; k < t->kinds; k++) {
        int own = 0;
        for (int i = t->cells; i < t->sites; i++)
            own += t->site[i].takes >> k & 1 ? t->site[i].room : 0;
        if (!m->comes[k])
            continue;
        pieces += m->most[k];
        if (own < m->most[k]) {
            text_f(m->why, "%s: there can be %d, but the stores have room for %d", t->kind[k].name,
                   m->most[k], own);
            return false;
        }
    }
    if (pieces > room) {
        text_f(m->why, "there can be %d pieces, but the stores have room for %d", pieces, room);
        return false;
    }
    return true;
}

// --- the whole ---

static void name_stores(Table *t) {
    for (int i = t->cells; i < t->sites; i++)
        t->site[i].name = arena_printf(&t->arena, "store %d", i - t->cells + 1);
}

static void place_corners(Table *t, double radius) {
    double left = HUGE_VAL, right = -HUGE_VAL, front = HUGE_VAL, back = -HUGE_VAL;
    for (int i = 0; i < t->sites; i++) {
        left = fmin(left, t->site[i].at.x);
        right = fmax(right, t->site[i].at.x);
        front = fmin(front, t->site[i].at.y);
        back = fmax(back, t->site[i].at.y);
    }
    double by = radius + TAG_ROOM;
    double corner[8] = {left - by,  front - by, right + by, front - by,
                        right + by, back + by,  left - by,  back + by};
    memcpy(t->corner, corner, sizeof corner);
}

static void finish(Maker *m) {
    Table *t = m->t;
    name_stores(t);
    place_corners(t, m->radius);
    for (int k = 0; k < t->kinds; k++) {
        t->kind[k].radius = m->radius;
        t->kind[k].height = m->height;
    }
    for (int i = 0; i < t->sites; i++)
        t->tall = fmax(t->tall, t->site[i].room * m->height);
}

static bool make(Maker *m) {
    Table *t = m->t;
    const IrGame *ir = t->game->ir;
    t->cells = ir->board->cells;
    t->site = ARENA_ARRAY(&t->arena, Site, VIEW_PLACES);
    t->fitted = !m->said && !table_has_places(ir);
    if (!make_kinds(m))
        return false;
    bool made = !m->said && table_has_places(ir) ? table_places(m) : table_fit(m);
    if (!made)
        return false;
    finish(m);
    return check_apart(m) && check_reach(m) && path_home(t->arm, t->surface, m->why) &&
           check_room(m) && table_colours(m);
}

Table *table_new(const Game *g, const Arm *arm, Text *why) {
    Table *t = mem_alloc(sizeof *t);
    if (!t) {
        text_add(why, "out of memory");
        return NULL;
    }
    jmp_buf recovery;
    bool made = false;
    if (setjmp(recovery) == 0) {
        arena_init(&t->arena, &recovery);
        t->game = g;
        t->arm = arm;
        Maker m = {.t = t, .said = g->ir->on_table, .why = why};
        made = make(&m);
    } else {
        text_add(why, "out of memory");
    }
    t->arena.recovery = NULL; // nothing is added later
    if (made)
        return t;
    table_free(t);
    return NULL;
}

void table_free(Table *t) {
    if (!t)
        return;
    arena_free(&t->arena);
    mem_free(t);
}

int table_site_named(const Table *t, const char *name) {
    for (int i = 0; i < t->sites; i++)
        if (strcmp(t->site[i].name, name) == 0)
            return i;
    return -1;
}

int table_kind_named(const Table *t, const char *name) {
    for (int i = 0; i < t->kinds; i++)
        if (strcmp(t->kind[i].name, name) == 0)
            return i;
    return -1;
}
