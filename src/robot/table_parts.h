// table_parts: how a Table is made; for the files table_*.c alone.
#ifndef LUDENS_TABLE_PARTS_H
#define LUDENS_TABLE_PARTS_H

#include "robot/table.h"

#define TABLE_GAP 0.6     // cm between pieces beside the board: fingers go there
#define TABLE_CLEAR 0.6   // cm that a carried piece passes over others
#define TABLE_PILE_MOST 4 // cm: piles of a fitted table are not higher, else the arm is too short
#define TABLE_SAME 0.5    // cm: places nearer to each other are the same place
#define TABLE_EVERY_KIND UINT64_MAX

typedef struct Ring { // distances from the arm, cm
    double near, far;
} Ring;

typedef struct Maker {
    Table *t;
    const LookTable *said;       // NULL: nothing
    int *most;                   // [kinds]: pieces that can be on the board at the same time
    bool *comes;                 // [kinds]: pieces of that kind come and go
    double radius, height;       // cm, of all pieces
    double pitch;                // cm; 0: the board is not a grid (places given one by one)
    double middle_x, middle_y;   // of the board as it is drawn
    Ring ring[SCENE_LEVELS + 1]; // what fingers reach over piles of so many pieces; 0, 0: not known
    Text *why;
} Maker;

// --- table_count.c ---
// How many pieces of each kind there can be on the board, found by playing at random.
bool table_count(Maker *m);

// --- table_fit.c ---
// Where cells and stores are, where a file does not give each place. False with the reason.
bool table_fit(Maker *m);
// Adds a site. Stores get their names at the end.
Site *table_add_site(Maker *m, int cell, Point at, int room);
// Stores for all kinds that have too few. False with the reason.
bool table_add_stores(Maker *m);

// Cells whose place is not a number yet come to lie beside the board. False if there is no room.
bool table_lay_piles(Maker *m);

// --- table_places.c ---
// The places of an S3 file, each given by its `robot` line. False with the reason.
bool table_places(Maker *m);
bool table_has_places(const IrGame *ir);

// --- table_colours.c ---
// Colours and paint of all kinds: what the file says, and others that differ from it.
bool table_colours(Maker *m);

#endif
