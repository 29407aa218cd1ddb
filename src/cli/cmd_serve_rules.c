// serve-rules: legal moves and successor states for bots that know no rules.
#include "cli/speak.h"

int cmd_serve_rules(const Cli *cli) {
    return speak(cli, NULL);
}
