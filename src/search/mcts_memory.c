// mcts_memory: the block that the tree lies in; see mcts.h.
//
// Nodes are only ever added at the end. Clearing up is done while nobody walks: nodes that stay are
// marked from the root, each is told its new place, references are rewritten, and the nodes slide
// down in their order.
#include "game/clocks.h"
#include "search/mcts.h"

#include <string.h>

#define SLOT_SHARE 512 // bytes of the block for each slot of the table of positions
#define PROBES 4
#define ASK_EVERY 4096 // nodes between two looks at the clock

uint32_t mcts_size(const Mcts *m, uint32_t count) {
    size_t edge = sizeof(MctsEdge) + (size_t)m->move_bytes;
    return (uint32_t)((sizeof(MctsNode) + edge * count + MCTS_UNIT - 1) / MCTS_UNIT);
}

// --- moves ---

void mcts_set_moves(const Mcts *m, MctsNode *n, const Move *moves) {
    char *to = mcts_moves(n);
    size_t bytes = (size_t)m->move_bytes;
    for (uint32_t i = 0; i < n->count; i++) {
        Move move = moves[i];
        if (move_is_pass(move) && bytes < sizeof move)
            move.w[0] = (uint64_t)1 << (8 * bytes - 1);
        memcpy(to + bytes * i, &move, bytes);
    }
}

// --- the block ---

bool mcts_alloc_block(Mcts *m, size_t bytes, bool transpositions) {
    uint32_t slots = 0;
    if (transpositions) {
        for (slots = 1; (size_t)slots * 2 * SLOT_SHARE <= bytes && slots < 1u << 30;)
            slots *= 2;
        m->slots = mem_alloc(slots * sizeof *m->slots);
        if (!m->slots)
            return false;
        m->slot_mask = slots - 1;
    }
    size_t units = (bytes - slots * sizeof *m->slots) / MCTS_UNIT;
    m->units = units < MCTS_BUSY / 2 ? (uint32_t)units : MCTS_BUSY / 2;
    m->block = mem_alloc((size_t)m->units * MCTS_UNIT);
    mcts_forget(m);
    return m->block != NULL;
}

void mcts_free_block(Mcts *m) {
    mem_free(m->block);
    mem_free((void *)m->slots);
}

static void forget_slots(Mcts *m) {
    if (m->slots)
        memset((void *)m->slots, 0, ((size_t)m->slot_mask + 1) * sizeof *m->slots);
}

void mcts_forget(Mcts *m) {
    MCTS_STORE(m->used, 1); // 0 is no node
    MCTS_STORE(m->full, false);
    m->root = 0;
    forget_slots(m);
}

MctsNode *mcts_new_node(Mcts *m, uint32_t count, uint32_t *at) {
    uint32_t size = mcts_size(m, count), used = MCTS_LOAD(m->used);
    do {
        if (size > m->limit || used > m->limit - size) {
            MCTS_STORE(m->full, true);
            return NULL;
        }
    } while (!atomic_compare_exchange_weak_explicit(&m->used, &used, used + size,
                                                    memory_order_relaxed, memory_order_relaxed));
    *at = used;
    MctsNode *n = mcts_node(m, used);
    memset(n, 0, (size_t)size * MCTS_UNIT);
    n->count = count;
    return n;
}

// --- nodes by position ---

uint64_t mcts_key(const Mcts *m, const uint8_t *state) {
    return clocks_hash(m->game, CLOCKS_COUNT, state);
}

uint32_t mcts_find(const Mcts *m, uint64_t key) {
    for (uint32_t i = 0; i < PROBES && m->slots; i++) {
        uint32_t slot = ((uint32_t)key + i) & m->slot_mask;
        uint32_t at = atomic_load_explicit(&m->slots[slot], memory_order_acquire);
        if (at && mcts_node(m, at)->key == key)
            return at;
    }
    return 0;
}

void mcts_enter(Mcts *m, uint32_t at) {
    uint64_t key = mcts_node(m, at)->key;
    for (uint32_t i = 0; i < PROBES && m->slots; i++) {
        uint32_t none = 0, slot = ((uint32_t)key + i) & m->slot_mask;
        if (atomic_compare_exchange_strong_explicit(&m->slots[slot], &none, at,
                                                    memory_order_release, memory_order_relaxed))
            return;
    }
}

// --- clearing up ---

static uint32_t next_node(const Mcts *m, uint32_t at) {
    return at + mcts_size(m, mcts_node(m, at)->count);
}

// Marks what is reached from the root by nodes with at least so many visits.
// False if the clock stops it.
static bool mark(Mcts *m, uint32_t least, Clock *clock) {
    uint32_t end = MCTS_LOAD(m->used), open = m->root, count = 0;
    for (uint32_t at = 1; at < end; at = next_node(m, at))
        mcts_node(m, at)->marked = 0;
    mcts_node(m, open)->marked = 1;
    mcts_node(m, open)->forward = 0;
    while (open) {
        if (++count % ASK_EVERY == 0 && clock_look(clock))
            return false;
        MctsNode *n = mcts_node(m, open);
        MctsEdge *edges = mcts_edges(n);
        open = n->forward;
        for (uint32_t i = 0; i < n->count; i++) {
            uint32_t at = MCTS_LOAD(edges[i].child);
            MctsNode *child = at ? mcts_node(m, at) : NULL;
            if (!child || child->marked || MCTS_LOAD(child->visits) < least)
                continue;
            child->marked = 1;
            child->forward = open;
            open = at;
        }
    }
    return true;
}

static void rewrite(Mcts *m, MctsNode *n) {
    MctsEdge *edges = mcts_edges(n);
    for (uint32_t i = 0; i < n->count; i++) {
        uint32_t at = MCTS_LOAD(edges[i].child);
        if (at)
            MCTS_STORE(edges[i].child, mcts_node(m, at)->marked ? mcts_node(m, at)->forward : 0);
    }
}

// All that is marked slides to the front. False if the clock stops it in the middle.
static bool slide(Mcts *m, Clock *clock) {
    uint32_t end = MCTS_LOAD(m->used), to = 1, next, count = 0;
    for (uint32_t at = 1; at < end; at = next_node(m, at)) {
        MctsNode *n = mcts_node(m, at);
        n->forward = to;
        to += n->marked ? mcts_size(m, n->count) : 0;
    }
    for (uint32_t at = 1; at < end; at = next_node(m, at))
        if (mcts_node(m, at)->marked)
            rewrite(m, mcts_node(m, at));
    m->root = mcts_node(m, m->root)->forward;
    forget_slots(m);
    for (uint32_t at = 1; at < end; at = next) {
        MctsNode *n = mcts_node(m, at);
        uint32_t size = mcts_size(m, n->count), place = n->forward;
        next = at + size;
        if (n->marked) {
            memmove(mcts_node(m, place), n, (size_t)size * MCTS_UNIT);
            mcts_enter(m, place);
        }
        if (++count % ASK_EVERY == 0 && clock_look(clock))
            return false;
    }
    MCTS_STORE(m->used, to);
    MCTS_STORE(m->full, false);
    return true;
}

// A power of two such that the nodes with at least so many visits fill at most half of the block.
static uint32_t least_visits(const Mcts *m) {
    uint64_t units[33] = {0}, sum = 0; // by the length of the number of visits, in bits
    uint32_t end = MCTS_LOAD(m->used);
    for (uint32_t at = 1; at < end; at = next_node(m, at)) {
        const MctsNode *n = mcts_node(m, at);
        uint32_t visits = MCTS_LOAD(n->visits);
        units[visits ? 32 - __builtin_clz(visits) : 0] += mcts_size(m, n->count);
    }
    int bits = 32;
    while (bits > 0 && sum + units[bits] <= m->limit / 2)
        sum += units[bits--];
    return bits < 32 ? (uint32_t)1 << bits : UINT32_MAX;
}

bool mcts_clear_up(Mcts *m, bool halve, Clock *clock) {
    uint32_t least = halve ? least_visits(m) : 0;
    if (!clock_look(clock) && mark(m, least, clock) && slide(m, clock))
        return true;
    mcts_forget(m);
    return false;
}

// --- from move to move ---

void mcts_follow(Mcts *m, const Record *record) {
    int length = record_length(record);
    size_t size = (size_t)game_state_size(m->game);
    uint64_t past = clocks_past(m->game, m->clocks, record);
    bool known = m->root && m->past == past && m->root_ply <= length &&
                 memcmp(record_state(record, m->root_ply), m->root_state, size) == 0;
    uint32_t root = known ? m->root : 0;
    for (int ply = m->root_ply; root && ply < length; ply++) {
        MctsNode *n = mcts_node(m, root);
        Move played = record_move(record, ply);
        root = 0;
        for (uint32_t i = 0; i < n->count && !root; i++)
            if (move_equal(mcts_move(m, n, i), played))
                root = MCTS_LOAD(mcts_edges(n)[i].child);
    }
    if (root)
        m->root = root;
    else
        mcts_forget(m);
    memcpy(m->root_state, record_now(record), size);
    m->root_ply = length;
    m->past = past;
}
