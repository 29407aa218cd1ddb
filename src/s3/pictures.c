// pictures: whether the pictures that an S3 file names are there.
//
// The original keeps them in a folder `images` beside its folder of games. Without such a folder,
// nobody wants to see pictures and nothing is said.
#include "s3/reader.h"

#include <string.h>
#include <sys/stat.h>

typedef struct Pictures {
    Reader *r;
    const char *folder[3];
    const char **missing; // each is reported once
    int count, cap;
} Pictures;

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static void check_picture(Pictures *p, const char *file, Span at) {
    Arena *arena = p->r->arena;
    if (!file || p->r->warnings >= S3_MAX_WARNINGS)
        return;
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->missing[i], file) == 0)
            return;
    for (int i = 0; i < 3; i++)
        if (is_file(arena_printf(arena, "%s/%s", p->folder[i], file)))
            return;
    ARENA_GROW(arena, const char *, p->missing, p->count, p->cap);
    p->missing[p->count++] = file;
    s3_warn(p->r, at, "there is no picture `%s`", file);
    s3_warn_help(p->r, "pictures are looked for in `%s`",
                 is_folder(p->folder[0]) ? p->folder[0] : p->folder[1]);
}

void s3_check_pictures(Reader *r) {
    const Look *look = r->look;
    const char *path = r->file->source->name;
    const char *slash = strrchr(path, '/');
    const char *own = slash ? arena_text(r->arena, path, (size_t)(slash - path)) : ".";
    Pictures p = {.r = r};
    p.folder[0] = slash ? arena_printf(r->arena, "%s/../images", own) : "../images";
    p.folder[1] = slash ? arena_printf(r->arena, "%s/images", own) : "images";
    p.folder[2] = own;
    if (!is_file(path)) // one of the games inside the program
        return;
    if (!is_folder(p.folder[0]) && !is_folder(p.folder[1]))
        return;
    check_picture(&p, look->board_picture, look->board_span);
    for (int i = 0; i < look->pieces; i++)
        for (int j = 0; j < look->piece[i].states; j++) {
            const LookPicture *picture = &look->piece[i].picture[j];
            if (j == 0 || picture->file != picture[-1].file)
                check_picture(&p, picture->file, picture->span);
        }
    for (int i = 0; i < look->place_types; i++)
        check_picture(&p, look->place_type[i].picture.file, look->place_type[i].picture.span);
}
