// teach_sim: the line to the arm, and what is at its other end if that is simulated: without a game
// a bare controller, with one a table with its pieces and a camera over it.
#include "server/teach.h"

#include "robot/sim_table.h"

#include <string.h>

#define PIECES_PERIOD 0.3 // seconds between two looks at simulated pieces

// As a webcam on a stand beside the table.
static const SimLook look = {.noise = 4, .light = 0.15, .tilt = 20, .tags = true};

bool teach_simulated(const Teach *t) {
    const char *arm = hub_options(t->hub)->arm;
    return arm && strcmp(arm, "sim") == 0;
}

static double rate_of(const Teach *t) {
    double rate = hub_options(t->hub)->arm_rate;
    return rate > 0 ? rate : 1;
}

static bool has_sim_camera(const Teach *t) {
    const char *camera = hub_options(t->hub)->camera;
    return t->eye && camera && strcmp(camera, "sim") == 0;
}

// The camera goes before the table it looks at.
void teach_close_line(void *with) {
    Teach *t = with;
    if (has_sim_camera(t))
        arm_eye_camera(t->eye, NULL);
    sim_table_free(t->sim);
    if (!t->sim)
        sim_board_free(t->board);
    t->sim = NULL;
    t->board = NULL;
}

static bool open_table(Teach *t, Text *why) {
    t->sim = sim_table_new(t->stage->table, &look, rate_of(t), 1, why);
    if (!t->sim)
        return false;
    sim_table_real(t->sim, &t->real);
    sim_table_set(t->sim, &t->stage->scene);
    t->board = sim_table_board(t->sim);
    if (has_sim_camera(t))
        arm_eye_camera(t->eye, sim_table_camera(t->sim));
    return true;
}

// A simulated arm is made anew each time: so it is cold, like one whose power was off.
bool teach_open_line(void *with, Text *port, SimBoard **board, Text *why) {
    Teach *t = with;
    teach_close_line(t);
    if (!teach_simulated(t)) {
        text_add(port, hub_options(t->hub)->arm);
        return true;
    }
    if (t->stage) {
        if (!open_table(t, why))
            return false;
        text_add(port, sim_table_port(t->sim));
    } else {
        t->board = sim_board_new(rate_of(t), 1, why);
        if (!t->board)
            return false;
        text_add(port, sim_board_port(t->board));
    }
    *board = t->board;
    return true;
}

// --- the loop's thread, while the worker does not open the line ---

void teach_sim_view(const Teach *t, View *view) {
    if (!t->sim || !has_sim_camera(t) || (view->placed && view->width > 0))
        return;
    View found;
    sim_table_view(t->sim, &found);
    view->width = found.width;
    view->height = found.height;
    view->plane = found.plane;
    view->placed = found.placed;
    memcpy(view->to_picture, found.to_picture, sizeof view->to_picture);
    memcpy(view->to_table, found.to_table, sizeof view->to_table);
    memcpy(view->upright, found.upright, sizeof view->upright);
    memcpy(view->place, found.place, sizeof view->place);
}

void teach_sim_pieces(Teach *t, double now) {
    Scene *shown = &t->stage->scene, real;
    if (!t->sim || now < t->pieces || !scene_init(&real, t->stage->table))
        return;
    t->pieces = now + PIECES_PERIOD;
    sim_table_get(t->sim, &real);
    size_t size = (size_t)t->stage->table->sites * SCENE_LEVELS;
    if (memcmp(shown->kind, real.kind, size) != 0) {
        scene_copy(shown, &real);
        t->version++;
        teach_changed(t);
    }
    scene_free(&real);
}
