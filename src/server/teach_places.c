// teach_places: the game that lies on the arm's table: its places are gone to, taught and tried.
#include "server/teach.h"

#include "base/file.h"
#include "base/mem.h"
#include "server/think.h"

#include <string.h>
#include <unistd.h>

// --- a stage: a game on a table ---

void stage_free(Hub *hub, Stage *s) {
    if (!s)
        return;
    scene_free(&s->scene);
    table_free(s->table);
    rules_free(hub, &s->rules);
    text_free(&s->problem);
    mem_free(s);
}

// What was taught; a file that is not there yet is empty, one that does not fit is left alone.
static void read_taught(Stage *s, const char *path) {
    Source source = {.name = path};
    Diags diags = {0};
    if (!path || access(path, F_OK) != 0)
        return;
    char *data = file_read_regular(path, FILE_LIMIT, &source.size, &s->problem);
    source.text = data;
    if (data && !table_read(&source, s->table, &s->view, &diags))
        diag_print(&diags, &s->problem, false);
    diag_free(&diags);
    mem_free(data);
}

typedef struct Staging {
    Teach *teach;
    Stage *stage;
    int64_t id;
    const char *file;
    Text why;
} Staging;

// In a thread: how many pieces a game needs is found by playing it.
static void make_stage(Task *task, void *with) {
    Staging *m = with;
    Stage *s = m->stage;
    (void)task;
    s->table = table_new(s->rules.game, &m->teach->arm, &m->why);
    if (!s->table)
        return;
    table_view(s->table, &s->view);
    read_taught(s, m->file);
    s->ready = scene_init(&s->scene, s->table);
    if (s->ready)
        scene_of_state(&s->scene, s->rules.game->start);
    else
        text_add(&m->why, "out of memory");
}

static void end_stage(Hub *hub, Task *task, void *with) {
    Staging *m = with;
    Client *c = task_client(task);
    Teach *t = m->teach;
    t->staging--;
    if (m->stage->ready) {
        teach_use(t, m->stage);
        if (c)
            client_reply(c, m->id, "");
    } else {
        if (c)
            client_error(c, m->id, "illegal", NULL, "%s", text_c(&m->why));
        stage_free(hub, m->stage);
    }
    text_free(&m->why);
    mem_free(m);
}

static bool begin_stage(Teach *t, Client *c, int64_t id, Stage *s) {
    Staging *m = mem_alloc(sizeof *m);
    if (m)
        *m = (Staging){.teach = t, .stage = s, .id = id, .file = hub_options(t->hub)->table_file};
    if (m && task_begin(hub_think(t->hub), c, TASK_QUICK, make_stage, end_stage, m)) {
        t->staging++;
        return true;
    }
    mem_free(m);
    stage_free(t->hub, s);
    return false;
}

void teach_first_game(Teach *t) {
    const ServerOptions *o = hub_options(t->hub);
    Text why = {0};
    Stage *s = o->game_count > 0 ? mem_alloc(sizeof *s) : NULL;
    if (s && (s->rules.game = games_take(t->hub, o->games[0], NULL, 0, &why)))
        begin_stage(t, NULL, 0, s);
    else
        mem_free(s);
    text_free(&why);
}

// The table of another game.
void hub_do_arm_table(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    ArmState state;
    if (!teach_holds(t, c, id))
        return;
    arm_work_state(t->work, &state);
    Stage *s = mem_alloc(sizeof *s);
    if (!s)
        return;
    if (state.doing != WORK_IDLE || t->next || t->retired) {
        client_error(c, id, "busy", NULL, "the arm is busy");
        mem_free(s);
    } else if (!rules_read(&s->rules, c, in, id)) {
        mem_free(s);
    } else if (!s->rules.game || !games_trusted(hub, s->rules.game)) {
        client_error(c, id, "denied", NULL, "only games of the library and of the server");
        stage_free(hub, s);
    } else if (begin_stage(t, c, id, s)) {
        client_later(c, id);
    } else {
        client_error(c, id, "busy", NULL, "too much is going on already");
    }
}

// --- which place ---

Stage *teach_place(Teach *t, Client *c, int64_t id, const cJSON *in, int *site, bool *down) {
    const char *place, *where;
    Stage *s = t->stage;
    if (!teach_holds(t, c, id))
        return NULL;
    if (!s) {
        client_error(c, id, "gone", NULL, "choose a game first");
        return NULL;
    }
    if (!in_text(c, id, in, "place", &place) || !in_text(c, id, in, "where", &where))
        return NULL;
    *site = table_site_named(s->table, place);
    *down = strcmp(where, "down") == 0;
    if (*site < 0)
        client_error(c, id, "gone", NULL, "there is no place `%.40s`", place);
    else if (!*down && strcmp(where, "above") != 0)
        client_error(c, id, "bad", NULL, "`where` is `above` or `down`");
    else
        return s;
    return NULL;
}

// The pose at a place: as it was taught, or as the arm's measures say.
static bool site_pose(const Teach *t, const Site *site, bool down, const Pose *from, Pose *pose,
                      Text *why) {
    if (site->posed) {
        *pose = down ? site->down : site->above;
        return true;
    }
    Point at = site->at;
    if (!down)
        at.z += t->arm.hover;
    Reach reach = arm_reach_down(&t->arm, at, from, pose);
    if (reach.fault != REACH_OK)
        arm_reach_text(&reach, why);
    return reach.fault == REACH_OK;
}

// --- teaching ---

// A file that did not fit is not written over.
bool teach_save(Teach *t, Client *c, int64_t id) {
    const char *path = hub_options(t->hub)->table_file;
    Stage *s = t->stage;
    Text out = {0}, why = {0};
    bool ok = false;
    if (!path) {
        client_error(c, id, "denied", NULL,
                     "there is no file to write it to: start the server with --table-file FILE");
    } else if (s->problem.n) {
        client_error(c, id, "failed", NULL, "%s", text_c(&s->problem));
    } else {
        table_write(s->table, &s->view, &out);
        ok = !out.failed && file_write_atomic(path, text_c(&out), out.n, &why);
        if (!ok)
            client_error(c, id, "failed", NULL, "%s", why.n ? text_c(&why) : "out of memory");
    }
    text_free(&out);
    text_free(&why);
    return ok;
}

// The joints as they stand now are those of a place. What was not taught of it is worked out.
void hub_do_arm_record(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    ArmState state;
    Text why = {0};
    int i;
    bool down;
    Stage *s = teach_place(t, c, id, in, &i, &down);
    if (!s)
        return;
    arm_work_state(t->work, &state);
    if (!state.known || state.doing != WORK_IDLE) {
        client_error(c, id, "illegal", NULL, "it is not known where the arm stands");
        return;
    }
    Site *site = &s->table->site[i], before = *site;
    Pose above = state.pose, low = state.pose;
    site_pose(t, site, false, &state.pose, &above, &why);
    site_pose(t, site, true, &state.pose, &low, &why);
    table_teach(s->table, i, down ? &above : &state.pose, down ? &state.pose : &low);
    if (teach_save(t, c, id)) {
        t->version++;
        teach_changed(t);
        client_reply(c, id, "");
    } else {
        *site = before;
    }
    text_free(&why);
}
