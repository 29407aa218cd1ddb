// ir: what the compiler made of the rules.
#include "cli/cli.h"

int cmd_ir(const Cli *cli) {
    Desk t;
    int status = desk_open(cli, &t);
    if (status == EXIT_OK) {
        Text out = {0};
        if (cli->option[OPT_CODE])
            vm_print(t.game->program, &out);
        else
            ir_print(t.game->ir, &out);
        cli_print(&out);
        text_free(&out);
    }
    desk_close(&t);
    return status;
}
