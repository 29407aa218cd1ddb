// same_pairing: pairings are compared field by field: there are gaps between them. Behind cmocka.h.
#ifndef LUDENS_SAME_PAIRING_H
#define LUDENS_SAME_PAIRING_H

#include "match/contest.h"

static inline void assert_same_pairing(const Pairing *a, const Pairing *b) {
    assert_true(a->number == b->number && a->round == b->round && a->game == b->game);
    assert_memory_equal(a->seat, b->seat, sizeof a->seat);
    assert_true(a->opening == b->opening && a->seed == b->seed);
}

#endif
