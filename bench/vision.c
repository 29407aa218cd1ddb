// vision [SECONDS]: how long it takes to read one picture of 640 x 480 of a mill board, on one
// core, in seconds of the processor: what stands on 42 places, hands, and what lies beside; and to
// find the tags at the corners. Fails above LIMIT.
#include "base/mem.h"
#include "robot/sim_table.h"
#include "robot/table.h"
#include "vision/see.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LIMIT 0.010 // seconds for one picture
#define PICTURES 8  // different ones, by turns

static double used(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

typedef struct Scenery {
    Picture picture[PICTURES];
    View view;
} Scenery;

static bool paint(Scenery *s, Text *why) {
    static const SimLook look = {.noise = 12, .light = 0.3, .tilt = 25, .shake = 2, .tags = true};
    Diags diags = {0};
    Arm arm;
    Scene scene;
    arm_usual(&arm);
    Game *g = game_load("mill", NULL, 0, &diags);
    Table *t = g ? table_new(g, &arm, why) : NULL;
    SimTable *sim = t ? sim_table_new(t, &look, 100, 1, why) : NULL;
    Camera *camera = sim ? sim_table_camera(sim) : NULL;
    bool ok = camera && scene_init(&scene, t);
    if (ok) {
        scene_of_state(&scene, g->start);
        sim_table_view(sim, &s->view);
        for (int i = 0; i < PICTURES && ok; i++) {
            for (int k = 0; k < i; k++) // more and more of them on the board
                scene.kind[k * 2 * SCENE_LEVELS] = (uint8_t)(k % t->kinds);
            sim_table_set(sim, &scene);
            ok = camera_take(camera, &s->picture[i], 5, why);
        }
        scene_free(&scene);
    }
    camera_close(camera);
    sim_table_free(sim);
    table_free(t);
    game_free(g);
    diag_free(&diags);
    return ok;
}

// The middle of the times, and the longest.
static double report(const char *what, double *time, int n) {
    qsort(time, (size_t)n, sizeof *time, by_size);
    printf("%-28s %8.2f ms in the middle, %8.2f ms for the slowest of 100, %d pictures\n", what,
           time[n / 2] * 1e3, time[n - 1 - n / 100] * 1e3, n);
    return time[n / 2];
}

#define TIMES 100000
static double read_pictures(Scenery *s, Sight *sight, double seconds, double *time) {
    Eye *e = eye_new(&s->view);
    if (!e)
        exit(1);
    int n = 0;
    for (double end = used() + seconds; n < TIMES && used() < end; n++) {
        double begin = used();
        if (!eye_look(e, &s->picture[n % PICTURES], sight))
            exit(1);
        time[n] = used() - begin;
    }
    eye_free(e);
    return report("mill, 42 places, 640 x 480", time, n);
}

static void find_tags(Scenery *s, double seconds, double *time) {
    Text why = {0};
    Tags *tags = tags_new(&why);
    int n = 0, found = 0;
    for (double end = used() + seconds; tags && n < TIMES && used() < end; n++) {
        double begin = used(), pixels[8];
        found += tags_find(tags, &s->picture[n % PICTURES], pixels, &why);
        time[n] = used() - begin;
    }
    if (tags) {
        report("four tags", time, n);
        printf("found in %d of %d\n", found, n);
    } else {
        printf("tags: %s\n", text_c(&why));
    }
    tags_free(tags);
    text_free(&why);
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 2;
    Text why = {0};
    Scenery *s = mem_alloc(sizeof *s);
    Sight *sight = mem_alloc(sizeof *sight);
    double *time = mem_alloc(TIMES * sizeof *time);
    if (!s || !sight || !time || !paint(s, &why)) {
        fprintf(stderr, "vision: %s\n", text_c(&why));
        return 1;
    }
    double middle = read_pictures(s, sight, seconds, time);
    find_tags(s, seconds / 2, time);
    for (int i = 0; i < PICTURES; i++)
        picture_free(&s->picture[i]);
    mem_free(s);
    mem_free(sight);
    mem_free(time);
    text_free(&why);
    if (middle > LIMIT)
        printf("too slow: a picture may take %.0f ms\n", LIMIT * 1e3);
    return middle > LIMIT;
}
