// parameters: the part of a player's text behind the colon, `time=1s,depth=4`.
#ifndef LUDENS_PARAMETERS_H
#define LUDENS_PARAMETERS_H

#include "search/player.h"

// All at the usual values of the kind.
void parameters_init(const PlayerKind *kind, PlayerOptions *o);
// Reads `key=value,...`; `text` may be "". Parameters that the kind does not read are refused.
// False with the reason, which names what was perhaps meant.
bool parameters_read(const PlayerKind *kind, const char *text, PlayerOptions *o, Text *why);
// Those that were given, as they can be read; with a colon before them if there is one.
void parameters_text(const PlayerOptions *o, Text *out);
// For `ludens players`: the names of a kind's parameters with blanks between them, and what is
// usual where that is the kind's own; all of them as a JSON array; and what every parameter of the
// kind means, or (NULL) of any kind, a line each.
void parameters_names(const PlayerKind *kind, Text *out);
void parameters_json(const PlayerKind *kind, Text *out);
void parameters_explain(const PlayerKind *kind, Text *out);
bool parameters_has(const PlayerKind *kind, const char *name); // whether the kind reads it
void parameters_end(PlayerOptions *o);
bool parameters_limit(const PlayerOptions *o); // whether time, nodes, depth or iterations is set

#endif
