// robot_commands: the parts of `ludens robot`, and what they share with other commands of an arm.
#ifndef LUDENS_ROBOT_COMMANDS_H
#define LUDENS_ROBOT_COMMANDS_H

#include "cli/cli.h"
#include "robot/controller.h"
#include "robot/table.h"

// --- arm_open.c ---
// The arm of --arm-file, or the usual one; an exit status.
int arm_of(const Cli *cli, Arm *arm);
int arm_from(const char *path, Arm *arm); // over what it holds, from a file
// The controller of --arm and --baud; an exit status. Close it in any case.
int arm_open(const Cli *cli, const Arm *arm, Controller **c);
int arm_attach(const Cli *cli, const Arm *arm, Controller **c); // also if nobody answers there

// --- table_open.c ---
// A game on a table with the arm of --arm-file and what was taught in --table-file.
typedef struct Laid {
    Desk desk;
    Arm arm;
    Table *table;
    View view;
} Laid;
// An exit status. `taught`: there has to be a --table-file. Close it in any case.
int laid_open(const Cli *cli, const char *const *words, int count, bool taught, Laid *laid);
void laid_close(Laid *laid);
int table_taught(const char *path, Table *table, View *view); // what a file says; an exit status
// Where the camera of a picture stands: by the tags in it, else by the corners that were taught,
// else by the pixels of places that the game's file gives. False with the reason. *by_tags may be
// NULL.
bool table_seen(const Table *table, const Picture *picture, View *view, bool *by_tags, Text *why);

// Each gets the words behind its own name; an exit status.
int robot_sim(const Cli *cli, const char *const *words, int count);
int robot_measures(const Cli *cli, const char *const *words, int count);
int robot_check(const Cli *cli, const char *const *words, int count);
int robot_where(const Cli *cli, const char *const *words, int count);
int robot_wake(const Cli *cli, const char *const *words, int count);
int robot_move(const Cli *cli, const char *const *words, int count);
int robot_fingers(const Cli *cli, const char *const *words, int count);
int robot_fit(const Cli *cli, const char *const *words, int count);
int robot_point(const Cli *cli, const char *const *words, int count);
int robot_halt(const Cli *cli, const char *const *words, int count);

#endif
