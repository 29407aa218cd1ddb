// arm_eye: the thread that looks through the camera; see arm_eye.h.
#include "server/arm_eye.h"

#include "base/mem.h"
#include "base/now.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WAIT 2.0   // seconds for a picture
#define RETRY 2.0  // before a camera that failed is tried again
#define QUALITY 80 // of JPEG

struct ArmEye {
    char device[200]; // "": cameras are given
    void (*changed)(void *with);
    void *with;
    pthread_t thread;
    bool running;

    pthread_mutex_t using; // of the camera: held while a picture is taken
    Camera *camera;

    pthread_mutex_t lock; // of what follows
    pthread_cond_t news;
    bool closing, on, new_view;
    View view;
    EyeState state;
    Text plain, drawn; // JPEG
    Picture picture;   // the newest
};

// What the thread alone works with.
typedef struct Work {
    Eye *eye;
    Picture picture, over;
    Sight sight;
} Work;

// --- one picture ---

static bool take(ArmEye *e, Picture *picture, Text *why) {
    pthread_mutex_lock(&e->using);
    if (!e->camera && e->device[0])
        e->camera = camera_open(e->device, 0, 0, NULL, why);
    bool ok = e->camera && camera_take(e->camera, picture, WAIT, why);
    if (!e->camera && !why->n)
        text_add(why, "there is no camera");
    if (!ok && e->device[0]) { // opened anew the next time: it may be plugged in again
        camera_close(e->camera);
        e->camera = NULL;
    }
    pthread_mutex_unlock(&e->using);
    return ok;
}

static void encode(const Picture *p, Text *out) {
    uint8_t *data = NULL;
    size_t size = 0;
    text_clear(out);
    if (picture_jpeg(p, QUALITY, &data, &size))
        text_add_n(out, (const char *)data, size);
    free(data);
}

static void count(const Sight *sight, EyeState *state) {
    state->hand = sight->hand;
    for (int i = 0; i < sight->places; i++)
        if (sight->seen[i].kind < VIEW_KINDS)
            state->count[sight->seen[i].kind]++;
}

// What is recognised in the picture, drawn over a copy of it. False if nothing can be.
static bool recognise(ArmEye *e, Work *w, EyeState *state) {
    pthread_mutex_lock(&e->lock);
    bool anew = e->new_view;
    e->new_view = false;
    View *view = anew ? mem_alloc(sizeof *view) : NULL;
    if (view)
        *view = e->view;
    pthread_mutex_unlock(&e->lock);
    if (anew) {
        eye_free(w->eye);
        if (view && view->placed && view->width == 0)
            view_by_pixels(view, w->picture.width, w->picture.height);
        w->eye = view && view->placed ? eye_new(view) : NULL;
        mem_free(view);
    }
    if (!w->eye || !eye_look(w->eye, &w->picture, &w->sight) ||
        !picture_copy(&w->over, &w->picture))
        return false;
    eye_draw(w->eye, &w->sight, &w->over);
    count(&w->sight, state);
    return true;
}

static void publish(ArmEye *e, Work *w, EyeState *state, Text *plain, Text *drawn) {
    pthread_mutex_lock(&e->lock);
    state->frame = e->state.frame + 1;
    e->state = *state;
    Text old_plain = e->plain, old_drawn = e->drawn;
    Picture old = e->picture;
    e->plain = *plain;
    e->drawn = *drawn;
    e->picture = w->picture;
    *plain = old_plain;
    *drawn = old_drawn;
    w->picture = old;
    pthread_mutex_unlock(&e->lock);
}

static bool look_once(ArmEye *e, Work *w, Text *plain, Text *drawn) {
    Text why = {0};
    EyeState state = {0};
    bool ok = take(e, &w->picture, &why);
    if (ok) {
        state.width = w->picture.width;
        state.height = w->picture.height;
        state.placed = recognise(e, w, &state);
        encode(&w->picture, plain);
        text_clear(drawn);
        if (state.placed)
            encode(&w->over, drawn);
        if (plain->n == 0)
            snprintf(state.why, sizeof state.why, "this Ludens was built without JPEG");
        publish(e, w, &state, plain, drawn);
    } else {
        pthread_mutex_lock(&e->lock);
        snprintf(e->state.why, sizeof e->state.why, "%s", text_c(&why));
        pthread_mutex_unlock(&e->lock);
    }
    text_free(&why);
    e->changed(e->with);
    return ok;
}

// --- the thread ---

// Under the lock; until then, or the end.
static void pause_for(ArmEye *e, double seconds) {
    struct timespec until = now_plus(seconds);
    while (!e->closing && pthread_cond_timedwait(&e->news, &e->lock, &until) == 0)
        ;
}

static void *run(void *with) {
    ArmEye *e = with;
    Work *w = mem_alloc(sizeof *w);
    Text plain = {0}, drawn = {0};
    pthread_mutex_lock(&e->lock);
    while (w && !e->closing) {
        if (!e->on) {
            pthread_cond_wait(&e->news, &e->lock);
            continue;
        }
        pthread_mutex_unlock(&e->lock);
        bool ok = look_once(e, w, &plain, &drawn);
        pthread_mutex_lock(&e->lock);
        pause_for(e, ok ? ARM_EYE_PERIOD : RETRY);
    }
    pthread_mutex_unlock(&e->lock);
    if (w) {
        eye_free(w->eye);
        picture_free(&w->picture);
        picture_free(&w->over);
    }
    mem_free(w);
    text_free(&plain);
    text_free(&drawn);
    return NULL;
}

// --- what others ask ---

void arm_eye_camera(ArmEye *e, Camera *camera) {
    pthread_mutex_lock(&e->using);
    camera_close(e->camera);
    e->camera = camera;
    pthread_mutex_unlock(&e->using);
}

void arm_eye_view(ArmEye *e, const View *view) {
    pthread_mutex_lock(&e->lock);
    e->view = view ? *view : (View){0};
    e->new_view = true;
    pthread_mutex_unlock(&e->lock);
}

void arm_eye_look(ArmEye *e, bool on) {
    pthread_mutex_lock(&e->lock);
    e->on = on;
    pthread_cond_signal(&e->news);
    pthread_mutex_unlock(&e->lock);
}

void arm_eye_state(ArmEye *e, EyeState *out) {
    pthread_mutex_lock(&e->lock);
    *out = e->state;
    pthread_mutex_unlock(&e->lock);
}

bool arm_eye_jpeg(ArmEye *e, bool drawn, Text *out, Text *why) {
    pthread_mutex_lock(&e->lock);
    const Text *jpeg = drawn && e->drawn.n ? &e->drawn : &e->plain;
    bool ok = jpeg->n > 0;
    if (ok)
        text_add_n(out, jpeg->s, jpeg->n);
    else
        text_add(why, e->state.why[0] ? e->state.why : "there is no picture yet");
    pthread_mutex_unlock(&e->lock);
    return ok;
}

bool arm_eye_picture(ArmEye *e, Picture *out, Text *why) {
    pthread_mutex_lock(&e->lock);
    bool ok = e->picture.width > 0 && picture_copy(out, &e->picture);
    if (!ok)
        text_add(why, e->state.why[0] ? e->state.why : "there is no picture yet");
    pthread_mutex_unlock(&e->lock);
    return ok;
}

// --- beginning and ending ---

ArmEye *arm_eye_new(const char *device, void (*changed)(void *with), void *with, Text *why) {
    ArmEye *e = mem_alloc(sizeof *e);
    if (!e) {
        text_add(why, "out of memory");
        return NULL;
    }
    snprintf(e->device, sizeof e->device, "%s", device ? device : "");
    e->changed = changed;
    e->with = with;
    pthread_mutex_init(&e->using, NULL);
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->news, NULL);
    sigset_t all, before;
    sigfillset(&all); // signals are for the program's own thread
    pthread_sigmask(SIG_SETMASK, &all, &before);
    e->running = pthread_create(&e->thread, NULL, run, e) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (e->running)
        return e;
    text_add(why, "cannot start threads");
    arm_eye_free(e);
    return NULL;
}

void arm_eye_free(ArmEye *e) {
    if (!e)
        return;
    pthread_mutex_lock(&e->lock);
    e->closing = true;
    pthread_cond_broadcast(&e->news);
    pthread_mutex_unlock(&e->lock);
    if (e->running)
        pthread_join(e->thread, NULL);
    camera_close(e->camera);
    text_free(&e->plain);
    text_free(&e->drawn);
    picture_free(&e->picture);
    pthread_cond_destroy(&e->news);
    pthread_mutex_destroy(&e->using);
    pthread_mutex_destroy(&e->lock);
    mem_free(e);
}
