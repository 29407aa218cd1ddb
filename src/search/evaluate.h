// evaluate: what a position that is not over is worth, for any game, without knowing it.
//
//     none       0
//     material   own pieces minus the others', each kind by its weight
//     mobility   own moves minus the others'
//     goal       puzzles: how far from the goal, a number of moves that is never too large
//     learned    a weighted sum of such features, with weights from self-play (learned.c), cached
//     own        what the game's rules say (`worth` of its file, or of a rule set), where they do
//     auto       the best of these that the game has
//     plain      the same without `learned`: exact and readable, and nothing to wait for
//
// A kind of evaluation is a row of EVALUATIONS and the functions `evaluate_NAME` in a file of its
// own (the simplest are in evaluate.c).
#ifndef LUDENS_EVALUATE_H
#define LUDENS_EVALUATE_H

#include "knowledge/knowledge.h"
#include "search/search.h"

// X(name, begin, end, distance, help), in the order in which `auto` prefers them. `begin` says
// with a reason that the game has no such evaluation; `distance` is for puzzles. Any may be NULL.
#define EVALUATIONS(X)                                                                             \
    X(own, evaluate_own_begin, evaluate_own_end, NULL, "what the rules of the game say")           \
    X(learned, evaluate_learned_begin, evaluate_learned_end, NULL,                                 \
      "features weighted by self-play")                                                            \
    X(goal, evaluate_goal_begin, evaluate_goal_end, evaluate_goal_distance,                        \
      "puzzles: a number of moves that are needed at least")                                       \
    X(material, evaluate_material_begin, NULL, NULL,                                               \
      "own pieces minus those of the others, each kind by its weight")                             \
    X(mobility, evaluate_mobility_begin, NULL, NULL, "own moves minus those of the others")        \
    X(none, NULL, NULL, NULL, "nothing is known: 0")

typedef struct Evaluation Evaluation;

// Immutable and shared between threads after it is made. NULL with the reason. `name` NULL is auto.
Evaluation *evaluation_new(const Game *game, const char *name, Text *why);
// The same with what is known about the game, borrowed; NULL: what its own file says.
Evaluation *evaluation_knowing(const Game *game, const char *name, const Knowledge *knowledge,
                               Text *why);
// The same; `stop` is as for player_stoppable.
Evaluation *evaluation_stoppable(const Game *game, const char *name, const Knowledge *knowledge,
                                 const atomic_bool *stop, Text *why);
void evaluation_free(Evaluation *e);
const char *evaluation_name(const Evaluation *e);
bool evaluation_is_slow(const Evaluation *e); // asking again costs more than keeping the value
// For the player on move; strictly between -VALUE_SURE and VALUE_SURE.
Value evaluation_value(const Evaluation *e, Runner *r, const uint8_t *state);
// The same for n states that come one after the other.
void evaluation_each(const Evaluation *e, Runner *r, const uint8_t *states, int n, Value *values);
// For any player.
Value evaluation_for(const Evaluation *e, Runner *r, const uint8_t *state, int player);
// For each player (games of more than two): `values` has room for all.
void evaluation_values(const Evaluation *e, Runner *r, const uint8_t *state, Value *values);
// A lower bound of the moves to the goal of a puzzle; 0 if nothing is known, or without `e`.
int evaluation_distance(const Evaluation *e, Runner *r, const uint8_t *state);
// The name as a constant, "auto" and "plain" included; NULL if there is none. `evaluation_names`
// ends with NULL.
const char *evaluation_find(const char *name);
extern const char *const evaluation_names[];

// --- for the files of the kinds ---
typedef bool EvaluationBegin(Evaluation *e, Text *why);
typedef void EvaluationEnd(Evaluation *e);
typedef int EvaluationDistance(const Evaluation *e, Runner *r, const uint8_t *state);
typedef Value EvaluationFor(const Evaluation *e, Runner *r, const uint8_t *state, int player);
struct Evaluation {
    const struct EvaluationKind *kind;
    const Game *game;
    const Knowledge *knowledge; // NULL: what the game's file says
    const atomic_bool *stop;    // while it is made; may be NULL
    void *own;                  // of the kind, freed by its `end`
    Value weight[IR_MAX_KINDS]; // material: of each kind of piece
};
#define X(name, begin, end, distance, help) EvaluationFor evaluate_##name;
EVALUATIONS(X)
#undef X
EvaluationBegin evaluate_own_begin, evaluate_learned_begin, evaluate_goal_begin;
EvaluationBegin evaluate_material_begin, evaluate_mobility_begin;
EvaluationEnd evaluate_own_end, evaluate_goal_end, evaluate_learned_end;
EvaluationDistance evaluate_goal_distance;
bool evaluate_own_slow(const Evaluation *e);

#endif
