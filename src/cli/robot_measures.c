// robot_measures: all measures of an arm as a file, to be changed and used.
#include "cli/robot_commands.h"

#include "base/file.h"
#include "robot/arm.h"

int robot_measures(const Cli *cli, const char *const *words, int count) {
    Arm arm;
    if (count)
        return cli_usage(cli, "`%s` is one word too many", words[0]);
    int status = arm_of(cli, &arm);
    if (status != EXIT_OK)
        return status;
    const char *file = cli->option[OPT_OUTPUT];
    Text out = {0}, why = {0};
    arm_write(&arm, &out);
    if (out.failed)
        status = cli_error("out of memory");
    else if (!file)
        cli_print(&out);
    else if (!file_write_atomic(file, text_c(&out), out.n, &why))
        status = cli_error("%s", text_c(&why));
    text_free(&out);
    text_free(&why);
    return status;
}
