// robot: looking and believing; see robot.h.
#include "robot/robot_parts.h"

#include "base/mem.h"
#include "base/now.h"
#include "game/statetext.h"
#include "robot/serial.h"

#include <math.h>
#include <string.h>

#define FRAME_SECONDS 3.0 // until a camera that gives no picture counts as gone
#define DOUBT 3.0         // what is seen against what is believed counts if it is 20 times likelier
#define ASKEW 0.6         // cm off the middle: fingers do not get hold of it
#define BESIDE 2.0        // cm off the middle: fingers may hit it
#define TAGS_SECONDS 1.0  // between two looks for the tags
#define ASTRAY_SECONDS 0.2 //   while they are not where they were
#define PATIENCES 3        // so many times the patience: then somebody has to look after it

// --- telling ---

bool robot_tell(Robot *r, RobotNews news, const char *line) {
    return r->options.tell && r->options.tell(r->options.with, news, line);
}

bool robot_help(Robot *r, const char *line, Text *why) {
    if (robot_tell(r, ROBOT_HELP, line)) {
        r->upset = false;
        return true;
    }
    text_add(why, line);
    return false;
}

// --- the whole ---

Robot *robot_new(const Table *t, Controller *c, Camera *camera, const View *v,
                 const RobotOptions *options, Text *why) {
    Robot *r = mem_alloc(sizeof *r);
    if (!r || !scene_init(&r->scene, t) || !scene_init(&r->before, t)) {
        text_add(why, "out of memory");
        robot_free(r);
        return NULL;
    }
    r->table = t;
    r->controller = c;
    r->camera = camera;
    if (v)
        r->view = *v;
    if (options)
        r->options = *options;
    if (r->options.frames <= 0)
        r->options.frames = 3;
    if (!(r->options.patience > 0))
        r->options.patience = 10;
    if (camera && !r->view.placed) {
        text_add(why, "it is not known where the camera sees the board");
        robot_free(r);
        return NULL;
    }
    if (camera && r->options.tags && !(r->anchor = anchor_new(t->corner, why))) {
        robot_free(r);
        return NULL;
    }
    r->home = true;
    r->step = (Step){-1, -1, -1};
    return r;
}

void robot_free(Robot *r) {
    if (!r)
        return;
    watcher_free(r->watcher);
    anchor_free(r->anchor);
    picture_free(&r->picture);
    scene_free(&r->scene);
    scene_free(&r->before);
    plan_free(&r->plan);
    mem_free(r);
}

const Scene *robot_scene(const Robot *r) {
    return &r->scene;
}

void robot_believe(Robot *r, const Scene *scene) {
    scene_copy(&r->scene, scene);
}

// --- believing ---

void robot_know(Robot *r, const uint8_t *state) {
    const Table *t = r->table;
    for (int c = 0; c < t->cells; c++) {
        int height = state_height(t->game, state, c);
        int top = height ? state_plane(t->game, state, c, height - 1) : SCENE_NOTHING;
        if (height > SCENE_LEVELS || scene_top(&r->scene, c) != top)
            continue;
        uint8_t *pile = &r->scene.kind[c * SCENE_LEVELS];
        memset(pile, SCENE_NOTHING, SCENE_LEVELS);
        for (int level = 0; level < height; level++)
            pile[level] = (uint8_t)state_plane(t->game, state, c, level);
    }
}

static void pop(Scene *s, int site) {
    int height = scene_height(s, site);
    if (height > 0)
        s->kind[site * SCENE_LEVELS + height - 1] = SCENE_NOTHING;
}

static void push(Scene *s, int site, int kind) {
    int height = scene_height(s, site);
    if (height < SCENE_LEVELS)
        s->kind[site * SCENE_LEVELS + height] = (uint8_t)kind;
}

// What lies under the top of a pile is not seen. If the top is another one, the likeliest is that
// one piece was taken off, if the next is what is seen; else that one was put on.
static void believe_site(Robot *r, int site, const Seen *seen, double doubt) {
    Scene *s = &r->scene;
    int believed = scene_top(s, site), height = scene_height(s, site);
    int at = believed == SCENE_NOTHING ? VIEW_KINDS : believed;
    int is = seen->kind == SEE_NOTHING ? VIEW_KINDS : seen->kind;
    if (believed == seen->kind || (double)(seen->support[is] - seen->support[at]) < doubt)
        return;
    if (seen->kind == SEE_NOTHING || r->table->site[site].room < 2) {
        for (; height > 0; height--)
            pop(s, site);
        if (seen->kind != SEE_NOTHING)
            push(s, site, seen->kind);
    } else if (height > 1 && s->kind[site * SCENE_LEVELS + height - 2] == seen->kind) {
        pop(s, site);
    } else {
        push(s, site, seen->kind);
    }
}

static int count_kind(const Scene *s, int kind) {
    int n = 0;
    for (int i = 0; i < s->table->sites * SCENE_LEVELS; i++)
        n += s->kind[i] == kind;
    return n;
}

bool robot_lost(const Robot *r, int kind) {
    return count_kind(&r->scene, kind) < count_kind(&r->before, kind);
}

// A step from a pile that still has such a piece on top, though another one should be there or none
// has arrived: if none lies about, the fingers have missed it, and all is as before the step.
static void believe_missed(Robot *r, const Sight *sight, const Step *s) {
    if (s->from < 0 || r->table->site[s->from].room < 2 ||
        scene_top(&r->scene, s->from) != s->kind ||
        (scene_top(&r->before, s->from) == s->kind && !robot_lost(r, s->kind)))
        return;
    for (int i = 0; i < sight->blobs; i++)
        if (sight->blob[i].place < 0 && sight->blob[i].kind == s->kind)
            return;
    size_t from = (size_t)s->from * SCENE_LEVELS, to = (size_t)s->to * SCENE_LEVELS;
    memcpy(r->scene.kind + from, r->before.kind + from, SCENE_LEVELS);
    push(&r->scene, s->from, s->kind);
    if (memcmp(r->scene.kind + to, r->before.kind + to, SCENE_LEVELS) == 0)
        pop(&r->scene, s->to);
}

// Blobs that are more than one piece, or less, have their middle anywhere.
static bool is_one_piece(const Blob *b, double radius) {
    double wide = b->right - b->left + 1, high = b->bottom - b->top + 1;
    return fmax(wide, high) < 2.8 * radius && b->size > 2.2 * radius * radius;
}

// How many cm the middle of a blob is from where it would be if the piece stood on this site as it
// should; -1: that cannot be said. The camera sees the top of a piece and some of its side.
static double off_middle(const Robot *r, const Blob *b, int site) {
    const View *v = &r->view;
    const ViewPlace *p = &v->place[site];
    int height = scene_height(&r->scene, site);
    double z = p->z + (height > 0 ? height - 0.25 : 0.75) * v->kind[b->kind].height;
    double px, py, side_x, side_y, ahead_x, ahead_y;
    if (p->seen || !view_point(v, p->x, p->y, z, &px, &py) ||
        !view_point(v, p->x + 1, p->y, z, &side_x, &side_y) ||
        !view_point(v, p->x, p->y + 1, z, &ahead_x, &ahead_y))
        return -1;
    double cm = fmin(hypot(side_x - px, side_y - py), hypot(ahead_x - px, ahead_y - py));
    if (!(cm > 0) || !is_one_piece(b, cm * v->kind[b->kind].radius))
        return -1;
    return hypot(b->x - px, b->y - py) / cm;
}

// The site beside which a piece lies, so near that the hand may hit it; -1: none.
static int site_beside(const Robot *r, const Blob *b) {
    int nearest = -1;
    double best = BESIDE;
    for (int i = 0; i < r->table->sites && i < VIEW_PLACES; i++) {
        double off = off_middle(r, b, i);
        if (off >= 0 && off < best) {
            best = off;
            nearest = i;
        }
    }
    return nearest;
}

// Behind a step that did not come out nothing is taken for granted: what is seen on a place has to
// stand alone and in the middle. (Where pieces touch in the picture, a person is asked in vain.)
static void doubt_site(Robot *r, const Sight *sight, int site) {
    if (sight->seen[site].kind == SEE_NOTHING)
        return;
    for (int i = 0; i < sight->blobs; i++) {
        double off = sight->blob[i].place == site ? off_middle(r, &sight->blob[i], site) : -1;
        if (off >= 0 && off <= ASKEW)
            return;
    }
    r->askew[site] = (uint8_t)(sight->seen[site].kind + 1);
}

static void find_askew(Robot *r, const Sight *sight) {
    memset(r->askew, 0, sizeof r->askew);
    for (int i = 0; i < sight->blobs; i++) {
        const Blob *b = &sight->blob[i];
        int site = b->place < r->table->sites ? b->place : -1;
        if (site < 0)
            site = site_beside(r, b);
        else if (b->kind != sight->seen[site].kind || off_middle(r, b, site) <= ASKEW)
            continue;
        if (site >= 0)
            r->askew[site] = (uint8_t)(b->kind + 1);
    }
    for (int i = 0; r->upset && i < r->table->sites && i < sight->places; i++)
        doubt_site(r, sight, i);
}

static bool as_believed(const Robot *r, const Sight *sight, int site) {
    return site < 0 || site >= sight->places ||
           scene_top(&r->scene, site) == sight->seen[site].kind;
}

// What was there before counts for something, unless the last step did not come out: then it may
// have done anything.
static void believe_sight(Robot *r, const Sight *sight) {
    if (!as_believed(r, sight, r->step.from) || !as_believed(r, sight, r->step.to))
        r->upset = true;
    for (int i = 0; i < r->table->sites && i < sight->places; i++)
        believe_site(r, i, &sight->seen[i], r->upset ? 0 : DOUBT);
    believe_missed(r, sight, &r->step);
    find_askew(r, sight);
}

bool robot_askew(const Robot *r, int site) {
    return r->askew[site];
}

// --- looking ---

typedef struct Waiting {
    double since;
    bool told;
    Text lost; // why it is not known where the board is
} Waiting;

// Where the tags are now: each second, and before anything counts that was seen after something had
// moved, for that may have been the camera. True if the board has another place in the picture now.
static bool look_for_tags(Robot *r, Watched watched, Text *lost) {
    double now = now_seconds();
    r->stirred = r->stirred || watched == WATCH_MOVING || watched == WATCH_HAND;
    if (now - r->anchored < (r->astray ? ASTRAY_SECONDS : TAGS_SECONDS) &&
        !(watched == WATCH_STILL && r->stirred))
        return false;
    text_clear(lost);
    Anchored is = anchor_look(r->anchor, &r->picture, &r->view, lost);
    r->anchored = now;
    r->stirred = is == ANCHOR_MOVED; // then it may still be on its way
    r->astray = is == ANCHOR_LOST;
    if (is != ANCHOR_MOVED)
        return false;
    robot_tell(r, ROBOT_WAIT, "The camera was moved. I have found the board again");
    watcher_free(r->watcher);
    r->watcher = NULL;
    return true;
}

static const char *what_lasts(const Robot *r, Watched watched) {
    return r->astray               ? "I wait until the camera sees all tags at the corners"
           : watched == WATCH_HAND ? "I wait until no hand is over the board"
                                   : "I wait until nothing moves any more";
}

static bool ask_for_sight(Robot *r, const Text *lost, Text *why) {
    if (!r->astray)
        return robot_help(
            r,
            "something is over the board. Take it away; if it is the arm, see whether "
            "a joint is stuck",
            why);
    Text line = {0};
    text_f(&line,
           "the camera was moved, or the tags are covered: %s. Turn the camera until it sees all "
           "four, and take away what covers them",
           text_c(lost));
    bool ok = robot_help(r, text_c(&line), why);
    text_free(&line);
    return ok;
}

// A hand over the board is waited for, and a camera that was pushed too far; when it lasts long,
// somebody is asked.
static bool wait_longer(Robot *r, Watched watched, Waiting *w, Text *why) {
    double waited = now_seconds() - w->since;
    if (waited > r->options.patience && !w->told && (watched != WATCH_MORE || r->astray)) {
        w->told = true;
        robot_tell(r, ROBOT_WAIT, what_lasts(r, watched));
    }
    if (waited < PATIENCES * r->options.patience)
        return true;
    w->since = now_seconds();
    w->told = false;
    return ask_for_sight(r, &w->lost, why);
}

// Where the board is is known only for pictures of one size.
static bool is_same_size(const Robot *r, Text *why) {
    const Picture *p = &r->picture;
    if (p->width == r->view.width && p->height == r->view.height)
        return true;
    text_f(why, "the camera gives pictures of %d x %d pixels now, not of %d x %d", p->width,
           p->height, r->view.width, r->view.height);
    return false;
}

// *done: *sight is what stands there.
static bool watch_once(Robot *r, Sight *sight, Waiting *w, bool *done, Text *why) {
    if (!r->watcher)
        r->watcher = watcher_new(&r->view, r->options.frames);
    if (!r->watcher) {
        text_add(why, "out of memory");
        return false;
    }
    if (robot_is_stopped(r)) {
        text_add(why, "the arm was stopped");
        return false;
    }
    if (!camera_take(r->camera, &r->picture, FRAME_SECONDS, why) || !is_same_size(r, why))
        return false;
    Watched watched = watcher_look(r->watcher, &r->picture, sight);
    if (r->anchor && look_for_tags(r, watched, &w->lost))
        return true; // with other places: what was seen does not count
    *done = watched == WATCH_STILL && !r->astray;
    return *done || wait_longer(r, watched, w, why);
}

static bool watch(Robot *r, Sight *sight, Text *why) {
    Waiting w = {.since = now_seconds()};
    bool ok = true;
    for (bool done = false; ok && !done;)
        ok = watch_once(r, sight, &w, &done, why);
    text_free(&w.lost);
    return ok;
}

bool robot_look(Robot *r, Sight *sight, Text *why) {
    if (!r->camera) {
        text_add(why, "there is no camera");
        return false;
    }
    if (!robot_home(r, why))
        return false;
    if (!watch(r, sight, why))
        return false;
    believe_sight(r, sight);
    robot_tell(r, ROBOT_SEEN, "");
    return true;
}
