// camera_files: a picture, a folder of pictures or a film in place of a camera. After the last
// picture it comes again and again, as from a camera before which nothing happens any more. A
// single picture that another program writes anew is read anew; while that goes on, each picture
// is waited for, so that no two frames are the same old one.
#define _GNU_SOURCE // strverscmp
#include "base/mem.h"
#include "base/now.h"
#include "vision/camera_kinds.h"
#include "vision/film.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define LIVE 2.0             // seconds: a file that was not written for longer is finished
#define PICTURES_MOST 100000 // of a folder: an hour of film

typedef struct FileCamera {
    Text paths; // each ended with NUL
    size_t next;
    Film *film;  // instead of paths
    bool single; // one picture: a file that is written anew is read anew
    struct stat seen;
    double written; // when it was last found to be written anew; 0: never
    Picture last;
} FileCamera;

static void files_close(void *self) {
    FileCamera *f = self;
    text_free(&f->paths);
    film_close(f->film);
    picture_free(&f->last);
    mem_free(f);
}

static bool next_picture(FileCamera *f, Text *why) {
    const char *path = f->paths.s + f->next;
    if (!picture_load(&f->last, path, why))
        return false;
    f->next += strlen(path) + 1;
    return true;
}

static bool next_frame(FileCamera *f, Text *why) {
    FilmRead read = film_next(f->film, &f->last, why);
    if (read == FILM_END && !f->last.pixel)
        text_add(why, "the film has no frames");
    return read == FILM_FRAME || (read == FILM_END && f->last.pixel);
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool is_new(FileCamera *f) {
    struct stat now = {0};
    if (stat(f->paths.s, &now) == 0 && same_file(&now, &f->seen))
        return false;
    if (f->seen.st_ino)
        f->written = now_seconds();
    f->seen = now;
    f->next = 0;
    return true;
}

static void look_for_new(FileCamera *f, double seconds) {
    double until = now_seconds() + seconds;
    while (!is_new(f)) {
        double now = now_seconds();
        if (!(f->written > 0 && now < f->written + LIVE && now < until))
            return;
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
}

// A picture that is not there or is damaged may be just on its way: who writes it anew is not
// always done at once.
static bool single_picture(FileCamera *f, double seconds, Text *why) {
    double until = now_seconds() + seconds;
    Text reason = {0};
    bool ok = false;
    for (bool more = true; !ok && more;) {
        more = now_seconds() < until;
        look_for_new(f, until - now_seconds());
        text_clear(&reason);
        ok = f->next == f->paths.n || next_picture(f, &reason);
        if (!ok && more)
            nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
    if (!ok)
        text_add(why, text_c(&reason));
    text_free(&reason);
    return ok;
}

static bool any_picture(FileCamera *f, double seconds, Text *why) {
    if (f->film)
        return next_frame(f, why);
    if (f->single)
        return single_picture(f, seconds, why);
    return f->next == f->paths.n || next_picture(f, why);
}

static bool files_take(void *self, Picture *picture, double seconds, Text *why) {
    FileCamera *f = self;
    if (!any_picture(f, seconds, why))
        return false;
    if (!picture_copy(picture, &f->last)) {
        text_add(why, "out of memory");
        return false;
    }
    return true;
}

static Camera *made(FileCamera *f, Text *why) {
    return camera_made((Camera){files_take, files_close, f}, why);
}

static void cannot_read(const char *path, const char *reason, Text *why) {
    text_add(why, "cannot read `");
    text_visible(why, path, strlen(path));
    text_f(why, "`: %s", reason);
}

// --- a file ---

static bool is_film(FILE *file) {
    char head[10] = {0};
    size_t n = fread(head, 1, sizeof head, file);
    rewind(file);
    return n == sizeof head && memcmp(head, "YUV4MPEG2 ", sizeof head) == 0;
}

Camera *camera_open_file(const char *path, Text *why) {
    FileCamera *f = mem_alloc(sizeof *f);
    FILE *file = f ? fopen(path, "rbe") : NULL;
    if (!file) {
        if (f)
            cannot_read(path, strerror(errno), why);
        else
            text_add(why, "out of memory");
        mem_free(f);
        return NULL;
    }
    Text reason = {0};
    bool ok;
    if (is_film(file)) {
        f->film = film_open(file, &reason);
        ok = f->film;
        if (!ok)
            cannot_read(path, text_c(&reason), why);
    } else {
        fclose(file);
        text_add_n(&f->paths, path, strlen(path) + 1);
        ok = !f->paths.failed && next_picture(f, why); // a bad one is told at once
        f->next = 0;
        f->single = true;
    }
    text_free(&reason);
    if (ok)
        return made(f, why);
    files_close(f);
    return NULL;
}

// --- a folder ---

// "frame9.png" before "frame10.png".
static int by_name(const void *a, const void *b) {
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

// The names of pictures in a folder: `names` points to `n` strings of its own. False: out of
// memory.
static bool list_pictures(DIR *folder, char ***names, size_t *n) {
    struct dirent *entry;
    size_t room = 0;
    while (*n < PICTURES_MOST && (entry = readdir(folder))) {
        if (!picture_named(entry->d_name) || entry->d_name[0] == '.')
            continue;
        if (*n == room) {
            room = room ? room * 2 : 64;
            char **grown = mem_resize(*names, room * sizeof *grown);
            if (!grown)
                return false;
            *names = grown;
        }
        size_t size = strlen(entry->d_name) + 1;
        char *copy = mem_alloc(size);
        if (!copy)
            return false;
        memcpy(copy, entry->d_name, size);
        (*names)[(*n)++] = copy;
    }
    return true;
}

static bool add_paths(FileCamera *f, const char *path, DIR *folder) {
    char **names = NULL;
    size_t n = 0;
    bool ok = list_pictures(folder, &names, &n);
    if (ok && n)
        qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0; i < n; i++) {
        text_f(&f->paths, "%s/%s", path, names[i]);
        text_char(&f->paths, 0);
        mem_free(names[i]);
    }
    mem_free(names);
    return ok && !f->paths.failed;
}

Camera *camera_open_folder(const char *path, Text *why) {
    DIR *folder = opendir(path);
    if (!folder) {
        cannot_read(path, strerror(errno), why);
        return NULL;
    }
    FileCamera *f = mem_alloc(sizeof *f);
    bool ok = f && add_paths(f, path, folder);
    closedir(folder);
    if (!ok) {
        text_add(why, "out of memory");
    } else if (!f->paths.n) {
        ok = false;
        cannot_read(path, "there is no PNG, JPEG or PPM picture in this folder", why);
    } else {
        ok = next_picture(f, why);
        f->next = 0;
    }
    if (ok)
        return made(f, why);
    if (f)
        files_close(f);
    return NULL;
}
