// robot_check: where the places of a game's table are, and how the arm stands there.
#include "cli/robot_commands.h"

#include "robot/table.h"

#include <stdio.h>

// How the arm stands when it holds the lowest piece of a site: as the file says, or worked out.
static Pose pose_at(const Table *t, const Site *s) {
    Pose pose = s->down;
    if (!s->posed)
        arm_reach_down(t->arm, s->at, NULL, &pose);
    return pose;
}

static void print_text(const Table *t, Text *out) {
    text_f(out, "%-12s %6s %6s %6s", "place", "x", "y", "z");
    for (int j = 0; j < ARM_JOINTS; j++)
        text_f(out, " %8s", arm_joint_name(j));
    text_add(out, "  lean room\n");
    for (int i = 0; i < t->sites; i++) {
        const Site *s = &t->site[i];
        Pose pose = pose_at(t, s);
        text_f(out, "%-12s %6.1f %6.1f %6.1f", s->name, s->at.x, s->at.y, s->at.z);
        for (int j = 0; j < ARM_JOINTS; j++)
            text_f(out, " %8.1f", pose.angle[j]);
        text_f(out, " %5.0f %4d\n", arm_pitch(&pose) + 90, s->room);
    }
    for (int k = 0; k < t->kinds; k++) {
        const TableKind *kind = &t->kind[k];
        text_f(out, "%d x %s, %.1f cm wide and %.1f cm high\n", kind->count, kind->name,
               2 * kind->radius, kind->height);
    }
    if (t->fitted)
        text_add(out, "The file of the game says nothing about a table: this one was made to "
                      "fit the arm.\n");
}

static void print_json(const Table *t, Text *out) {
    text_char(out, '{');
    cli_json_game(t->game, out);
    text_add(out, ",\"arm\":");
    text_json(out, t->arm->name);
    text_f(out, ",\"fitted\":%s,\"surface\":%.2f,\"places\":[", t->fitted ? "true" : "false",
           t->surface);
    for (int i = 0; i < t->sites; i++) {
        const Site *s = &t->site[i];
        Pose pose = pose_at(t, s);
        text_add(out, i ? ",{\"name\":" : "{\"name\":");
        text_json(out, s->name);
        text_f(out, ",\"store\":%s,\"x\":%.2f,\"y\":%.2f,\"z\":%.2f,\"room\":%d,\"angles\":[",
               s->cell < 0 ? "true" : "false", s->at.x, s->at.y, s->at.z, s->room);
        for (int j = 0; j < ARM_JOINTS; j++)
            text_f(out, "%s%.2f", j ? "," : "", pose.angle[j]);
        text_add(out, "]}");
    }
    text_add(out, "],\"kinds\":[");
    for (int k = 0; k < t->kinds; k++) {
        text_add(out, k ? ",{\"name\":" : "{\"name\":");
        text_json(out, t->kind[k].name);
        text_f(out, ",\"count\":%d,\"radius\":%.2f,\"height\":%.2f}", t->kind[k].count,
               t->kind[k].radius, t->kind[k].height);
    }
    text_add(out, "]}\n");
}

int robot_check(const Cli *cli, const char *const *words, int count) {
    Laid laid;
    int status = laid_open(cli, words, count, false, &laid);
    if (status == EXIT_OK) {
        Text text = {0};
        cli->option[OPT_JSON] ? print_json(laid.table, &text) : print_text(laid.table, &text);
        cli_print(&text);
        text_free(&text);
    }
    laid_close(&laid);
    return status;
}
