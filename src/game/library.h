// library: the games that come with the program, as rules text embedded into it.
//
// The table is made from games/*.game and some of games/s3 by tools/embed.py, sorted by name. It is
// constant and lives as long as the program; a last entry of NULLs follows the `library_count`
// games.
#ifndef LUDENS_LIBRARY_H
#define LUDENS_LIBRARY_H

#include <stddef.h>

typedef struct LibraryGame {
    const char *name; // of the file, without ".game", or s3- and the file in small letters
    const char *text; // NUL-terminated
    size_t size;      // without the NUL
    int length;       // moves that a game usually takes (games/lengths.txt); 0: not known
} LibraryGame;

extern const LibraryGame library_games[];
extern const int library_count;

// Rule sets that stand beside games: games/rules/*.rules, the same way. `name` is without ".rules".
extern const LibraryGame library_rules[];
extern const int library_rules_count;

#endif
