// bare_game: a game of the library without what its file knows about good moves, so that tests can
// give it rules of their own under any names.
#ifndef LUDENS_TEST_BARE_GAME_H
#define LUDENS_TEST_BARE_GAME_H

#include "base/text.h"
#include "game/library.h"

#include <ctype.h>
#include <string.h>

static inline bool is_knowledge(const char *line) {
    static const char *const sections[] = {"facts", "rules", "worth", "prefer"};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (strncmp(line, sections[i], strlen(sections[i])) == 0 &&
            isspace((unsigned char)line[strlen(sections[i])]))
            return true;
    return false;
}

// False if the library has no such game.
static inline bool bare_game(const char *name, Text *out) {
    const LibraryGame *g = library_games;
    while (g->name && strcmp(g->name, name) != 0)
        g++;
    bool leave_out = false;
    for (const char *line = g->text; line && *line;) {
        size_t n = strcspn(line, "\n");
        n += line[n] == '\n';
        if (!isspace((unsigned char)*line)) // a section begins
            leave_out = is_knowledge(line);
        if (!leave_out)
            text_add_n(out, line, n);
        line += n;
    }
    return g->text != NULL;
}

#endif
