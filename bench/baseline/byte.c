// byte 8x8: a stack is a byte for each colour, bit k for a checker of it at height k; the 32 dark
// cells are the 32 bytes of a vector.
//
// A checker at height k of a stack of h may move onto a stack of H if k < H and H + h - k <= 8.
// So the heights that may move one way are: the mover's bits, and the neighbour's full bits (they
// are all k < H), and a mask that depends on h + H alone. Four ways give 4 x 32 bytes, and every
// bit of them is a move. Stacks without neighbours, which step towards the nearest others, are
// found in two words of bottom checkers and handled one by one.
#include "baseline.h"

#include <string.h>

typedef uint8_t Cells __attribute__((vector_size(32)));
typedef uint64_t Words __attribute__((vector_size(32)));
typedef uint32_t Halves __attribute__((vector_size(16)));
typedef uint64_t Pair __attribute__((vector_size(16)));
typedef uint32_t Set;   // of cells: 4 a row, even rows begin at the edge
typedef uint64_t Stack; // bits 0..7 Black's checkers, 16..23 White's, from 32 the height

typedef struct Board {
    Cells black, white, height;
    Set black_bottom, white_bottom; // the stacks whose lowest checker is Black's, White's
} Board;

enum { BLACK, WHITE };

// Who moves must be a constant, so that the boards stay in registers.
#define INLINE static inline __attribute__((always_inline))

#define EVEN_ROWS 0x07070707u // without their last cells
#define ODD_ROWS 0xE0E0E0E0u  // without their first cells
#define ONES 0x0101010101010101u
#define TOPS 0x8080808080808080u

static Cells number;              // each cell's own
static Cells way[4], on_board[4]; // the neighbours of each cell, and where there are any
static Cells room;                // the mask for h + H
static uint8_t neighbour[32][4];
static Set nearer[32][24]; // cells that are 2 (3 ..) away, and nearer after a step: 4 ways each
static Board start;
static Stack start_stack[32];

static inline Cells look_up(Cells table, Cells index) {
#if defined(__AVX512VBMI__) && defined(__AVX512VL__)
    return (Cells)_mm256_permutexvar_epi8((__m256i)index, (__m256i)table);
#elif defined(__AVX2__) // 16 bytes at a time; bit 4 of the index, as a sign, chooses
    __m256i i = (__m256i)index, low = _mm256_permute2x128_si256((__m256i)table, (__m256i)table, 0),
            high = _mm256_permute2x128_si256((__m256i)table, (__m256i)table, 0x11);
    return (Cells)_mm256_blendv_epi8(_mm256_shuffle_epi8(low, i), _mm256_shuffle_epi8(high, i),
                                     _mm256_slli_epi16(i, 3));
#else
    Cells found;
    for (int i = 0; i < 32; i++)
        found[i] = table[index[i]];
    return found;
#endif
}

static inline Cells with(Cells cells, unsigned at, Stack byte) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
    return (Cells)_mm256_mask_set1_epi8((__m256i)cells, (Set)1 << at, (char)byte);
#else
    Cells here = (Cells)(number == (Cells){0} + (uint8_t)at);
    return (cells & ~here) | (here & (uint8_t)byte);
#endif
}

static inline void put(Board *b, unsigned at, Stack stack) {
    Set rest = ~((Set)1 << at);
    b->black = with(b->black, at, stack);
    b->white = with(b->white, at, stack >> 16);
    b->height = with(b->height, at, stack >> 32);
    b->black_bottom = (b->black_bottom & rest) | (Set)(stack & 1) << at;
    b->white_bottom = (b->white_bottom & rest) | (Set)(stack >> 16 & 1) << at;
}

static int steps_between(int a, int b) {
    int rows = a / 4 - b / 4, columns = a % 4 * 2 + a / 4 % 2 - b % 4 * 2 - b / 4 % 2;
    rows = rows < 0 ? -rows : rows;
    columns = columns < 0 ? -columns : columns;
    return rows > columns ? rows : columns;
}

__attribute__((constructor)) static void fill_tables(void) {
    for (int c = 0; c < 32; c++)
        number[c] = (uint8_t)c;
    for (int c = 0; c < 32; c++) {
        for (int w = 0; w < 4; w++) {
            int row = c / 4 + (w < 2 ? -1 : 1), column = c % 4 * 2 + c / 4 % 2 + (w % 2 ? 1 : -1);
            if (row < 0 || row > 7 || column < 0 || column > 7)
                continue;
            neighbour[c][w] = way[w][c] = (uint8_t)(row * 4 + column / 2);
            on_board[w][c] = 255;
            for (int o = 0; o < 32; o++) {
                int far = steps_between(c, o);
                if (far > 1 && steps_between(neighbour[c][w], o) < far)
                    nearer[c][4 * (far - 2) + w] |= (Set)1 << o;
            }
        }
        room[c] = (uint8_t)(c < 9 ? 255 : c < 16 ? 255 << (c - 8) : 0);
        if (c < 4 || c > 27)
            continue;
        start_stack[c] = (Stack)1 << 32 | (Stack)1 << (c / 4 % 2 ? 0 : 16);
        put(&start, (unsigned)c, start_stack[c]);
    }
}

static inline Words count_words(Cells cells) {
#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512VL__)
    return (Words)_mm256_popcnt_epi64((__m256i)cells);
#else
    Words words = (Words)cells;
    for (int i = 0; i < 4; i++)
        words[i] = bit_count(words[i]);
    return words;
#endif
}

// Moves onto neighbours: word 4 * w + i has those of cells 8 * i and on, way w.
typedef union Merges {
    Cells way[4];
    uint64_t word[16];
} Merges;

static inline Merges find_merges(const Board *b, int me) {
    Cells full = b->black | b->white, mine = me == BLACK ? b->black : b->white;
    Merges m;
    for (int w = 0; w < 4; w++) {
        Cells heights = b->height + look_up(b->height, way[w]);
        Cells levels = look_up(full, way[w]) & on_board[w];
        m.way[w] = mine & levels & look_up(room, heights);
    }
    return m;
}

// How many, in 16 bytes: those of word 4 * w + i in byte 4 * i + w.
static inline Pair count_merges(const Merges *m) {
    Words counts = (count_words(m->way[0]) | count_words(m->way[1]) << 8) |
                   (count_words(m->way[2]) << 16 | count_words(m->way[3]) << 24);
    return (Pair) __builtin_convertvector(counts, Halves);
}

static inline Set next_to(Set cells) {
    Set rows = cells << 4 | cells >> 4;
    return rows | (rows & ODD_ROWS) >> 1 | (rows & EVEN_ROWS) << 1;
}

// The ways on which a lonely stack comes nearer to the nearest others, as four bits. All distances
// are tried at once; the least one with any stack counts.
static inline uint64_t find_steps(unsigned cell, Set stacks) {
    uint32_t ways = 0;
#ifdef __AVX2__
    __m256i all = _mm256_set1_epi32((int)stacks);
    for (int i = 0; i < 24; i += 8) {
        __m256i some = _mm256_loadu_si256((const __m256i *)&nearer[cell][i]) & all;
        __m256 none = (__m256)_mm256_cmpeq_epi32(some, _mm256_setzero_si256());
        ways |= (uint32_t)(~_mm256_movemask_ps(none) & 255) << i;
    }
#else
    for (int i = 0; i < 24; i++)
        ways |= (uint32_t)((nearer[cell][i] & stacks) != 0) << i;
#endif
    return ways ? ways >> (bit_index(ways) & 28) & 15 : 0;
}

// Four bits for each lonely stack of the player. There are twelve checkers, so they fit.
static inline uint64_t find_all_steps(const Board *b, int me, Set *lonely) {
    Set stacks = b->black_bottom | b->white_bottom;
    *lonely = (me == BLACK ? b->black_bottom : b->white_bottom) & ~next_to(stacks);
    uint64_t steps = 0;
    int shift = 0;
    for (Set left = *lonely; left; left &= left - 1, shift += 4)
        steps |= find_steps(bit_index(left), stacks) << shift;
    return steps;
}

// A step as its bit in the word of steps: the cell and the way.
static inline unsigned step_cell(unsigned step, Set lonely) {
    return bit_index(bit_pick(lonely, step / 4));
}

// Moves all from `level` upwards. Returns what it wins: nothing, or 1 for Black, 4 for White, so
// that the sum of all has the bits of MAJORITY as soon as somebody has two stacks of eight.
#define MAJORITY 10

static inline int move(Stack *from, unsigned level, Stack *to) {
    Stack below = (((Stack)1 << level) - 1) * 0x10001;
    Stack moved = (*from & 0xFF00FF & ~below) >> level << (*to >> 32);
    *to += moved + (((*from >> 32) - level) << 32);
    *from = (*from & below) | (Stack)level << 32;
    if (__builtin_expect(*to >> 35 == 0, 1))
        return 0;
    int won = *to >> 23 & 1 ? 4 : 1;
    *to = 0;
    return won;
}

INLINE uint64_t count_moves(const Board *b, int me) {
    Merges m = find_merges(b, me);
    Words n = count_words(m.way[0]) + count_words(m.way[1]) + count_words(m.way[2]) +
              count_words(m.way[3]);
    Set lonely;
    return n[0] + n[1] + n[2] + n[3] + bit_count(find_all_steps(b, me, &lonely));
}

static uint64_t count_black(const Board *b, Stack *stack, int depth, int won);
static uint64_t count_white(const Board *b, Stack *stack, int depth, int won);

INLINE uint64_t count_other(const Board *b, Stack *stack, int me, int depth, int won) {
    return me == BLACK ? count_white(b, stack, depth, won) : count_black(b, stack, depth, won);
}

INLINE uint64_t count_below(const Board *b, Stack *stack, unsigned from, unsigned level,
                            unsigned to, int me, int depth, int won) {
    Stack old_from = stack[from], new_from = old_from, old_to = stack[to], new_to = old_to;
    won += move(&new_from, level, &new_to);
    if (__builtin_expect(won & MAJORITY, 0))
        return 0;
    if (depth == 2) {
        Board last = {b->black, b->white, b->height, b->black_bottom, b->white_bottom};
        put(&last, from, new_from);
        put(&last, to, new_to);
        uint64_t n = count_moves(&last, !me); // a forced pass is one, if the other can move
        return __builtin_expect(n != 0, 1) ? n : count_moves(&last, me) != 0;
    }
    Board next = *b;
    put(&next, from, stack[from] = new_from);
    put(&next, to, stack[to] = new_to);
    uint64_t n = count_other(&next, stack, me, depth - 1, won);
    stack[from] = old_from;
    stack[to] = old_to;
    return n;
}

INLINE uint64_t count(const Board *b, Stack *stack, int me, int depth, int won) {
    Merges m = find_merges(b, me);
    Set lonely;
    uint64_t steps = find_all_steps(b, me, &lonely), n = 0;
    for (unsigned i = 0; i < 16; i++)
        for (uint64_t word = m.word[i]; word; word &= word - 1) {
            unsigned bit = bit_index(word), from = i % 4 * 8 + bit / 8;
            n += count_below(b, stack, from, bit % 8, neighbour[from][i / 4], me, depth, won);
        }
    for (; steps; steps &= steps - 1) {
        unsigned step = bit_index(steps), from = step_cell(step, lonely);
        n += count_below(b, stack, from, 0, neighbour[from][step % 4], me, depth, won);
    }
    if (n == 0 && count_moves(b, me) == 0 && count_moves(b, !me) > 0)
        n = depth == 2 ? count_moves(b, !me) : count_other(b, stack, me, depth - 1, won);
    return n;
}

static uint64_t count_black(const Board *b, Stack *stack, int depth, int won) {
    return count(b, stack, BLACK, depth, won);
}

static uint64_t count_white(const Board *b, Stack *stack, int depth, int won) {
    return count(b, stack, WHITE, depth, won);
}

static uint64_t perft(int depth) {
    Stack stack[32];
    memcpy(stack, start_stack, sizeof stack);
    return depth == 1 ? count_moves(&start, BLACK) : count_black(&start, stack, depth, 0);
}

typedef struct Game {
    Board board;
    Stack stack[32];
    uint64_t rng;
    int won, plies, passed;
} Game;

// Plays a random move or passes; whether the game is over. The word of a merge is found in the
// running sums of the counts, which one multiplication yields for eight words, by comparing eight
// bytes at once.
INLINE int play(Game *g, int me) {
    Merges m = find_merges(&g->board, me);
    Pair counts = count_merges(&m);
    uint64_t sums = counts[0] * ONES, more = counts[1] * ONES;
    uint64_t half = sums >> 56, n = half + (more >> 56);
    Set lonely;
    uint64_t steps = find_all_steps(&g->board, me, &lonely), all = n + bit_count(steps);
    if (__builtin_expect(all == 0, 0)) { // two passes end the game, and do not count
        g->plies += g->passed ? -1 : 1;
        return g->passed++;
    }
    g->passed = 0;
    g->plies++;
    uint64_t k = random_below(&g->rng, all);
    unsigned from, level = 0, to;
    if (k < n) {
        uint64_t second = 0 - (uint64_t)(k >= half);
        sums ^= (sums ^ more) & second;
        k -= half & second;
        unsigned i = bit_index(((sums | TOPS) - (k + 1) * ONES) & TOPS) / 8;
        k -= sums << 8 >> 8 * i & 255;
        unsigned eight = i / 4 + (second & 2), w = i % 4;
        unsigned bit = bit_index(bit_pick(m.word[4 * w + eight], k));
        from = 8 * eight + bit / 8;
        level = bit % 8;
        to = neighbour[from][w];
    } else {
        unsigned step = bit_index(bit_pick(steps, k - n));
        from = step_cell(step, lonely);
        to = neighbour[from][step % 4];
    }
    g->won += move(&g->stack[from], level, &g->stack[to]);
    put(&g->board, from, g->stack[from]);
    put(&g->board, to, g->stack[to]);
    return g->won & MAJORITY;
}

static int playout(uint64_t *rng) {
    Game g = {.board = start, .rng = *rng};
    memcpy(g.stack, start_stack, sizeof g.stack);
    while (!play(&g, BLACK) && !play(&g, WHITE))
        ;
    *rng = g.rng;
    return g.plies;
}

const Baseline baseline_byte = {"byte", perft, NULL, playout, NULL};
