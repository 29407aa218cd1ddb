// checker: what the files check*.c share. Private to them; see check.h for the contract.
//
// The order of work: parameters, board, pieces, variables, then setup, turn, end and the rest.
// A `let` is checked where it is used, once for each list of argument types, and becomes an
// IrFunc; if it does not depend on the state, a table or a constant.
#ifndef LUDENS_CHECKER_H
#define LUDENS_CHECKER_H

#include "ir/ir.h"
#include "lang/ast.h"
#include "lang/check.h"

#include <string.h>

typedef enum SymbolKind {
    SYM_PARAMETER,
    SYM_PLAYER,
    SYM_KIND,
    SYM_ATTR,
    SYM_VAR,
    SYM_LET,
    SYM_FLAG,     // `id` is the enumeration, `sub` the member
    SYM_RELATION, // of knowledge
} SymbolKind;

typedef struct Symbol {
    const char *name;
    SymbolKind kind;
    int id, sub;
    const Node *node; // SYM_LET: the definition
    Span span;        // of the name where it is declared
    const Source *source;
    bool used;
} Symbol;

// A name inside a body: a choice, a loop variable, a `let`, a `var`, `it`.
typedef struct Local {
    const char *name;
    int slot;
    IrType type;
    int32_t lo, hi;
    bool variable; // may be assigned
    bool broken;   // its declaration is wrong: whatever uses it says nothing more
    bool used;
    Span span;
    struct Local *up;
} Local;

// Where an expression or statement stands decides what it may use.
typedef enum Place {
    AT_PARAMETERS,  // numbers and parameters only
    AT_BOARD,       // also `column` and `row`
    AT_DECLARATION, // also the board, players and pieces; no state
    AT_SETUP,
    AT_TURN,
    AT_END,
    AT_INPUT,
    AT_KNOWLEDGE, // also relations
} Place;

// One `let` checked for one list of argument types.
typedef struct Instance {
    const Symbol *let;
    int count;
    const IrExpr **args; // their types and ranges only
    IrFunc *func;        // NULL if its body is wrong
    bool busy;           // its body is being checked: a call then is recursion
    int levels;          // how deep evaluating it nests, its calls included
    int func_id;         // or -1 if it became a table or a constant
    int table_id;        // or -1
    IrExpr *constant;    // or NULL
    struct Instance *next;
} Instance;

typedef struct Checker {
    Arena *arena;
    const Source *source;
    Diags *diags;
    const Node *file;
    IrGame *g;
    Symbol *symbol;
    int symbols, symbol_cap;
    Local *locals;  // innermost first
    Local *reuse;   // names of an earlier branch: the same name and type gets the same slot
    Local *ended;   // names of blocks that have ended, for a better message
    Local *hidden;  // names where the definition being checked is used, likewise
    IrFrame *frame; // of the body being checked
    Place place;
    Instance *instances;
    int instance_count;
    const char *say;  // help text in force
    int removed_slot; // local that notes a removal in this turn, -1 if nobody asks
    int quiet_var;    // the clock of `moves without remove`, -1
    int quiet_limit;
    int distance_table, column_table, row_table, cell_table, opposite_table; // -1 until used
    int statements;                                                          // made so far
    int expressions;     // made so far; bounds what definitions can expand to
    int level;           // of expressions inside expressions, definitions included
    int deepest;         // the highest level so far in the definition being checked
    long steps;          // left for evaluating what needs no state
    struct Knower *know; // check_knowledge.h; NULL without relations
} Checker;

// Expressions nest this deep at most, the definitions they use included: everybody who walks
// them may recurse. The library's games stay below 40.
#define CHECK_LEVELS 1000
// The largest library game makes a few thousand.
#define CHECK_EXPRESSIONS 400000
// One definition can be checked for that many lists of argument types; the games have below 100.
#define CHECK_INSTANCES 4000
// What evaluating constants and tables may cost, in steps of ir_eval: about half a second for the
// whole file, of which one constant and one table can only take a part.
#define CHECK_STEPS 20000000
#define CHECK_CONSTANT_STEPS 200000
#define CHECK_TABLE_STEPS 4000000
// Static definitions with more entries than this stay functions.
#define CHECK_TABLE_ENTRIES 65536
#define CHECK_SITES 200
// Chess has forty; the interpreter's compiler takes time by the square of their number.
#define CHECK_STATEMENTS 4000
// Names of one section or definition, the variables of quantifiers included; the interpreter has
// room for more, chess needs 40.
#define CHECK_SLOTS 1000
#define CHECK_SYMBOLS 1000

// --- check_names.c ---
Symbol *names_find(Checker *c, const char *name);
// "in line 12", with the file if that is another
const char *names_place(Checker *c, const Symbol *s);
Symbol *names_add(Checker *c, SymbolKind kind, int id, const char *name, Span span);
Local *names_local(Checker *c, const char *name);
// Declares the name of a statement, which takes the slot of the same name of an earlier branch.
// Reports a clash with another name, as do the next ones.
Local *names_declare(Checker *c, const char *name, Span span, IrType type, int32_t lo, int32_t hi);
// Declares a name in a new slot of the current frame. A variable of a loop must not share its slot
// with what the loop's value goes to.
Local *names_push(Checker *c, const char *name, Span span, IrType type, int32_t lo, int32_t hi);
// `it` and loop variables share a slot: declares `name` for an existing slot.
Local *names_alias(Checker *c, const char *name, Span span, int slot, IrType type, int32_t lo,
                   int32_t hi);
// A name whose declaration is wrong and has been reported.
void names_broken(Checker *c, const char *name, Span span);
void names_pop(Checker *c, Local *until); // warns of unused ones
// The names of a block that has ended; `list` is no longer part of any scope.
void names_end(Checker *c, const Local *list);
void names_unused(Checker *c, const Local *l);
bool names_kind(Checker *c, const char *word, int *kind, bool *plural); // man, men, fighters
// With a near miss, or else the help `otherwise` (NULL: what most likely helps here).
void names_unknown(Checker *c, const char *word, Span span, const char *otherwise);
const char *names_near(Checker *c, const char *word); // the nearest that is known here, or NULL
Span names_word(const Node *node); // of the word that a call or an index begins with
// "White, Black and Red"
const char *names_list(Checker *c, const char *const *names, int count);
int names_choices(Checker *c, const char ***names); // of the turn, each once
void names_report_unused(Checker *c, int from);     // symbols from that one on
// A warning, unless it has been given: definitions and domains are checked more than once.
bool check_warn(Checker *c, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool names_reserved_call(const char *name); // a built-in function

// --- check_make.c: making typed expressions ---
// Numbers stay in 31 bits, so that no sum or product of two of them can overflow 64.
#define NUMBER_LIMIT 2000000000
IrType type_plain(IrTypeKind kind);
bool type_same(IrType a, IrType b);
IrExpr *expr_new(Checker *c, IrOp op, IrType type, const Node *node);
// Sets the flags of an expression from its kids and folds it if it is constant.
IrExpr *expr_done(Checker *c, IrExpr *e);
void expr_set_flags(Checker *c, IrExpr *e); // without folding
IrExpr *expr_unary(Checker *c, IrOp op, IrType type, const Node *node, IrExpr *a);
IrExpr *expr_binary(Checker *c, IrOp op, IrType type, const Node *node, IrExpr *a, IrExpr *b);
IrExpr *expr_const(Checker *c, IrType type, int64_t value, const Node *node);
IrExpr *expr_const_set(Checker *c, const uint64_t *words, const Node *node);
IrExpr *expr_empty_set(Checker *c, const Node *node);
IrExpr *expr_local(Checker *c, const Local *l, const Node *node);
IrExpr *expr_me(Checker *c, const Node *node);
bool expr_is_constant(const IrExpr *e, int64_t *value);
// Evaluates what needs no state, out of the budget for the whole file but at most `steps`.
bool expr_evaluate(Checker *c, const IrExpr *e, IrValue *locals, IrValue *value, long *steps);
IrExpr *check_typed(Checker *c, const Node *node, IrType want); // converts where that is meant
IrExpr *check_convert(Checker *c, IrExpr *e, IrType want, const Node *node);
IrExpr *check_cond(Checker *c, const Node *node);
IrExpr *check_set(Checker *c, const Node *node);
IrExpr *check_cell_or_set(Checker *c, const Node *node);
IrExpr *check_number(Checker *c, const Node *node);
bool check_constant(Checker *c, const Node *node, int64_t *value); // a number known now

// All that check something return NULL after reporting an error; NULL operands are passed on
// silently.
// --- check_expr.c ---
IrExpr *check_expr(Checker *c, const Node *node);
// One level deeper, with what lies `below` it; reports and returns false if that is too deep.
bool expr_descend(Checker *c, const Node *node, int below);

// --- check_value.c ---
IrExpr *check_name(Checker *c, const Node *node);
IrExpr *check_index(Checker *c, const Node *node);
IrExpr *check_of(Checker *c, const Node *node);
IrExpr *check_lines_through(Checker *c, const Node *node);
// The cells of one kind of piece (or of kind_expr, if kind < 0), of one player or of anyone.
IrExpr *expr_pieces(Checker *c, int kind, IrExpr *kind_expr, IrExpr *player, const Node *node);
IrExpr *expr_all_of(Checker *c, IrTypeKind kind, int count, const Node *node);
bool check_needs_board(Checker *c, const Node *node, const char *word); // reports it if unknown

// --- check_operator.c ---
IrExpr *check_binary(Checker *c, const Node *node);
IrExpr *check_unary(Checker *c, const Node *node);
IrExpr *check_if(Checker *c, const Node *node);
IrExpr *check_braces(Checker *c, const Node *node);
IrExpr *expr_not(Checker *c, IrExpr *e, const Node *node);
// A number from one or two numbers, with its range; NULL (reported) if that is out of hand.
IrExpr *expr_sum(Checker *c, IrOp op, const Node *node, IrExpr *a, IrExpr *b);

// --- check_loop.c ---
IrExpr *check_where(Checker *c, const Node *node);
IrExpr *check_quantifier(Checker *c, const Node *node);
IrExpr *check_the(Checker *c, const Node *node);
// A loop's domain; declares `name` (and `it` in its `where`). The caller pops the locals.
// `choice`: the name goes on after the loop, as that of `choose`.
IrDomain *check_domain(Checker *c, const Node *node, const char *name, Span span, bool choice,
                       Local **local);

// --- check_call.c ---
IrExpr *check_call(Checker *c, const Node *node);
IrExpr *check_let(Checker *c, Symbol *s, const Node *node); // N_CALL or N_NAME
IrExpr *check_column(Checker *c, const Node *node, IrExpr *cell, bool row);

// --- check_board.c ---
bool check_board(Checker *c, const Node *board);

// --- check_decl.c ---
bool check_parameters(Checker *c, const char *const *params, int count);
bool check_players(Checker *c);
bool check_pieces(Checker *c);
bool check_vars(Checker *c);
// A type in a declaration. Ranges must be constant.
bool check_type(Checker *c, const Node *node, IrType *type, int32_t *lo, int32_t *hi);

// --- check_stmt.c ---
typedef struct Statements { // a block being built
    IrStmt *first, *last;
} Statements;
void block_append(Statements *b, IrStmt *s); // and all that follow it
IrStmt *check_set_local(Checker *c, int slot, IrExpr *value, const Node *node);
// Whether a value can be right for something of the range lo..hi; reports it if not.
bool check_possible(Checker *c, const IrExpr *e, const char *name, int32_t lo, int32_t hi,
                    const Node *node);
IrStmt *check_block(Checker *c, const Node *block);
// The same, but leaves the names it declared in *names instead of ending them: a name that every
// branch of an `if` or `either` declares goes on to mean the same thing after it.
IrStmt *check_branch(Checker *c, const Node *block, Local **names);
IrStmt *check_new_stmt(Checker *c, IrStmtKind kind, const Node *node);

// --- check_effect.c ---
IrStmt *check_place(Checker *c, const Node *node);
IrStmt *check_move(Checker *c, const Node *node);
IrStmt *check_remove(Checker *c, const Node *node);
IrStmt *check_change(Checker *c, const Node *node);
// A piece to place: its kind (id, or -1 and an expression) and owner (NULL: none).
bool check_piece(Checker *c, const Node *node, int *kind, IrExpr **kind_expr, IrExpr **owner);

// --- check_setup.c ---
IrStmt *check_scatter(Checker *c, const Node *node);
IrStmt *check_diagram(Checker *c, const Node *node);
bool check_scramble(Checker *c, const Node *node);

// --- check_size.c ---
// The most bits the choices of a block can take, and the most choices.
void check_count_choices(const IrGame *g, const IrStmt *s, double *bits, double *choices);

// --- check_end.c ---
bool check_end(Checker *c);
bool check_notation(Checker *c);
void check_words(Checker *c); // check_words.c
void check_table(Checker *c); // check_table.c
bool check_input(Checker *c);

// --- check.c ---
void check_declare_lets(Checker *c, const Node *file);
void check_unused_lets(Checker *c, int from);
Checker check_new(Arena *arena, const Source *source, Diags *diags); // nothing checked yet
// Everything about a game's file; *c then knows its names.
void check_whole_game(Checker *c, Arena *arena, const Node *file, const Source *source,
                      const char *const *params, int count, Diags *diags);

// --- check_knowledge.c ---
// Declares the relations of a file, then checks all that is known in it. After the rest of the
// game, whose names it uses.
void check_declare_knowledge(Checker *c, const Node *file);
void check_knowledge(Checker *c, const Node *file);

// --- check_knowledge_ask.c ---
// NULL if the node is no name or call of a relation.
Symbol *check_relation_of(Checker *c, const Node *node);
// A relation in an expression: a condition, with one `_` a set of cells; under `some`, `no` and
// `not` always a condition; under `count` a number.
typedef enum AskHow { ASK_VALUE, ASK_ANY, ASK_COUNT } AskHow;
IrExpr *check_known(Checker *c, Symbol *s, const Node *node, AskHow how);
IrExpr *check_before(Checker *c, const Node *node);

const Node *check_find_item(Checker *c,
                            NodeKind kind); // the first of that kind in the file, or NULL

#endif
