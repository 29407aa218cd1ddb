// table: alpha-beta that remembers positions.
//
// The step from deepening.c: the same position is often reached by several ways. A table keeps what
// was found out about each: how deep it was searched, its value or a bound of it, and the best
// move. If that is enough, the position is not searched again; if not, its best move comes first.
//
//   - A cut gives only a bound: the value is at least (or at most) what was found.
//   - Wins and losses count moves from the root; in the table they count from the position.
//   - Clocks of the rules count: fifty quiet moves before a draw are not one.
//   - So does the game so far, where a position that occurs once more is a draw.
//   - A value that draws by repetition have gone into holds only for the way that led here, and is
//     not kept.
//
// The table stays until the player is freed: the next move of the game begins with what is known.
#include "game/clocks.h"
#include "search/order.h"

typedef enum Bound { BOUND_NONE, BOUND_EXACT, BOUND_LEAST, BOUND_MOST } Bound;

typedef struct Entry {
    uint64_t key;
    Move move;
    Value value;
    int16_t depth;
    uint8_t bound;
    bool horizon; // estimates have gone into the value
} Entry;

typedef struct Table {
    Entry *entry;
    uint64_t mask; // their number minus one, a power of two minus one
    Clocks clocks; // what tells positions apart here
    uint64_t past; // what matters of the game so far
} Table;

bool table_begin(Player *p, Text *why) {
    size_t wanted = (size_t)p->options.memory_mb << 20, count = 1;
    while (2 * count * sizeof(Entry) <= wanted)
        count *= 2;
    Table *table = mem_alloc(sizeof *table);
    p->own = table;
    if (table) {
        table->clocks = clocks_of(p->game);
        table->entry = mem_alloc(count * sizeof(Entry));
        table->mask = count - 1;
    }
    if (table && table->entry)
        return true;
    text_add(why, "out of memory");
    return false;
}

void table_end(Player *p) {
    Table *table = p->own;
    if (table)
        mem_free(table->entry);
    mem_free(table);
}

// Values are those of `me`, so the key says who that is.
static uint64_t key_of(const Tree *t) {
    const Table *table = t->player->own;
    uint64_t mix = (uint64_t)t->me;
    const Game *g = t->player->game;
    uint64_t past = table->past;
    for (int i = 1; clocks_whole_way(g, table->clocks) && i < t->ply; i++)
        past += clocks_step(t->hashes[i]);
    return clocks_hash(g, table->clocks, tree_state(t)) ^ past ^ rng_splitmix(&mix);
}

static Value to_table(Value v, int ply) {
    return v >= VALUE_SURE ? v + ply : v <= -VALUE_SURE ? v - ply : v;
}

static Value from_table(Value v, int ply) {
    return v >= VALUE_SURE ? v - ply : v <= -VALUE_SURE ? v + ply : v;
}

// Whether an entry settles a position: it was searched as deep, or to the end. One that was
// searched deeper knows more, but then the value would not be that of minimax to the depth asked
// for.
static bool settles(const Entry *e, int ply, int depth, Value alpha, Value beta, Value *value) {
    *value = from_table(e->value, ply);
    if (e->depth != depth && e->horizon)
        return false;
    return e->bound == BOUND_EXACT || (e->bound == BOUND_LEAST && *value >= beta) ||
           (e->bound == BOUND_MOST && *value <= alpha);
}

static Value remembering(Tree *t, int depth, Value alpha, Value beta) {
    Value value;
    tree_window(t, alpha, beta);
    if (tree_is_over(t, &value))
        return value;
    if (depth == 0)
        return tree_estimate(t);
    Table *table = t->player->own;
    uint64_t key = key_of(t);
    Entry *entry = &table->entry[key & table->mask];
    bool known = entry->bound != BOUND_NONE && entry->key == key;
    if (known && t->ply > 0 && settles(entry, t->ply, depth, alpha, beta, &value)) {
        t->horizon = t->horizon || entry->horizon;
        tree_cut(t, TRACE_TABLE, 0);
        return value;
    }

    bool max = tree_maximises(t);
    Value best = max ? -VALUE_INFINITE : VALUE_INFINITE, low = alpha, high = beta;
    Move best_move = {{0, 0}};
    int64_t repeats = t->repeats;
    bool horizon = t->horizon;
    t->horizon = false;
    MoveList moves = tree_moves(t);
    if (depth > 1)
        order_by_worth(t, &moves);
    if (known)
        order_first(t, &moves, entry->move);
    for (int i = 0; i < moves.count && !tree_stopped(t); i++) {
        Move move = tree_move(t, &moves, i);
        tree_play(t, move);
        value = remembering(t, depth - 1, alpha, beta);
        tree_undo(t, value);
        if (tree_stopped(t))
            break;
        if (max ? value > best : value < best) {
            best = value;
            best_move = move;
            tree_best(t, move);
        }
        if (max && best > alpha)
            alpha = best;
        if (!max && best < beta)
            beta = best;
        if (alpha >= beta) {
            tree_cut(t, max ? TRACE_CUT_HIGH : TRACE_CUT_LOW, moves.count - i - 1);
            break;
        }
    }
    tree_release(t, &moves);
    if (!tree_stopped(t) && t->repeats == repeats) {
        Bound bound = best >= high ? BOUND_LEAST : best <= low ? BOUND_MOST : BOUND_EXACT;
        *entry = (Entry){.key = key,
                         .move = best_move,
                         .value = to_table(best, t->ply),
                         .depth = (int16_t)depth,
                         .bound = (uint8_t)bound,
                         .horizon = t->horizon};
    }
    t->horizon = t->horizon || horizon;
    return best;
}

static Value walk(Tree *t, int depth) {
    return remembering(t, depth, -VALUE_INFINITE, VALUE_INFINITE);
}

bool search_table_alphabeta(Player *p, const SearchTask *task, SearchResult *result) {
    Tree t;
    Table *table = p->own;
    table->past = clocks_past(p->game, table->clocks, task->record);
    bool found = tree_begin(&t, p, task, result) && tree_search(&t, walk, true);
    tree_end(&t);
    return found;
}
