// The exported functions: how the parts of a game work together.
//
// A turn that is one choice of a cell is simple: its moves are a set. Other random moves are found
// by families (emit_family.c) where all moves are a few sets, else they are remembered on the way.
#include "native/emitter.h"

// `@` in a text stands for the player.
static void for_player(Text *out, const char *text, int p) {
    for (const char *c = text; *c; c++) {
        if (*c == '@')
            text_f(out, "%d", p);
        else
            text_char(out, *c);
    }
}

static void per_player(Emitter *em, Text *out, const char *text) {
    for (int p = 0; p < em->g->players; p++)
        for_player(out, text, p);
}

// A call for each player with `me` as a constant.
static const char *by_player(Emitter *em, const char *before, const char *after) {
    const char *text = "";
    for (int p = em->g->players - 1; p >= 0; p--)
        text = *text ? emit_f(em, "s->player == %d ? %s%d%s : %s", p, before, p, after, text)
                     : emit_f(em, "%s%d%s", before, p, after);
    return text;
}

static const char *const counting =
    "static INLINE int64_t count_moves(const State *const s, const int me) {\n"
    "    Sink k = {0};\n"
    "    const int fault = generate(s, me, MODE_COUNT, &k);\n"
    "    return fault < 0 ? fault : k.n > MOST_MOVES ? FAULT_MOVES : k.n;\n"
    "}\n\n";
static const char *const finding =
    "static int64_t count_@(const State *const s) { return count_moves(s, @); }\n\n"
    "// The moves from number `skip` on, at most cap; returns how many there are in all.\n"
    "static int64_t list_@(const State *const s, const int64_t skip, Move *const out,\n"
    "                      const int64_t cap) {\n"
    "    Sink k = {.n = -skip, .out = out, .cap = cap};\n"
    "    const int fault = generate(s, @, MODE_LIST, &k);\n"
    "    return fault < 0 ? fault : k.n + skip > MOST_MOVES ? FAULT_MOVES : k.n + skip;\n"
    "}\n\n"
    "static int any_@(const State *const s) {\n"
    "    Sink k = {0};\n"
    "    return generate(s, @, MODE_ANY, &k);\n"
    "}\n\n";

static const char *const list_any =
    "// The same in any order.\n"
    "static int64_t list_any_@(const State *const s, const int64_t skip, Move *const out,\n"
    "                          const int64_t cap) {\n"
    "#if USE_COLUMNS\n"
    "    Sink k = {.n = -skip, .out = out, .cap = cap};\n"
    "    const int fault = %s(s, @, MODE_LIST, &k, PACKED_NONE, 0);\n"
    "    return fault < 0 ? fault : k.n + skip;\n"
    "#else\n"
    "    return list_@(s, skip, out, cap);\n"
    "#endif\n"
    "}\n\n";

static const char *const picking_remembered =
    "// One random move; 1, 0 if there is none, or a fault.\n"
    "static INLINE int move_at_random_@(State *const s, Random *const random) {\n"
    "    Entry entries[ENTRIES];\n"
    "    entries[0] = (Entry){.at = -1};\n"
    "    Sink k = {.entry = entries, .random = random};\n"
    "    int stop = generate(s, @, MODE_PICK, &k);\n"
    "    if (stop < 0) return stop;\n"
    "    if (stop == UNLUCKY) k.n = count_@(s);\n"
    "    if (stop != 1) {\n"
    "        if (k.n <= 0) return (int)k.n;\n"
    "        if (k.n > MOST_MOVES) return FAULT_MOVES;\n"
    "        const int64_t n = (int64_t)random_below(random, (uint64_t)k.n);\n"
    "        if (stop == 0 && k.entries <= ENTRIES) {\n"
    "            k.found = entry_move(entries, n);\n"
    "        } else {\n"
    "            Move move;\n"
    "            list_@(s, n, &move, 1);\n"
    "            k.found = pack(move);\n"
    "        }\n"
    "    }\n"
    "    stop = play_@(s, k.found);\n"
    "    return stop ? stop : 1;\n"
    "}\n\n";

static const char *const picking_families =
    "// One random move; 1, 0 if there is none, or a fault.\n"
    "static INLINE int move_at_random_@(State *const s, Random *const random) {\n"
    "    Sink k = {.random = random, .lazy = 1, .split = -1};\n"
    "    const int found = generate(s, @, MODE_PICK, &k);\n"
    "    if (found <= 0) return found;\n"
    "    const int fault = PLAY_FOUND(s, @, k);\n"
    "    return fault ? fault : 1;\n"
    "}\n\n";

static const char *const picking_pairs =
    "// One random move; 1, 0 if there is none, or a fault.\n"
    "static INLINE int move_at_random_@(State *const s, Random *const random) {\n"
    "    Sink k = {.random = random};\n"
    "    const int found = generate(s, @, MODE_PICK, &k);\n"
    "    if (found <= 0) return found;\n"
    "    const int fault = play_pair(s, @, CTZ(k.pair[0]), k.pair[0], CTZ(k.pair[1]), k.pair[1]);\n"
    "    return fault ? fault : 1;\n"
    "}\n\n";

static const char *const simple_finding =
    "static int64_t count_@(const State *const s) { return set_count(choices(s, @)); }\n\n"
    "static int any_@(const State *const s) { return SET_SOME(choices(s, @)); }\n\n"
    "// The moves from number `skip` on, at most cap; returns how many there are in all.\n"
    "static int64_t list_@(const State *const s, const int64_t skip, Move *const out,\n"
    "                      const int64_t cap) {\n"
    "    Sink k = {.n = -skip, .out = out, .cap = cap};\n"
    "    put_set(&k, MODE_LIST, PACKED_NONE, 0, 0, choices(s, @));\n"
    "    return k.n + skip;\n"
    "}\n\n";

static const char *const picking_simple =
    "// One random move; 1, 0 if there is none, or a fault.\n"
    "static INLINE int move_at_random_@(State *const s, Random *const random) {\n"
    "    const Set x = choices(s, @);\n"
    "    const int n = set_count(x);\n"
    "    if (n == 0) return 0;\n"
    "    const int fault = play_nth(s, @, x, (int)random_below(random, (uint64_t)n));\n"
    "    return fault ? fault : 1;\n"
    "}\n\n";

static const char *const fixed_parts =
    "// What happens to a player without a move: a result, 0 for a pass, or a fault.\n"
    "static int stuck_result(const State *const s) {\n"
    "    const int result = STUCK(s);\n"
    "    if (result) return result;\n"
    "    for (int p = 0; p < PLAYERS; p++) {\n"
    "        if (p == s->player) continue;\n"
    "        State other = *s;\n"
    "        other.player = (uint8_t)p;\n"
    "        const int any = any_move(&other);\n"
    "        if (any) return any < 0 ? any : 0;\n"
    "    }\n"
    "    const int all = ALL_STUCK(s);\n"
    "    return all ? all : RESULT_OVER;\n"
    "}\n\n"
    "// 1 if a player without a move may pass, 0 if that ends the game.\n"
    "static int may_pass(const State *const s) {\n"
    "    const int result = stuck_result(s);\n"
    "    return result < 0 ? result : result == 0;\n"
    "}\n\n"
    "static int64_t perft(const State *const s, const int depth);\n";

static const char *const perft_begin =
    "static int64_t perft_@(const State *const s, const int depth) {\n"
    "    if (depth <= 0) return 1;\n"
    "    if (s->result) return 0;\n"
    "    if (depth == 1) {\n"
    "        const int64_t n = count_@(s);\n"
    "        return n ? n : may_pass(s);\n"
    "    }\n"
    "    int64_t total = 0;\n";

static const char *const perft_list =
    "    Move list[LISTED];\n"
    "    list[0] = (Move){{0, 0}};\n"
    "    int64_t done = 0, n;\n"
    "    do {\n"
    "        n = list_@(s, done, list, LISTED);\n"
    "        if (n < 0) return n;\n"
    "        for (int64_t i = 0; i < LISTED && done < n; i++, done++) {\n"
    "            State next = *s;\n"
    "            const int fault = play_@(&next, pack(list[i]));\n"
    "            if (fault) return fault;\n"
    "            const int64_t below = perft(&next, depth - 1);\n"
    "            if (below < 0) return below;\n"
    "            total += below;\n"
    "        }\n"
    "    } while (done < n);\n"
    "    if (n > 0) return total;\n";

// The same for stacks in vectors: moves in any order, and states where these are loaded quickly.
static const char *const perft_columns =
    "    Move list[LISTED];\n"
    "    list[0] = (Move){{0, 0}};\n"
    "    OwnState own;\n"
    "    State *const next_ = &own.s;\n"
    "    int64_t done = 0, n;\n"
    "    do {\n"
    "        n = list_any_@(s, done, list, LISTED);\n"
    "        if (n < 0) return n;\n"
    "        for (int64_t i = 0; i < LISTED && done < n; i++, done++) {\n"
    "            copy_state(next_, s);\n"
    "            const int fault = play_@(next_, pack(list[i]));\n"
    "            if (fault) return fault;\n"
    "            const int64_t below = depth == 2 ? last_ply_@(next_) : perft(next_, depth - 1);\n"
    "            if (below < 0) return below;\n"
    "            total += below;\n"
    "        }\n"
    "    } while (done < n);\n"
    "    if (n > 0) return total;\n";

static const char *const perft_set = "    Set left = choices(s, @);\n"
                                     "    const int any = SET_SOME(left);\n"
                                     "    while (SET_SOME(left)) {\n"
                                     "        State next = *s;\n"
                                     "        const int fault = play_first(&next, @, &left);\n"
                                     "        if (fault) return fault;\n"
                                     "        const int64_t below = perft(&next, depth - 1);\n"
                                     "        if (below < 0) return below;\n"
                                     "        total += below;\n"
                                     "    }\n"
                                     "    if (any) return total;\n";

static const char *const perft_end = "    const int pass = may_pass(s);\n"
                                     "    if (pass <= 0) return pass;\n"
                                     "    State next = *s;\n"
                                     "    next.player = NEXT_PLAYER(@);\n"
                                     "    return perft(&next, depth - 1);\n"
                                     "}\n\n";

static const char *const ply_part =
    "// One ply of a random game; 1, 0 when the game is over, or a fault.\n"
    "static INLINE int ply_@(State *const s, Random *const random) {\n"
    "    const int found = move_at_random_@(s, random);\n"
    "    return LIKELY(found) ? found : no_move_@(s);\n"
    "}\n\n";
static const char *const no_move_part =
    "static INLINE int no_move_@(State *const s) {\n"
    "    const State now = *s; // so that the state itself can be in registers\n"
    "    const int result = stuck_result(&now);\n"
    "    if (result < 0) return result;\n"
    "    s->result = (uint8_t)result;\n"
    "    s->player = result ? @ : NEXT_PLAYER(@);\n"
    "    return result == 0;\n"
    "}\n\n";

static void print_calls(Emitter *em, Text *out) {
    text_f(out, "static int any_move(const State *const s) {\n    return %s;\n}\n\n",
           by_player(em, "any_", "(s)"));
    text_f(out, "#define STUCK(s) (%s)\n", by_player(em, "stuck_rules(s, ", ")"));
    text_f(out, "#define ALL_STUCK(s) (%s)\n\n", by_player(em, "all_stuck_rules(s, ", ")"));
}

bool emit_in_turn(const Emitter *em) {
    return !emit_says(em, ST_AGAIN) && !emit_says(em, ST_NEXT);
}

// Players who move in turn are known beforehand; otherwise the state is asked.
static void print_rounds(Emitter *em, Text *out) {
    int players = em->g->players;
    if (!emit_in_turn(em) || players > 4) {
        text_add(out, "    while (on > 0 && !s->result && left > 0) {\n"
                      "        switch (s->player) {\n");
        for (int p = 0; p < players; p++)
            text_f(out,
                   p + 1 < players ? "        case %d: on = ply_%d(s, &random); break;\n"
                                   : "        default: /* %d */ on = ply_%d(s, &random);\n",
                   p, p);
        text_add(out, "        }\n        left -= on > 0;\n    }\n");
        return;
    }
    text_add(out, "    if (!s->result && left > 0) {\n");
    for (int p = 1; p < players; p++)
        text_f(out, "    if (s->player == %d) goto player_%d;\n", p, p);
    text_add(out, "    for (;;) {\n");
    for (int p = 0; p < players; p++) {
        if (p > 0)
            text_f(out, "    player_%d:\n", p);
        text_f(out,
               "        on = ply_%d(s, &random);\n"
               "        if (UNLIKELY(on <= 0)) break;\n"
               "        if (UNLIKELY(s->result)) {\n"
               "            left--;\n"
               "            break;\n"
               "        }\n"
               "        if (UNLIKELY(--left == 0)) break;\n",
               p);
    }
    text_add(out, "    }\n    }\n");
}

static void print_playout(Emitter *em, Text *out) {
    text_add(out, "EXPORT int ludens_playout(void *const state, uint64_t rng[4], "
                  "const int max_plies) {\n");
    text_add(out, em->columns ? "    OwnState own;\n    State *const s = &own.s;\n"
                              : "    State s_;\n    State *const s = &s_;\n");
    text_f(out,
           "    *s = %s;\n"
           "    Random random = {rng[0], 0};\n"
           "    int left = max_plies, on = 1;\n",
           emit_enter(em, "state"));
    if (em->chained)
        text_add(out, "    if (left > CELLS && !s->result && in_order(s)) {\n"
                      "        const int before = set_count(s->empty);\n"
                      "        on = chain_game(s, &random);\n"
                      "        left -= before - set_count(s->empty);\n"
                      "    } else {\n");
    print_rounds(em, out);
    text_f(out,
           "%s    rng[0] = random.x;\n"
           "    %s;\n"
           "    return on < 0 ? on : max_plies - left;\n}\n\n",
           em->chained ? "    }\n" : "", emit_leave(em, "state"));
}

static void print_apply(Emitter *em, Text *out) {
    text_f(out,
           "EXPORT int ludens_apply(const void *const from, const Move *const move, "
           "void *const to) {\n"
           "    State s_ = %s;\n"
           "    State *const s = &s_;\n"
           "    int fault = 0;\n"
           "    if (move->w[1] >> 63)\n"
           "        s->player = (uint8_t)NEXT_PLAYER(s->player);\n"
           "    else\n",
           emit_enter(em, "from"));
    text_f(out, "        fault = %s;\n", by_player(em, "play_", "(s, pack(*move))"));
    text_f(out, "    if (!fault) %s;\n    return fault;\n}\n\n", emit_leave(em, "to"));
}

// The state outside as `s`.
static const char *look(const Emitter *em) {
    return em->kept ? "const State s_ = enter(state);\n    const State *const s = &s_;"
                    : "const State *const s = state;";
}

static void print_questions(Emitter *em, Text *out) {
    text_f(out,
           "EXPORT int ludens_moves(const void *const state, Move *const out, const int cap) {\n"
           "    %s\n    return (int)(%s);\n}\n\n",
           look(em), by_player(em, "list_", "(s, 0, out, cap)"));
    text_f(out,
           "EXPORT int64_t ludens_count(const void *const state) {\n"
           "    %s\n    return %s;\n}\n\n",
           look(em), by_player(em, "count_", "(s)"));
    text_f(out,
           "EXPORT int ludens_any(const void *const state) {\n"
           "    %s\n    return any_move(s);\n}\n\n"
           "EXPORT int ludens_stuck(const void *const state, const int all) {\n"
           "    %s\n"
           "    return all ? ALL_STUCK(s) : STUCK(s);\n}\n\n",
           look(em), look(em));
    text_f(out,
           "EXPORT int ludens_random(const void *const state, const uint64_t random, "
           "Move *const out) {\n"
           "    Move list[LISTED];\n"
           "    list[0] = (Move){{0, 0}};\n"
           "    %s\n"
           "    int64_t n = %s;\n"
           "    if (n <= 0) return (int)n;\n"
           "    const int64_t which = (int64_t)((random >> 32) * (uint64_t)n >> 32);\n"
           "    if (which < LISTED) *out = list[which];\n"
           "    else n = %s;\n"
           "    return 1;\n}\n\n",
           look(em), by_player(em, "list_", "(s, 0, list, LISTED)"),
           by_player(em, "list_", "(s, which, out, 1)"));
}

// Hidden cells do not count.
static bool print_mask(Emitter *em, Text *out) {
    const IrLayout *l = &em->g->layout;
    if (!l->mask)
        return false;
    text_f(out, "static const uint64_t identity_mask[%d] = {", l->identity / 8);
    for (int n = 0; n < l->identity / 8; n++)
        text_f(out, "%s%s", n ? ", " : "", emit_hex(em, l->mask[n]));
    text_add(out, "};\n\n");
    return true;
}

static void print_hash(Emitter *em, Text *out) {
    bool masked = print_mask(em, out);
    text_f(out,
           "EXPORT uint64_t ludens_hash(const void *const state) {\n"
           "    const union Words { State s; uint64_t w[sizeof(State) / 8]; } *const u = state;\n"
           "    uint64_t h = UINT64_C(0x9E3779B97F4A7C15);\n"
           "    for (int n = 0; n < %d; n++) {\n"
           "        h = (h ^ %s) * UINT64_C(0xD6E8FEB86659FD93);\n"
           "        h ^= h >> 32;\n"
           "    }\n"
           "    h *= UINT64_C(0xD6E8FEB86659FD93);\n"
           "    return h ^ (h >> 29);\n}\n\n",
           em->g->layout.identity / 8, masked ? "(u->w[n] & identity_mask[n])" : "u->w[n]");
}

static void print_picking(Emitter *em, Text *out) {
    bool remembers = em->remembers || em->unlucky;
    bool both = !em->simple && !remembers && em->else_remembers;
    text_add(out, both ? "#if USE_COLUMNS\n" : "");
    per_player(em, out,
               em->simple                ? picking_simple
               : remembers               ? picking_remembered
               : em->paired && em->small ? picking_pairs
                                         : picking_families);
    if (both) {
        text_add(out, "#else\n");
        per_player(em, out, picking_remembered);
        text_add(out, "#endif\n\n");
    }
}

// The count after a turn of each player. Where players move in turn it is the next one's, in line:
// a call for each leaf costs an eighth of the time.
static void print_last_ply(Emitter *em, Text *out) {
    for (int p = 0; p < em->g->players; p++) {
        const char *count = by_player(em, "count_", "(s)");
        if (emit_in_turn(em))
            count = emit_f(em, "count_moves(s, %d)", p + 1 < em->g->players ? p + 1 : 0);
        text_f(out,
               "static INLINE int64_t last_ply_%d(const State *const s) {\n"
               "    if (s->result) return 0;\n"
               "    const int64_t n = %s;\n"
               "    return n ? n : may_pass(s);\n}\n\n",
               p, count);
    }
}

void emit_exports(Emitter *em, Text *out) {
    text_add(out, em->simple ? "" : counting);
    per_player(em, out, em->simple ? simple_finding : finding);
    if (em->list_any)
        per_player(em, out, emit_f(em, list_any, em->list_any));
    // The compiler may inline it where that pays; small games want it.
    per_player(em, out,
               em->simple || em->small
                   ? "static INLINE int play_@(State *const s, const Packed m) {\n"
                     "    return play(s, @, m);\n}\n\n"
                   : "static int play_@(State *const s, const Packed m) {\n"
                     "    return play(s, @, m);\n}\n\n");
    text_f(out, "#define PLAY_FOUND(s, me, k) %s\n",
           em->small && !em->paired ? "play_known(s, me, (k).found, (k).split)"
                                    : "play_##me(s, (k).found)");
    print_picking(em, out);
    print_calls(em, out);
    text_add(out, fixed_parts);
    per_player(em, out, "static int64_t perft_@(const State *const s, const int depth);\n");
    text_char(out, '\n');
    emit_leaf_loops(em, out);
    if (em->list_any)
        print_last_ply(em, out);
    for (int p = 0; p < em->g->players; p++) {
        for_player(out, perft_begin, p);
        emit_leaf_tree(em, out, p);
        if (!em->leaves || !em->simple)
            for_player(out, em->simple ? perft_set : em->list_any ? perft_columns : perft_list, p);
        for_player(out, perft_end, p);
    }
    text_f(out,
           "static int64_t perft(const State *const s, const int depth) {\n    return %s;\n}\n\n",
           by_player(em, "perft_", "(s, depth)"));
    per_player(em, out, no_move_part);
    per_player(em, out, ply_part);
    em->chained = emit_chains(em, out);
    emit_print_outside(em, out);
    print_questions(em, out);
    print_apply(em, out);
    text_f(out,
           "EXPORT int64_t ludens_perft(const void *const state, const int depth) {\n"
           "    %s\n    return perft(s, depth);\n}\n\n",
           look(em));
    print_playout(em, out);
    emit_children(em, out, look(em));
    print_hash(em, out);
}
