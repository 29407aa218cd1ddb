// teach_see: the camera over the arm's table: who looks, where in the picture the board is, and
// which colours its pieces have.
#include "server/teach.h"

#include "base/mem.h"
#include "server/think.h"

#include <string.h>

bool teach_picture(Hub *hub, bool drawn, Text *out, Text *why) {
    Teach *t = hub_teach(hub);
    if (t->eye)
        return arm_eye_jpeg(t->eye, drawn, out, why);
    text_add(why, "this server has no camera");
    return false;
}

void teach_looks(Teach *t) {
    bool any = false;
    for (int i = 0; i < t->watchers; i++)
        any |= t->watcher[i].looks;
    if (t->eye)
        arm_eye_look(t->eye, any);
}

// Pictures are taken while somebody wants to see them.
void hub_do_arm_look(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    TeachWatcher *w = t->eye ? teach_watcher(t, c) : NULL;
    const cJSON *on = cJSON_GetObjectItemCaseSensitive(in, "on");
    if (!t->eye) {
        client_error(c, id, "gone", NULL, "this server has no camera");
    } else if (!w) {
        client_error(c, id, "denied", NULL, "watch the arm first");
    } else if (!cJSON_IsBool(on)) {
        client_error(c, id, "bad", NULL, "`on` is true or false");
    } else {
        w->looks = cJSON_IsTrue(on);
        teach_looks(t);
        client_reply(c, id, "");
    }
}

// The stage and a camera, and the controls; else an error is sent.
static Stage *can_see(Teach *t, Client *c, int64_t id) {
    if (!teach_holds(t, c, id))
        return NULL;
    if (!t->eye)
        client_error(c, id, "gone", NULL, "this server has no camera");
    else if (!t->stage)
        client_error(c, id, "gone", NULL, "choose a game first");
    else
        return t->stage;
    return NULL;
}

// What was found holds from now on; it is kept if there is a file for it.
static void take_view(Teach *t, Client *c, int64_t id) {
    arm_eye_view(t->eye, &t->stage->view);
    t->version++;
    teach_changed(t);
    if (!hub_options(t->hub)->table_file || t->stage->problem.n)
        client_reply(c, id, "\"saved\":false");
    else if (teach_save(t, c, id))
        client_reply(c, id, "\"saved\":true");
}

static bool read_pixels(const cJSON *in, const EyeState *eye, double *pixels) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(in, "pixels");
    bool ok = cJSON_IsArray(list) && cJSON_GetArraySize(list) == 8;
    for (int i = 0; ok && i < 8; i++) {
        const cJSON *item = cJSON_GetArrayItem(list, i);
        double most = i % 2 ? eye->height : eye->width;
        pixels[i] = cJSON_IsNumber(item) ? item->valuedouble : -1;
        ok = pixels[i] >= 0 && pixels[i] <= most;
    }
    return ok;
}

// Where the board is in pictures of that size, by its four corners. False if they are in a row.
static bool place_board(Stage *s, int width, int height, const double *pixels) {
    View view = s->view;
    view.width = width;
    view.height = height;
    view.plane = s->table->surface;
    view.placed = view_place(&view, s->table->corner, pixels, 4);
    if (view.placed) {
        view_check_pixels(&view);
        s->view = view;
    }
    return view.placed;
}

// Four corners in the picture, in the order of Table.corner.
void hub_do_arm_corners(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    Stage *s = can_see(t, c, id);
    EyeState eye;
    double pixels[8];
    if (!s)
        return;
    arm_eye_state(t->eye, &eye);
    if (eye.frame == 0) {
        client_error(c, id, "illegal", NULL, "there is no picture yet");
        return;
    }
    if (!read_pixels(in, &eye, pixels)) {
        client_error(c, id, "bad", NULL, "`pixels` are four points of the picture, x and y each");
        return;
    }
    if (place_board(s, eye.width, eye.height, pixels))
        take_view(t, c, id);
    else
        client_error(c, id, "illegal", NULL, "three of the corners are in a row");
}

// --- learning from a picture, in a thread ---

typedef struct Learning {
    Picture picture;
    bool tags;        // where the corners are; else colours
    double pixels[8]; //   of the tags
    View view;
    uint8_t content[VIEW_PLACES];
    int64_t id;
    bool done;
    Text why;
} Learning;

static void free_learning(Learning *l) {
    picture_free(&l->picture);
    text_free(&l->why);
    mem_free(l);
}

static void learn(Task *task, void *with) {
    Learning *l = with;
    (void)task;
    if (l->tags) {
        Tags *tags = tags_new(&l->why);
        l->done = tags && tags_find(tags, &l->picture, l->pixels, &l->why);
        tags_free(tags);
        return;
    }
    if (l->view.width == 0)
        view_by_pixels(&l->view, l->picture.width, l->picture.height);
    l->done = colours_learn(&l->view, &l->picture, l->content, &l->why);
}

// Nothing else: corners may have been moved meanwhile.
static void take_colours(View *view, const View *learnt) {
    memcpy(view->kind, learnt->kind, sizeof view->kind);
    view->light = learnt->light;
}

// The stage is the same as at the beginning: it stays while something is learnt.
static void end_learning(Hub *hub, Task *task, void *with) {
    Learning *l = with;
    Client *c = task_client(task);
    Teach *t = hub_teach(hub);
    t->learning--;
    if (c && !l->done) {
        client_error(c, l->id, "illegal", NULL, "%s", text_c(&l->why));
    } else if (c && t->holder != c) {
        client_error(c, l->id, "denied", NULL, "another page has the controls now");
    } else if (c && l->tags &&
               !place_board(t->stage, l->picture.width, l->picture.height, l->pixels)) {
        client_error(c, l->id, "illegal", NULL, "three of the tags are in a row");
    } else if (c) {
        if (!l->tags)
            take_colours(&t->stage->view, &l->view);
        take_view(t, c, l->id);
    }
    free_learning(l);
}

static void begin_learning(Hub *hub, Client *c, int64_t id, const Stage *s, bool tags) {
    Teach *t = hub_teach(hub);
    Learning *l = mem_alloc(sizeof *l);
    if (!l)
        return;
    l->tags = tags;
    l->view = s->view;
    l->id = id;
    for (int i = 0; i < s->table->sites && i < VIEW_PLACES; i++)
        l->content[i] = (uint8_t)scene_top(&s->scene, i);
    if (!arm_eye_picture(t->eye, &l->picture, &l->why)) {
        client_error(c, id, "illegal", NULL, "%s", text_c(&l->why));
        free_learning(l);
    } else if (task_begin(hub_think(hub), c, TASK_QUICK, learn, end_learning, l)) {
        t->learning++;
        client_later(c, id);
    } else {
        client_error(c, id, "busy", NULL, "too much is going on already");
        free_learning(l);
    }
}

// From a picture of the game's first position: what stands where is known.
void hub_do_arm_learn(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Stage *s = can_see(hub_teach(hub), c, id);
    (void)in;
    if (s && !s->view.placed)
        client_error(c, id, "illegal", NULL, "say first where the corners are");
    else if (s)
        begin_learning(hub, c, id, s, false);
}

// The corners, by the tags that lie on them.
void hub_do_arm_tags(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    const Stage *s = can_see(hub_teach(hub), c, id);
    (void)in;
    if (s)
        begin_learning(hub, c, id, s, true);
}
