// table_places: places that are given one by one: the `robot` and `camera` lines of an S3 file.
//
// Three numbers are a point in cm, five are the joints at the place, ten the joints above it and at
// it. Places that the rules do not look at, where pieces wait or end, may be without: they come to
// lie beside the board. Such files say nothing about the size of pieces: they are taken as large as
// the places allow.
#include "robot/table_parts.h"

#include <math.h>
#include <string.h>

#define PIECE_HEIGHT 1.2      // cm
#define PIECE_RADIUS_MOST 1.1 // cm: fingers of the AL5D open about 3

bool table_has_places(const IrGame *ir) {
    for (int c = 0; ir->look && c < ir->look->places; c++)
        if (ir->look->place[c].robot_count > 0)
            return true;
    return false;
}

static bool pose_is_possible(Maker *m, const Site *s, const Pose *pose, const char *where) {
    double degrees;
    int joint = arm_beyond(m->t->arm, pose, &degrees);
    if (joint < 0)
        return true;
    text_f(m->why, "%s: the %s %s the place is %.1f degrees beyond what the arm can", s->name,
           arm_joint_name(joint), where, degrees);
    return false;
}

static bool posed_site(Maker *m, Site *s, const LookPlace *place) {
    const Arm *arm = m->t->arm;
    const double *down = place->robot_count == 10 ? place->robot + 5 : place->robot;
    s->posed = true;
    memcpy(s->down.angle, down, sizeof s->down.angle);
    if (!pose_is_possible(m, s, &s->down, "at"))
        return false;
    s->at = arm_point(arm, &s->down);
    if (place->robot_count == 10) {
        memcpy(s->above.angle, place->robot, sizeof s->above.angle);
        return pose_is_possible(m, s, &s->above, "above");
    }
    Point over = {s->at.x, s->at.y, s->at.z + arm->hover};
    Reach reach = arm_reach_down(arm, over, &s->down, &s->above);
    s->above.angle[ARM_HAND] = s->down.angle[ARM_HAND];
    if (reach.fault == REACH_OK)
        return true;
    text_f(m->why, "the arm does not reach %.1f cm above %s: ", arm->hover, s->name);
    arm_reach_text(&reach, m->why);
    return false;
}

static bool is_pile(const Look *look, const LookPlace *place) {
    return place->type >= 0 && !look->place_type[place->type].relevant;
}

static bool one_place(Maker *m, int cell, const LookPlace *place) {
    Site *s = table_add_site(m, cell, (Point){0}, 1);
    s->seen = place->has_camera;
    s->picture_x = place->camera_x;
    s->picture_y = place->camera_y;
    if (place->robot_count == 0 && is_pile(m->t->game->ir->look, place)) {
        s->at = (Point){(double)NAN, (double)NAN, (double)NAN};
        return true;
    }
    if (place->robot_count == 0) {
        text_f(m->why, "%s: the file does not say where it is (it has no `robot` line)", s->name);
        return false;
    }
    if (place->robot_count != 3)
        return posed_site(m, s, place);
    s->at = (Point){place->robot[0], place->robot[1], place->robot[2]};
    return true;
}

// The least distance of two places. False if two are at the same point.
static bool distances(Maker *m, double *least) {
    const Table *t = m->t;
    *least = HUGE_VAL;
    for (int i = 0; i < t->sites; i++)
        for (int j = 0; j < i; j++) {
            double apart =
                hypot(t->site[i].at.x - t->site[j].at.x, t->site[i].at.y - t->site[j].at.y);
            if (apart < TABLE_SAME) {
                text_f(m->why,
                       "%s and %s are at the same point, %.1f, %.1f: the file has to say by "
                       "`robot` lines where each place is, for instance robot=-4,20,0 in cm from "
                       "the arm's base",
                       t->site[j].name, t->site[i].name, t->site[i].at.x, t->site[i].at.y);
                return false;
            }
            *least = fmin(*least, apart);
        }
    return true;
}

// Where fingers are lowest they touch the board: that is how such places are measured.
static void find_surface(Table *t) {
    t->surface = HUGE_VAL;
    for (int c = 0; c < t->cells; c++)
        t->surface = fmin(t->surface, t->site[c].at.z);
    t->grip = 0;
    for (int c = 0; c < t->cells; c++)
        t->grip = fmax(t->grip, t->site[c].at.z - t->surface);
}

// Whether some kind grows beyond what stands on the board at first: it needs a store.
static bool needs_stores(const Maker *m) {
    for (int k = 0; k < m->t->kinds; k++)
        if (m->comes[k])
            return true;
    return false;
}

bool table_places(Maker *m) {
    Table *t = m->t;
    const Look *look = t->game->ir->look;
    double least;
    for (int c = 0; c < t->cells; c++)
        if (!one_place(m, c, &look->place[c]))
            return false;
    if (!distances(m, &least))
        return false;
    find_surface(t);
    m->height = PIECE_HEIGHT;
    m->radius = fmin(PIECE_RADIUS_MOST, 0.36 * least);
    if (table_lay_piles(m) && (!needs_stores(m) || table_add_stores(m)))
        return true;
    text_add(m->why, "there is not enough room within the arm's reach for the pieces that stand "
                     "beside the board");
    return false;
}
