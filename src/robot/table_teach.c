// table_teach: places at which people have shown the arm how to stand.
#include "robot/table.h"

#include <math.h>

void table_teach(Table *t, int site, const Pose *above, const Pose *down) {
    Site *s = &t->site[site];
    if (!s->taught) {
        s->file_posed = s->posed;
        s->file_above = s->above;
        s->file_down = s->down;
    }
    s->taught = s->posed = true;
    s->above = *above;
    s->down = *down;
}

void table_forget(Table *t, int site) {
    Site *s = &t->site[site];
    if (!s->taught)
        return;
    s->taught = false;
    s->posed = s->file_posed;
    s->above = s->file_above;
    s->down = s->file_down;
}

// The pose with the pulses that another had by other measures; false if a joint does not go there.
static bool same_pulses(const Arm *before, const Arm *now, Pose *pose) {
    Pose next;
    double degrees;
    for (int j = 0; j < ARM_JOINTS; j++) {
        const ArmJoint *was = &before->joint[j], *is = &now->joint[j];
        next.angle[j] = (was->zero + was->per_degree * pose->angle[j] - is->zero) / is->per_degree;
    }
    if (arm_beyond(now, &next, &degrees) >= 0)
        return false;
    *pose = next;
    return true;
}

// Where stores lie for the arm as it is now.
static bool lay_anew(Table *t, Text *told) {
    Table *laid = table_new(t->game, t->arm, told);
    for (int i = t->cells; laid && i < t->sites && i < laid->sites; i++) {
        Site *s = &t->site[i];
        Point at = laid->site[i].at;
        if (hypot(at.x - s->at.x, at.y - s->at.y) < 0.01)
            continue;
        table_forget(t, i);
        text_f(told, "%s%s lies at %.1f, %.1f cm now", told->n ? "; " : "", s->name, at.x, at.y);
        s->at = at;
    }
    bool ok = laid != NULL;
    table_free(laid);
    return ok;
}

bool table_measured(Table *t, const Arm *before, Text *told) {
    bool ok = lay_anew(t, told);
    for (int i = 0; i < t->sites; i++) {
        Site *s = &t->site[i];
        if (!s->taught ||
            (same_pulses(before, t->arm, &s->above) && same_pulses(before, t->arm, &s->down)))
            continue;
        table_forget(t, i);
        text_f(told, "%s%s cannot be reached as it was taught", told->n ? "; " : "", s->name);
    }
    return ok;
}

int table_fit_places(const Table *t, FitPlace *place, int most) {
    int n = 0;
    for (int i = 0; i < t->sites && n < most; i++) {
        const Site *s = &t->site[i];
        FitPlace p = {.name = s->name, .at = s->at};
        bool ok = s->taught && !s->file_posed; // else the point is what the joints make it
        for (int j = 0; j < ARM_JOINTS && ok; j++)
            ok = arm_pulse(t->arm, j, s->down.angle[j], &p.pulse[j]);
        if (ok)
            place[n++] = p;
    }
    return n;
}
