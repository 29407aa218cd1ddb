// Vectors of all stacks, for emit_columns.c: types and functions of the generated text.
//
// `Stacks` is what a state has: a lane for each cell, a mark above the pieces. `Columns` has the
// pieces alone, so that stacks of eight fit in bytes. Builtins of x86 stand beside plain text of
// the same meaning; the compilers do not find the instructions themselves.
#include "native/emitter.h"

#define MOST_BYTES 64 // of a vector: wider ones are taken apart by the compiler

static int bits_of_pieces(const Emitter *em) {
    return em->g->layout.stack_bits * em->b->stack;
}

int emit_column_bits(const Emitter *em) {
    return bits_of_pieces(em) <= 8 ? 8 : 8 * em->g->layout.stack_width;
}

int emit_column_lanes(const Emitter *em) {
    int lanes = 128 / emit_column_bits(em);
    while (lanes < em->cells)
        lanes *= 2;
    int width = em->g->layout.stack_width;
    return width && lanes * width <= MOST_BYTES ? lanes : 0;
}

static void print_types(Emitter *em) {
    int lanes = emit_column_lanes(em), bits = emit_column_bits(em);
    int width = em->g->layout.stack_width;
    uint64_t low = 0;
    for (int n = 0; n < em->b->stack; n++)
        low |= (uint64_t)1 << (n * em->g->layout.stack_bits);
    text_f(
        em->helpers,
        "// --- stacks as columns: a lane for each cell, the top piece in the lowest bits ---\n\n"
        "#pragma GCC diagnostic ignored \"-Wpsabi\"\n"
        "typedef uint%d_t Stack;\n"
        "typedef Stack Stacks __attribute__((vector_size(%d)));\n"
        "typedef Stacks __attribute__((aligned(%d), may_alias)) StacksStored;\n"
        "#define STACK_LANES %d\n"
        "typedef uint%d_t Column;\n"
        "typedef Column Columns __attribute__((vector_size(%d)));\n"
        "typedef int%d_t Numbers __attribute__((vector_size(%d)));\n"
        "typedef uint64_t ColumnWords __attribute__((vector_size(%d)));\n"
        "typedef uint64_t __attribute__((may_alias)) ColumnWord;\n"
        "#define COLUMN_BITS %d\n"
        "#define COLUMN_WORDS %d\n"
        "#define COLUMN_LOW %s // the lowest bit of each piece\n"
        "#if !defined(__clang__) && STACK_LANES == 32 && CELLS == 32\n"
        "#define STACKS_512 %d // bits of a stack\n"
        "#else\n"
        "#define STACKS_512 0\n"
        "#endif\n"
        "typedef short Lanes512 __attribute__((vector_size(64)));\n"
        "typedef char Lanes256 __attribute__((vector_size(32)));\n"
        "typedef long long Words512 __attribute__((vector_size(64)));\n"
        "typedef long long Words256 __attribute__((vector_size(32)));\n\n",
        8 * width, lanes * width, width, lanes, bits, lanes * bits / 8, bits, lanes * bits / 8,
        lanes * bits / 8, bits, lanes * bits / 64, emit_hex(em, low), 8 * width);
}

static void print_loading(Emitter *em) {
    text_add(em->helpers,
             "static INLINE Stacks stacks_of(const State *const s) {\n"
             "#if STACK_LANES == CELLS\n"
             "    return *(const StacksStored *)s->stack;\n"
             "#else\n"
             "    Stacks x = {0};\n"
             "    for (int c = 0; c < CELLS; c++) x[c] = s->stack[c];\n"
             "    return x;\n"
             "#endif\n"
             "}\n\n"
             "static INLINE Columns columns_of(const Stacks x) {\n"
             "#if STACKS_512 == 16 && COLUMN_BITS == 8\n"
             "    const Lanes256 none = {0};\n"
             "    return (Columns)__builtin_ia32_pmovwb512_mask((Lanes512)x, none, -1);\n"
             "#else\n"
             "    return __builtin_convertvector(x, Columns);\n"
             "#endif\n"
             "}\n\n"
             "// The bits of all pieces: those below the mark.\n"
             "static INLINE Columns columns_full(Stacks x) {\n");
    for (int n = 1; n <= bits_of_pieces(em); n *= 2)
        text_f(em->helpers, "    x |= x >> %d;\n", n);
    text_add(em->helpers, "    return columns_of(x >> 1);\n"
                          "}\n\n"
                          "static INLINE Numbers columns_heights(const Columns full) {\n"
                          "    const Columns low = full & (Column)COLUMN_LOW;\n"
                          "#if STACKS_512 == 16 && defined(__AVX512BITALG__) && COLUMN_BITS == 8\n"
                          "    return (Numbers)__builtin_ia32_vpopcountb_v32qi((Lanes256)low);\n"
                          "#elif STACKS_512 == 16 && defined(__AVX512BITALG__)\n"
                          "    return (Numbers)__builtin_ia32_vpopcountw_v32hi((Lanes512)low);\n"
                          "#else\n"
                          "    Columns n = {0};\n"
                          "    for (int level = 0; level < STACK_MOST; level++)\n"
                          "        n += low >> level * STACK_BITS & 1;\n"
                          "    return (Numbers)n;\n"
                          "#endif\n"
                          "}\n\n");
}

// Stores: whoever loads all stacks soon would wait for a small one.
static void print_storing(Emitter *em) {
    const char *numbers = "";
    for (int n = 0; n < emit_column_lanes(em); n++)
        numbers = emit_f(em, "%s%s%d", numbers, n ? ", " : "", n);
    text_f(em->helpers,
           "// One stack changes; all are stored, so that they can be loaded at once.\n"
           "static INLINE void stack_put(State *const s, const int c, const uint64_t v) {\n"
           "#if STACKS_512 == 16\n"
           "    const Lanes512 all = (Lanes512)stacks_of(s);\n"
           "    *(StacksStored *)s->stack = (Stacks)__builtin_ia32_pbroadcastw512_gpr_mask(\n"
           "        (short)v, all, UINT32_C(1) << c);\n"
           "#elif STACK_LANES == CELLS\n"
           "    const Stacks number = {%s};\n"
           "    const Stacks here = (Stacks)(number == (Stacks){0} + (Stack)c);\n"
           "    *(StacksStored *)s->stack = (stacks_of(s) & ~here) | (((Stacks){0} + (Stack)v) & "
           "here);\n"
           "#else\n"
           "    s->stack[c] = v;\n"
           "#endif\n"
           "}\n\n",
           numbers);
}

static void print_masks(Emitter *em) {
    text_add(em->helpers,
             "// All bits of the columns of these cells.\n"
             "static INLINE Columns columns_where(const Set x) {\n"
             "#if STACKS_512 && COLUMN_BITS == 8\n"
             "    return (Columns)__builtin_ia32_cvtmask2b256((uint32_t)x);\n"
             "#elif STACKS_512 && COLUMN_BITS == 16\n"
             "    return (Columns)__builtin_ia32_cvtmask2w512((uint32_t)x);\n"
             "#else\n"
             "    Columns bit, part;\n"
             "    for (int c = 0; c < STACK_LANES; c++) {\n"
             "        bit[c] = (Column)((Column)1 << c % COLUMN_BITS);\n"
             "        part[c] = (Column)(x >> c / COLUMN_BITS * COLUMN_BITS);\n"
             "    }\n"
             "    return (Columns)((part & bit) != 0);\n"
             "#endif\n"
             "}\n\n"
             "static INLINE Columns columns_if(const int holds) {\n"
             "    return (Columns){0} - (Column)(holds != 0);\n"
             "}\n\n"
             "static INLINE Numbers at_least_0(const Numbers n) {\n"
             "    return n & ~(n >> (COLUMN_BITS - 1));\n"
             "}\n\n"
             "// The cells whose columns have a bit.\n"
             "static INLINE Set columns_some(const Columns x) {\n"
             "#if STACKS_512 && COLUMN_BITS == 8\n"
             "    return (uint32_t)__builtin_ia32_ptestmb256((Lanes256)x, (Lanes256)x, -1);\n"
             "#elif STACKS_512 && COLUMN_BITS == 16\n"
             "    return (uint32_t)__builtin_ia32_ptestmw512((Lanes512)x, (Lanes512)x, -1);\n"
             "#else\n"
             "    Set y = SET_EMPTY;\n"
             "    for (int c = 0; c < CELLS; c++) y |= (Set)(x[c] != 0) << c;\n"
             "    return y;\n"
             "#endif\n"
             "}\n\n");
}

// Bytes cannot be shifted each by its own number, so they are looked up, also by negative ones.
static void print_under(Emitter *em) {
    const char *values = "";
    int bits = em->g->layout.stack_bits;
    for (int n = 0; n < 32; n++) {
        int shift = n > 16 ? 0 : n * bits;
        values = emit_f(em, "%s%s%u", values, n ? ", " : "", shift > 7 ? 0 : 0xffu << shift & 0xff);
    }
    text_f(
        em->helpers,
        "// All bits but those of the n topmost pieces: n >= 0, or -15 .. 16 if lanes are bytes.\n"
        "static INLINE Columns columns_under(const Numbers n) {\n"
        "#if COLUMN_BITS > 8\n"
        "    return ~(Columns){0} << (Columns)(n * STACK_BITS);\n"
        "#elif STACKS_512 && defined(__AVX512VBMI__)\n"
        "    const Columns under = {%s};\n"
        "    const Lanes256 none = {0};\n"
        "    return (Columns)__builtin_ia32_permvarqi256_mask((Lanes256)under, (Lanes256)n, none, "
        "-1);\n"
        "#elif STACK_LANES == 32 && !defined(__clang__)\n"
        "    return __builtin_shuffle((Columns){%s}, (Columns)n);\n"
        "#else\n"
        "    static const uint8_t under[32] = {%s};\n"
        "    Columns x;\n"
        "    for (int c = 0; c < STACK_LANES; c++) x[c] = under[n[c] & 31];\n"
        "    return x;\n"
        "#endif\n"
        "}\n\n",
        values, values, values);
}

static void print_putting(Emitter *em) {
    text_add(em->helpers,
             "static INLINE ColumnWords columns_count(const Columns x) {\n"
             "#if STACKS_512 && defined(__AVX512VPOPCNTDQ__) && COLUMN_WORDS == 8\n"
             "    return (ColumnWords)__builtin_ia32_vpopcountq_v8di((Words512)x);\n"
             "#elif STACKS_512 && defined(__AVX512VPOPCNTDQ__) && COLUMN_WORDS == 4\n"
             "    return (ColumnWords)__builtin_ia32_vpopcountq_v4di((Words256)x);\n"
             "#else\n"
             "    ColumnWords n = (ColumnWords)x;\n"
             "    for (int i = 0; i < COLUMN_WORDS; i++) n[i] = (uint64_t)POPCOUNT(n[i]);\n"
             "    return n;\n"
             "#endif\n"
             "}\n\n"
             "// Where the choices of a part of a stack go in a move.\n"
             "typedef struct ColumnSites {\n"
             "    int from, level, lo, to;\n"
             "} ColumnSites;\n\n"
             "// The move of a bit of word i.\n"
             "static INLINE Packed column_move(const State *const s, const Packed m, const "
             "ColumnSites at,"
             "\n                                 const int i, const int bit, const uint8_t *const "
             "to) {\n"
             "    const int lanes = 64 / COLUMN_BITS;\n"
             "#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__\n"
             "    const int from = i * lanes + lanes - 1 - bit / COLUMN_BITS;\n"
             "#else\n"
             "    const int from = i * lanes + bit / COLUMN_BITS;\n"
             "#endif\n"
             "    const int level = height_at(s, from) - 1 - bit % COLUMN_BITS / STACK_BITS;\n"
             "    return move_put(move_put(move_put(m, at.from, from), at.level, level - at.lo), "
             "at.to,\n"
             "                    to[from]);\n"
             "}\n\n"
             "// A move for each bit of x, one column set for each way out of a cell.\n"
             "static INLINE int put_columns(const State *const s, Sink *const k, const int mode,\n"
             "                              const Packed m, const ColumnSites at,\n"
             "                              const Columns *const x, const int ways,\n"
             "                              const uint8_t (*const to)[STACK_LANES]) {\n"
             "    const ColumnWord *const word = (const ColumnWord *)x;\n"
             "    if (mode == MODE_PICK || mode == MODE_LIST) {\n"
             "        for (int n = 0; n < ways * COLUMN_WORDS; n++)\n"
             "            for (uint64_t left = word[n]; left; left &= left - 1)\n"
             "                put_one(k, mode, column_move(s, m, at, n % COLUMN_WORDS, CTZ(left),\n"
             "                                             to[n / COLUMN_WORDS]));\n"
             "        return 0;\n"
             "    }\n"
             "    ColumnWords upto[8], counts = {0}; // of each word, in the ways so far: at most "
             "eight\n"
             "    for (int n = 0; n < ways; n++) upto[n] = counts += columns_count(x[n]);\n"
             "    int64_t total = 0;\n"
             "    for (int i = 0; i < COLUMN_WORDS; i++) total += (int64_t)counts[i];\n"
             "    if (mode == MODE_ANY) return total != 0;\n"
             "    if (mode == MODE_SELECT && k->left < 0) { // draw here\n"
             "        if (total == 0) return 0;\n"
             "        k->left = (int64_t)random_below(k->random, (uint64_t)total);\n"
             "    }\n"
             "    if (mode == MODE_SELECT && k->left < total) {\n"
             "        // Where the bit is, no processor can guess: without jumps.\n"
             "        int64_t left = k->left, sum = 0, skip = 0;\n"
             "        int i = 0, way = 0;\n"
             "        for (int n = 0; n < COLUMN_WORDS - 1; n++) {\n"
             "            sum += (int64_t)counts[n];\n"
             "            i += sum <= left;\n"
             "            skip = sum <= left ? sum : skip;\n"
             "        }\n"
             "        left -= skip;\n"
             "        sum = skip = 0;\n"
             "        for (int n = 0; n < ways - 1; n++) {\n"
             "            sum = (int64_t)((const ColumnWord *)upto)[n * COLUMN_WORDS + i];\n"
             "            way += sum <= left;\n"
             "            skip = sum <= left ? sum : skip;\n"
             "        }\n"
             "        const int bit = word_nth(word[way * COLUMN_WORDS + i], (int)(left - skip));\n"
             "        k->found = column_move(s, m, at, i, bit, to[way]);\n"
             "        return 1;\n"
             "    }\n"
             "    k->left -= total;\n"
             "    k->n += total;\n"
             "    return 0;\n"
             "}\n\n");
}

// Where a state of our own is: with its stacks in one line of the cache, and copied by parts, so
// that loading all stacks need not wait for several stores.
static void print_own_state(Emitter *em) {
    const IrLayout *l = &em->g->layout;
    int bytes = emit_column_lanes(em) * l->stack_width,
        end = l->stack_offset + l->stack_width * em->cells;
    int pad = (bytes - l->stack_offset % bytes) % bytes;
    text_f(em->helpers,
           "typedef struct OwnState {\n%s    State s;\n"
           "} __attribute__((aligned(%d))) OwnState;\n\n",
           pad ? emit_f(em, "    uint8_t pad[%d];\n", pad) : "", bytes);
    text_add(em->helpers,
             "static INLINE void copy_state(State *const to, const State *const from) {\n"
             "#if STACK_LANES == CELLS\n"
             "    *(StacksStored *)to->stack = *(const StacksStored *)from->stack;\n");
    for (int n = 0; n < 2; n++) {
        int from = n ? end : 0, size = n ? l->size - end : l->stack_offset;
        if (size)
            text_f(
                em->helpers,
                "    typedef struct Part%d {\n        uint8_t byte[%d];\n"
                "    } __attribute__((may_alias)) Part%d;\n"
                "    *(Part%d *)((char *)to + %d) = *(const Part%d *)((const char *)from + %d);\n",
                n, size, n, n, from, n, from);
    }
    text_add(em->helpers, "#else\n    *to = *from;\n#endif\n}\n\n");
}

void emit_column_helpers(Emitter *em) {
    if (!emit_once(em, "columns"))
        return;
    emit_stacks(em);
    text_add(em->helpers,
             "// Without vectors of this kind, stacks are looked at one after the other.\n"
             "#if defined(__AVX512BW__) && defined(__AVX512VL__)\n"
             "#define USE_COLUMNS 1\n"
             "#else\n"
             "#define USE_COLUMNS 0\n"
             "#endif\n\n"
             "#if USE_COLUMNS\n");
    print_types(em);
    print_loading(em);
    print_storing(em);
    print_masks(em);
    print_under(em);
    print_putting(em);
    print_own_state(em);
    text_f(em->helpers,
           "#else\n"
           "typedef struct OwnState {\n    State s;\n} OwnState;\n"
           "static INLINE void copy_state(State *const to, const State *const from) {\n"
           "    *to = *from;\n"
           "}\n"
           "static INLINE void stack_put(State *const s, const int c, const uint64_t v) {\n"
           "    s->stack[c] = (uint%d_t)v;\n"
           "}\n"
           "#endif\n\n",
           8 * em->g->layout.stack_width);
}
