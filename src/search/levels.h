// levels: players that are weaker than they could be, in a way that people can enjoy.
//
// A level looks only a few moves ahead and does not always take the move it likes best: it picks
// by chance among moves that seem about as good. The higher the level, the further it looks and
// the less it gives away: from `easy` on it does not leave a move that wins at once, nor play one
// that loses at once if it can see it; from `medium` on it never gives away by chance what it
// sees: only what lies beyond its horizon. Levels 8 and 9 are the strong players with little time,
// 10 is without limits.
#ifndef LUDENS_LEVELS_H
#define LUDENS_LEVELS_H

#include "search/player.h"

#define LEVELS 10
#define LEVEL_NOISY 7 // up to this one, moves are picked by levels_search

// The number of a level by number or name; 0 if there is none.
int level_find(const char *text);
const char *level_name(int level);
// Of the levels above LEVEL_NOISY: positions that the strong player may look at; 0: no limit.
int64_t level_nodes(int level);
// The text of the player that helps the levels up to LEVEL_NOISY.
const char *level_helper(void);
// A move of a level up to LEVEL_NOISY for the player p, with the help of `helper`.
bool levels_search(Player *p, Player *helper, int level, const SearchTask *task,
                   SearchResult *result);
// What each move is worth to the player on move, looking `depth` moves further.
bool levels_values(Player *p, Player *helper, int depth, const SearchTask *task, const Move *moves,
                   int n, Value *value);

// --- approach.c ---
// Where nothing has happened for a while and nothing in sight is worth more than what there is, the
// result's move becomes one that is as good and brings the player's pieces nearer to the others'.
void approach(Player *p, Player *helper, const SearchTask *task, SearchResult *result);

#endif
