// arm_open: the arm that the command line speaks of.
#include "cli/robot_commands.h"

#include "base/file.h"

int arm_of(const Cli *cli, Arm *arm) {
    arm_usual(arm);
    return cli->option[OPT_ARM_FILE] ? arm_from(cli->option[OPT_ARM_FILE], arm) : EXIT_OK;
}

int arm_from(const char *path, Arm *arm) {
    Text why = {0};
    size_t size;
    char *text = file_read(path, FILE_LIMIT, &size, &why);
    if (!text) {
        cli_error("%s", text_c(&why));
        text_free(&why);
        return EXIT_INPUT;
    }
    Source source = {.name = path, .text = text, .size = size};
    Diags diags = {0};
    bool ok = arm_read(&source, arm, &diags);
    cli_print_diags(&diags, false);
    diag_free(&diags);
    mem_free(text);
    return ok ? EXIT_OK : EXIT_INPUT;
}

static int open_line(const Cli *cli, const Arm *arm, bool ask, Controller **c) {
    int64_t baud = 9600;
    *c = NULL;
    if (!cli->option[OPT_ARM])
        return cli_usage(cli, "--arm is missing: the serial line of the arm");
    if (!cli_number(cli, OPT_BAUD, 300, 1000000, &baud))
        return EXIT_USAGE;
    ControllerOptions options = {.baud = (int)baud};
    if (!cli_seconds(cli, &options.wake_seconds))
        return EXIT_USAGE;
    Text why = {0};
    *c = (ask ? controller_open : controller_attach)(arm, cli->option[OPT_ARM], &options, &why);
    int status = *c ? EXIT_OK : cli_error("%s", text_c(&why));
    text_free(&why);
    return status;
}

int arm_open(const Cli *cli, const Arm *arm, Controller **c) {
    return open_line(cli, arm, true, c);
}

int arm_attach(const Cli *cli, const Arm *arm, Controller **c) {
    return open_line(cli, arm, false, c);
}
