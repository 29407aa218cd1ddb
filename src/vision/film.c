// film: see film.h. A file begins with a line "YUV4MPEG2 W640 H480 C420jpeg ..."; each frame with a
// line "FRAME ...", then its planes.
#include "vision/film.h"

#include "base/mem.h"
#include "vision/frame.h"
#include "vision/picture_codec.h"

#include <stdlib.h>
#include <string.h>

#define HEAD_MOST 1024 // bytes of a line; real ones have about 80

struct Film {
    FILE *file;
    int width, height;
    int across, down; // how much smaller the planes of the differences are; 0: there are none
    bool full;
    uint8_t *bytes; // of one frame
    size_t size;
    long frames; // read so far
};

// A line without its end. False: there is none, or it is too long.
static bool read_line(FILE *file, char line[HEAD_MOST]) {
    size_t n = 0;
    for (;;) {
        int c = getc(file);
        if (c == EOF || c == 0 || n == HEAD_MOST - 1)
            return false;
        if (c == '\n')
            break;
        line[n++] = (char)c;
    }
    line[n] = 0;
    return true;
}

static bool starts(const char *s, const char *with) {
    return strncmp(s, with, strlen(with)) == 0;
}

// The form of the colours, as the word after C says. False: one that is not known.
static bool set_form(Film *f, const char *word) {
    static const struct {
        const char *word;
        int across, down;
    } forms[] = {
        {"420jpeg", 2, 2}, {"420mpeg2", 2, 2}, {"420paldv", 2, 2}, {"420", 2, 2},
        {"422", 2, 1},     {"444", 1, 1},      {"mono", 0, 0},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].word, word) == 0) {
            f->across = forms[i].across;
            f->down = forms[i].down;
            return true;
        }
    return false;
}

static bool side(const char *digits, int *to) {
    char *end;
    long n = strtol(digits, &end, 10);
    *to = n > 0 && n <= PICTURE_SIDE_MOST ? (int)n : 0;
    return end != digits && *end == 0 && *to > 0;
}

static bool read_head(Film *f, char *line, Text *why) {
    f->across = f->down = 2;
    char *rest = line + strlen("YUV4MPEG2"), *word;
    while ((word = strtok_r(rest, " ", &rest))) {
        if (word[0] == 'W' && !side(word + 1, &f->width)) {
            text_f(why, "the film's width `%s` cannot be", word + 1);
            return false;
        }
        if (word[0] == 'H' && !side(word + 1, &f->height)) {
            text_f(why, "the film's height `%s` cannot be", word + 1);
            return false;
        }
        if (word[0] == 'C' && !set_form(f, word + 1)) {
            text_f(why, "a film with colours in the form `%s` cannot be read", word + 1);
            return false;
        }
        if (strcmp(word, "XCOLORRANGE=FULL") == 0)
            f->full = true;
    }
    if (!f->width || !f->height)
        text_add(why, "the film does not say its width and height");
    return f->width && f->height;
}

static bool make_room(Film *f, Text *why) {
    if (f->width * f->height > PICTURE_PIXELS_MOST) {
        text_f(why, "a film of %d x %d pixels is too large", f->width, f->height);
        return false;
    }
    size_t n = (size_t)f->width * (size_t)f->height;
    f->size = n;
    if (f->across)
        f->size += 2 * (size_t)((f->width + f->across - 1) / f->across) *
                   (size_t)((f->height + f->down - 1) / f->down);
    else
        f->size += 1; // one difference for all pixels, which is none
    f->bytes = mem_alloc(f->size);
    if (!f->bytes)
        text_add(why, "out of memory");
    return f->bytes;
}

Film *film_open(FILE *file, Text *why) {
    char line[HEAD_MOST];
    Film *f = mem_alloc(sizeof *f);
    if (!f) {
        fclose(file);
        text_add(why, "out of memory");
        return NULL;
    }
    f->file = file;
    bool ok = read_line(file, line) && starts(line, "YUV4MPEG2 ");
    if (!ok)
        text_add(why, "this is no Y4M film");
    if (ok && read_head(f, line, why) && make_room(f, why))
        return f;
    film_close(f);
    return NULL;
}

void film_close(Film *f) {
    if (!f)
        return;
    fclose(f->file);
    mem_free(f->bytes);
    mem_free(f);
}

static void show(const Film *f, Picture *picture) {
    size_t n = (size_t)f->width * (size_t)f->height;
    FramePlanes planes = {.y = f->bytes, .full = f->full};
    if (f->across) {
        planes.across = f->across;
        planes.down = f->down;
        planes.u = f->bytes + n;
        planes.v = planes.u + (f->size - n) / 2;
    } else {
        f->bytes[n] = 128;
        planes.across = f->width;
        planes.down = f->height;
        planes.u = planes.v = f->bytes + n;
    }
    frame_planes(&planes, picture);
}

FilmRead film_next(Film *f, Picture *picture, Text *why) {
    char line[HEAD_MOST];
    int c = getc(f->file);
    if (c == EOF && !ferror(f->file))
        return FILM_END;
    ungetc(c, f->file);
    size_t size = f->across ? f->size : f->size - 1;
    if (!read_line(f->file, line) || (strcmp(line, "FRAME") != 0 && !starts(line, "FRAME "))) {
        text_f(why, "the film is damaged after frame %ld", f->frames);
        return FILM_DAMAGED;
    }
    if (fread(f->bytes, 1, size, f->file) != size) {
        text_f(why, "the film ends in the middle of frame %ld", f->frames + 1);
        return FILM_DAMAGED;
    }
    if (!picture_size(picture, f->width, f->height)) {
        text_add(why, "out of memory");
        return FILM_DAMAGED;
    }
    f->frames++;
    show(f, picture);
    return FILM_FRAME;
}
