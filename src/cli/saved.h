// saved: a game loaded from a file that `save` wrote.
#ifndef LUDENS_SAVED_H
#define LUDENS_SAVED_H

#include "cli/cli.h"
#include "game/record.h"

typedef struct Saved {
    Desk desk;
    Record *record;
    char **params; // of the game, owned
    int param_count;
} Saved;

// Loads the game that the file names and plays its moves; an exit status (failures are reported).
// A rules file is looked for as the file names it, then beside the file. Release in any case.
int saved_open(const Cli *cli, const char *path, Saved *s);
void saved_close(Saved *s);

// Only the file's text into a record of the same game; false with the reason.
bool saved_load_into(Record *record, const Game *g, const char *path, Text *why);

#endif
