// robot_move: motions one after the other, and what to do when the controller fails; see robot.h.
#include "robot/robot_parts.h"

#include <string.h>

#define WAKES_MOST 3 // times that waking may fail
#define ALONE_MOST 2 // times that a motion is tried again without asking anybody

// --- the controller fails ---

static const char *advice(ControllerFault fault) {
    switch (fault) {
    case CONTROLLER_LOST: return "Plug the cable of the arm in again";
    case CONTROLLER_SILENT: return "See whether the arm's controller has power";
    case CONTROLLER_SLOW: return "See whether something holds the arm";
    default: return "See after the arm";
    }
}

static bool find_port(Robot *r) {
    const char *port = r->options.port ? r->options.port(r->options.with) : NULL;
    return !port || controller_at(r->controller, port);
}

static bool reconnect(Robot *r, Text *why) {
    return find_port(r) && controller_reconnect(r->controller, why) == CONTROLLER_OK;
}

// The controller was without power: the fingers have let go, or will when they open.
static bool wake(Robot *r, Text *why) {
    Pose home = r->table->arm->home;
    Text line = {0};
    text_add(&line, "the arm does not know where it stands and will now go home joint by joint. ");
    if (r->holding && r->step.from >= 0) {
        text_add(&line, "Take the piece out of its fingers and put it back on ");
        text_f(&line, "%s. ", r->table->site[r->step.from].name);
    }
    text_add(&line, "Lift it clear of the board and keep a hand at the switch");
    bool ok = robot_help(r, text_c(&line), why) &&
              controller_wake(r->controller, &home, NULL, NULL, why) == CONTROLLER_OK;
    text_free(&line);
    if (ok) {
        r->holding = false;
        r->motions = r->next = 0;
        r->home = true;
    }
    return ok;
}

// Until it is known where the arm stands. While it is woken the line may fail, too.
static bool wake_if_cold(Robot *r, bool *woken, Text *why) {
    Text line = {0};
    Pose pose;
    bool ok = true;
    for (int i = 0; ok && !*woken && !controller_pose(r->controller, &pose); i++) {
        text_clear(why);
        *woken = wake(r, why);
        ok = *woken || (i < WAKES_MOST && !robot_is_stopped(r) && reconnect(r, &line));
    }
    text_free(&line);
    return ok;
}

// At first without a word: a disturbance of the line is over in a moment. `lasts`: this one is not.
static bool recover(Robot *r, ControllerFault fault, const char *what, bool lasts, bool *woken,
                    Text *why) {
    Text reason = {0}, line = {0};
    robot_tell(r, ROBOT_FAILED, what);
    if (lasts)
        text_add(&reason, what);
    bool ok = !lasts && reconnect(r, &reason), helped = true;
    while (!ok && helped && !robot_is_stopped(r)) {
        text_clear(&line);
        text_stop(&reason);
        text_f(&line, "%s %s", text_c(&reason), advice(fault));
        helped = robot_help(r, text_c(&line), why);
        text_clear(&reason);
        ok = helped && reconnect(r, &reason);
    }
    ok = ok && wake_if_cold(r, woken, &reason);
    if (!ok && !why->n)
        text_add(why, text_c(&reason));
    text_free(&reason);
    text_free(&line);
    return ok;
}

// --- motions ---

static ControllerFault make_motion(Robot *r, const Motion *m, Text *why) {
    if (m->kind == MOTION_MOVE)
        return controller_move(r->controller, &m->pose, m->seconds, why);
    bool open = m->kind == MOTION_OPEN;
    if (!open)
        r->holding = true; // perhaps already when they are half closed
    ControllerFault fault = controller_fingers(r->controller, open, m->seconds, why);
    if (open && fault == CONTROLLER_OK)
        r->holding = false;
    return fault;
}

bool robot_carry_out(Robot *r, bool *woken, Text *why) {
    Text reason = {0};
    bool ok = true;
    int failed = 0; // times that the next motion did
    *woken = false;
    while (ok && r->next < r->motions) {
        const Motion *m = &r->motion[r->next];
        r->home = false;
        robot_tell(r, ROBOT_MOTION, m->text);
        text_clear(&reason);
        ControllerFault fault = make_motion(r, m, &reason);
        if (fault == CONTROLLER_OK) {
            r->next++;
            failed = 0;
        } else if (fault == CONTROLLER_LOST || fault == CONTROLLER_SILENT ||
                   fault == CONTROLLER_SLOW) {
            ok = recover(r, fault, text_c(&reason), ++failed > ALONE_MOST, woken, why);
        } else {
            text_add(why, text_c(&reason));
            ok = false;
        }
    }
    text_free(&reason);
    if (ok)
        r->motions = r->next = 0;
    return ok;
}

bool robot_home(Robot *r, Text *why) {
    Pose pose;
    bool woken;
    // What was begun is finished first: the fingers may hold a piece.
    if (r->motions > 0 && !robot_carry_out(r, &woken, why))
        return false;
    if (r->home)
        return true;
    if (!controller_pose(r->controller, &pose)) {
        text_add(why, "it is not known where the arm stands");
        return false;
    }
    int n = plan_home(&r->scene, &pose, r->motion, why);
    r->motions = n > 0 ? n : 0;
    r->next = 0;
    if (n < 0 || !robot_carry_out(r, &woken, why))
        return false;
    r->home = true;
    return true;
}

// --- stopping ---

void robot_stop(Robot *r) {
    controller_stop(r->controller, NULL);
}

bool robot_is_stopped(const Robot *r) {
    return controller_is_stopped(r->controller);
}

// Where the cable was out, or the power gone, the line is opened anew, and the arm woken if need
// be.
static bool resume(Robot *r, Text *why) {
    bool woken = false;
    ControllerFault fault = controller_resume(r->controller, why);
    bool ok = fault == CONTROLLER_OK;
    if (fault == CONTROLLER_LOST || fault == CONTROLLER_SILENT) {
        text_clear(why);
        ok = find_port(r) && controller_restart(r->controller, why) == CONTROLLER_OK;
    }
    return ok && wake_if_cold(r, &woken, why);
}

// Without a piece in the fingers nothing has to be finished: the next look decides.
bool robot_resume(Robot *r, Text *why) {
    Text reason = {0};
    bool ok = resume(r, &reason);
    if (!ok)
        text_add(why, text_c(&reason));
    else if (!r->holding)
        r->motions = r->next = 0;
    text_free(&reason);
    return ok;
}
