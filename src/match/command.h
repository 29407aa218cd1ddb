// command: the command line of a bot: `./mybot.py --depth 3`, taken apart without a shell.
#ifndef LUDENS_COMMAND_H
#define LUDENS_COMMAND_H

#include "base/text.h"

#define COMMAND_WORDS 24

typedef struct Command {
    char *word[COMMAND_WORDS + 1]; // ended by NULL
    int count;
    char *folder;                   // of the first word that names a file; NULL: there is none
    char *files[COMMAND_WORDS + 1]; // whole paths of the words that name files, ended by NULL
} Command;

// Words are separated by blanks; '...' and "..." keep them together, a backslash the next
// character. False with the reason. Free in any case.
bool command_read(const char *text, Command *c, Text *why);
void command_free(Command *c);

// A word as a shell reads it.
void command_quote(const char *word, Text *out);

#endif
