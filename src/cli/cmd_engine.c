// engine: a player of this program as an engine for other programs.
#include "cli/speak.h"

int cmd_engine(const Cli *cli) {
    return speak(cli, cli->option[OPT_PLAYER] ? cli->option[OPT_PLAYER] : player_usual());
}
