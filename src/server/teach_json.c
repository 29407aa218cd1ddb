// teach_json: what pages are told about an arm; see docs/web-protocol.md.
#include "server/teach.h"

#include <math.h>

static void add_numbers(Text *out, const char *name, const double *number, int count) {
    text_f(out, "\"%s\":[", name);
    for (int i = 0; i < count; i++)
        text_f(out, "%s%.2f", i ? "," : "", isfinite(number[i]) ? number[i] : 0);
    text_char(out, ']');
}

static const char *yes_no(bool yes) {
    return yes ? "true" : "false";
}

static void add_pose(const Teach *t, const ArmState *s, Text *out) {
    text_f(out, ",\"known\":%s,", yes_no(s->known));
    if (!s->posed) {
        text_add(out, "\"pose\":null,\"point\":null,\"pitch\":null");
        return;
    }
    Point p = arm_point(&t->arm, &s->pose);
    double point[] = {p.x, p.y, p.z};
    add_numbers(out, "pose", s->pose.angle, ARM_JOINTS);
    text_char(out, ',');
    add_numbers(out, "point", point, 3);
    text_f(out, ",\"pitch\":%.2f", arm_pitch(&s->pose));
}

static void add_camera(const Teach *t, Text *out) {
    EyeState e;
    if (!t->eye) {
        text_add(out, ",\"camera\":null");
        return;
    }
    arm_eye_state(t->eye, &e);
    text_f(out,
           ",\"camera\":{\"frame\":%lld,\"width\":%d,\"height\":%d,\"placed\":%s,\"hand\":%s,"
           "\"sees\":[",
           (long long)e.frame, e.width, e.height, yes_no(e.placed), yes_no(e.hand));
    for (int k = 0; t->stage && k < t->stage->table->kinds && k < VIEW_KINDS; k++)
        text_f(out, "%s%d", k ? "," : "", e.count[k]);
    text_add(out, "],\"problem\":");
    if (e.why[0])
        text_json(out, e.why);
    else
        text_add(out, "null");
    text_char(out, '}');
}

static void add_fault(const ArmState *s, Text *out) {
    if (s->fault == CONTROLLER_OK) {
        text_add(out, ",\"fault\":null");
        return;
    }
    text_f(out, ",\"fault\":{\"word\":\"%s\",\"text\":", controller_fault_word(s->fault));
    text_json(out, s->why);
    text_char(out, '}');
}

void teach_json_state(Teach *t, const Client *c, const ArmState *s, Text *out) {
    text_f(out, "\"doing\":\"%s\",\"there\":%s,\"awake\":%s,\"stopped\":%s",
           work_doing_word(s->doing), yes_no(s->there), yes_no(s->awake), yes_no(s->stopped));
    if (s->asking >= 0)
        text_f(out, ",\"asking\":\"%s\"", arm_joint_name(s->asking));
    else
        text_add(out, ",\"asking\":null");
    add_pose(t, s, out);
    text_char(out, ',');
    add_numbers(out, "goal", s->goal.angle, ARM_JOINTS);
    text_f(out, ",\"fingers\":%s,\"leg\":%d,\"legs\":%d",
           s->fingers < 0 ? "null"
           : s->fingers   ? "\"open\""
                          : "\"closed\"",
           s->leg, s->legs);
    const Stage *stage = t->stage;
    text_f(out, ",\"version\":%lld,\"place\":", (long long)t->version);
    if (stage && s->site >= 0 && s->site < stage->table->sites)
        text_json(out, stage->table->site[s->site].name);
    else
        text_add(out, "null");
    add_fault(s, out);
    add_camera(t, out);
    text_f(out, ",\"controls\":\"%s\",\"may\":%s",
           !t->holder       ? "nobody"
           : t->holder == c ? "you"
                            : "other",
           yes_no(teach_may(t, c)));
}

void teach_json_arm(const Teach *t, Text *out) {
    const Arm *a = &t->arm;
    text_add(out, "\"arm\":{\"name\":");
    text_json(out, a->name);
    text_f(out, ",\"base\":[%.3f,%.3f]", a->base_x, a->base_y);
    text_f(out, ",\"shoulder\":%.3f,\"upper\":%.3f,\"fore\":%.3f,\"hand\":%.3f,\"joints\":[",
           a->shoulder_height, a->upper, a->fore, a->hand);
    for (int j = 0; j < ARM_JOINTS; j++)
        text_f(out, "%s{\"name\":\"%s\",\"low\":%.2f,\"high\":%.2f}", j ? "," : "",
               arm_joint_name(j), a->joint[j].low, a->joint[j].high);
    text_add(out, "],");
    add_numbers(out, "home", t->home.angle, ARM_JOINTS);
    text_f(out, ",\"jog\":%g,\"below\":%g}", TEACH_JOG * 10, PATH_BELOW);
}

// --- the table ---

static void add_sites(const Table *t, Text *out) {
    text_add(out, ",\"sites\":[");
    for (int i = 0; i < t->sites; i++) {
        const Site *s = &t->site[i];
        text_add(out, i ? ",{\"name\":" : "{\"name\":");
        text_json(out, s->name);
        text_f(out, ",\"cell\":%d,\"at\":[%.2f,%.2f,%.2f],\"taught\":%s}", s->cell, s->at.x,
               s->at.y, s->at.z, yes_no(s->taught));
    }
    text_char(out, ']');
}

static void add_kinds(const Table *t, Text *out) {
    text_add(out, ",\"kinds\":[");
    for (int k = 0; k < t->kinds; k++) {
        const TableKind *kind = &t->kind[k];
        text_add(out, k ? ",{\"name\":" : "{\"name\":");
        text_json(out, kind->name);
        text_f(out, ",\"paint\":[%d,%d,%d],\"radius\":%.2f,\"height\":%.2f}", kind->paint[0],
               kind->paint[1], kind->paint[2], kind->radius, kind->height);
    }
    text_char(out, ']');
}

// Of each site that is not empty: its number, and the kinds from the lowest up.
static void add_pieces(const Scene *s, Text *out) {
    bool first = true;
    text_add(out, ",\"pieces\":[");
    for (int i = 0; i < s->table->sites; i++) {
        int height = scene_height(s, i);
        if (height == 0)
            continue;
        text_f(out, "%s[%d", first ? "" : ",", i);
        for (int level = 0; level < height; level++)
            text_f(out, ",%d", s->kind[i * SCENE_LEVELS + level]);
        text_char(out, ']');
        first = false;
    }
    text_char(out, ']');
}

void teach_json_table(const Teach *t, Text *out) {
    const Stage *s = t->stage;
    if (!s) {
        text_add(out, "\"table\":null");
        return;
    }
    const Table *table = s->table;
    text_add(out, "\"table\":{\"game\":");
    text_json(out, table->game->name);
    text_f(
        out, ",\"fitted\":%s,\"saves\":%s,\"measures\":%s,\"surface\":%.2f,\"travel\":%.2f,",
        yes_no(table->fitted), yes_no(hub_options(t->hub)->table_file && !s->problem.n),
        yes_no(hub_options(t->hub)->arm_file && hub_options(t->hub)->table_file && !s->problem.n),
        table->surface, teach_travel(t));
    add_numbers(out, "corner", table->corner, 8);
    if (s->view.placed) { // where the corners are in the picture
        double pixels[8];
        for (int i = 0; i < 8; i += 2)
            homography_map(s->view.to_picture, table->corner[i], table->corner[i + 1], &pixels[i],
                           &pixels[i + 1]);
        text_char(out, ',');
        add_numbers(out, "pixels", pixels, 8);
    } else {
        text_add(out, ",\"pixels\":null");
    }
    text_add(out, ",\"problem\":");
    if (s->problem.n)
        text_json(out, text_c(&s->problem));
    else
        text_add(out, "null");
    add_sites(table, out);
    add_kinds(table, out);
    add_pieces(&s->scene, out);
    text_char(out, '}');
}
