// The generated file from top to bottom: heading, types, sets, state, tables, helpers, the rules,
// and the exported functions.
#include "native/emitter.h"

#include "native/abi.h"

#include <string.h>

static const char *const macros =
    "#include <stddef.h>\n"
    "#include <stdint.h>\n"
    "\n"
    "#if defined(__GNUC__)\n"
    "#define INLINE inline __attribute__((always_inline))\n"
    "#define EXPORT __attribute__((visibility(\"default\")))\n"
    "#define POPCOUNT(x) __builtin_popcountll(x)\n"
    "#define CTZ(x) __builtin_ctzll(x)\n"
    "#define CLZ(x) __builtin_clzll(x)\n"
    "#pragma GCC diagnostic ignored \"-Wunused-function\"\n"
    "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
    "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n"
    "#pragma GCC diagnostic ignored \"-Wunused-const-variable\"\n"
    "#pragma GCC diagnostic ignored \"-Wunused-but-set-variable\"\n"
    "#else\n"
    "#error \"define INLINE, EXPORT, POPCOUNT, CTZ and CLZ for this compiler\"\n"
    "#endif\n"
    "#if defined(__SIZEOF_INT128__)\n"
    "__extension__ typedef unsigned __int128 uint128;\n"
    "#define MULHI(a, b) ((uint64_t)((uint128)(a) * (b) >> 64))\n"
    "#else\n"
    "static inline uint64_t MULHI(const uint64_t a, const uint64_t b) {\n"
    "    const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;\n"
    "    const uint64_t mid = ah * bl + (al * bl >> 32);\n"
    "    return ah * bh + (mid >> 32) + ((al * bh + (uint32_t)mid) >> 32);\n"
    "}\n"
    "#endif\n"
    "#define TRY(call) do { const int stop_ = (call); if (stop_) return stop_; } while (0)\n"
    "\n"
    "#define RESULT_OVER 0x80\n"
    "enum { FAULT_RANGE = -2, FAULT_INDEX = -3, FAULT_STACK = -4, FAULT_PIECE = -5,\n"
    "       FAULT_CHOICES = -6, FAULT_MOVES = -7 };\n"
    "\n"
    "typedef struct Move {\n"
    "    uint64_t w[2];\n"
    "} Move;\n"
    "typedef struct LudensNativeInfo {\n"
    "    uint32_t abi, state_size, identity, players;\n"
    "    char content[17];\n"
    "} LudensNativeInfo;\n\n";

static const char *const one_word =
    "// --- sets of cells: one word ---\n"
    "\n"
    "typedef uint64_t Set;\n"
    "#define SET_EMPTY UINT64_C(0)\n"
    "#define SET_SOME(x) ((x) != 0)\n"
    "#define SET_SAME(x, y) ((x) == (y))\n"
    "#define set_count(x) POPCOUNT(x)\n"
    "#define set_of_word(x) (x)\n"
    "static INLINE int set_has(const Set x, const int c) { return (int)(x >> c & 1); }\n"
    "static INLINE int set_has_checked(const Set x, const int c) {\n"
    "    return c < CELLS && (x >> c & 1);\n"
    "}\n"
    "static INLINE int set_within(const Set x, const Set y) { return !(x & ~y); }\n"
    "static INLINE Set set_single(const int c) { return UINT64_C(1) << c; }\n"
    "static INLINE Set set_single_checked(const int c) {\n"
    "    return c < CELLS ? UINT64_C(1) << c : 0;\n"
    "}\n"
    "static INLINE int set_first(const Set x) { return x ? CTZ(x) : CELLS; }\n"
    "static INLINE int set_pop(Set *const x) {\n"
    "    const int c = CTZ(*x);\n"
    "    *x &= *x - 1;\n"
    "    return c;\n"
    "}\n"
    "static INLINE void set_add(Set *const x, const int c) { *x |= UINT64_C(1) << c; }\n"
    "static INLINE void set_put(Set *const x, const int c, const int value) {\n"
    "    *x = (*x & ~(UINT64_C(1) << c)) | (uint64_t)(value != 0) << c;\n"
    "}\n";

static const char *const many_words =
    "// --- sets of cells: several words ---\n"
    "\n"
    "typedef struct Set {\n"
    "    uint64_t w[WORDS];\n"
    "} Set;\n"
    "#define SET_EMPTY ((Set){{0}})\n"
    "#define SET_SOME(x) set_some(x)\n"
    "#define SET_SAME(x, y) set_same(x, y)\n"
    "#define EACH_WORD for (int i = 0; i < WORDS; i++)\n"
    "static INLINE Set set_and(Set x, const Set y) { EACH_WORD x.w[i] &= y.w[i]; return x; }\n"
    "static INLINE Set set_or(Set x, const Set y) { EACH_WORD x.w[i] |= y.w[i]; return x; }\n"
    "static INLINE Set set_xor(Set x, const Set y) { EACH_WORD x.w[i] ^= y.w[i]; return x; }\n"
    "static INLINE Set set_minus(Set x, const Set y) { EACH_WORD x.w[i] &= ~y.w[i]; return x; }\n"
    "static INLINE int set_some(const Set x) {\n"
    "    uint64_t all = 0;\n"
    "    EACH_WORD all |= x.w[i];\n"
    "    return all != 0;\n"
    "}\n"
    "static INLINE int set_same(const Set x, const Set y) {\n"
    "    uint64_t all = 0;\n"
    "    EACH_WORD all |= x.w[i] ^ y.w[i];\n"
    "    return all == 0;\n"
    "}\n"
    "static INLINE int set_within(const Set x, const Set y) {\n"
    "    uint64_t all = 0;\n"
    "    EACH_WORD all |= x.w[i] & ~y.w[i];\n"
    "    return all == 0;\n"
    "}\n"
    "static INLINE int set_count(const Set x) {\n"
    "    int n = 0;\n"
    "    EACH_WORD n += POPCOUNT(x.w[i]);\n"
    "    return n;\n"
    "}\n"
    "static INLINE int set_has(const Set x, const int c) {\n"
    "    return (int)(x.w[c >> 6] >> (c & 63) & 1);\n"
    "}\n"
    "static INLINE int set_has_checked(const Set x, const int c) {\n"
    "    return c < CELLS && (x.w[c >> 6] >> (c & 63) & 1);\n"
    "}\n"
    "static INLINE Set set_single(const int c) {\n"
    "    Set x;\n"
    "    EACH_WORD x.w[i] = c >> 6 == i ? UINT64_C(1) << (c & 63) : 0;\n"
    "    return x;\n"
    "}\n"
    "static INLINE Set set_single_checked(const int c) {\n"
    "    return c < CELLS ? set_single(c) : SET_EMPTY;\n"
    "}\n"
    "static INLINE Set set_of_word(const uint64_t w) { return (Set){{w}}; }\n"
    "static INLINE int set_first(const Set x) {\n"
    "    EACH_WORD if (x.w[i]) return 64 * i + CTZ(x.w[i]);\n"
    "    return CELLS;\n"
    "}\n"
    "static INLINE int set_pop(Set *const x) {\n"
    "    int c = CELLS;\n"
    "    EACH_WORD if (c == CELLS && x->w[i]) {\n"
    "        c = 64 * i + CTZ(x->w[i]);\n"
    "        x->w[i] &= x->w[i] - 1;\n"
    "    }\n"
    "    return c;\n"
    "}\n"
    "static INLINE void set_add(Set *const x, const int c) {\n"
    "    x->w[c >> 6] |= UINT64_C(1) << (c & 63);\n"
    "}\n"
    "static INLINE void set_put(Set *const x, const int c, const int value) {\n"
    "    x->w[c >> 6] = (x->w[c >> 6] & ~(UINT64_C(1) << (c & 63))) |\n"
    "                   (uint64_t)(value != 0) << (c & 63);\n"
    "}\n"
    "// The bits moved to higher and to lower numbers.\n"
    "static INLINE Set set_up(const Set x, const int by) {\n"
    "    const int words = by >> 6, bits = by & 63;\n"
    "    Set r = SET_EMPTY;\n"
    "    for (int i = words; i < WORDS; i++) {\n"
    "        r.w[i] = x.w[i - words] << bits;\n"
    "        if (bits && i > words) r.w[i] |= x.w[i - words - 1] >> (64 - bits);\n"
    "    }\n"
    "    return r;\n"
    "}\n"
    "static INLINE Set set_down(const Set x, const int by) {\n"
    "    const int words = by >> 6, bits = by & 63;\n"
    "    Set r = SET_EMPTY;\n"
    "    for (int i = 0; i + words < WORDS; i++) {\n"
    "        r.w[i] = x.w[i + words] >> bits;\n"
    "        if (bits && i + words + 1 < WORDS) r.w[i] |= x.w[i + words + 1] << (64 - bits);\n"
    "    }\n"
    "    return r;\n"
    "}\n";

static const char *const nth_bit =
    "// The n-th bit of a word, counted from 0, alone and as a number.\n"
    "#if defined(__BMI2__) && defined(__x86_64__)\n"
    "#define word_nth_bit(x, n) __builtin_ia32_pdep_di(UINT64_C(1) << (n), x)\n"
    "#define word_nth(x, n) CTZ(word_nth_bit(x, n))\n"
    "#else\n"
    "static INLINE int word_nth(uint64_t x, int n) {\n"
    "    int base = 0;\n"
    "    for (int half = 32; half > 0; half >>= 1) {\n"
    "        const int low = POPCOUNT(x & ((UINT64_C(1) << half) - 1));\n"
    "        const int up = n >= low;\n"
    "        base += up ? half : 0;\n"
    "        n -= up ? low : 0;\n"
    "        x = up ? x >> half : x;\n"
    "    }\n"
    "    return base;\n"
    "}\n"
    "#define word_nth_bit(x, n) (UINT64_C(1) << word_nth(x, n))\n"
    "#endif\n";

static const char *const nth_one = "#define set_nth(x, n) word_nth(x, n)\n\n";
static const char *const nth_many =
    "static INLINE int set_nth(const Set x, int n) {\n"
    "    for (int i = 0; i < WORDS - 1; i++) {\n"
    "        const int count = POPCOUNT(x.w[i]);\n"
    "        if (n < count) return 64 * i + word_nth(x.w[i], n);\n"
    "        n -= count;\n"
    "    }\n"
    "    return 64 * (WORDS - 1) + word_nth(x.w[WORDS - 1], n);\n"
    "}\n\n";

static const char *const short_moves =
    "// --- moves: choices from the low end, see move.h ---\n"
    "\n"
    "typedef uint64_t Packed;\n"
    "#define PACKED_NONE UINT64_C(0)\n"
    "static INLINE Packed move_put(const Packed m, const int at, const int value) {\n"
    "    return m | (uint64_t)value << at;\n"
    "}\n"
    "static INLINE int move_take(Packed *const m, const int bits) {\n"
    "    const int value = (int)(*m & ((UINT64_C(1) << bits) - 1));\n"
    "    *m >>= bits;\n"
    "    return value;\n"
    "}\n"
    "static INLINE Move unpack(const Packed m) { return (Move){{m, 0}}; }\n"
    "static INLINE Packed pack(const Move m) { return m.w[0]; }\n\n";

static const char *const long_moves =
    "// --- moves: choices from the low end, see move.h ---\n"
    "\n"
    "typedef Move Packed;\n"
    "#define PACKED_NONE ((Move){{0, 0}})\n"
    "static INLINE Packed move_put(Packed m, const int at, const int value) {\n"
    "    const uint64_t v = (uint64_t)value;\n"
    "    if (at < 64) {\n"
    "        m.w[0] |= v << at;\n"
    "        if (at > 32) m.w[1] |= v >> (64 - at);\n"
    "    } else {\n"
    "        m.w[1] |= v << (at - 64);\n"
    "    }\n"
    "    return m;\n"
    "}\n"
    "static INLINE int move_take(Packed *const m, const int bits) {\n"
    "    const int value = (int)(m->w[0] & ((UINT64_C(1) << bits) - 1));\n"
    "    if (bits) m->w[0] = m->w[0] >> bits | m->w[1] << (64 - bits);\n"
    "    m->w[1] >>= bits;\n"
    "    return value;\n"
    "}\n"
    "static INLINE Move unpack(const Packed m) { return m; }\n"
    "static INLINE Packed pack(const Move m) { return m; }\n\n";

static const char *const sinks =
    "// --- what happens to a move that was found ---\n"
    "//\n"
    "// LIST stores it, COUNT counts it, ANY stops at it, PICK remembers it (with others that\n"
    "// differ only in the last choice, as one entry), SELECT stops at the n-th. LIST keeps the\n"
    "// order of the rules; the others may take moves in any order.\n"
    "\n"
    "enum { MODE_LIST, MODE_COUNT, MODE_ANY, MODE_PICK, MODE_SELECT };\n"
    "enum { ENTRIES = 1024, LISTED = 512, MOST_MOVES = 1 << 20 };\n"
    "\n"
    "typedef struct Entry {\n"
    "    Packed m;\n"
    "    Set last;     // members of the last choice, if\n"
    "    int64_t upto; // moves up to and with this entry\n"
    "    int16_t at;   // >= 0: where it is put\n"
    "    int16_t lo;\n"
    "} Entry;\n"
    "typedef struct Sink {\n"
    "    int64_t n; // moves so far\n"
    "    Move *out;\n"
    "    int64_t cap;\n"
    "    Entry *entry;\n"
    "    int entries;\n"
    "    int64_t left; // SELECT: moves to skip\n"
    "    Packed found;\n"
    "} Sink;\n"
    "\n"
    "static INLINE int put_one(Sink *const k, const int mode, const Packed m) {\n"
    "    if (mode == MODE_ANY) return 1;\n"
    "    if (mode == MODE_SELECT) {\n"
    "        k->found = m;\n"
    "        return k->left-- == 0;\n"
    "    }\n"
    "    if (mode == MODE_LIST && k->n >= 0 && k->n < k->cap) k->out[k->n] = unpack(m);\n"
    "    k->n++;\n"
    "    if (mode == MODE_PICK) {\n"
    "        if (k->entries < ENTRIES) {\n"
    "            Entry *const e = &k->entry[k->entries];\n"
    "            e->m = m;\n"
    "            e->upto = k->n;\n"
    "            e->at = -1;\n"
    "        }\n"
    "        k->entries++;\n"
    "    }\n"
    "    return 0;\n"
    "}\n"
    "\n"
    "// The moves that m and each member of x make.\n"
    "static INLINE int put_set(Sink *const k, const int mode, const Packed m, const int at,\n"
    "                          const int lo, const Set x) {\n"
    "    if (mode == MODE_ANY) return SET_SOME(x);\n"
    "    if (mode == MODE_LIST) {\n"
    "        Set left = x;\n"
    "        while (SET_SOME(left)) {\n"
    "            const int c = set_pop(&left);\n"
    "            if (k->n >= 0 && k->n < k->cap) k->out[k->n] = unpack(move_put(m, at, c - lo));\n"
    "            k->n++;\n"
    "        }\n"
    "        return 0;\n"
    "    }\n"
    "    const int64_t count = set_count(x);\n"
    "    if (mode == MODE_SELECT) {\n"
    "        if (k->left < count) {\n"
    "            k->found = move_put(m, at, set_nth(x, (int)k->left) - lo);\n"
    "            return 1;\n"
    "        }\n"
    "        k->left -= count;\n"
    "        return 0;\n"
    "    }\n"
    "    k->n += count;\n"
    "    if (mode == MODE_PICK && count > 0) {\n"
    "        if (k->entries < ENTRIES) {\n"
    "            Entry *const e = &k->entry[k->entries];\n"
    "            e->m = m;\n"
    "            e->last = x;\n"
    "            e->upto = k->n;\n"
    "            e->at = (int16_t)at;\n"
    "            e->lo = (int16_t)lo;\n"
    "        }\n"
    "        k->entries++;\n"
    "    }\n"
    "    return 0;\n"
    "}\n"
    "\n"
    "static INLINE int put_range(Sink *const k, const int mode, const Packed m, const int at,\n"
    "                            const int low, const int high) {\n"
    "    if (mode == MODE_ANY) return low <= high;\n"
    "    if (mode == MODE_COUNT) {\n"
    "        k->n += low <= high ? high - low + 1 : 0;\n"
    "        return 0;\n"
    "    }\n"
    "    for (int x = low; x <= high; x++)\n"
    "        TRY(put_one(k, mode, move_put(m, at, x)));\n"
    "    return 0;\n"
    "}\n"
    "\n"
    "// The moves that m, each member of x and each member of y make.\n"
    "static INLINE int put_product(Sink *const k, const int mode, const Packed m, const int at,\n"
    "                              const int lo, const Set x, const int at_y, const int lo_y,\n"
    "                              const Set y) {\n"
    "    const int64_t each = set_count(y), count = set_count(x) * each;\n"
    "    if (mode == MODE_ANY) return count != 0;\n"
    "    if (mode == MODE_SELECT) {\n"
    "        if (k->left < count) {\n"
    "            const int first = (int)k->left / (int)each, second = (int)k->left % (int)each;\n"
    "            k->found = move_put(move_put(m, at, set_nth(x, first) - lo), at_y,\n"
    "                                set_nth(y, second) - lo_y);\n"
    "            return 1;\n"
    "        }\n"
    "        k->left -= count;\n"
    "    }\n"
    "    k->n += count;\n"
    "    return 0;\n"
    "}\n"
    "\n"
    "// A pair of cells for each member c of x: the second is c, and it tells the first.\n"
    "#define PUT_PAIRS(m, at, at_second, x, first)                                        \\\n"
    "    do {                                                                             \\\n"
    "        if (mode == MODE_ANY && SET_SOME(x)) return 1;                               \\\n"
    "        const int64_t count_ = set_count(x);                                         \\\n"
    "        if (mode == MODE_SELECT && k->left < count_) {                               \\\n"
    "            const int c = set_nth(x, (int)k->left);                                  \\\n"
    "            k->found = move_put(move_put(m, at, first), at_second, c);               \\\n"
    "            return 1;                                                                \\\n"
    "        }                                                                            \\\n"
    "        k->left -= count_;                                                           \\\n"
    "        k->n += count_;                                                              \\\n"
    "    } while (0)\n"
    "\n"
    "// A pair of cells for each bit of x.\n"
    "static INLINE int put_edges(Sink *const k, const int mode, const Packed m, const int at,\n"
    "                            const int at_second, const uint8_t (*const cells)[64],\n"
    "                            const uint64_t x) {\n"
    "    const int64_t count = POPCOUNT(x);\n"
    "    if (mode == MODE_ANY) return x != 0;\n"
    "    if (mode == MODE_SELECT && k->left < count) {\n"
    "        const int e = word_nth(x, (int)k->left);\n"
    "        k->found = move_put(move_put(m, at, cells[0][e]), at_second, cells[1][e]);\n"
    "        return 1;\n"
    "    }\n"
    "    k->left -= count;\n"
    "    k->n += count;\n"
    "    return 0;\n"
    "}\n"
    "static INLINE int put_edge_products(Sink *const k, const int mode, const Packed m,\n"
    "                                    const int at, const int at_second,\n"
    "                                    const uint8_t (*const cells)[64], const uint64_t x,\n"
    "                                    const int at_y, const int lo_y, const Set y) {\n"
    "    const int64_t each = set_count(y), count = POPCOUNT(x) * each;\n"
    "    if (mode == MODE_ANY) return count != 0;\n"
    "    if (mode == MODE_SELECT && k->left < count) {\n"
    "        const int e = word_nth(x, (int)k->left / (int)each);\n"
    "        k->found = move_put(move_put(move_put(m, at, cells[0][e]), at_second, cells[1][e]),\n"
    "                            at_y, set_nth(y, (int)k->left % (int)each) - lo_y);\n"
    "        return 1;\n"
    "    }\n"
    "    k->left -= count;\n"
    "    k->n += count;\n"
    "    return 0;\n"
    "}\n"
    "\n"
    "static INLINE Packed entry_move(const Entry *const entries, const int64_t n) {\n"
    "    int e = 0;\n"
    "    while (entries[e].upto <= n) e++;\n"
    "    if (entries[e].at < 0) return entries[e].m;\n"
    "    const int before = (int)(n - (e ? entries[e - 1].upto : 0));\n"
    "    return move_put(entries[e].m, entries[e].at,\n"
    "                    set_nth(entries[e].last, before) - entries[e].lo);\n"
    "}\n"
    "\n"
    "// wyrand by Wang Yi (public domain): the multiplications of one number do not wait for the\n"
    "// number before.\n"
    "typedef struct Random {\n"
    "    uint64_t x;\n"
    "} Random;\n"
    "static INLINE uint64_t random_next(Random *const r) {\n"
    "    r->x += UINT64_C(0xA0761D6478BD642F);\n"
    "    const uint64_t y = r->x ^ UINT64_C(0xE7037ED1A0B428DB);\n"
    "    return MULHI(r->x, y) ^ r->x * y;\n"
    "}\n"
    "static INLINE uint64_t random_below(Random *const r, const uint64_t n) {\n"
    "    return MULHI(random_next(r), n);\n"
    "}\n\n";

static void heading(Emitter *em, Text *out) {
    const IrGame *g = em->g;
    text_f(out, "// %s", emit_word_line(em, g->title ? g->title : "A game"));
    for (int n = 0; n < g->parameters; n++) {
        const IrParameter *p = &g->parameter[n];
        text_f(out, "%s %s =", n ? "," : ":", p->name);
        for (int i = 0; i < p->count; i++) {
            if (p->boolean)
                text_add(out, p->values[i] ? " yes" : " no");
            else
                text_f(out, "%s %lld", i ? "," : "", (long long)p->values[i]);
        }
    }
    text_add(out, "\n//\n"
                  "// Made from the rules by Ludens; compile it as a shared object. The exported\n"
                  "// functions are at the end. `me` and `mode` are constants wherever they are\n"
                  "// parameters: every function is inlined into one for each player.\n\n");
}

static void print_sets(Emitter *em, Text *out) {
    uint64_t all[BOARD_MAX_WORDS] = {0};
    for (int c = 0; c < em->cells; c++)
        all[c / 64] |= (uint64_t)1 << (c % 64);
    text_f(out, "#define CELLS %d\n#define WORDS %d\n#define PLAYERS %d\n", em->cells, em->words,
           em->g->players);
    text_f(out, "#define NEXT_PLAYER(p) ((p) + 1 < PLAYERS ? (p) + 1 : 0)\n\n");
    text_add(out, em->one ? one_word : many_words);
    text_f(out, em->one ? "#define SET_ALL %s\n" : "#define SET_ALL ((Set)%s)\n",
           emit_set_initial(em, all));
    text_add(out, nth_bit);
    text_add(out, em->one ? nth_one : nth_many);
}

static void print_occupied(Emitter *em) {
    const char *sum = "SET_EMPTY";
    for (int n = 0; n < em->g->planes; n++)
        sum = emit_or(em, sum, emit_f(em, "s->plane[%s]", emit_plane_name(em, n)));
    text_f(em->helpers,
           "// Cells with a piece.\n"
           "static INLINE Set occupied(const State *const s) {\n    return %s;\n}\n\n",
           sum);
}

// A turn that is one choice of a cell and nothing that could refuse it.
static bool is_simple(const IrGame *g) {
    const IrStmt *s = g->turn;
    while (s && !s->chooses)
        s = s->next;
    return s && s == g->turn && s->kind == ST_CHOOSE && s->domain->kind == DOM_SET &&
           !emit_chooses(s->next);
}

static uint64_t hash_text(const Text *t) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t n = 0; n < t->n; n++)
        h = (h ^ (unsigned char)t->s[n]) * UINT64_C(0x100000001b3);
    return h;
}

static void whole_file(Emitter *em, Text *out) {
    em->constants = emit_text(em);
    em->helpers = emit_text(em);
    em->protos = emit_text(em);
    em->bodies = emit_text(em);
    em->func_done = ARENA_ARRAY(em->arena, bool, em->g->funcs + 1);
    em->func_reads = ARENA_ARRAY(em->arena, struct EmitFuncReads, em->g->funcs + 1);
    em->simple = is_simple(em->g);
    print_occupied(em);
    emit_rules(em, &em->g->end, "end_rules", 0);
    emit_rules(em, &em->g->stuck, "stuck_rules", RESULT_OVER);
    emit_rules(em, &em->g->all_stuck, "all_stuck_rules", RESULT_OVER);
    emit_generate(em);
    emit_apply(em);

    Text *t = emit_text(em);
    heading(em, t);
    text_add(t, macros);
    print_sets(em, t);
    text_add(t, em->g->move_bits <= 63 ? short_moves : long_moves);
    emit_state(em, t);
    text_add(t, sinks);
    text_add(t, "// --- the board ---\n\n");
    text_add(t, text_c(em->constants));
    text_add(t, text_c(em->helpers));
    text_add(t, "// --- the rules ---\n\n");
    text_add(t, text_c(em->protos));
    text_add(t, "\n");
    text_add(t, text_c(em->bodies));
    text_add(t, "// --- exported functions ---\n\n");
    emit_exports(em, t);
    text_f(t,
           "EXPORT extern const LudensNativeInfo ludens_info;\n"
           "const LudensNativeInfo ludens_info = {%d, %d, %d, %d, \"%016llx\"};\n",
           NATIVE_ABI, em->g->layout.size, em->g->layout.identity, em->g->players,
           (unsigned long long)hash_text(t));
    text_add(out, text_c(t));
}

bool native_emit(const IrGame *g, Text *out) {
    Arena arena;
    jmp_buf recovery;
    arena_init(&arena, &recovery);
    Emitter *em = mem_alloc(sizeof *em);
    if (!em)
        return false;
    *em = (Emitter){.g = g, .b = g->board, .arena = &arena};
    em->words = g->board->words;
    em->cells = g->board->cells;
    em->one = em->words == 1;
    bool ok = false;
    if (!setjmp(recovery)) {
        whole_file(em, out);
        ok = !out->failed;
    }
    for (EmitText *t = em->texts; t; t = t->up) {
        ok = ok && !t->text.failed;
        text_free(&t->text);
    }
    arena_free(&arena);
    mem_free(em);
    return ok;
}
