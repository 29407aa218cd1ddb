// The eye before a simulated table of every game of the library: noise, uneven light, a camera that
// is tilted and shakes, a person's hand; and where the camera stands from the tags alone.
#include "base/mem.h"
#include "base/rng.h"
#include "game/library.h"
#include "robot/sim_table.h"
#include "robot/table.h"
#include "vision/see.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static Game *load(const char *name) {
    Diags diags = {0};
    Game *g = game_load(name, NULL, 0, &diags);
    if (!g)
        fail_msg("%s does not load", name);
    diag_free(&diags);
    return g;
}

// Pieces anywhere, as many as the table has.
static void random_scene(const Table *t, Rng *rng, Scene *s) {
    Scene empty;
    assert_true(scene_init(&empty, t));
    scene_copy(s, &empty);
    scene_free(&empty);
    for (int k = 0; k < t->kinds; k++)
        for (int i = (int)rng_below(rng, (uint64_t)t->kind[k].count + 1); i > 0; i--) {
            int site = (int)rng_below(rng, (uint64_t)t->sites), high = scene_height(s, site);
            if (high < t->site[site].room && high < SCENE_LEVELS)
                s->kind[site * SCENE_LEVELS + high] = (uint8_t)k;
        }
}

typedef struct Tally {
    int places, wrong, doubtful, hands;
    double least;
} Tally;

static void tally(const Table *t, const Scene *s, const Sight *sight, Tally *sum) {
    sum->hands += sight->hand;
    for (int i = 0; i < t->sites; i++) {
        const Seen *seen = &sight->seen[i];
        int top = scene_top(s, i), right = top == SCENE_NOTHING ? VIEW_KINDS : top;
        double ahead = 1e9;
        for (int k = 0; k <= VIEW_KINDS; k++)
            if (k != right && (k < t->kinds || k == VIEW_KINDS)) {
                double d = (double)(seen->support[right] - seen->support[k]);
                ahead = d < ahead ? d : ahead;
            }
        sum->places++;
        sum->wrong += ahead < 0;
        sum->doubtful += ahead < 6;
        sum->least = ahead < sum->least ? ahead : sum->least;
    }
}

static void keep(const char *name, const Eye *e, const Sight *sight, Picture *p) {
    const char *folder = getenv("LUDENS_SHOTS");
    if (!folder)
        return;
    char path[256];
    Text why = {0};
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    if (e)
        eye_draw(e, sight, p);
    assert_true(picture_save(p, path, &why));
}

static void read_game(const char *name, const SimLook *look, int pictures, Tally *sum) {
    Arm arm;
    Text why = {0};
    Rng rng;
    Game *g = load(name);
    arm_usual(&arm);
    Table *t = table_new(g, &arm, &why);
    SimTable *sim = t ? sim_table_new(t, look, 100, 1, &why) : NULL;
    if (!sim)
        fail_msg("%s: %s", name, text_c(&why));
    View *v = mem_alloc(sizeof *v);
    sim_table_view(sim, v);
    Eye *e = eye_new(v);
    Camera *camera = sim_table_camera(sim);
    Sight *sight = mem_alloc(sizeof *sight);
    Scene scene;
    Picture p = {0};
    assert_true(e && camera && scene_init(&scene, t));
    rng_seed(&rng, 2);
    Tally before = *sum;
    for (int i = 0; i < pictures; i++) {
        random_scene(t, &rng, &scene);
        sim_table_set(sim, &scene);
        assert_true(camera_take(camera, &p, 5, &why));
        assert_true(eye_look(e, &p, sight));
        tally(t, &scene, sight, sum);
    }
    if (sum->wrong > before.wrong || sum->hands > before.hands || sum->doubtful > before.doubtful)
        print_message("# %s: %d of %d wrong, %d doubtful, %d hands\n", name,
                      sum->wrong - before.wrong, sum->places - before.places,
                      sum->doubtful - before.doubtful, sum->hands - before.hands);
    keep(name, e, sight, &p);
    camera_close(camera);
    eye_free(e);
    sim_table_free(sim);
    scene_free(&scene);
    picture_free(&p);
    mem_free(sight);
    mem_free(v);
    table_free(t);
    game_free(g);
}

static void test_library(void **state) {
    (void)state;
    static const SimLook look = {.noise = 12, .light = 0.3, .tilt = 25, .shake = 2};
    Tally sum = {.least = 1e9};
    for (int i = 0; i < library_count; i++)
        read_game(library_games[i].name, &look, getenv("LUDENS_ALL") ? 40 : 3, &sum);
    print_message("# %d places: %d wrong, %d doubtful, %d hands, least margin %.1f\n", sum.places,
                  sum.wrong, sum.doubtful, sum.hands, sum.least);
    assert_int_equal(sum.wrong, 0);
    assert_int_equal(sum.hands, 0);
}

// A person moves a piece: a hand is over the board, then the new scene is read. All with the place
// of the camera found by its tags, and colours learnt from the first picture.
static void test_hand_and_tags(void **state) {
    (void)state;
    static const SimLook look = {.noise = 8, .light = 0.2, .tilt = 20, .shake = 1, .tags = true};
    Arm arm;
    Text why = {0};
    Game *g = load("mill");
    arm_usual(&arm);
    Table *t = table_new(g, &arm, &why);
    SimTable *sim = sim_table_new(t, &look, 1, 1, &why);
    Camera *camera = sim_table_camera(sim);
    Scene scene;
    Picture p = {0};
    View *v = mem_alloc(sizeof *v);
    Sight *sight = mem_alloc(sizeof *sight);
    assert_true(sim && camera && scene_init(&scene, t));
    scene_of_state(&scene, g->start);
    sim_table_set(sim, &scene);
    assert_true(camera_take(camera, &p, 5, &why));
    sim_table_view(sim, v);
    Tags *tags = tags_new(&why);
    if (tags) {
        double pixels[8];
        v->placed = false;
        if (!tags_find(tags, &p, pixels, &why) || !view_place(v, t->corner, pixels, 4))
            fail_msg("%s", text_c(&why));
    }
    tags_free(tags);
    uint8_t content[VIEW_PLACES];
    for (int i = 0; i < t->sites; i++)
        content[i] = (uint8_t)scene_top(&scene, i);
    if (!colours_learn(v, &p, content, &why))
        fail_msg("%s", text_c(&why));
    Watcher *w = watcher_new(v, 3);
    int from = t->cells, hands = 0, frames = 0;
    Watched watched = WATCH_MORE;
    for (int i = 0; i < 3; i++)
        watched = watcher_look(w, &p, sight); // the same picture three times is still
    assert_int_equal(watched, WATCH_STILL);
    assert_true(scene_top(&scene, from) != SCENE_NOTHING);
    assert_true(sim_table_person(sim, from, 0, 1.0));
    struct timespec pause = {0, 50000000};
    bool changed = false;
    for (; frames < 200 && !(changed && watched == WATCH_STILL); frames++) {
        nanosleep(&pause, NULL);
        assert_true(camera_take(camera, &p, 5, &why));
        watched = watcher_look(w, &p, sight);
        hands += watched == WATCH_HAND;
        changed = watched == WATCH_STILL && sight->seen[0].kind != SEE_NOTHING;
    }
    print_message("# %d frames, %d with a hand\n", frames, hands);
    assert_true(changed && hands > 0);
    sim_table_get(sim, &scene);
    Tally sum = {.least = 1e9};
    tally(t, &scene, sight, &sum);
    assert_int_equal(sum.wrong, 0);
    keep("tags", NULL, sight, &p);
    watcher_free(w);
    camera_close(camera);
    sim_table_free(sim);
    scene_free(&scene);
    picture_free(&p);
    mem_free(v);
    mem_free(sight);
    table_free(t);
    game_free(g);
    text_free(&why);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library),
        cmocka_unit_test(test_hand_and_tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
