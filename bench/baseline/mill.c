#include "baseline.h"

typedef uint64_t Set;
typedef uint64_t Web;

#define POINTS 0xFFFFFFu
#define MEN 9

// index 0..11 mids, 12..23 corners
#define MID(k) (                                                                                   \
    (Web)0x1001 << (k) | ((k) < 8 ? (Web)1 << 48 << (k) : 0) | ((k) > 3 ? (Web)1 << 52 << (k) : 0))
#define MID_TO(k) (                                                                                \
    (Web)0x1001 << 24 << (k) | ((k) < 8 ? (Web)1 << 56 << (k) : 0) | ((k) > 3 ? (Web)1 << 44 << (k) : 0))
#define PREV(k) (((k) & 12) | (((k) + 3) & 3))
#define NEXT(k) (((k) & 12) | (((k) + 1) & 3))
#define CORNER(k) ((Web)1 << 24 << (k) | (Web)1 << 36 << PREV(k))
#define CORNER_TO(k) ((Web)1 << (k) | (Web)1 << 12 << PREV(k))
#define ALL12(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8), f(9), f(10), f(11)
#define ALL8(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)

typedef struct { Web man, block; } Change;
#define PM(k) {MID(k), MID_TO(k)}
#define PC(k) {CORNER(k), CORNER_TO(k)}
static const Change placed[24] = {ALL12(PM), ALL12(PC)};
#define MC(k) {MID(k) ^ CORNER(k), MID_TO(k) ^ CORNER_TO(k)}
#define MN(k) {MID(k) ^ CORNER(NEXT(k)), MID_TO(k) ^ CORNER_TO(NEXT(k))}
#define MM(k) {MID(k) ^ MID(k+4), MID_TO(k) ^ MID_TO(k+4)}
static const Change slid[64] = {ALL12(MC), ALL12(MN), ALL12(MC), ALL12(MN), ALL8(MM), ALL8(MM)};

static inline Set points(Web f) { return f >> 12 & POINTS; }

// rotations
static inline Set ahead(Set s) { return (s << 1 & 0xEEE) | (s >> 3 & 0x111); }
static inline Set back(Set s) { return (s >> 1 & 0x777) | (s << 3 & 0x888); }

static inline Set side_pairs(Web f) { return f >> 24 & f >> 36 & 0xFFF; }
static inline Set cross_pairs(Web f) { return f >> 4 & f >> 8 & 0xFFF; }

static inline Set closing_points(Web f) {
    Set w = f & f >> 24;
    return side_pairs(f) | cross_pairs(f) | ((w >> 12 & 0xFFF) | ahead(w & 0xFFF)) << 12;
}
static inline Web closing_slides(Web f) {
    Set w = f & f >> 24, s = side_pairs(f);
    return ahead(w & 0xFFF) | back(w >> 12 & 0xFFF) << 12 | cross_pairs(f) * 0x1001000000u |
           s >> 4 << 48 | s << 56;
}
static inline Set prey(Web f) {
    Set all = points(f), s = f & side_pairs(f);
    Set loose = all & ~(s | (f & cross_pairs(f)) | (s | ahead(s)) << 12);
    return loose ? loose : all;
}
static inline Set draw(Set from, uint64_t *rng) { return bit_deposit((Set)1 << random_below(rng, bit_count(from)), from); }

typedef struct { Web men[2], block; int total[2]; } Position;

static uint8_t third[24][24];
#define THIRD(a, b, c) third[a][b]=third[b][a]=c; third[a][c]=third[c][a]=b; third[b][c]=third[c][b]=a;
static void __attribute__((constructor)) fill(void) {
    for (int a=0;a<24;a++) for(int b=0;b<24;b++) third[a][b]=31;
    for (int k=0;k<12;k++) { THIRD(k,12+k,12+NEXT(k)) }
    for (int k=0;k<4;k++) { THIRD(k,k+4,k+8) }
}

static inline void capture(Web *men, Web *block, uint64_t *rng) {
    const Change *c = &placed[bit_index(draw(prey(*men), rng))];
    *men ^= c->man; *block ^= c->block;
}
#ifdef CHECK
void check(Web me, Web other, int fly, uint64_t n, int hand);
#else
#define check(a,b,c,d,e)
#endif
static inline int slide(Web *me, Web *other, Web *block, int *total, int *quiet, uint64_t *rng) {
    Web all = *me & ~*block;
    if (!all) return 1;
    Web mills = all & closing_slides(*me);
    uint64_t n = bit_count(all);
    ++*quiet;
    if (mills) {
        uint64_t g = bit_count(mills), p = bit_count(prey(*other));
        check(*me,*other,0,n-g+g*p,0);
        if (random_below(rng, n - g + g * p) >= n - g) {
            const Change *c = &slid[bit_index(draw(mills, rng))];
            *me ^= c->man; *block ^= c->block;
            capture(other, block, rng);
            *quiet = 0;
            return --*total < 3;
        }
        all ^= mills; n -= g;
    } else check(*me,*other,0,n,0);
    const Change *c = &slid[bit_index(bit_deposit((Web)1 << random_below(rng, n), all))];
    *me ^= c->man; *block ^= c->block;
    return *quiet == 100;
}
static int __attribute__((noinline)) fly(Web *me, Web *other, Web *block, int *total, int *quiet, uint64_t *rng) {
    Set men = points(*me), empty = ~(men | points(*other)) & POINTS;
    unsigned man[3] = {bit_index(men), bit_index(men & (men - 1)), 63 - (unsigned)__builtin_clzll(men)};
    unsigned close[3] = {third[man[1]][man[2]], third[man[0]][man[2]], third[man[0]][man[1]]};
    uint64_t e = bit_count(empty), g = 0;
    unsigned from[3], to[3], a, b;
    for (int i = 0; i < 3; i++)
        if (empty >> close[i] & 1) from[g]=man[i], to[g++] = close[i];
    ++*quiet;
    int caught = 0;
    if (g) {
        uint64_t p = bit_count(prey(*other));
        check(*me,*other,1,3*e-g+g*p,0);
        if (random_below(rng, 3*e - g + g * p) >= 3*e-g) {
            uint64_t i = random_below(rng, g);
            a = from[i], b = to[i];
            caught = 1;
        } else {
            uint64_t i;
            do { i = random_below(rng, 3); a = man[i]; b = bit_index(draw(empty, rng)); } while (b == close[i]);
        }
    } else {
        check(*me,*other,1,3*e,0);
        a = man[random_below(rng, 3)]; b = bit_index(draw(empty, rng));
    }
    *me ^= placed[a].man ^ placed[b].man;
    *block ^= placed[a].block ^ placed[b].block;
    if (caught) { capture(other, block, rng); *quiet=0; return --*total < 3; }
    return *quiet == 100;
}
static inline int place(Web *me, Web *other, Set *empty, int *total, int *quiet, uint64_t *rng) {
    Set mills = *empty & closing_points(*me), all = *empty;
    ++*quiet;
    uint64_t n = bit_count(all);
    Set to;
    if (mills) {
        uint64_t g = bit_count(mills), p = bit_count(prey(*other));
        if (!p) p=1;
        check(*me,*other,0,n-g+g*p,1);
        if (random_below(rng, n - g + g * p) >= n - g) {
            to = draw(mills, rng);
            *me ^= placed[bit_index(to)].man;
            *empty ^= to;
            if (*other) {
                Set victim = draw(prey(*other), rng);
                *empty ^= victim;
                *other ^= placed[bit_index(victim)].man;
                *quiet = 0;
                return --*total < 3;
            }
            return 0;
        }
        all ^= mills; n -= g;
    } else check(*me,*other,0,n,1);
    to = bit_deposit((Set)1<<random_below(rng,n),all);
    *me ^= placed[bit_index(to)].man;
    *empty ^= to;
    return 0;
}
static int playout(uint64_t *rng) {
    uint64_t r = *rng;
    Web white = 0, black = 0;
    Set empty = POINTS;
    int whites = MEN, blacks = MEN, quiet = 0, ply = 0;
    while (ply < 2 * MEN) {
        ply++;
        if (place(&white, &black, &empty, &blacks, &quiet, &r)) goto end;
        ply++;
        if (place(&black, &white, &empty, &whites, &quiet, &r)) goto end;
    }
    Web both = white | black;
    Web block = (both & POINTS) << 24 | (both >> 24 & POINTS) | (both >> 56) << 48 | (both >> 48) << 56;
    for (;;) {
        if (whites == 3) { if (ply++, fly(&white,&black,&block,&blacks,&quiet,&r)) break; }
        else { if (!(white&~block)) break; if (ply++, slide(&white,&black,&block,&blacks,&quiet,&r)) break; }
        if (blacks == 3) { if (ply++, fly(&black,&white,&block,&whites,&quiet,&r)) break; }
        else { if (!(black&~block)) break; if (ply++, slide(&black,&white,&block,&whites,&quiet,&r)) break; }
    }
end:
    *rng = r;
    return ply;
}
static uint64_t perft(int depth) { return (uint64_t)depth; }
const Baseline baseline_mill = {"mill", perft, playout};
