// keeper: see keeper.h.
#include "match/keeper.h"

#include <stdlib.h>

void keeper_begin(Keeper *k, Schedule *schedule, KeepGames *keep, void *with) {
    *k = (Keeper){
        .schedule = schedule, .keep = keep, .with = with, .next = schedule_played(schedule)};
}

static void drop(Keeper *k, int n) {
    for (int i = 0; i < n; i++)
        ended_free(k->held[i]);
    for (int i = n; i < k->count; i++)
        k->held[i - n] = k->held[i];
    k->count -= n;
}

void keeper_end(Keeper *k) {
    drop(k, k->count);
    mem_free(k->held);
    k->held = NULL;
}

static int by_number(const void *one, const void *other) {
    const Ended *a = *(Ended *const *)one, *b = *(Ended *const *)other;
    return a->played.pairing.number < b->played.pairing.number ? -1 : 1;
}

bool keeper_take(Keeper *k, Ended *list, int count) {
    if (k->count + count > k->cap) {
        int cap = 2 * (k->count + count);
        Ended **held = mem_resize(k->held, sizeof *held * (size_t)cap);
        if (!held) {
            while (list) {
                Ended *e = list;
                list = e->next;
                ended_free(e);
            }
            return false;
        }
        k->held = held;
        k->cap = cap;
    }
    for (; list; list = list->next)
        k->held[k->count++] = list;
    if (k->count > 1) // qsort may not be given NULL, not even for nothing
        qsort(k->held, (size_t)k->count, sizeof *k->held, by_number);
    return true;
}

static void count_one(const Keeper *k, int i) {
    const Played *p = &k->held[i]->played;
    schedule_result(k->schedule, p->pairing.number, p->ending, p->result);
}

int keeper_ready(Keeper *k) {
    if (!schedule_in_order(k->schedule))
        return k->count;
    int gapless = 0, n = 0;
    while (gapless < k->count && k->held[gapless]->played.pairing.number == k->next + gapless)
        gapless++;
    // The test is asked game by game. It cannot wait until they are kept, but nobody hears of it
    // before. What lies beyond its end was not played.
    while (n < gapless && schedule_verdict(k->schedule) == SPRT_GOES_ON)
        count_one(k, n++);
    return n;
}

bool keeper_keep(Keeper *k, int n, Text *why) {
    const Played **list = mem_alloc(sizeof *list * (size_t)n);
    for (int i = 0; list && i < n; i++)
        list[i] = &k->held[i]->played;
    bool ok = list && k->keep(k->with, list, n, why);
    mem_free(list);
    if (!ok && why->n == 0)
        text_add(why, "out of memory");
    return ok;
}

void keeper_count(Keeper *k, int n) {
    for (int i = 0; i < n && !schedule_in_order(k->schedule); i++)
        count_one(k, i);
    k->next += n;
    drop(k, n);
}
