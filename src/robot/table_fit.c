// table_fit: lays a board and its stores on a table so that an arm reaches all of it.
//
//            behind            The arm stands at 0, 0 and looks forward. Fingers that point
//            straight
//        .-------------.       down reach a ring round it, which is narrower the higher they are:
//     left | board | right     both the height of a piece and the height of travel count. The
//        '-.       .-'         board is made as large as fits into it with the stores beside it.
//           ( arm )
#include "robot/table_parts.h"

#include <math.h>
#include <string.h>

#define PITCH_MOST 4.0  // cm; larger ones only make ways longer
#define PITCH_LEAST 1.0 // fingers do not fit between pieces on a smaller one
#define PITCH_STEP 0.1
#define PIECE_RADIUS_MOST 1.1 // cm: fingers of the AL5D open about 3
#define PIECE_HEIGHT_MOST 1.2
#define RING_STEP 0.5
#define RING_MOST 80.0 // cm
#define RING_EDGE 0.3  // cm that are left free at its edges
#define SPOTS_MOST (4 * VIEW_PLACES)
#define DEGREES (180 / 3.14159265358979323846)

// The distances at which fingers reach straight down to a height: the longest run of them.
static Ring ring_at(const Arm *arm, double z) {
    Ring best = {0, -1}, run = {0, -1};
    for (double out = RING_STEP; out < RING_MOST; out += RING_STEP) {
        Pose pose;
        if (arm_reach(arm, (Point){0, out, z}, -90, NULL, &pose).fault == REACH_OK) {
            if (run.far < run.near)
                run.near = out;
            run.far = out;
            if (run.far - run.near > best.far - best.near)
                best = run;
        } else {
            run.far = run.near - 1;
        }
    }
    return best;
}

static double travel_of(double pile, double grip) {
    return pile + grip + TABLE_CLEAR;
}

double table_travel(const Table *t, double pile) {
    return travel_of(pile, t->grip);
}

// What is reached both at the surface and over piles of so many pieces.
static Ring ring_over(Maker *m, int pieces) {
    const Table *t = m->t;
    const Arm arm = arm_laid(t->arm);
    if (m->ring[0].far == 0)
        m->ring[0] = ring_at(&arm, t->surface + t->grip);
    if (m->ring[pieces].far == 0)
        m->ring[pieces] = ring_at(&arm, t->surface + travel_of(pieces * m->height, t->grip));
    Ring low = m->ring[0], high = m->ring[pieces];
    return (Ring){fmax(low.near, high.near) + RING_EDGE, fmin(low.far, high.far) - RING_EDGE};
}

static bool in_ring(const Table *t, Ring ring, double x, double y) {
    double out = hypot(x, y), base = atan2(x, y) * DEGREES;
    const ArmLaid laid = arm_lay(t->arm);
    return out >= ring.near && out <= ring.far && base > laid.low[ARM_BASE] + 1 &&
           base < laid.high[ARM_BASE] - 1;
}

// --- sites ---

Site *table_add_site(Maker *m, int cell, Point at, int room) {
    Table *t = m->t;
    Site *s = &t->site[t->sites];
    *s = (Site){.cell = cell, .at = at, .room = room, .takes = TABLE_EVERY_KIND};
    s->name = cell >= 0 ? t->game->ir->board->cell[cell].name : "store";
    t->sites++;
    return s;
}

// The middle of the board as it is drawn.
static void find_middle(Maker *m) {
    const Board *b = m->t->game->ir->board;
    double low_x = HUGE_VAL, high_x = -HUGE_VAL, low_y = HUGE_VAL, high_y = -HUGE_VAL;
    for (int c = 0; c < b->cells; c++) {
        low_x = fmin(low_x, b->cell[c].x);
        high_x = fmax(high_x, b->cell[c].x);
        low_y = fmin(low_y, b->cell[c].y);
        high_y = fmax(high_y, b->cell[c].y);
    }
    m->middle_x = (low_x + high_x) / 2;
    m->middle_y = (low_y + high_y) / 2;
}

static void place_cells(Maker *m, double x, double y) {
    Table *t = m->t;
    const Board *b = t->game->ir->board;
    double turn = m->said ? m->said->turn / DEGREES : 0;
    t->sites = 0;
    for (int c = 0; c < t->cells; c++) {
        double right = (b->cell[c].x - m->middle_x) * m->pitch;
        double forward = (b->cell[c].y - m->middle_y) * m->pitch;
        Point at = {x + right * cos(turn) - forward * sin(turn),
                    y + right * sin(turn) + forward * cos(turn), t->surface + t->grip};
        table_add_site(m, c, at, b->stack);
    }
}

static bool cells_in_ring(const Maker *m, Ring ring) {
    const Table *t = m->t;
    for (int c = 0; c < t->cells; c++)
        if (!in_ring(t, ring, t->site[c].at.x, t->site[c].at.y))
            return false;
    return true;
}

// --- stores ---

static int store_room(const Table *t, int kind) {
    int room = 0;
    for (int i = t->cells; i < t->sites; i++)
        if (t->site[i].takes >> kind & 1)
            room += t->site[i].room;
    return room;
}

// Whether stores were given for a kind; then they have to do.
static bool has_stores(const Table *t, int kind) {
    return store_room(t, kind) > 0;
}

typedef struct Spot {
    double x, y;
    bool taken;
} Spot;

typedef struct Spots {
    Spot *spot;
    int count;
    double x, y; // the middle of the board
} Spots;

// No store lies on the board, even where it has no cells.
static bool off_board(const Table *t, const double box[4], double apart, double x, double y) {
    if (x > box[0] - apart && x < box[1] + apart && y > box[2] - apart && y < box[3] + apart)
        return false;
    for (int i = 0; i < t->sites; i++)
        if (hypot(x - t->site[i].at.x, y - t->site[i].at.y) < apart)
            return false;
    return true;
}

static void board_box(const Table *t, int sites, double box[4]) {
    box[0] = box[2] = HUGE_VAL;
    box[1] = box[3] = -HUGE_VAL;
    for (int i = 0; i < sites; i++) {
        box[0] = fmin(box[0], t->site[i].at.x);
        box[1] = fmax(box[1], t->site[i].at.x);
        box[2] = fmin(box[2], t->site[i].at.y);
        box[3] = fmax(box[3], t->site[i].at.y);
    }
}

// All points of a grid that can be stores.
static Spots find_spots(const Maker *m, Ring ring, double apart, Spot *spot, int most) {
    const Table *t = m->t;
    double box[4];
    board_box(t, t->cells, box);
    Spots s = {spot, 0, (box[0] + box[1]) / 2, (box[2] + box[3]) / 2};
    int steps = ring.far > 0 ? (int)(ring.far / apart) : 0;
    for (int i = -steps; i <= steps; i++)
        for (int j = 0; j <= steps && s.count < most; j++) {
            double x = i * apart, y = j * apart;
            if (in_ring(t, ring, x, y) && off_board(t, box, apart, x, y))
                spot[s.count++] = (Spot){x, y, false};
        }
    return s;
}

// The nearest to the board, on the left for every other kind, else on the right.
static Spot *nearest_spot(Spots *s, bool left) {
    Spot *best = NULL;
    double least = HUGE_VAL;
    for (int i = 0; i < s->count; i++) {
        Spot *p = &s->spot[i];
        double far = hypot(p->x - s->x, p->y - s->y);
        if ((left && p->x >= s->x) || (!left && p->x <= s->x))
            far += RING_MOST;
        if (!p->taken && far < least) {
            least = far;
            best = p;
        }
    }
    return best;
}

static bool add_store(Maker *m, Spots *s, bool left, int room, uint64_t takes) {
    Spot *p = nearest_spot(s, left);
    if (!p || m->t->sites == VIEW_PLACES)
        return false;
    p->taken = true;
    Point at = {p->x, p->y, m->t->surface + m->t->grip};
    table_add_site(m, -1, at, room)->takes = takes;
    return true;
}

bool table_lay_piles(Maker *m) {
    Table *t = m->t;
    Spot spot[SPOTS_MOST];
    Spots s = find_spots(m, ring_over(m, 1), 2 * m->radius + TABLE_GAP, spot, SPOTS_MOST);
    for (int c = 0; c < t->cells; c++) {
        if (!isnan(t->site[c].at.x))
            continue;
        Spot *p = nearest_spot(&s, true);
        if (!p)
            return false;
        p->taken = true;
        t->site[c].at = (Point){p->x, p->y, t->surface + t->grip};
    }
    return true;
}

// For each kind that comes and goes, as many as there can be; one for anything if no kind does.
static bool lay_stores(Maker *m, Spots *s, int room) {
    Table *t = m->t;
    bool given[IR_MAX_KINDS], any = t->sites > t->cells;
    for (int k = 0; k < t->kinds; k++)
        given[k] = has_stores(t, k);
    for (int k = 0; k < t->kinds; k++)
        for (int left = m->comes[k] && !given[k] ? m->most[k] : 0; left > 0; left -= room) {
            any = true;
            if (!add_store(m, s, k % 2 == 0, room, (uint64_t)1 << k))
                return false;
        }
    return any || add_store(m, s, true, 1, TABLE_EVERY_KIND);
}

static int most_room(const Maker *m) {
    int room = (int)(TABLE_PILE_MOST / m->height + 1e-9);
    return room < 1 ? 1 : room > SCENE_LEVELS ? SCENE_LEVELS : room;
}

static bool reaches(const Maker *m, double x, double y, int room) {
    const Table *t = m->t;
    Pose pose;
    Point low = {x, y, t->surface + t->grip}, over = low;
    over.z = t->surface + table_travel(t, room * m->height);
    return arm_reach_down(t->arm, low, NULL, &pose).fault == REACH_OK &&
           arm_reach_down(t->arm, over, NULL, &pose).fault == REACH_OK;
}

// An arm that was fitted may just not reach a store of the table as it was laid out before. Only
// those are laid elsewhere: all others stay where they are.
static void mend_stores(Maker *m, Spots *s, int first, int room) {
    Table *t = m->t;
    for (int i = first; i < t->sites; i++) {
        Site *site = &t->site[i];
        while (!reaches(m, site->at.x, site->at.y, room)) {
            Spot *p = nearest_spot(s, site->at.x < s->x);
            if (!p)
                break;
            p->taken = true;
            site->at.x = p->x;
            site->at.y = p->y;
        }
    }
}

bool table_add_stores(Maker *m) {
    Table *t = m->t;
    int before = t->sites, stack = t->game->ir->board->stack;
    double apart = 2 * m->radius + TABLE_GAP;
    Spot spot[SPOTS_MOST];
    for (int room = 1; room <= most_room(m); room++) {
        Ring ring = ring_over(m, room > stack ? room : stack);
        Spots s = find_spots(m, ring, apart, spot, SPOTS_MOST);
        t->sites = before;
        if (lay_stores(m, &s, room)) {
            if (t->arm->laid.given)
                mend_stores(m, &s, before, room);
            return true;
        }
    }
    t->sites = before;
    return false;
}

// --- the whole ---

static void size_pieces(Maker *m) {
    const LookTable *said = m->said;
    int stack = m->t->game->ir->board->stack;
    m->radius = said && said->piece_radius > 0 ? said->piece_radius
                                               : fmin(PIECE_RADIUS_MOST, 0.36 * m->pitch);
    double height = fmin(PIECE_HEIGHT_MOST, 0.4 * m->pitch);
    m->height = said && said->piece_height > 0 ? said->piece_height
                                               : fmin(height, (double)TABLE_PILE_MOST / stack);
    m->t->grip = said && said->grip > 0 ? said->grip : 0.6 * m->height;
    m->t->surface = said ? said->surface : 0;
    memset(m->ring, 0, sizeof m->ring);
}

static void given_stores(Maker *m) {
    Table *t = m->t;
    const IrGame *ir = t->game->ir;
    for (int i = 0; m->said && i < m->said->stores; i++) {
        const LookStore *store = &m->said->store[i];
        uint64_t takes = 0;
        for (int k = 0; k < t->kinds; k++) {
            const IrPlane *p = &ir->plane[k];
            bool kind = !store->kind || strcmp(store->kind, ir->kind[p->kind].name) == 0;
            if (kind && (store->owner < 0 || store->owner == p->owner))
                takes |= (uint64_t)1 << k;
        }
        for (int n = 0; n < store->count && t->sites < VIEW_PLACES; n++) {
            Point at = {store->x + n * store->dx, store->y + n * store->dy, t->surface + t->grip};
            table_add_site(m, -1, at, store->room)->takes = takes;
        }
    }
}

// One place of the board's middle. Whether cells and stores are within reach there.
static bool try_middle(Maker *m, double x, double y, Ring ring) {
    place_cells(m, x, y);
    if (m->said && m->said->has_middle && m->said->pitch > 0) { // faults are told place by place
        given_stores(m);
        return table_add_stores(m);
    }
    if (!cells_in_ring(m, ring))
        return false;
    given_stores(m);
    return table_add_stores(m);
}

static bool try_pitch(Maker *m, double pitch, bool *cells_fit) {
    m->pitch = pitch;
    size_pieces(m);
    Ring ring = ring_over(m, m->t->game->ir->board->stack);
    if (m->said && m->said->has_middle) {
        *cells_fit = true;
        return try_middle(m, m->said->x, m->said->y, ring);
    }
    for (double y = 0; y < ring.far; y += RING_STEP) {
        if (try_middle(m, 0, y, ring))
            return true;
        *cells_fit |= cells_in_ring(m, ring);
    }
    return false;
}

bool table_fit(Maker *m) {
    bool cells_fit = false;
    find_middle(m);
    double said = m->said ? m->said->pitch : 0;
    for (double pitch = said > 0 ? said : PITCH_MOST; pitch > PITCH_LEAST - 1e-6 || said > 0;
         pitch -= PITCH_STEP) {
        if (try_pitch(m, pitch, &cells_fit))
            return true;
        if (said > 0)
            break;
    }
    if (cells_fit)
        text_add(m->why, "there is not enough room within the arm's reach for the pieces that "
                         "stand beside the board");
    else if (said > 0)
        text_f(m->why, "the arm does not reach a board with %.1f cm from cell to cell", said);
    else
        text_f(m->why,
               "the board is too large for the arm: it would have to be made so small that cells "
               "are less than %.0f cm apart",
               PITCH_LEAST);
    return false;
}
