// sim_world: see sim_world.h.
#include "robot/sim_world.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

#define RADIANS (3.14159265358979323846 / 180)
#define TOLERANCE 0.6 // cm that the fingers may be off, sideways or in height
#define SLACK 0.3     // cm that things may go into each other before one falls
#define TIP 0.4       // cm of the fingers below where they hold
#define FINGER 0.15   // cm of a finger beside the piece; plans count on that
#define STRIDE 0.25   // cm: no way is looked at in larger pieces
#define SHUT 0.3      // opened so little, fingers hold
#define LOOSE 0.6     //   and so far, they let go
#define BARE 0.6      // cm: half of a closed, empty hand

static double apart(Point a, Point b) {
    return hypot(a.x - b.x, a.y - b.y);
}

static const TableKind *kind_of(const SimWorld *w, const SimPiece *p) {
    return &w->table->kind[p->kind];
}

static double top_of(const SimWorld *w, const SimPiece *p) {
    return p->at.z + kind_of(w, p)->height;
}

static double widest(const Table *t) {
    double r = 0;
    for (int k = 0; k < t->kinds; k++)
        r = fmax(r, t->kind[k].radius);
    return r;
}

// Fingers are as thick as they are, but a table on which they have no room between pieces is said
// to be one by the table, not here.
static double finger_room(const Table *t) {
    double nearest = HUGE_VAL;
    for (int i = 0; i < t->sites; i++)
        for (int j = 0; j < i; j++)
            nearest = fmin(nearest, apart(t->site[i].at, t->site[j].at));
    return fmin(FINGER, fmax(0.05, (nearest - 2 * widest(t)) / 2));
}

bool sim_world_init(SimWorld *w, const Table *t) {
    *w = (SimWorld){.table = t, .open = true, .held = -1, .spared = -1};
    w->grip = t->grip;
    w->finger = finger_room(t);
    w->piece = mem_alloc(sizeof *w->piece * ((size_t)t->sites * SCENE_LEVELS + 1));
    return w->piece != NULL;
}

void sim_world_free(SimWorld *w) {
    mem_free(w->piece);
    *w = (SimWorld){.held = -1};
}

// --- piles ---

int sim_world_top(const SimWorld *w, int site) {
    int top = -1;
    for (int i = 0; i < w->pieces; i++) {
        const SimPiece *p = &w->piece[i];
        if (p->place == SIM_STANDS && p->site == site &&
            (top < 0 || p->level > w->piece[top].level))
            top = i;
    }
    return top;
}

double sim_world_floor(const SimWorld *w, int site) {
    int top = sim_world_top(w, site);
    return top >= 0 ? top_of(w, &w->piece[top]) : w->table->site[site].at.z - w->grip;
}

static int height_of(const SimWorld *w, int site) {
    int top = sim_world_top(w, site);
    return top >= 0 ? w->piece[top].level + 1 : 0;
}

static bool has_room(const SimWorld *w, int site) {
    int height = height_of(w, site);
    return height < SCENE_LEVELS && height < w->table->site[site].room;
}

static void stand(SimWorld *w, SimPiece *p, int site, double x, double y) {
    p->at = (Point){x, y, sim_world_floor(w, site)};
    p->level = height_of(w, site);
    p->site = site;
    p->place = SIM_STANDS;
}

void sim_world_set(SimWorld *w, const Scene *scene) {
    w->pieces = 0;
    w->held = w->spared = -1;
    for (int site = 0; site < w->table->sites; site++) {
        const uint8_t *kind = &scene->kind[site * SCENE_LEVELS];
        for (int level = 0; level < SCENE_LEVELS && kind[level] < w->table->kinds; level++) {
            SimPiece *p = &w->piece[w->pieces];
            *p = (SimPiece){.kind = kind[level], .place = SIM_LIFTED};
            stand(w, p, site, w->table->site[site].at.x, w->table->site[site].at.y);
            w->pieces++;
        }
    }
}

void sim_world_get(const SimWorld *w, Scene *scene) {
    memset(scene->kind, SCENE_NOTHING, (size_t)w->table->sites * SCENE_LEVELS);
    for (int i = 0; i < w->pieces; i++) {
        const SimPiece *p = &w->piece[i];
        if (p->place == SIM_STANDS)
            scene->kind[p->site * SCENE_LEVELS + p->level] = (uint8_t)p->kind;
    }
}

int sim_world_fallen(const SimWorld *w) {
    int n = 0;
    for (int i = 0; i < w->pieces; i++)
        n += w->piece[i].place == SIM_LIES;
    return n;
}

// --- falling ---

// Whether a piece can lie there: not under another, and not so that it seems to stand on a site.
static bool is_free(const SimWorld *w, const SimPiece *p, Point at) {
    for (int s = 0; s < w->table->sites; s++)
        if (apart(w->table->site[s].at, at) < 2 * TOLERANCE)
            return false;
    for (int i = 0; i < w->pieces; i++) {
        const SimPiece *q = &w->piece[i];
        if (q != p && (q->place == SIM_STANDS || q->place == SIM_LIES) &&
            apart(q->at, at) < kind_of(w, p)->radius + kind_of(w, q)->radius - SLACK)
            return false;
    }
    return true;
}

// It comes to lie at the nearest free spot.
static void lie(SimWorld *w, SimPiece *p, Point at) {
    p->place = SIM_LIES;
    p->at = (Point){at.x, at.y, w->table->surface};
    for (int ring = 0; ring < 40; ring++) {
        for (int way = 0; way < 16; way++) {
            double turn = (way * 22.5 + 11) * RADIANS, far = ring * STRIDE;
            Point try = {at.x + far * sin(turn), at.y - far * cos(turn), w->table->surface};
            if (is_free(w, p, try)) {
                p->at = try;
                return;
            }
        }
    }
}

static void knock(SimWorld *w, const SimPiece *hit) {
    int site = hit->site, level = hit->level;
    w->collisions++;
    for (int i = 0; i < w->pieces; i++) {
        SimPiece *p = &w->piece[i];
        if (p->place == SIM_STANDS && p->site == site && p->level >= level)
            lie(w, p, p->at);
    }
}

void sim_world_drop(SimWorld *w) {
    if (w->held < 0)
        return;
    SimPiece *p = &w->piece[w->held];
    w->held = -1;
    w->dropped++;
    lie(w, p, p->at);
}

// --- the hand ---

static Point tip(const SimHand *h) {
    return h->joint[3];
}

void sim_hand_at(const Arm *arm, const double *pulse, SimHand *hand) {
    double a[ARM_SERVOS];
    for (int j = 0; j < ARM_SERVOS; j++) {
        const ArmJoint *joint = &arm->joint[j];
        a[j] = pulse[joint->channel];
        if (!(a[j] > 0)) {
            hand->known = false;
            return;
        }
        if (j < ARM_JOINTS)
            a[j] = (a[j] - joint->zero) / joint->per_degree;
    }
    const double length[3] = {arm->upper, arm->fore, arm->hand};
    double raise[3] = {90 + a[ARM_SHOULDER]};
    raise[1] = raise[0] + a[ARM_ELBOW] - 90;
    raise[2] = raise[1] + a[ARM_WRIST];
    double out = 0, up = arm->shoulder_height, base = a[ARM_BASE] * RADIANS;
    for (int i = 0; i < 4; i++) {
        hand->joint[i] = (Point){arm->base_x + out * sin(base), arm->base_y + out * cos(base), up};
        if (i < 3) {
            out += length[i] * cos(raise[i] * RADIANS);
            up += length[i] * sin(raise[i] * RADIANS);
        }
    }
    const ArmJoint *f = &arm->joint[ARM_FINGERS];
    hand->opened = (a[ARM_FINGERS] - f->close) / (f->open - f->close);
    hand->direction = a[ARM_BASE] + a[ARM_HAND];
    hand->known = true;
}

// Where the axis of the hand is at a height.
static Point axis_at(const SimHand *h, double z) {
    Point t = tip(h), wrist = h->joint[2];
    double rise = wrist.z - t.z, part = rise > 0.1 ? (z - t.z) / rise : 0;
    part = fmax(0, fmin(1, part));
    return (Point){t.x + part * (wrist.x - t.x), t.y + part * (wrist.y - t.y), z};
}

// Whether the fingers, from their tips upwards, are in a piece.
static bool fingers_in(const SimWorld *w, const SimHand *h, const SimPiece *q) {
    double low = tip(h).z - fmin(TIP, w->grip), top = top_of(w, q), radius = kind_of(w, q)->radius;
    if (top <= low + SLACK)
        return false;
    if (w->held >= 0)
        radius += kind_of(w, &w->piece[w->held])->radius + w->finger;
    else if (q->site == w->spared || (w->open && apart(tip(h), q->at) <= TOLERANCE + STRIDE))
        return false; // it is between them
    else
        radius += w->open ? widest(w->table) + w->finger : BARE;
    return fmin(apart(axis_at(h, fmax(low, q->at.z)), q->at), apart(axis_at(h, top), q->at)) <
           radius - 0.05;
}

static bool held_in(const SimWorld *w, const SimHand *h, const SimPiece *q) {
    if (w->held < 0 || top_of(w, q) <= tip(h).z - w->grip + SLACK)
        return false;
    double radius = kind_of(w, q)->radius + kind_of(w, &w->piece[w->held])->radius;
    return apart(tip(h), q->at) < radius - 0.05;
}

static void collide(SimWorld *w, const SimHand *h) {
    for (int i = 0; i < w->pieces; i++) {
        const SimPiece *q = &w->piece[i];
        if (q->place == SIM_STANDS && (fingers_in(w, h, q) || held_in(w, h, q)))
            knock(w, q);
    }
    if (w->spared >= 0 && tip(h).z > sim_world_floor(w, w->spared) + TIP)
        w->spared = -1;
    bool below = tip(h).z - fmin(TIP, w->grip) < w->table->surface - SLACK - TIP;
    w->collisions += below && !w->below;
    w->below = below;
}

// --- fingers ---

static void hold(SimWorld *w, const SimHand *h) {
    int best = -1;
    double nearest = TOLERANCE;
    for (int i = 0; i < w->pieces; i++) {
        const SimPiece *p = &w->piece[i];
        if (p->place == SIM_STANDS && apart(p->at, tip(h)) < kind_of(w, p)->radius)
            w->spared = p->site;
        if (p->place == SIM_STANDS && apart(p->at, tip(h)) <= nearest &&
            fabs(p->at.z + w->grip - tip(h).z) <= TOLERANCE && sim_world_top(w, p->site) == i) {
            best = i;
            nearest = apart(p->at, tip(h));
        }
    }
    if (best >= 0 && w->miss) {
        w->miss = false;
        w->missed++;
    } else if (best >= 0) {
        w->held = best;
        w->piece[best].place = SIM_HELD;
        w->picked++;
    }
}

static void let_go(SimWorld *w, const SimHand *h) {
    if (w->held < 0)
        return;
    SimPiece *p = &w->piece[w->held];
    double bottom = tip(h).z - w->grip;
    int best = -1;
    for (int s = 0; s < w->table->sites; s++)
        if (apart(w->table->site[s].at, tip(h)) <= TOLERANCE &&
            fabs(bottom - sim_world_floor(w, s)) <= TOLERANCE && has_room(w, s) &&
            (best < 0 ||
             apart(w->table->site[s].at, tip(h)) < apart(w->table->site[best].at, tip(h))))
            best = s;
    w->held = -1;
    if (best >= 0) {
        stand(w, p, best, tip(h).x, tip(h).y);
        w->placed++;
    } else {
        w->dropped++;
        lie(w, p, tip(h));
    }
}

static void carry(SimWorld *w) {
    if (w->held < 0)
        return;
    Point t = tip(&w->hand);
    w->piece[w->held].at = (Point){t.x, t.y, t.z - w->grip};
}

void sim_world_move(SimWorld *w, const SimHand *to) {
    SimHand from = w->hand;
    w->hand = *to;
    if (!to->known || !from.known)
        return;
    Point a = tip(&from), b = tip(to);
    int parts = (int)ceil((apart(a, b) + fabs(a.z - b.z)) / STRIDE);
    for (int i = 1; i <= parts; i++) {
        double part = (double)i / parts;
        for (int j = 0; j < 4; j++) {
            Point p = from.joint[j], q = to->joint[j];
            w->hand.joint[j] = (Point){p.x + part * (q.x - p.x), p.y + part * (q.y - p.y),
                                       p.z + part * (q.z - p.z)};
        }
        carry(w);
        collide(w, &w->hand);
    }
    w->hand = *to;
    carry(w);
    if (w->open && to->opened < SHUT) {
        w->open = false;
        hold(w, to);
    } else if (!w->open && to->opened > LOOSE) {
        w->open = true;
        let_go(w, to);
    }
}

// --- a person ---

int sim_world_lift(SimWorld *w, int site) {
    int top = sim_world_top(w, site);
    if (top >= 0)
        w->piece[top].place = SIM_LIFTED;
    return top;
}

void sim_world_put(SimWorld *w, int piece, int site) {
    const Site *s = &w->table->site[site];
    SimPiece *p = &w->piece[piece];
    if (has_room(w, site))
        stand(w, p, site, s->at.x, s->at.y);
    else
        lie(w, p, s->at);
}

// A store for a piece: on its like, else an empty one.
static int store_for(const SimWorld *w, int kind) {
    int empty = -1;
    for (int s = w->table->cells; s < w->table->sites; s++) {
        int top = sim_world_top(w, s);
        if (!(w->table->site[s].takes >> kind & 1))
            continue;
        if (top >= 0 && w->piece[top].kind == kind && has_room(w, s))
            return s;
        if (top < 0 && empty < 0)
            empty = s;
    }
    return empty;
}

void sim_world_tidy(SimWorld *w) {
    for (int i = 0; i < w->pieces; i++) {
        SimPiece *p = &w->piece[i];
        int store = p->place == SIM_LIES ? store_for(w, p->kind) : -1;
        if (store >= 0)
            stand(w, p, store, w->table->site[store].at.x, w->table->site[store].at.y);
    }
}
