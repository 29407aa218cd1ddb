// teach_go: the hand is sent to places of the game on the table, one or all of them, past what
// stands there.
#include "server/teach.h"

#include "base/mem.h"
#include "robot/plan.h"

#include <math.h>
#include <string.h>

#define TOUR_PAUSE_MOST 10.0 // seconds at a place
#define TOLD_MOST 3          // places out of reach that are named

// Closed fingers would come down on a piece.
static bool room_below(const Stage *s, int site, const ArmState *state, Text *why) {
    if (state->fingers != 0 || scene_height(&s->scene, site) == 0)
        return true;
    text_f(why, "a piece stands on %s: open the fingers first, or take it away",
           s->table->site[site].name);
    return false;
}

// Adds the way to a place; *at is where it ends. How many legs; -1 with the reason.
static int add_way(const Teach *t, int site, bool down, const ArmState *state, Pose *at, Leg *leg,
                   Text *why) {
    Motion motion[PLAN_MOTIONS];
    if (down && !room_below(t->stage, site, state, why))
        return -1;
    int n = plan_visit(&t->stage->scene, site, down, at, motion, why);
    for (int i = 0; i < n; i++)
        leg[i] = (Leg){.kind = LEG_MOVE,
                       .site = site,
                       .pose = motion[i].pose,
                       .seconds = fmax(TEACH_SECONDS, motion[i].seconds)};
    if (n > 0)
        *at = motion[n - 1].pose;
    return n;
}

void hub_do_arm_go(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    ArmState s;
    Leg leg[PLAN_MOTIONS];
    Text why = {0};
    int site;
    bool down;
    if (!teach_place(t, c, id, in, &site, &down) || !teach_ready(t, c, id, &s))
        return;
    int legs = add_way(t, site, down, &s, &s.goal, leg, &why);
    if (legs >= 0)
        teach_give(t, c, id, WORK_MOVING, leg, legs);
    else
        client_error(c, id, "illegal", NULL, "%s", text_c(&why));
    text_free(&why);
}

// --- a tour of all places, or some ---

typedef struct Tour {
    int site[VIEW_PLACES];
    int sites;
    bool down;
    double pause;
} Tour;

static bool read_places(Client *c, int64_t id, const cJSON *in, const Table *table, Tour *tour) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(in, "places"), *item;
    if (!list) {
        for (tour->sites = 0; tour->sites < table->sites; tour->sites++)
            tour->site[tour->sites] = tour->sites;
        return true;
    }
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > VIEW_PLACES) {
        client_error(c, id, "bad", NULL, "`places` is a list of names");
        return false;
    }
    cJSON_ArrayForEach(item, list) {
        int site = cJSON_IsString(item) ? table_site_named(table, item->valuestring) : -1;
        if (site < 0) {
            client_error(c, id, "gone", NULL, "there is no such place");
            return false;
        }
        tour->site[tour->sites++] = site;
    }
    return true;
}

static int plan_tour(const Teach *t, const Tour *tour, const ArmState *s, Leg *leg, Text *wrong) {
    int n = 0, missing = 0;
    Pose at = s->goal;
    for (int i = 0; i < tour->sites; i++) {
        Text why = {0};
        int legs = add_way(t, tour->site[i], tour->down, s, &at, leg + n, &why);
        if (legs >= 0) {
            n += legs;
            leg[n++] = (Leg){.kind = LEG_PAUSE, .site = tour->site[i], .seconds = tour->pause};
        } else if (missing++ < TOLD_MOST) {
            text_f(wrong, "%s%s", wrong->n ? "; " : "", text_c(&why));
        }
        text_free(&why);
    }
    if (missing > TOLD_MOST)
        text_f(wrong, "; and %d more", missing - TOLD_MOST);
    return n;
}

// All of it is worked out before the first movement.
void hub_do_arm_tour(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    ArmState s;
    Tour tour = {.down = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(in, "down"))};
    if (!teach_holds(t, c, id))
        return;
    if (!t->stage) {
        client_error(c, id, "gone", NULL, "choose a game first");
        return;
    }
    if (!in_number(c, id, in, "pause", 0, TOUR_PAUSE_MOST, &tour.pause) ||
        !read_places(c, id, in, t->stage->table, &tour) || !teach_ready(t, c, id, &s))
        return;
    Text wrong = {0};
    Leg *leg = mem_alloc(sizeof *leg * ((size_t)tour.sites * (PLAN_MOTIONS + 1) + 1));
    int legs = leg ? plan_tour(t, &tour, &s, leg, &wrong) : 0;
    if (!leg)
        client_error(c, id, "failed", NULL, "out of memory");
    else if (wrong.n)
        client_error(c, id, "illegal", NULL, "%s", text_c(&wrong));
    else
        teach_give(t, c, id, WORK_TOURING, leg, legs);
    mem_free(leg);
    text_free(&wrong);
}
