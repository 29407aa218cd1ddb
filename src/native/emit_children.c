// All positions behind the moves of one: what a search asks for where it looks only one move ahead.
// One call makes them all, so that what they share is worked out once. Where states are no other
// than those in memory, each is made where it stays: a copy of what was just changed, byte by byte,
// would wait until all the changes are in memory (the mill: six times as long).
#include "native/emitter.h"

static void print_player(Emitter *em, Text *out, int p) {
    // Where players move in turn it is known who is next.
    const char *any = "any_move(next)";
    if (emit_in_turn(em))
        any = emit_f(em, "any_%d(next)", p + 1 < em->g->players ? p + 1 : 0);
    bool there = !em->columns && !em->kept;
    text_f(
        out,
        "static int children_%d(const State *restrict const s, const Move *restrict const moves,\n"
        "                       const int n, char *restrict to, uint8_t *restrict const any) {\n"
        "%s"
        "    for (int i = 0; i < n; i++, to += %d) {\n"
        "        State *const next = %s;\n"
        "        %s;\n"
        "        const int fault = play_%d(next, pack(moves[i]));\n"
        "        if (UNLIKELY(fault)) return fault;\n"
        "        if (any) any[i] = next->result || %s > 0;\n"
        "%s"
        "    }\n"
        "    return 0;\n}\n\n",
        p,
        there         ? ""
        : em->columns ? "    OwnState own;\n"
                      : "    struct { State s; } own;\n",
        em->g->layout.size, there ? "(State *)(void *)to" : "&own.s",
        em->columns ? "copy_state(next, s)" : "*next = *s", p, any,
        there      ? ""
        : em->kept ? "        leave(to, next);\n"
                   : "        *(State *)(void *)to = *next;\n");
}

// What each player could do, in each of many positions.
static void print_counts(Emitter *em, Text *out) {
    int players = em->g->players;
    text_f(out,
           "EXPORT void ludens_counts(const void *const states, const int n, "
           "int32_t *const counts) {\n"
           "    const char *from = states;\n"
           "    for (int i = 0; i < n; i++, from += %d) {\n"
           "        %s\n"
           "        State *const s = &own.s;\n"
           "        %s;\n"
           "        int64_t k;\n",
           em->g->layout.size, em->columns ? "OwnState own;" : "struct { State s; } own;",
           em->columns ? "copy_state(s, (const State *)(const void *)from)"
           : em->kept  ? "*s = enter(from)"
                       : "*s = *(const State *)(const void *)from");
    for (int p = 0; p < players; p++)
        text_f(out,
               "        s->player = %d;\n"
               "        k = s->result ? 0 : count_%d(s);\n"
               "        counts[%d * i + %d] = (int32_t)k;\n",
               p, p, players, p);
    text_add(out, "    }\n}\n\n");
}

void emit_children(Emitter *em, Text *out, const char *look) {
    const char *call = "";
    for (int p = em->g->players - 1; p >= 0; p--) {
        print_player(em, out, p);
        const char *one = emit_f(em, "children_%d(s, moves, n, to, any)", p);
        call = *call ? emit_f(em, "s->player == %d ? %s : %s", p, one, call) : one;
    }
    text_f(out,
           "EXPORT int ludens_children(const void *const state, const Move *const moves,\n"
           "                           const int n, void *const to, uint8_t *const any) {\n"
           "    %s\n    return %s;\n}\n\n",
           look, call);
    print_counts(em, out);
}
