// export: kept games in forms that other programs read. One function a form, which adds one game;
// the game and its contest are as the archive gives them.
#ifndef LUDENS_EXPORT_H
#define LUDENS_EXPORT_H

#include "match/archive.h"

// A row for spreadsheets; `seats` columns of players, the same for all rows.
void export_csv_head(int seats, Text *out);
void export_csv(const Contest *c, const Played *p, int seats, Text *out);
// Everything that is known, as one line of JSON.
void export_json(const Contest *c, const Played *p, Text *out);
// Portable Game Notation: the seven tags and more. The first seat is White, the second Black.
void export_pgn(const Contest *c, const Played *p, Text *out);

void export_game_name(const ContestGame *g, Text *out); // `domineering rows=6`

#endif
