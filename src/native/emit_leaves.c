// The last two plies of perft: every move is played on a copy of the state and the moves behind it
// are counted, in one loop without calls, so that the compiler keeps the copies in registers. What
// the count does not read is never computed. On boards of one word with long lists of moves the
// compiler does this for several moves at a time, with vectors; that needs a loop without jumps,
// which is why it notes what it cannot count, and the node is counted again in the plain way.
//
//   game_over   the end rules as a number, 0 or not, without the result
//   ending      simple turns: the choices that end the game, found for all of them at once
//   gather      other turns: all moves in any order
//   pairs       the loop
#include "native/emitter.h"

#include <string.h>

// Of a variable, beyond which copies are made as a whole.
#define MOST_ENTRIES 8

// --- the end ---

// Whether the rule can be told for all choices at once, `em->it` standing on the board: adds its
// members to the set.
static bool lift_rule(Emitter *em, EmitFrame *f, const IrRule *rule, const char **ending) {
    if (!rule->cond)
        return false;
    const char *part = emit_lift(em, f, rule->cond);
    if (part)
        *ending = emit_or(em, *ending, part);
    return part;
}

// What a simple turn changes: at most a piece of mine that comes to the chosen cell.
static bool note_turn(Emitter *em) {
    const IrStmt *choice = em->g->turn;
    EmitFrame *f = emit_frame(em, &em->g->turn_frame);
    unsigned facts = emit_facts(em, f, choice->domain->a);
    if (em->g->attrs || em->g->layout.stack_width)
        return false;
    for (const IrStmt *s = choice->next; s; s = s->next)
        if (!emit_note_effect(em, f, s, choice->domain->slot, facts, -1))
            return false;
    return em->grown;
}

static void begin(Emitter *em) {
    em->stream = EMIT_VALUE;
    em->t = emit_text(em);
    em->indent = 1;
    em->temps = 0;
    em->knowns = em->known_base = 0;
    em->s = "s";
}

// Prints `ending`; marks the rules that it covers.
static void print_ending(Emitter *em, bool *lifted) {
    EmitFrame *f = emit_frame(em, &em->g->end.frame);
    EmitLocal it = {.kind = BIND_IT};
    EmitLocal *outer = em->it;
    const char *ending = "SET_EMPTY";
    begin(em);
    em->grown = false;
    em->grown_minus = em->closing_men = NULL;
    em->changed_vars = em->changed_slots = 0;
    em->it = &it;
    if (em->simple && em->one && note_turn(em))
        for (int n = 0; n < em->g->end.count; n++)
            lifted[n] = lift_rule(em, f, &em->g->end.rule[n], &ending);
    em->grown = false;
    em->it = outer;
    em->ends_early = strcmp(ending, "SET_EMPTY") != 0;
    text_f(
        em->bodies,
        "// Choices of `me` that end the game, by the rules that game_over does not ask.\n"
        "static INLINE Set ending(const State *const s, const int me) {\n%s    return %s;\n}\n\n",
        text_c(em->t), ending);
}

static void print_game_over(Emitter *em, const bool *lifted) {
    EmitFrame *f = emit_frame(em, &em->g->end.frame);
    begin(em);
    emit_line(em, "uint64_t over = 0;");
    for (int n = 0; n < em->g->end.count; n++) {
        const IrRule *rule = &em->g->end.rule[n];
        if (lifted[n])
            continue;
        emit_scope(em);
        if (rule->cond)
            emit_line(em, "if (%s) over = 1;", emit_expr(em, f, rule->cond));
        else
            emit_line(em, "over = 1;");
        emit_close(em);
    }
    text_f(em->bodies,
           "// Whether the game is over after a move of `me`.\n"
           "static INLINE uint64_t game_over(const State *const s, const int me) {\n%s"
           "    return over;\n}\n\n",
           text_c(em->t));
}

static bool may_go_on(const IrRules *rules) {
    for (int n = 0; n < rules->count; n++)
        if (rules->rule[n].outcome == OUT_PASS)
            return true;
    return false;
}

void emit_ends(Emitter *em) {
    em->leaves = !em->columns && emit_in_turn(em) && !may_go_on(&em->g->end) &&
                 (em->simple || (!em->remembers && !em->unlucky));
    if (!em->leaves)
        return;
    bool *lifted = ARENA_ARRAY(em->arena, bool, em->g->end.count + 1);
    print_ending(em, lifted);
    print_game_over(em, lifted);
}

// --- the loop; `@` is the player, `#` the next ---

static const char *const passing =
    "// A player without a move: whether he may pass.\n"
    "static NOINLINE int64_t passes(const State s) { return may_pass(&s); }\n\n";

// A cell after the other. Long lists on boards of one word as an array, for vectors.
static const char *const simple_pairs =
    "// Sequences of two moves, or -1 if they are to be counted otherwise.\n"
    "static INLINE int64_t inner_pairs_@(const State *const s) {\n"
    "    Set left = choices(s, @);\n"
    "    if (!SET_SOME(left)) return -1;\n"
    "    uint64_t sum = 0, odd = 0;\n";

static const char *const long_lists =
    "    left &= ~ending(s, @);\n"
    "    const int n = set_count(left);\n"
    "    if (n >= LONG_LIST) {\n"
    "        Set bits[CELLS];\n"
    "        for (int i = 0; i < n; i++, left &= left - 1) bits[i] = left & (0 - left);\n"
    "        for (int i = 0; i < n; i++) {\n"
    "            State next = read_state(s, @);\n"
    "            const int fault = turn_cell(&next, @, CTZ(bits[i]), bits[i]);\n"
    "            const uint64_t replies = (uint64_t)set_count(choices(&next, #));\n"
    "            const uint64_t over = game_over(&next, @);\n"
    "            sum += over ? 0 : replies;\n"
    "            odd |= (uint64_t)(fault != 0) | (over | replies ? 0 : 1);\n"
    "        }\n"
    "        return odd ? -1 : (int64_t)sum;\n"
    "    }\n";

static const char *const short_lists =
    "    while (SET_SOME(left)) {\n"
    "        State next = read_state(s, @);\n"
    "        if (turn_first(&next, @, &left)) return -1;\n"
    "        if (game_over(&next, @)) continue;\n"
    "        const int replies = set_count(choices(&next, #));\n"
    "        if (replies == 0) {\n"
    "            const int64_t pass = passes(read_state(&next, #));\n"
    "            if (pass < 0) return -1;\n"
    "            sum += (uint64_t)pass;\n"
    "        }\n"
    "        sum += (uint64_t)replies;\n"
    "    }\n"
    "    return odd ? -1 : (int64_t)sum;\n"
    "}\n\n"
    "static NOINLINE int64_t pairs_@(const State *const s) { return inner_pairs_@(s); }\n\n";

static const char *const gathering =
    "// All moves in any order; how many, even if they are more than LISTED, or a fault.\n"
    "static INLINE int64_t gather_@(const State *const s, Packed *const out) {\n"
    "    Sink k = {.each = out};\n"
    "    const int fault = generate(s, @, MODE_EACH, &k);\n"
    "    return fault < 0 ? fault : k.n;\n"
    "}\n\n";

// Most moves leave the others' pieces alone: what depends on these only is then the same for all
// such moves. Maps of them are looked up before the loop, where the compiler finds them again.
static const char *const listed_pairs =
    "// Sequences of two moves, or -1 if they are to be counted otherwise.\n"
    "static NOINLINE int64_t pairs_@(const State *const s) {\n"
    "    Packed list[LISTED];\n"
    "    const State here = read_state(s, @);\n"
    "    const int64_t n = gather_@(&here, list);\n"
    "    if (n <= 0 || n > LISTED) return -1;\n"
    "    int64_t sum = 0;\n";

static const char *const listed_loop =
    "    for (const Packed *m = list, *const end = list + n; m < end; m++) {\n"
    "        State next = here;\n"
    "        if (turn(&next, @, *m)) return -1;\n"
    "        if (game_over(&next, @)) continue;\n"
    "        Sink k = {0};\n";

static const char *const listed_end =
    "        if ((uint64_t)k.n - 1 >= MOST_MOVES) {\n"
    "            if (k.n == 0) k.n = passes(read_state(&next, #));\n"
    "            if (k.n < 0 || k.n > MOST_MOVES) return -1;\n"
    "        }\n"
    "        sum += k.n;\n"
    "    }\n"
    "    return sum;\n"
    "}\n\n";

static void print_for(Emitter *em, Text *out, const char *text, int p) {
    for (const char *c = text; *c; c++) {
        if (*c == '@' || *c == '#')
            text_f(out, "%d", *c == '@' ? p : (p + 1) % em->g->players);
        else
            text_char(out, *c);
    }
}

static void print_maps(Emitter *em, Text *out, int p) {
    const char *theirs = "SET_EMPTY";
    for (int n = 0; n < em->g->planes; n++)
        if (em->g->plane[n].owner == (p + 1) % em->g->players)
            theirs = emit_or(em, theirs, emit_f(em, "here.plane[%s]", emit_plane_name(em, n)));
    for (int n = 0; n < em->maps; n++)
        text_f(out, "    (void)map_%d(%s);\n", n, theirs);
    if (em->maps && strstr(text_c(em->helpers), " closing(const Set x)"))
        text_f(out, "    (void)closing(%s);\n", theirs);
}

static void print_count(Emitter *em, Text *out, int p) {
    const char *same = NULL, *set = "";
    for (int n = 0; n < em->g->planes; n++) {
        if (em->g->plane[n].owner == p)
            continue;
        const char *name = emit_plane_name(em, n);
        same = emit_f(em, "%s%sSET_SAME(next.plane[%s], here.plane[%s])", same ? same : "",
                      same ? " && " : "", name, name);
        set = emit_f(em, "%s            next.plane[%s] = here.plane[%s];\n", set, name, name);
    }
    const char *count = "if (generate(&next, #, MODE_COUNT, &k)) return -1;\n";
    if (same && em->maps)
        text_f(out, "        if (%s) {\n%s", same, set);
    print_for(
        em, out,
        same && em->maps
            ? emit_f(em, "            %s        } else {\n            %s        }\n", count, count)
            : emit_f(em, "        %s", count),
        p);
}

// A copy for the player on move in which no memory need be read that was written in other pieces
// just before: that would have to wait until it is in the cache.
static const char *state_fields(Emitter *em) {
    const char *list = "";
    if (em->g->attrs || em->g->layout.stack_width)
        return NULL;
    for (int n = 0; n < em->g->planes; n++) {
        const char *name = emit_plane_name(em, n);
        list = emit_f(em, "%s.plane[%s] = s->plane[%s], ", list, name, name);
    }
    for (int n = 0; n < em->g->vars; n++) {
        const IrVar *v = &em->g->var[n];
        const char *name = emit_var_field(em, n);
        if (v->indexed && v->count > MOST_ENTRIES)
            return NULL;
        if (!v->indexed)
            list = emit_f(em, "%s.%s = s->%s, ", list, name, name);
        for (int i = 0; v->indexed && i < v->count; i++)
            list = emit_f(em, "%s.%s[%d] = s->%s[%d], ", list, name, i, name, i);
    }
    return em->kept ? emit_f(em, "%s.empty = s->empty, ", list) : list;
}

static void print_read_state(Emitter *em, Text *out) {
    const char *fields = state_fields(em);
    text_add(out, "static INLINE State read_state(const State *const s, const int me) {\n");
    if (fields)
        text_f(out, "    return (State){%s.player = (uint8_t)me};\n}\n\n", fields);
    else
        text_add(out, "    return *s;\n}\n\n");
}

// Further up. The result is 0 where it is not asked for again, so that it is not computed twice.
static const char *const tree_begin = "    if (depth == 2) {\n"
                                      "        total = pairs_@(s);\n"
                                      "        if (total >= 0) return total;\n"
                                      "        total = 0;\n"
                                      "    }\n"
                                      "    const State here = read_state(s, @);\n";

static const char *const simple_tree = "    Set left = choices(&here, @);\n"
                                       "    const int any = SET_SOME(left);\n";

static const char *const simple_loop =
    "    while (SET_SOME(left)) {\n"
    "        State next = here;\n"
    "        const int fault = turn_first(&next, @, &left);\n"
    "        if (fault) return fault;\n"
    "        if (game_over(&next, @)) continue;\n"
    "        next.result = 0;\n"
    "        int64_t below = depth == 3 ? inner_pairs_#(&next) : -1;\n"
    "        if (below < 0) {\n"
    "            const State deep = next; // so that `next` can stay in registers\n"
    "            below = perft_#(&deep, depth - 1);\n"
    "        }\n"
    "        if (below < 0) return below;\n"
    "        total += below;\n"
    "    }\n"
    "    if (any) return total;\n";

static const char *const listed_tree =
    "    Packed each[LISTED];\n"
    "    const int64_t moves = gather_@(&here, each);\n"
    "    for (int64_t i = 0; i < moves && moves <= LISTED; i++) {\n"
    "        State next = here;\n"
    "        const int fault = TREE_PLAY(&next, @, each[i]);\n"
    "        if (fault) return fault;\n"
    "        if (game_over(&next, @)) continue;\n"
    "        next.result = 0;\n"
    "        const int64_t below = perft_#(&next, depth - 1);\n"
    "        if (below < 0) return below;\n"
    "        total += below;\n"
    "    }\n"
    "    if (moves > 0 && moves <= LISTED) return total;\n";

void emit_leaf_tree(Emitter *em, Text *out, int player) {
    if (!em->leaves)
        return;
    print_for(em, out, tree_begin, player);
    if (em->simple) {
        print_for(em, out, simple_tree, player);
        print_for(em, out, em->ends_early ? "    left &= ~ending(&here, @);\n" : "", player);
        print_for(em, out, simple_loop, player);
    } else {
        print_for(em, out, listed_tree, player);
    }
}

void emit_leaf_loops(Emitter *em, Text *out) {
    if (!em->leaves)
        return;
    print_read_state(em, out);
    text_add(out, passing);
    if (!em->simple)
        text_f(out, "#define TREE_PLAY(s, me, m) %s\n\n",
               em->small ? "turn(s, me, m)" : "play_##me(s, m)");
    for (int p = 0; p < em->g->players; p++) {
        if (em->simple) {
            print_for(em, out, simple_pairs, p);
            print_for(em, out, em->one ? long_lists : "", p);
            print_for(em, out, short_lists, p);
        } else {
            print_for(em, out, gathering, p);
            print_for(em, out, listed_pairs, p);
            print_maps(em, out, p);
            print_for(em, out, listed_loop, p);
            print_count(em, out, p);
            print_for(em, out, listed_end, p);
        }
    }
}
