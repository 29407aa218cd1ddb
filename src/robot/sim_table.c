// sim_table: see sim_table.h.
//
// Three locks, always taken in this order: the eye's (what is being drawn), the board's (inside
// sim_board), the table's own (pieces, persons, troubles). The board's thread tells of every small
// step of the arm; persons move when somebody looks, up to the time it is then.
#include "robot/sim_table.h"

#include "base/mem.h"
#include "robot/sim_camera.h"
#include "robot/sim_world.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

// Movements of a person that may be waiting: of a move that exchanges the pieces on all places.
#define PERSONS (2 * VIEW_PLACES)
#define LIFTS 0.35     // of the time of a movement: then the piece is lifted
#define PUTS 0.65      //   and put
#define REACH 9.0      // cm over the table: a person's hand
#define LOSE_SECONDS 3 // simulated: so long bytes are lost

typedef struct Person {
    int from, to;
    double begin, seconds; // simulated
    int piece;             // that is lifted; -1: not yet
    bool lifted;
} Person;

typedef struct Trouble {
    bool waits;
    double left; // simulated seconds of fitting motion until it happens
} Trouble;

struct SimTable {
    const Table *table;
    Arm arm; // as it really is
    SimBoard *board;
    pthread_mutex_t eye_lock;
    SimEye eye;
    SimWorld shot; // what is drawn
    pthread_mutex_t lock;
    SimWorld world;
    Rng rng;
    Person person[PERSONS];
    int persons;
    Trouble trouble[SIM_TROUBLES];
    int troubles;
    double losing; // simulated seconds left
    double pulse[SIM_CHANNELS];
};

const char *sim_trouble_word(SimTrouble t) {
    static const char *const words[] = {"drop", "miss", "stuck", "lose", "pull"};
    return t >= 0 && t < SIM_TROUBLES ? words[t] : "?";
}

static double share(Rng *rng) {
    return (double)(rng_next(rng) >> 11) / 9007199254740992.0;
}

// --- troubles ---

// A joint that is on its way stays where it is.
static bool stick(SimTable *s, const double *pulse, SimFaults *faults) {
    int first = (int)rng_below(&s->rng, ARM_HAND);
    for (int k = 0; k < ARM_HAND; k++) {
        int channel = s->arm.joint[(first + k) % ARM_HAND].channel;
        if (fabs(pulse[channel] - s->pulse[channel]) > 0.01) {
            faults->stuck |= (uint32_t)1 << channel;
            return true;
        }
    }
    return false;
}

static bool happen(SimTable *s, SimTrouble t, const double *pulse, SimFaults *faults) {
    switch (t) {
    case SIM_DROP: sim_world_drop(&s->world); return true;
    case SIM_STUCK: return stick(s, pulse, faults);
    case SIM_LOSE:
        faults->lose = 0.03;
        faults->lose_back = 0.3;
        s->losing = LOSE_SECONDS;
        return true;
    case SIM_PULL: faults->pulled = true; return true;
    case SIM_MISS:
    case SIM_TROUBLES: break; // the fingers do that by themselves
    }
    return false;
}

static void go_wrong(SimTable *s, const double *pulse, SimFaults *faults) {
    if (s->losing > 0 && (s->losing -= SIM_STEP) <= 0)
        faults->lose = faults->lose_back = 0;
    for (int t = 0; t < SIM_TROUBLES; t++) {
        Trouble *trouble = &s->trouble[t];
        if (!trouble->waits || t == SIM_MISS || (t == SIM_DROP && s->world.held < 0))
            continue;
        trouble->left -= SIM_STEP;
        if (trouble->left <= 0 && happen(s, (SimTrouble)t, pulse, faults)) {
            trouble->waits = false;
            s->troubles++;
        }
    }
}

void sim_table_trouble(SimTable *s, SimTrouble trouble) {
    pthread_mutex_lock(&s->lock);
    s->trouble[trouble] = (Trouble){true, 0.1 + 1.2 * share(&s->rng)};
    if (trouble == SIM_MISS)
        s->world.miss = true;
    pthread_mutex_unlock(&s->lock);
}

void sim_table_repair(SimTable *s) {
    sim_board_fail(s->board, &(SimFaults){0});
    pthread_mutex_lock(&s->lock);
    s->losing = 0;
    sim_world_tidy(&s->world);
    pthread_mutex_unlock(&s->lock);
}

// --- the arm ---

static void step(void *with, const double pulse[SIM_CHANNELS], SimFaults *faults) {
    SimTable *s = with;
    SimHand hand = {0};
    pthread_mutex_lock(&s->lock);
    int missed = s->world.missed;
    sim_hand_at(&s->arm, pulse, &hand);
    sim_world_move(&s->world, &hand);
    if (s->world.missed > missed) {
        s->trouble[SIM_MISS].waits = false;
        s->troubles++;
    }
    go_wrong(s, pulse, faults);
    memcpy(s->pulse, pulse, sizeof s->pulse);
    pthread_mutex_unlock(&s->lock);
}

// --- persons ---

// Persons do what is due. The lock is held.
static void settle(SimTable *s, double now) {
    while (s->persons > 0) {
        Person *p = &s->person[0];
        if (!p->lifted && now >= p->begin + LIFTS * p->seconds) {
            p->piece = sim_world_lift(&s->world, p->from);
            p->lifted = true;
        }
        if (p->lifted && p->piece >= 0 && now >= p->begin + PUTS * p->seconds) {
            sim_world_put(&s->world, p->piece, p->to);
            p->piece = -1;
        }
        if (now < p->begin + p->seconds)
            return;
        memmove(s->person, s->person + 1, sizeof *s->person * (size_t)--s->persons);
    }
}

static int height_of(const SimTable *s, int site) {
    int top = sim_world_top(&s->world, site);
    int height = top >= 0 ? s->world.piece[top].level + 1 : 0;
    for (int i = 0; i < s->persons; i++) {
        const Person *p = &s->person[i];
        height -= p->from == site && !p->lifted;
        height += p->to == site && (!p->lifted || p->piece >= 0);
    }
    return height;
}

bool sim_table_person(SimTable *s, int from, int to, double seconds) {
    if (from < 0 || from >= s->table->sites || to < 0 || to >= s->table->sites || from == to)
        return false;
    double now = sim_board_seconds(s->board);
    pthread_mutex_lock(&s->lock);
    settle(s, now);
    bool ok = s->persons < PERSONS && height_of(s, from) > 0 &&
              height_of(s, to) < s->table->site[to].room && height_of(s, to) < SCENE_LEVELS;
    if (ok) {
        const Person *last = s->persons > 0 ? &s->person[s->persons - 1] : NULL;
        double begin = last ? last->begin + last->seconds : now;
        s->person[s->persons++] = (Person){from, to, begin, fmax(0, seconds), -1, false};
        settle(s, now);
    }
    pthread_mutex_unlock(&s->lock);
    return ok;
}

static Point between(Point a, Point b, double part) {
    return (Point){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), a.z + part * (b.z - a.z)};
}

// Where a person's hand is; false if there is none.
static bool person_at(const SimTable *s, double now, Point *at) {
    if (s->persons == 0 || now < s->person[0].begin)
        return false;
    const Person *p = &s->person[0];
    double part = p->seconds > 0 ? (now - p->begin) / p->seconds : 1;
    Point from = s->table->site[p->from].at, to = s->table->site[p->to].at;
    from.z = to.z = s->table->surface + REACH;
    Point away = {to.x, to.y + 12, from.z};
    if (part < LIFTS)
        *at = between((Point){from.x, from.y + 12, from.z}, from, part / LIFTS);
    else if (part < PUTS)
        *at = between(from, to, (part - LIFTS) / (PUTS - LIFTS));
    else
        *at = between(to, away, (part - PUTS) / (1 - PUTS));
    return true;
}

// --- the camera ---

static bool take(void *with, Picture *picture, Text *why) {
    SimTable *s = with;
    Point hand;
    double pulse[SIM_CHANNELS];
    pthread_mutex_lock(&s->eye_lock);
    sim_board_pulses(s->board, pulse); // what the arm did up to now has happened
    double now = sim_board_seconds(s->board);
    pthread_mutex_lock(&s->lock);
    settle(s, now);
    SimPiece *copy = s->shot.piece;
    s->shot = s->world;
    s->shot.piece = copy;
    memcpy(copy, s->world.piece, sizeof *copy * (size_t)s->world.pieces);
    bool person = person_at(s, now, &hand);
    pthread_mutex_unlock(&s->lock);
    bool ok = sim_eye_take(&s->eye, &s->shot, person ? &hand : NULL, picture);
    pthread_mutex_unlock(&s->eye_lock);
    if (!ok)
        text_add(why, "out of memory");
    return ok;
}

Camera *sim_table_camera(SimTable *s) {
    return camera_of(take, s);
}

void sim_table_view(const SimTable *s, View *v) {
    table_view(s->table, v);
    v->width = s->eye.look.width;
    v->height = s->eye.look.height;
    v->plane = s->table->surface;
    const double *corner = s->eye.corner;
    double pixels[8];
    for (int k = 0; k < 4; k++) {
        Pixel p = {0};
        lens_see(&s->eye.lens, (Point){corner[k * 2], corner[k * 2 + 1], v->plane}, &p);
        pixels[k * 2] = p.x;
        pixels[k * 2 + 1] = p.y;
    }
    v->placed = view_place(v, corner, pixels, 4);
    view_check_pixels(v);
}

bool sim_table_push(SimTable *s, double degrees, double right, double down) {
    Text why = {0};
    pthread_mutex_lock(&s->eye_lock);
    bool ok = sim_eye_push(&s->eye, degrees, right, down, &why);
    pthread_mutex_unlock(&s->eye_lock);
    text_free(&why);
    return ok;
}

// --- the whole ---

SimTable *sim_table_new(const Table *t, const SimLook *look, double rate, uint64_t seed,
                        Text *why) {
    SimTable *s = mem_alloc(sizeof *s);
    if (!s) {
        text_add(why, "out of memory");
        return NULL;
    }
    s->table = t;
    s->arm = *t->arm;
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->eye_lock, NULL);
    rng_seed(&s->rng, seed);
    bool memory = sim_world_init(&s->world, t) && sim_world_init(&s->shot, t);
    if (!memory)
        text_add(why, "out of memory");
    static const SimLook plain = {0};
    bool ok = memory && sim_eye_init(&s->eye, t, look ? look : &plain, seed + 1, why);
    s->board = ok ? sim_board_new(rate, seed + 2, why) : NULL;
    if (!s->board) {
        sim_table_free(s);
        return NULL;
    }
    sim_board_watch(s->board, step, s);
    return s;
}

void sim_table_free(SimTable *s) {
    if (!s)
        return;
    sim_board_free(s->board);
    sim_eye_free(&s->eye);
    sim_world_free(&s->world);
    sim_world_free(&s->shot);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->eye_lock);
    mem_free(s);
}

void sim_table_real(SimTable *s, const Arm *arm) {
    pthread_mutex_lock(&s->lock);
    s->arm = *arm;
    pthread_mutex_unlock(&s->lock);
}

const char *sim_table_port(SimTable *s) {
    return sim_board_port(s->board);
}

SimBoard *sim_table_board(SimTable *s) {
    return s->board;
}

void sim_table_set(SimTable *s, const Scene *scene) {
    pthread_mutex_lock(&s->lock);
    s->persons = 0;
    sim_world_set(&s->world, scene);
    pthread_mutex_unlock(&s->lock);
}

void sim_table_get(SimTable *s, Scene *scene) {
    double pulse[SIM_CHANNELS], now = sim_board_seconds(s->board);
    sim_board_pulses(s->board, pulse);
    pthread_mutex_lock(&s->lock);
    settle(s, now);
    sim_world_get(&s->world, scene);
    pthread_mutex_unlock(&s->lock);
}

void sim_table_told(SimTable *s, SimTold *told) {
    double pulse[SIM_CHANNELS];
    sim_board_pulses(s->board, pulse);
    pthread_mutex_lock(&s->lock);
    *told = (SimTold){s->world.picked, s->world.placed, s->world.collisions,
                      sim_world_fallen(&s->world), s->troubles};
    pthread_mutex_unlock(&s->lock);
}
