// bot_new: a folder with a bot that works, to begin with.
#ifndef LUDENS_BOT_NEW_H
#define LUDENS_BOT_NEW_H

#include "cli/cli.h"

// Makes the folder `path` with a bot in `language` ("c", "python" or "js"); an exit status. The
// folder is there whole or not at all, and one that is there already is not touched.
int bot_new_folder(const Cli *cli, const char *language, const char *path);

#endif
