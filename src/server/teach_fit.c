// teach_fit: the arm is measured by the places that it was taught; what was taught is forgotten.
#include "server/teach.h"

#include "base/file.h"
#include "base/mem.h"
#include "robot/plan.h"

#include <stdio.h>
#include <string.h>

// Everything that a fit changes, to be put back if it cannot be kept.
typedef struct Before {
    Arm arm;
    Site *site;
    char *file; // of the arm, as it was; NULL: there was none
    size_t size;
} Before;

static bool keep(const Teach *t, Before *b) {
    const Table *table = t->stage->table;
    Text ignored = {0};
    *b = (Before){.arm = t->arm, .site = mem_alloc(sizeof *b->site * (size_t)table->sites)};
    if (b->site)
        memcpy(b->site, table->site, sizeof *b->site * (size_t)table->sites);
    b->file = file_read_regular(hub_options(t->hub)->arm_file, FILE_LIMIT, &b->size, &ignored);
    text_free(&ignored);
    return b->site != NULL;
}

static void put_back(Teach *t, const Before *b) {
    Text ignored = {0};
    t->arm = b->arm;
    memcpy(t->stage->table->site, b->site, sizeof *b->site * (size_t)t->stage->table->sites);
    if (b->file)
        file_write_atomic(hub_options(t->hub)->arm_file, b->file, b->size, &ignored);
    else
        remove(hub_options(t->hub)->arm_file);
    text_free(&ignored);
}

static bool write_arm(const Teach *t, Text *why) {
    Text out = {0};
    arm_write(&t->arm, &out);
    bool ok =
        !out.failed && file_write_atomic(hub_options(t->hub)->arm_file, text_c(&out), out.n, why);
    text_free(&out);
    return ok;
}

// Stores that lie elsewhere are looked for there.
static void move_view(Stage *s) {
    for (int i = 0; i < s->table->sites; i++) {
        s->view.place[i].x = s->table->site[i].at.x;
        s->view.place[i].y = s->table->site[i].at.y;
    }
}

// The measures are taken over, and both files written; false with an error sent.
static bool take_over(Teach *t, Client *c, int64_t id, const Arm *fitted, Text *told) {
    Before before;
    Text why = {0};
    bool ok = keep(t, &before), sent = false;
    if (ok) {
        t->arm = *fitted;
        ok = table_measured(t->stage->table, &before.arm, told);
        if (!ok)
            text_f(&why, "by the measures that were found %s", text_c(told));
        Pose home = t->arm.home;
        ok = ok && write_arm(t, &why);
        if (ok && !(ok = teach_save(t, c, id)))
            sent = true;
        ok = ok && arm_work_measured(t->work, &t->arm, &home, &why);
        if (ok)
            t->home = home;
        else
            put_back(t, &before);
    }
    if (!ok && !sent)
        client_error(c, id, "failed", NULL, "%s", why.n ? text_c(&why) : "out of memory");
    mem_free(before.site);
    mem_free(before.file);
    text_free(&why);
    return ok;
}

static void answer(Client *c, int64_t id, const FitPlace *place, int places, const Text *told) {
    Text out = {0};
    text_add(&out, "\"places\":[");
    for (int i = 0; i < places; i++) {
        text_add(&out, i ? ",{\"name\":" : "{\"name\":");
        text_json(&out, place[i].name);
        text_f(&out, ",\"before\":%.2f,\"now\":%.2f,\"left_out\":%.2f}", 10 * place[i].before,
               10 * place[i].off, 10 * place[i].alone);
    }
    text_add(&out, "],\"told\":");
    text_json(&out, text_c(told));
    if (out.failed)
        client_error(c, id, "failed", NULL, "out of memory");
    else
        client_reply(c, id, text_c(&out));
    text_free(&out);
}

static bool may_fit(Teach *t, Client *c, int64_t id) {
    ArmState s;
    if (!teach_holds(t, c, id))
        return false;
    arm_work_state(t->work, &s);
    if (!t->stage)
        client_error(c, id, "gone", NULL, "choose a game first");
    else if (!hub_options(t->hub)->arm_file)
        client_error(c, id, "denied", NULL,
                     "there is no file to write it to: start the server with --arm-file FILE");
    else if (s.doing != WORK_IDLE || t->next || t->retired || t->staging || t->learning)
        client_error(c, id, "busy", NULL, "the arm is busy");
    else
        return true;
    return false;
}

void hub_do_arm_fit(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    FitPlace place[FIT_MOST];
    Arm fitted;
    Text why = {0};
    (void)in;
    if (!may_fit(t, c, id))
        return;
    int places = table_fit_places(t->stage->table, place, FIT_MOST);
    if (!arm_fit(&t->arm, place, places, &fitted, &why)) {
        client_error(c, id, "illegal", NULL, "%s", text_c(&why));
    } else if (take_over(t, c, id, &fitted, &why)) {
        move_view(t->stage);
        t->new_view = true;
        t->version++;
        teach_changed(t);
        answer(c, id, place, places, &why);
    }
    text_free(&why);
}

// The joints of a place are again as the game's file or the arm's measures have them.
void hub_do_arm_forget(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    const char *name;
    if (!teach_holds(t, c, id))
        return;
    if (!t->stage) {
        client_error(c, id, "gone", NULL, "choose a game first");
        return;
    }
    if (!in_text(c, id, in, "place", &name))
        return;
    Table *table = t->stage->table;
    int i = table_site_named(table, name);
    if (i < 0 || !table->site[i].taught) {
        client_error(c, id, "gone", NULL, "nothing was taught about `%.40s`", name);
        return;
    }
    Site before = table->site[i];
    table_forget(table, i);
    if (teach_save(t, c, id)) {
        t->version++;
        teach_changed(t);
        client_reply(c, id, "");
    } else {
        table->site[i] = before;
    }
}
