// robot: a robot arm, simulated or real.
#include "cli/robot_commands.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(const Cli *cli, const char *const *words, int count);
} parts[] = {
    {"sim", robot_sim},           {"check", robot_check}, {"where", robot_where},
    {"wake", robot_wake},         {"move", robot_move},   {"fingers", robot_fingers},
    {"stop", robot_halt},         {"fit", robot_fit},     {"point", robot_point},
    {"measures", robot_measures},
};
enum { PARTS = sizeof parts / sizeof *parts };

int cmd_robot(const Cli *cli) {
    const char *names[PARTS];
    if (cli->word_count == 0)
        return cli_usage(cli,
                         "what shall the arm do? sim, check, where, wake, move, fingers, stop, "
                         "measures, fit, point");
    for (int i = 0; i < PARTS; i++) {
        names[i] = parts[i].name;
        if (strcmp(cli->words[0], parts[i].name) == 0)
            return parts[i].run(cli, (const char *const *)cli->words + 1, cli->word_count - 1);
    }
    const char *meant = text_nearest(cli->words[0], names, PARTS);
    return meant ? cli_usage(cli, "an arm cannot `%s`: did you mean `%s`?", cli->words[0], meant)
                 : cli_usage(cli, "an arm cannot `%s`", cli->words[0]);
}
