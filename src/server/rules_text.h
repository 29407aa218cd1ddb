// rules_text: rules that a message names, by their text or by the name of a game, for the workshop.
//
// A Rules owns copies of everything, so that a thread can work with it.
#ifndef LUDENS_RULES_TEXT_H
#define LUDENS_RULES_TEXT_H

#include "server/room.h"

#define RULES_PARAMS 32   // of a game
#define RULES_PARAM 200   // bytes of a parameter, name and value
#define RULES_SECONDS 0.5 // that the setup of strange rules may take

typedef struct Rules {
    char *title, *text; // text NULL: `game` was named
    const Game *game;   // taken; NULL until it is compiled
    Game *own;          //   by rules_compile
    char *param[RULES_PARAMS];
    int params;
} Rules;

// Reads `text` (with `title`) or `game`, and `params`. False with the error sent.
bool rules_read(Rules *r, Client *c, const cJSON *in, int64_t id);
// In a thread: compiles the text, if it is one. False if the rules are wrong: see `diags`.
bool rules_compile(Rules *r, Diags *diags);
void rules_free(Hub *hub, Rules *r); // the loop's thread

// `params` of a message, an object, as texts `name=value`: at most RULES_PARAMS, which the caller
// frees by mem_free. False with none if it is something else; rules_params sends the error, too.
bool rules_read_params(const cJSON *in, char **param, int *count);
bool rules_params(Client *c, const cJSON *in, int64_t id, char **param, int *count);

#endif
