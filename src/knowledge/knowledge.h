// knowledge: facts, rules and reasons at work.
//
//     game file or rules file --lang/check_knowledge.c--> IrKnowledge
//         --reference.c-->  relations, with reasons      (slow, plain: it holds the other to
//         account)
//         --native/emit_knowledge*.c--> machine code: worth and priority     (fast)
//
// A Knowledge is immutable and may be shared between threads; a Reasoner is one thread's working
// memory for it. The Game must live longer than both.
#ifndef LUDENS_KNOWLEDGE_H
#define LUDENS_KNOWLEDGE_H

#include "game/game.h"
#include "ir/relations.h"

typedef struct Knowledge Knowledge;
typedef struct Reasoner Reasoner;

// --- knowledge_load.c ---
// What the game's own file says; NULL if it says nothing (or without memory).
Knowledge *knowledge_own(const Game *game);
// A rules file beside the game: a path, or the name of a rule set of the library. It may use the
// definitions, facts and rules of the game's file; its `worth` and its `prefer`, where it has them,
// stand for those of the game. All that is wrong is reported in `diags`. NULL on failure.
Knowledge *knowledge_load(const Game *game, const char *name, Diags *diags);
Knowledge *knowledge_compile(const Game *game, const char *title, const char *text, size_t size,
                             Diags *diags); // the same from text
void knowledge_free(Knowledge *k);
const IrKnowledge *knowledge_ir(const Knowledge *k);
const IrGame *knowledge_game(const Knowledge *k); // the IR that its expressions belong to
const char *knowledge_title(const Knowledge *k);
// Machine code, as game_use: waits for the compiler with BACKEND_NATIVE. False with the reason.
bool knowledge_use(Knowledge *k, Backend backend, Text *why);
// Waits for machine code that was asked for, but not after `stop` is set (NULL: it is not stopped).
void knowledge_wait(Knowledge *k, const atomic_bool *stop);
// What reasoner_worth gives, by machine code alone: any thread may ask, without a Reasoner. False
// if there is no machine code (yet).
bool knowledge_worth(const Knowledge *k, const uint8_t *state, int me, int64_t *worth);

// --- reasoner.c ---
Reasoner *reasoner_new(const Knowledge *k); // NULL when out of memory
void reasoner_free(Reasoner *r);
// For rules that are not trusted: each call takes at most `steps` (0: as many as may be), and fails
// beyond. Machine code and CLIPS know no such limit.
void reasoner_limit(Reasoner *r, long steps);
// What the position is worth to a player: the sum of what its conclusions are worth. By machine
// code as soon as there is some, else by the reference evaluator: the same number.
int64_t reasoner_worth(Reasoner *r, const uint8_t *state, int me);
// How good a move looks, PRIORITY_ONE times the factors of all lines of `prefer` that hold (each
// product truncated, at most PRIORITY_MOST). `after` is the position it leads to. -1 if the move is
// none of this position.
#define PRIORITY_ONE 1000000
#define PRIORITY_MOST ((int64_t)1 << 52)
int64_t reasoner_priority(Reasoner *r, const uint8_t *before, Move move, const uint8_t *after);

// What went wrong in the call that failed last: the rules need too many steps in a position, or
// memory. NULL: nothing. Then reasoner_conclude gives NULL, a worth is 0 and a priority
// PRIORITY_ONE.
const char *reasoner_error(const Reasoner *r);

// --- reference.c: all relations of a position ---
// Bit i of relation n: its tuple i holds. Until the next call.
typedef struct Relations {
    const uint64_t *const *bits; // [relations], (tuples + 63) / 64 words each
} Relations;
const Relations *reasoner_conclude(Reasoner *r, const uint8_t *state, int me);
int64_t reference_worth(Reasoner *r, const uint8_t *state, int me);
int64_t reference_priority(Reasoner *r, const uint8_t *before, Move move, const uint8_t *after);
// Which lines of `prefer` hold for a move: holds[prefers]. False if the move is none of this
// position, or with an error.
bool reference_prefer(Reasoner *r, const uint8_t *before, Move move, const uint8_t *after,
                      bool *holds);
// Whether the first position can be judged within the limits of the reference evaluator; else an
// error in `diags`. Whoever loads knowledge asks this.
bool knowledge_try(const Knowledge *k, Diags *diags);

// --- knowledge_clips.c: rules in CLIPS ---
// A file of CLIPS (its name ends in `.clp`) gets the game's own facts and some that every game has;
// its facts `(worth NUMBER "sentence" about …)` are what the position is worth to `(me …)`.
// knowledge_ir has the game's own facts only, and all functions above work: machine code and
// priorities do not exist.
bool knowledge_is_clips(const Knowledge *k);
typedef struct ClipsFact {
    const char *name, *text; // "on", "(on a1 man White)"
    bool given;              // not concluded by a rule
} ClipsFact;
typedef struct ClipsWorth {
    int64_t weight;
    const char *sentence; // NULL: none is given
    const char *about;    // the fields behind it; ""
} ClipsWorth;
typedef struct ClipsFound {
    int64_t value;
    ClipsWorth *worth; // not with CLIPS_VALUE, as all that follows
    int worths;
    ClipsFact *fact;
    int facts;
    const char *printed; // by the rules
} ClipsFound;
typedef enum ClipsDetail {
    CLIPS_VALUE, // what the position is worth
    CLIPS_FACTS, // with facts and sentences
    CLIPS_ALL,   // also facts that no rule asks for
} ClipsDetail;
// Until the next call for this reasoner. NULL on failure, see reasoner_error.
const ClipsFound *reasoner_clips(Reasoner *r, const uint8_t *state, int me, ClipsDetail detail);

// --- reasons.c: why a tuple holds ---
// The first clause that derives it, what its locals were and the tuples it rests on, all found
// before it.
typedef struct Support {
    int relation, tuple;
} Support;
typedef struct Reason {
    const IrClause *clause;
    int64_t *local; // of the clause's frame; sets are not given
    Support *support;
    int supports;
} Reason;
// After reasoner_conclude, until its next call. NULL if the tuple does not hold.
const Reason *reasoner_reason(Reasoner *r, int relation, int tuple);
// What makes line `worth` count, after reasoner_conclude; until the next call. How many, or -1.
typedef struct WorthPart {
    int tuple;
    int64_t weight;
} WorthPart;
int reasoner_worth_parts(Reasoner *r, int worth, const WorthPart **parts);
// "pair(White, a7 d7 g7)"
void knowledge_tuple_text(const Knowledge *k, int relation, int tuple, Text *out);
// The cells that it is about, a bit each: of cells and of lines among its arguments.
void knowledge_tuple_cells(const Knowledge *k, int relation, int tuple,
                           uint64_t cells[BOARD_MAX_WORDS]);
// A value as people write it; cells of a line with blanks between them.
void knowledge_value_text(const Knowledge *k, IrType type, int64_t value, Text *out);

#endif
