// speak: the protocol of docs/protocol.md on standard input and output.
#ifndef LUDENS_SPEAK_H
#define LUDENS_SPEAK_H

#include "cli/cli.h"

// Speaks until `quit` or the end of the input. The game is the first word, tic-tac-toe without one;
// `player` NULL: rules only. An exit status.
int speak(const Cli *cli, const char *player);

#endif
