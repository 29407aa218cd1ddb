// pages: what is answered to a request over HTTP; see pages.h.
#include "server/pages.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "server/parts.h"
#include "server/rates.h"
#include "server/room.h"
#include "server/web.h"
#include "vision/view.h"

#include <stdio.h>
#include <string.h>

#define PICTURE_LIMIT ((size_t)8 << 20) // bytes of a picture: more than a photo of a board needs

const char *answer_data(const Answer *a, size_t *size) {
    *size = a->data ? a->size : a->text.n;
    return a->data ? a->data : text_c(&a->text);
}

void answer_free(Answer *a) {
    text_free(&a->text);
    *a = (Answer){0};
}

void answer_error(Answer *a, int status, const char *format, ...) {
    Text sentence = {0};
    va_list args;
    va_start(args, format);
    text_vf(&sentence, format, args);
    va_end(args);
    answer_free(a);
    a->status = status;
    a->type = "application/json";
    a->private = true;
    text_add(&a->text, "{\"error\":");
    text_json(&a->text, text_c(&sentence));
    text_char(&a->text, '}');
    text_free(&sentence);
}

static const char *query_value(const Request *r, const char *name) {
    size_t n = strlen(name);
    for (int i = 0; i < r->query_count; i++)
        if (strncmp(r->query[i], name, n) == 0 && r->query[i][n] == '=')
            return r->query[i] + n + 1;
    return NULL;
}

// Tells whether a game looks as it did.
static void tag_text(Answer *a) {
    uint64_t hash = hash_bytes(HASH_START, a->text.s, a->text.n);
    snprintf(a->tag, sizeof a->tag, "%016llx", (unsigned long long)hash);
}

static void finish(Answer *a, bool ok, const char *type, int status, Text *why) {
    if (!ok || a->text.failed) {
        answer_error(a, ok ? 500 : status, "%s", ok ? "out of memory" : text_c(why));
    } else {
        a->status = 200;
        a->type = type;
        tag_text(a);
    }
    text_free(why);
}

static void page_library(Hub *hub, const Request *r, Answer *a) {
    if (hub_options(hub)->game_count == 0 && web_inside("library.json", r->packed, a))
        return;
    Text why = {0};
    bool ok = games_library(hub, &a->text, &why);
    finish(a, ok, "application/json", 500, &why);
}

// A game of the library with its usual parameters was described when the program was built.
static bool usual_game(Hub *hub, const char *name, const Request *r, Answer *a) {
    char file[64];
    int n = snprintf(file, sizeof file, "game/%s.json", name);
    return r->query_count == 1 && n < (int)sizeof file && games_is_usual(hub, name) &&
           web_inside(file, r->packed, a);
}

// All of the query but the name of the game are parameters; one of these may be called `game` too,
// so only the first is the name. The list is to be freed; NULL: out of memory.
static const char **game_params(const Request *r, int *count) {
    const char **params = mem_alloc(sizeof *params * (size_t)(r->query_count + 1));
    bool named = false;
    *count = 0;
    for (int i = 0; params && i < r->query_count; i++) {
        bool name = !named && strncmp(r->query[i], "game=", 5) == 0;
        named = named || name;
        if (!name)
            params[(*count)++] = r->query[i];
    }
    return params;
}

static void page_game(Hub *hub, const Request *r, Answer *a) {
    const char *name = query_value(r, "game");
    if (name && usual_game(hub, name, r, a))
        return;
    int count;
    const char **params = game_params(r, &count);
    if (!name || !params) {
        answer_error(a, name ? 500 : 400, "%s", name ? "out of memory" : "`game` is missing");
        mem_free(params);
        return;
    }
    Text why = {0};
    const Game *game = games_take(hub, name, params, count, &why);
    if (game)
        describe_game(game, &a->text);
    finish(a, game != NULL, "application/json", 404, &why);
    if (game)
        games_drop(hub, game);
    mem_free(params);
}

static void page_rules(Hub *hub, const Request *r, Answer *a) {
    const char *game = query_value(r, "game");
    if (!game) {
        answer_error(a, 400, "`game` is missing");
        return;
    }
    Text why = {0};
    bool ok = games_rules(hub, game, &a->text, &why);
    finish(a, ok, "text/plain; charset=utf-8", 404, &why);
}

static void page_picture(Hub *hub, const Request *r, Answer *a) {
    const char *game = query_value(r, "game"), *file = query_value(r, "file");
    const char *type = file ? web_type(file) : NULL;
    if (!game || !file) {
        answer_error(a, 400, "`game` and `file` are needed");
        return;
    }
    if (!type || strncmp(type, "image/", 6) != 0) {
        answer_error(a, 404, "there is no such picture");
        return;
    }
    Text why = {0}, path = {0};
    size_t size = 0;
    char *data = NULL;
    if (games_picture(hub, game, file, &path, &why) && !path.failed)
        data = file_read_regular(text_c(&path), PICTURE_LIMIT, &size, &why);
    if (data)
        text_add_n(&a->text, data, size);
    mem_free(data);
    text_free(&path);
    text_clear(&why); // it may name folders of the server
    text_add(&why, "there is no such picture");
    finish(a, data != NULL, type, 404, &why);
}

static GamesWait *wait_game(Hub *hub, const Request *r, GamesThen *then, void *with) {
    const char *name = query_value(r, "game");
    int count;
    const char **params = name ? game_params(r, &count) : NULL;
    GamesWait *w =
        params ? games_wait_game(hub, r->address, name, params, count, then, with) : NULL;
    mem_free(params);
    return w;
}

static GamesWait *wait_record(Hub *hub, const Request *r, GamesThen *then, void *with) {
    return games_wait_room(hub, r->address, r->path + strlen("/record/"), then, with);
}

static void page_record(Hub *hub, const Request *r, Answer *a) {
    Text why = {0};
    bool ok = room_text(hub, r->path + strlen("/record/"), &a->text, &why);
    finish(a, ok, "text/plain; charset=utf-8", 404, &why);
    a->private = true;
}

static void page_contest(Hub *hub, const Request *r, Answer *a) {
    const char *title = query_value(r, "title");
    if (!title) {
        answer_error(a, 400, "`title` is missing");
        return;
    }
    Text why = {0};
    bool ok = watch_contest(hub, title, &a->text, &why);
    finish(a, ok, "application/json", 404, &why);
    a->private = true;
}

// Without games of the server's own the page comes with the list of games.
static void page_first(Hub *hub, const Request *r, Answer *a) {
    const ServerOptions *options = hub_options(hub);
    if (options->web || options->game_count > 0 || !web_inside("first.html", r->packed, a))
        web_answer(options->web, "/index.html", r->packed, a);
}

static void page_robot(Hub *hub, const Request *r, Answer *a) {
    const char *drawn = query_value(r, "drawn");
    Text why = {0};
    bool ok = teach_picture(hub, drawn && strcmp(drawn, "1") == 0, &a->text, &why);
    finish(a, ok, "image/jpeg", 404, &why);
    a->private = true;
}

static void page_tags(Hub *hub, const Request *r, Answer *a) {
    Text why = {0};
    (void)hub, (void)r;
    bool ok = tags_page(TAG_CM, &a->text);
    if (!ok)
        text_add(&why, "this program was built without libapriltag: it draws no tags");
    finish(a, ok, "image/svg+xml", 404, &why);
}

typedef void Page(Hub *hub, const Request *r, Answer *a);
typedef GamesWait *PageWait(Hub *hub, const Request *r, GamesThen *then, void *with);

static const struct PageRow {
    const char *path; // one that ends with a slash stands for all that begin so
    Page *answer;
    PageWait *wait; // NULL: it never does
} pages[] = {
    {"/library.json", page_library, NULL}, {"/game.json", page_game, wait_game},
    {"/picture", page_picture, NULL},      {"/record/", page_record, wait_record},
    {"/contest.json", page_contest, NULL}, {"/robot/picture.jpg", page_robot, NULL},
    {"/rules", page_rules, NULL},          {"/robot/tags.svg", page_tags, NULL},
};

static const struct PageRow *find_page(const char *path) {
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        size_t n = strlen(pages[i].path);
        bool many = pages[i].path[n - 1] == '/';
        if (many ? strncmp(path, pages[i].path, n) == 0 : strcmp(path, pages[i].path) == 0)
            return &pages[i];
    }
    return NULL;
}

// Unlike files these are work, and nobody may take all of the loop's time.
static void answer_page(Hub *hub, const Request *r, Answer *a, Page *page) {
    void *visit = hub_visit(hub, r->address);
    if (!visit) {
        answer_error(a, 503, "that is more than can be answered at once");
        return;
    }
    double begin = rates_work();
    page(hub, r, a);
    hub_visited(visit, rates_work() - begin);
}

GamesWait *pages_wait(Hub *hub, const Request *request, GamesThen *then, void *with) {
    const struct PageRow *page = find_page(request->path);
    void *visit = page && page->wait ? hub_visit(hub, request->address) : NULL;
    if (!visit) // who asked for too much is told so instead of an answer
        return NULL;
    double begin = rates_work();
    GamesWait *w = page->wait(hub, request, then, with);
    hub_visited(visit, rates_work() - begin);
    return w;
}

void pages_answer(Hub *hub, const Request *request, Answer *out) {
    *out = (Answer){0};
    const struct PageRow *page = find_page(request->path);
    if (page) {
        answer_page(hub, request, out, page->answer);
        return;
    }
    if (strcmp(request->path, "/") == 0)
        page_first(hub, request, out);
    else
        web_answer(hub_options(hub)->web, request->path, request->packed, out);
}
