// teach_do: messages about the arm; see docs/web-protocol.md.
#include "server/teach.h"

#include <math.h>
#include <string.h>

// The same time for every word, so that nobody can find it letter by letter.
static bool is_word(const char *given, const char *word) {
    size_t n = strlen(word), m = strlen(given);
    unsigned differs = n != m;
    for (size_t i = 0; i < m; i++)
        differs |= (unsigned char)given[i] ^ (unsigned char)word[n ? i % n : 0];
    return n > 0 && !differs;
}

static void answer_state(Teach *t, Client *c, int64_t id, bool all) {
    ArmState s;
    Text out = {0};
    arm_work_state(t->work, &s);
    teach_json_state(t, c, &s, &out);
    if (all) {
        text_char(&out, ',');
        teach_json_arm(t, &out);
        text_char(&out, ',');
        teach_json_table(t, &out);
    }
    if (out.failed)
        client_error(c, id, "failed", NULL, "out of memory");
    else
        client_reply(c, id, text_c(&out));
    text_free(&out);
}

// Watches the arm, and tells the word if it is known.
void hub_do_arm(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    const cJSON *token = cJSON_GetObjectItemCaseSensitive(in, "token");
    const char *word = hub_options(hub)->arm_token;
    if (!t->work) {
        client_reply(c, id, "\"arm\":null");
        return;
    }
    TeachWatcher *w = teach_watcher(t, c);
    if (!w && t->watchers == TEACH_WATCHERS) {
        client_error(c, id, "busy", NULL, "at most %d pages can watch the arm", TEACH_WATCHERS);
        return;
    }
    if (!w) {
        w = &t->watcher[t->watchers++];
        *w = (TeachWatcher){.client = c};
    }
    w->trusted |= word && cJSON_IsString(token) && is_word(token->valuestring, word);
    answer_state(t, c, id, true);
}

static bool has_arm(Teach *t, Client *c, int64_t id) {
    if (!t->work)
        client_error(c, id, "gone", NULL, "this server has no arm");
    return t->work != NULL;
}

static bool is_true(const cJSON *in, const char *name) {
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(in, name));
}

// The controls, for one page at a time. From another page they are taken only with `over`.
void hub_do_arm_take(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    if (!has_arm(t, c, id))
        return;
    if (!teach_may(t, c)) {
        client_error(c, id, "denied", NULL,
                     "the arm is moved from the machine it is connected to, or with the address "
                     "that the server printed when it began");
        return;
    }
    if (t->holder && t->holder != c && !is_true(in, "over")) {
        client_error(c, id, "busy", NULL, "another page has the controls");
        return;
    }
    if (t->holder && t->holder != c)
        arm_work_break(t->work);
    t->holder = c;
    teach_changed(t);
    client_reply(c, id, "");
}

void hub_do_arm_leave(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    (void)in;
    if (!teach_holds(t, c, id))
        return;
    t->holder = NULL;
    arm_work_break(t->work);
    teach_changed(t);
    client_reply(c, id, "");
}

// Everybody may, also a page that only watches.
void hub_do_arm_stop(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    (void)in;
    if (!has_arm(t, c, id))
        return;
    arm_work_stop(t->work);
    client_reply(c, id, "");
}

// --- jobs ---

void teach_give(Teach *t, Client *c, int64_t id, WorkDoing doing, const Leg *leg, int legs) {
    Text why = {0};
    ArmState s;
    if (arm_work_give(t->work, doing, leg, legs, &why)) {
        teach_changed(t);
        client_reply(c, id, "");
    } else {
        arm_work_state(t->work, &s);
        client_error(c, id, s.doing != WORK_IDLE ? "busy" : "illegal", NULL, "%s", text_c(&why));
    }
    text_free(&why);
}

static void simple(Hub *hub, Client *c, int64_t id, WorkDoing doing) {
    Teach *t = hub_teach(hub);
    if (teach_holds(t, c, id))
        teach_give(t, c, id, doing, NULL, 0);
}

void hub_do_arm_connect(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    (void)in;
    simple(hub, c, id, WORK_OPENING);
}

void hub_do_arm_resume(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    (void)in;
    simple(hub, c, id, WORK_RESUMING);
}

void hub_do_arm_break(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    (void)in;
    if (!teach_holds(t, c, id))
        return;
    arm_work_break(t->work);
    client_reply(c, id, "");
}

// Begins to wake it; then `yes` for each joint that the state is `asking` for.
void hub_do_arm_wake(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    const cJSON *yes = cJSON_GetObjectItemCaseSensitive(in, "yes");
    ArmState s;
    const char *joint;
    if (!teach_holds(t, c, id))
        return;
    if (!yes) {
        teach_give(t, c, id, WORK_WAKING, NULL, 0);
        return;
    }
    arm_work_state(t->work, &s);
    if (!cJSON_IsBool(yes)) {
        client_error(c, id, "bad", NULL, "`yes` is true or false");
    } else if (!in_text(c, id, in, "joint", &joint)) {
        return;
    } else if (s.asking < 0 || strcmp(joint, arm_joint_name(s.asking)) != 0) {
        // A second click must not wake the next joint.
        client_error(c, id, "illegal", NULL, "it is not the turn of this joint");
    } else {
        arm_work_answer(t->work, cJSON_IsTrue(yes));
        client_reply(c, id, "");
    }
}

bool teach_ready(Teach *t, Client *c, int64_t id, ArmState *s) {
    arm_work_state(t->work, s);
    if (s->known || s->doing != WORK_IDLE || !s->awake || s->stopped)
        return true; // or arm_work_give says what is wrong
    client_error(c, id, "illegal", NULL, "it is not known where the arm stands: resume first");
    return false;
}

static bool read_pose(Client *c, int64_t id, const cJSON *in, Pose *pose) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(in, "pose");
    bool ok = cJSON_IsArray(list) && cJSON_GetArraySize(list) == ARM_JOINTS;
    for (int j = 0; ok && j < ARM_JOINTS; j++) {
        const cJSON *item = cJSON_GetArrayItem(list, j);
        ok = cJSON_IsNumber(item) && isfinite(item->valuedouble);
        pose->angle[j] = ok ? item->valuedouble : 0;
    }
    if (!ok)
        client_error(c, id, "bad", NULL, "`pose` is a list of %d angles", ARM_JOINTS);
    return ok;
}

// A target that still waits is dropped for a newer one, unless the worker begins with it just now:
// so the way has to be clear from there, and from where the leg under way ends.
static bool may_follow(const Teach *t, const ArmState *s, const Pose *to, Text *why) {
    return path_clear(&t->arm, &s->goal, to, why) &&
           (s->doing != WORK_FOLLOWING || path_clear(&t->arm, &s->ends, to, why));
}

void hub_do_arm_joints(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    Leg leg = {.kind = LEG_MOVE, .site = -1, .seconds = TEACH_SECONDS};
    ArmState s;
    Text why = {0};
    if (!teach_holds(t, c, id) || !read_pose(c, id, in, &leg.pose) || !teach_ready(t, c, id, &s))
        return;
    if (may_follow(t, &s, &leg.pose, &why))
        teach_give(t, c, id, WORK_FOLLOWING, &leg, 1);
    else
        client_error(c, id, "illegal", NULL, "%s", text_c(&why));
    text_free(&why);
}

// `x`, `y`, `z` in mm.
void hub_do_arm_jog(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    const double most = 10 * TEACH_JOG;
    Point by;
    Leg leg[TEACH_LEGS];
    ArmState s;
    Text why = {0};
    int legs;
    if (!teach_holds(t, c, id) || !in_number(c, id, in, "x", -most, most, &by.x) ||
        !in_number(c, id, in, "y", -most, most, &by.y) ||
        !in_number(c, id, in, "z", -most, most, &by.z) || !teach_ready(t, c, id, &s))
        return;
    by = (Point){by.x / 10, by.y / 10, by.z / 10};
    if (path_jog(&t->arm, &s.goal, by, leg, &legs, &why))
        teach_give(t, c, id, WORK_MOVING, leg, legs);
    else
        client_error(c, id, "illegal", NULL, "%s", text_c(&why));
    text_free(&why);
}

void hub_do_arm_fingers(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    const cJSON *open = cJSON_GetObjectItemCaseSensitive(in, "open");
    if (!teach_holds(t, c, id))
        return;
    if (!cJSON_IsBool(open)) {
        client_error(c, id, "bad", NULL, "`open` is true or false");
        return;
    }
    Leg leg = {.kind = cJSON_IsTrue(open) ? LEG_OPEN : LEG_CLOSE, .site = -1, .seconds = 0.5};
    teach_give(t, c, id, WORK_MOVING, &leg, 1);
}

void hub_do_arm_home(Hub *hub, Client *c, const cJSON *in, int64_t id) {
    Teach *t = hub_teach(hub);
    Leg leg[TEACH_LEGS];
    ArmState s;
    Text why = {0};
    int legs;
    (void)in;
    if (!teach_holds(t, c, id) || !teach_ready(t, c, id, &s))
        return;
    if (path_to(&t->arm, &s.goal, &t->home, teach_travel(t), leg, &legs, &why))
        teach_give(t, c, id, WORK_MOVING, leg, legs);
    else
        client_error(c, id, "illegal", NULL, "%s", text_c(&why));
    text_free(&why);
}
