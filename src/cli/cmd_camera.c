// camera: tags to print, pictures, what a camera sees of a board, colours learnt from it.
#include "cli/robot_commands.h"

#include "base/file.h"
#include "base/mem.h"
#include "robot/table.h"
#include "vision/camera.h"
#include "vision/see.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define SECONDS 5.0    // for a frame
#define FRAMES 3       // that have to agree
#define FRAMES_MOST 90 // to wait for that

// What most of these need.
typedef struct Looking {
    const Cli *cli;
    Arm arm;
    Desk desk;
    Table *table;
    Camera *camera;
    Picture picture;
    View view;
    Sight sight;
} Looking;

// --- opening ---

static int open_camera(const Cli *cli, Camera **camera) {
    if (!cli->option[OPT_CAMERA])
        return cli_usage(cli, "which --camera? /dev/video0, for instance");
    Text why = {0}, notes = {0};
    *camera = camera_open(cli->option[OPT_CAMERA], 0, 0, &notes, &why);
    if (notes.n)
        fprintf(stderr, "%s", text_c(&notes));
    int status = *camera ? EXIT_OK : cli_error("%s", text_c(&why));
    text_free(&why);
    text_free(&notes);
    return status;
}

static int open_table(Looking *l, const char *game, bool read_file) {
    Text why = {0};
    int status = arm_of(l->cli, &l->arm);
    if (status == EXIT_OK)
        status = desk_open_game(l->cli, game, l->cli->params, l->cli->param_count, &l->desk);
    if (status != EXIT_OK)
        return status;
    l->table = table_new(l->desk.game, &l->arm, &why);
    if (!l->table)
        status = cli_error("%s", text_c(&why));
    else
        table_view(l->table, &l->view);
    const char *file = l->cli->option[OPT_TABLE_FILE];
    if (status == EXIT_OK && file && read_file)
        status = table_taught(file, l->table, &l->view);
    text_free(&why);
    return status;
}

static int place_view(Looking *l) {
    Text why = {0};
    int status = EXIT_OK;
    if (!camera_take(l->camera, &l->picture, SECONDS, &why) ||
        !table_seen(l->table, &l->picture, &l->view, NULL, &why))
        status = cli_error("%s", text_c(&why));
    text_free(&why);
    return status;
}

static void looking_close(Looking *l) {
    camera_close(l->camera);
    picture_free(&l->picture);
    table_free(l->table);
    desk_close(&l->desk);
    mem_free(l);
}

// With the words behind the command's own: a game. NULL with an exit status.
static Looking *looking_open(const Cli *cli, const char *const *words, int count, bool read_file,
                             int *status) {
    if (count != 1) {
        *status = count ? cli_usage(cli, "`%s` is one word too many", words[1])
                        : cli_usage(cli, "a game is missing");
        return NULL;
    }
    Looking *l = mem_alloc(sizeof *l);
    if (!l) {
        *status = cli_error("out of memory");
        return NULL;
    }
    l->cli = cli;
    *status = open_table(l, words[0], read_file);
    if (*status == EXIT_OK)
        *status = open_camera(cli, &l->camera);
    if (*status == EXIT_OK)
        *status = place_view(l);
    if (*status == EXIT_OK)
        return l;
    looking_close(l);
    return NULL;
}

// --- tags ---

static int print_tags(const Cli *cli, const char *const *words, int count) {
    if (count)
        return cli_usage(cli, "`%s` is one word too many", words[0]);
    Text page = {0}, why = {0};
    const char *file = cli->option[OPT_OUTPUT];
    int status = EXIT_OK;
    if (!tags_page(TAG_CM, &page))
        status = cli_error("this program was built without libapriltag: it draws no tags");
    else if (file && !file_write_atomic(file, page.s, page.n, &why))
        status = cli_error("%s", text_c(&why));
    else if (!file)
        cli_print(&page);
    text_free(&page);
    text_free(&why);
    return status;
}

// --- a picture ---

static int take_picture(const Cli *cli, const char *const *words, int count) {
    if (count != 1)
        return count ? cli_usage(cli, "`%s` is one word too many", words[1])
                     : cli_usage(cli, "to which file? picture.png, for instance");
    Camera *camera = NULL;
    Picture p = {0};
    Text why = {0};
    int status = open_camera(cli, &camera);
    if (status == EXIT_OK &&
        (!camera_take(camera, &p, SECONDS, &why) || !picture_save(&p, words[0], &why)))
        status = cli_error("%s", text_c(&why));
    else if (status == EXIT_OK)
        printf("%d x %d pixels in %s\n", p.width, p.height, words[0]);
    camera_close(camera);
    picture_free(&p);
    text_free(&why);
    return status;
}

// --- what is seen ---

static int watch(Looking *l, Watched *watched) {
    Text why = {0};
    Watcher *w = watcher_new(&l->view, FRAMES);
    int status = w ? EXIT_OK : cli_error("out of memory");
    *watched = WATCH_MORE;
    for (int i = 0; status == EXIT_OK && *watched != WATCH_STILL && i < FRAMES_MOST; i++) {
        *watched = watcher_look(w, &l->picture, &l->sight);
        if (cli_interrupted())
            status = EXIT_INPUT;
        else if (*watched != WATCH_STILL && !camera_take(l->camera, &l->picture, SECONDS, &why))
            status = cli_error("%s", text_c(&why));
    }
    watcher_free(w);
    text_free(&why);
    return status;
}

static const char *kind_name(const Looking *l, int kind) {
    return kind == SEE_NOTHING ? "nothing" : l->table->kind[kind].name;
}

static void print_text(const Looking *l, Text *out) {
    for (int i = 0; i < l->table->sites; i++) {
        const Seen *s = &l->sight.seen[i];
        text_f(out, "%-12s %-20s %3.0f %%\n", l->table->site[i].name, kind_name(l, s->kind),
               (double)s->sure * 100);
    }
    for (int i = 0; i < l->sight.blobs; i++)
        if (l->sight.blob[i].place < 0)
            text_f(out, "beside all places: %s at %.0f, %.0f in the picture\n",
                   kind_name(l, l->sight.blob[i].kind), l->sight.blob[i].x, l->sight.blob[i].y);
}

static void print_json(const Looking *l, Watched watched, Text *out) {
    text_f(out, "{\"hand\":%s,\"still\":%s,\"places\":[", l->sight.hand ? "true" : "false",
           watched == WATCH_STILL ? "true" : "false");
    for (int i = 0; i < l->table->sites; i++) {
        const Seen *s = &l->sight.seen[i];
        text_add(out, i ? ",{\"name\":" : "{\"name\":");
        text_json(out, l->table->site[i].name);
        text_add(out, ",\"seen\":");
        if (s->kind == SEE_NOTHING)
            text_add(out, "null");
        else
            text_json(out, kind_name(l, s->kind));
        text_f(out, ",\"sure\":%.4f}", (double)s->sure);
    }
    text_add(out, "],\"beside\":[");
    bool first = true;
    for (int i = 0; i < l->sight.blobs; i++) {
        const Blob *b = &l->sight.blob[i];
        if (b->place >= 0)
            continue;
        text_add(out, first ? "{\"seen\":" : ",{\"seen\":");
        text_json(out, kind_name(l, b->kind));
        text_f(out, ",\"x\":%.1f,\"y\":%.1f}", b->x, b->y);
        first = false;
    }
    text_add(out, "]}\n");
}

static int save_drawing(Looking *l, const char *path) {
    Text why = {0};
    Eye *e = eye_new(&l->view);
    int status = e ? EXIT_OK : cli_error("out of memory");
    if (e)
        eye_draw(e, &l->sight, &l->picture);
    if (e && !picture_save(&l->picture, path, &why))
        status = cli_error("%s", text_c(&why));
    eye_free(e);
    text_free(&why);
    return status;
}

static int look_at(const Cli *cli, const char *const *words, int count) {
    int status;
    Looking *l = looking_open(cli, words, count, true, &status);
    if (!l)
        return status;
    Watched watched;
    Text out = {0};
    status = watch(l, &watched);
    if (status == EXIT_OK) {
        if (watched != WATCH_STILL)
            fprintf(stderr, "ludens: %s: this may be wrong\n",
                    watched == WATCH_HAND ? "there is a hand over the board" : "something moves");
        cli->option[OPT_JSON] ? print_json(l, watched, &out) : print_text(l, &out);
        cli_print(&out);
        if (cli->option[OPT_OUTPUT])
            status = save_drawing(l, cli->option[OPT_OUTPUT]);
    }
    text_free(&out);
    looking_close(l);
    return status;
}

// --- learning ---

static int learn_here(Looking *l, const char *file, Text *why) {
    Scene scene;
    uint8_t content[VIEW_PLACES];
    if (!scene_init(&scene, l->table))
        return cli_error("out of memory");
    scene_of_state(&scene, l->desk.start);
    for (int i = 0; i < l->table->sites; i++)
        content[i] = (uint8_t)scene_top(&scene, i);
    scene_free(&scene);
    Text out = {0};
    bool ok = colours_learn(&l->view, &l->picture, content, why);
    if (ok) {
        for (int k = 0; k < l->table->kinds; k++)
            l->table->kind[k].colours = l->view.kind[k].colours;
        table_write(l->table, &l->view, &out);
        ok = !out.failed && file_write_atomic(file, out.s, out.n, why);
    }
    text_free(&out);
    return ok ? EXIT_OK : cli_error("%s", text_c(why));
}

static int learn(const Cli *cli, const char *const *words, int count) {
    const char *file = cli->option[OPT_TABLE_FILE];
    if (!file)
        return cli_usage(cli, "which --table-file shall be written?");
    struct stat is;
    bool there = stat(file, &is) == 0; // what else was taught stays
    if (there && !S_ISREG(is.st_mode))
        return cli_error("cannot write `%s`: it is not a regular file", file);
    int status;
    Looking *l = looking_open(cli, words, count, there, &status);
    if (!l)
        return status;
    Text why = {0};
    status = learn_here(l, file, &why);
    if (status == EXIT_OK)
        printf("the colours of %d kinds are in %s\n", l->table->kinds, file);
    text_free(&why);
    looking_close(l);
    return status;
}

// --- which ---

static const struct {
    const char *name;
    int (*run)(const Cli *cli, const char *const *words, int count);
} parts[] = {{"tags", print_tags}, {"take", take_picture}, {"look", look_at}, {"learn", learn}};
enum { PARTS = sizeof parts / sizeof *parts };

int cmd_camera(const Cli *cli) {
    const char *names[PARTS];
    if (cli->word_count == 0)
        return cli_usage(cli, "what shall the camera do? tags, take, look, learn");
    for (int i = 0; i < PARTS; i++) {
        names[i] = parts[i].name;
        if (strcmp(cli->words[0], parts[i].name) == 0)
            return parts[i].run(cli, (const char *const *)cli->words + 1, cli->word_count - 1);
    }
    const char *meant = text_nearest(cli->words[0], names, PARTS);
    return meant ? cli_usage(cli, "a camera cannot `%s`: did you mean `%s`?", cli->words[0], meant)
                 : cli_usage(cli, "a camera cannot `%s`", cli->words[0]);
}
