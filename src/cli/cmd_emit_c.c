// emit_c: the rules as a C file.
#include "cli/cli.h"

#include "native/emit.h"

int cmd_emit_c(const Cli *cli) {
    Desk t;
    int status = desk_open(cli, &t);
    if (status == EXIT_OK) {
        Text out = {0};
        if (native_emit(t.game->ir, &out))
            cli_print(&out);
        else
            status = cli_error("out of memory");
        text_free(&out);
    }
    desk_close(&t);
    return status;
}
