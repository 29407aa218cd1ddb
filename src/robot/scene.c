// scene: which pieces stand where; see table.h.
#include "robot/table.h"

#include "game/statetext.h"

#include <string.h>

static size_t size_of(const Table *t) {
    return (size_t)t->sites * SCENE_LEVELS;
}

bool scene_init(Scene *s, const Table *t) {
    s->table = t;
    s->kind = mem_alloc(size_of(t));
    if (s->kind)
        memset(s->kind, SCENE_NOTHING, size_of(t));
    return s->kind;
}

void scene_free(Scene *s) {
    mem_free(s->kind);
    s->kind = NULL;
}

void scene_copy(Scene *to, const Scene *from) {
    memcpy(to->kind, from->kind, size_of(from->table));
}

int scene_height(const Scene *s, int site) {
    const uint8_t *pile = &s->kind[site * SCENE_LEVELS];
    int height = 0;
    while (height < SCENE_LEVELS && pile[height] != SCENE_NOTHING)
        height++;
    return height;
}

int scene_top(const Scene *s, int site) {
    int height = scene_height(s, site);
    return height ? s->kind[site * SCENE_LEVELS + height - 1] : SCENE_NOTHING;
}

// The first store that has room, of those for this kind alone before those for several.
static int free_store(const Scene *s, int kind) {
    int other = -1;
    for (int i = s->table->cells; i < s->table->sites; i++) {
        const Site *site = &s->table->site[i];
        if (!(site->takes >> kind & 1) || scene_height(s, i) >= site->room)
            continue;
        if (site->takes == (uint64_t)1 << kind)
            return i;
        if (other < 0)
            other = i;
    }
    return other;
}

void scene_of_state(Scene *s, const uint8_t *state) {
    const Table *t = s->table;
    int left[VIEW_KINDS];
    memset(s->kind, SCENE_NOTHING, size_of(t));
    for (int k = 0; k < t->kinds; k++)
        left[k] = t->kind[k].count;
    for (int c = 0; c < t->cells; c++)
        for (int level = 0; level < state_height(t->game, state, c); level++) {
            int kind = state_plane(t->game, state, c, level);
            s->kind[c * SCENE_LEVELS + level] = (uint8_t)kind;
            left[kind]--;
        }
    for (int k = 0; k < t->kinds; k++)
        for (int site; left[k] > 0 && (site = free_store(s, k)) >= 0; left[k]--)
            s->kind[site * SCENE_LEVELS + scene_height(s, site)] = (uint8_t)k;
}

int scene_differs(const Scene *s, const uint8_t *state) {
    const Table *t = s->table;
    for (int c = 0; c < t->cells; c++) {
        int height = state_height(t->game, state, c);
        if (scene_height(s, c) != height)
            return c;
        for (int level = 0; level < height; level++)
            if (s->kind[c * SCENE_LEVELS + level] != state_plane(t->game, state, c, level))
                return c;
    }
    return -1;
}
