// knowledge_parts: the inside of a Knowledge, for the files of knowledge/ alone; others see
// knowledge.h.
#ifndef LUDENS_KNOWLEDGE_PARTS_H
#define LUDENS_KNOWLEDGE_PARTS_H

#include "knowledge/knowledge.h"

struct Knowledge {
    const Game *game;
    const IrGame *ir;        // what its expressions belong to: the game's own, or one with more
    const IrKnowledge *what; //   definitions for a rules file; the layout of states is the same
    const char *title;       // of a rules file, else of the game
    Arena arena;             // of a rules file: everything that was made for it
    Source source;           //   and its text, owned
};

#endif
