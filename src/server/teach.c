// teach: the arm of the server, who watches it and who has its controls; see teach.h.
#include "server/teach.h"

#include "base/file.h"
#include "base/mem.h"
#include "robot/plan.h"

#include <string.h>
#include <unistd.h>

Teach *hub_teach(Hub *hub) {
    return *hub_slot(hub, PART_teach);
}

// --- who watches, who has the controls ---

TeachWatcher *teach_watcher(Teach *t, const Client *c) {
    for (int i = 0; i < t->watchers; i++)
        if (t->watcher[i].client == c)
            return &t->watcher[i];
    return NULL;
}

bool teach_may(const Teach *t, const Client *c) {
    const TeachWatcher *w = teach_watcher((Teach *)t, c);
    return client_near(c) || (w && w->trusted);
}

bool teach_holds(Teach *t, Client *c, int64_t id) {
    if (!t->work)
        client_error(c, id, "gone", NULL, "this server has no arm");
    else if (t->holder != c)
        client_error(c, id, "denied", NULL, "take the controls first");
    else
        return true;
    return false;
}

void teach_changed(Teach *t) {
    t->news = true;
}

// --- the game on the table ---

void teach_use(Teach *t, Stage *s) {
    stage_free(t->hub, t->next);
    t->next = s;
}

// While the worker rests. With another game a simulated table is another one, and the worker looks
// at the one before until it has opened the line anew.
static void change_stage(Teach *t) {
    Text why = {0};
    if (t->learning > 0)
        return;
    if (t->retired) {
        stage_free(t->hub, t->retired);
        t->retired = NULL;
    }
    if (t->next) {
        t->retired = t->stage;
        t->stage = t->next;
        t->next = NULL;
        t->version++;
        teach_changed(t);
        t->new_view = true;
        if (t->eye)
            arm_eye_view(t->eye, NULL); // it has names of the table before
        if (teach_simulated(t))
            arm_work_give(t->work, WORK_OPENING, NULL, 0, &why);
    } else if (t->new_view) {
        t->new_view = false;
        teach_sim_view(t, &t->stage->view);
        if (t->eye)
            arm_eye_view(t->eye, &t->stage->view);
        t->version++;
        teach_changed(t);
    }
    text_free(&why);
}

double teach_travel(const Teach *t) {
    const Table *table = t->stage ? t->stage->table : NULL;
    return table ? table->surface + table_travel(table, table->tall) : TEACH_TRAVEL;
}

// --- telling ---

static void look_soon(Hub *hub, void *with) {
    Teach *t = hub_teach(hub);
    (void)with;
    if (t)
        t->news = true;
}

// From the threads of the arm.
static void on_change(void *with) {
    Teach *t = with;
    hub_post(t->hub, look_soon, NULL);
}

static void tell(Teach *t, const ArmState *s) {
    for (int i = 0; i < t->watchers; i++) {
        Text out = {0};
        teach_json_state(t, t->watcher[i].client, s, &out);
        if (!out.failed)
            client_push(t->watcher[i].client, "arm", text_c(&out));
        text_free(&out);
    }
}

// While it moves, everybody sees it move; news as soon as they come, but not a flood of them.
int teach_tick(Hub *hub, double now) {
    Teach *t = hub_teach(hub);
    if (!t || !t->work)
        return -1;
    if (!t->begun) {
        t->begun = true;
        teach_first_game(t);
    }
    ArmState s;
    arm_work_state(t->work, &s);
    if (s.doing == WORK_IDLE) {
        change_stage(t);
        arm_work_state(t->work, &s);
    }
    if (t->watchers == 0)
        return -1;
    if (t->stage && s.doing != WORK_OPENING)
        teach_sim_pieces(t, now);
    bool moves = s.doing != WORK_IDLE && s.doing != WORK_OPENING && s.asking < 0;
    double wait = t->told + TEACH_PERIOD - now;
    if (!t->news && !moves)
        return -1;
    if (wait > 0)
        return (int)(wait * 1000) + 1;
    t->told = now;
    t->news = false;
    tell(t, &s);
    return moves ? (int)(TEACH_PERIOD * 1000) : -1;
}

// --- beginning and ending ---

static bool read_arm(const char *path, Arm *arm, Text *why) {
    arm_usual(arm);
    Source source = {.name = path};
    Diags diags = {0};
    char *data = file_read_regular(path, FILE_LIMIT, &source.size, why);
    source.text = data;
    bool ok = data && arm_read(&source, arm, &diags);
    if (data && !ok)
        diag_print(&diags, why, false);
    diag_free(&diags);
    mem_free(data);
    return ok;
}

bool teach_begin(Hub *hub, Text *why) {
    const ServerOptions *o = hub_options(hub);
    Teach *t = *hub_slot(hub, PART_teach) = mem_alloc(sizeof *t);
    if (!t) {
        text_add(why, "out of memory");
        return false;
    }
    t->hub = hub;
    arm_usual(&t->arm);
    if (!o->arm)
        return true;
    if (o->arm_file && access(o->arm_file, F_OK) == 0 && !read_arm(o->arm_file, &t->arm, why))
        return false; // one that is not there yet is written when the arm is measured
    if (!path_home(&t->arm, 0, why))
        return false;
    t->real = t->arm;
    if (o->arm_real && !read_arm(o->arm_real, &t->real, why))
        return false;
    t->home = t->arm.home;
    const char *camera = o->camera && strcmp(o->camera, "sim") == 0 ? NULL : o->camera;
    if (o->camera && !(t->eye = arm_eye_new(camera, on_change, t, why)))
        return false;
    WorkOptions work = {
        .arm = &t->arm,
        .home = t->home,
        .line = {teach_open_line, teach_close_line, t},
        .controller = {.baud = o->arm_baud},
        .changed = on_change,
        .with = t,
    };
    if (teach_simulated(t)) { // a busy machine makes it slow, but not faulty
        work.controller.wake_seconds = 0.5 / (o->arm_rate > 0 ? o->arm_rate : 1);
        work.controller.answer = 2;
        work.controller.patience = 10;
    }
    t->work = arm_work_new(&work, why);
    return t->work != NULL;
}

void teach_end(Hub *hub) {
    Teach *t = hub_teach(hub);
    if (!t)
        return;
    arm_work_free(t->work);
    arm_eye_free(t->eye);
    stage_free(hub, t->next);
    stage_free(hub, t->stage);
    stage_free(hub, t->retired);
    mem_free(t);
    *hub_slot(hub, PART_teach) = NULL;
}

// Whoever has the controls and goes leaves the arm at rest: nobody is there to see what it does.
void teach_leave(Hub *hub, Client *c) {
    Teach *t = hub_teach(hub);
    TeachWatcher *w = t ? teach_watcher(t, c) : NULL;
    if (w) {
        *w = t->watcher[--t->watchers];
        teach_looks(t);
    }
    if (t && t->holder == c) {
        t->holder = NULL;
        arm_work_break(t->work);
        teach_changed(t);
    }
}
