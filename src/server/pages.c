// pages: what is answered to a request over HTTP; see pages.h.
#include "server/pages.h"

#include "base/file.h"
#include "base/mem.h"
#include "server/parts.h"
#include "server/rates.h"
#include "server/room.h"
#include "server/web.h"

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

// FNV-1a: good enough to tell whether a game looks as it did.
static void tag_text(Answer *a) {
    unsigned long long hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < a->text.n; i++)
        hash = (hash ^ (unsigned char)a->text.s[i]) * 0x100000001B3u;
    snprintf(a->tag, sizeof a->tag, "%016llx", hash);
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
    (void)r;
    Text why = {0};
    bool ok = games_library(hub, &a->text, &why);
    finish(a, ok, "application/json", 500, &why);
}

// All of the query but `game` are parameters.
static void page_game(Hub *hub, const Request *r, Answer *a) {
    const char *name = query_value(r, "game");
    const char **params = mem_alloc(sizeof *params * (size_t)(r->query_count + 1));
    if (!name || !params) {
        answer_error(a, name ? 500 : 400, "%s", name ? "out of memory" : "`game` is missing");
        mem_free(params);
        return;
    }
    int count = 0;
    for (int i = 0; i < r->query_count; i++)
        if (strncmp(r->query[i], "game=", 5) != 0)
            params[count++] = r->query[i];
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
        data = file_read(text_c(&path), PICTURE_LIMIT, &size, &why);
    if (data)
        text_add_n(&a->text, data, size);
    mem_free(data);
    text_free(&path);
    text_clear(&why); // it may name folders of the server
    text_add(&why, "there is no such picture");
    finish(a, data != NULL, type, 404, &why);
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

typedef void Page(Hub *hub, const Request *r, Answer *a);

static const struct PageRow {
    const char *path; // one that ends with a slash stands for all that begin so
    Page *answer;
} pages[] = {
    {"/library.json", page_library}, {"/game.json", page_game},       {"/picture", page_picture},
    {"/record/", page_record},       {"/contest.json", page_contest}, {"/rules", page_rules},
};

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

void pages_answer(Hub *hub, const Request *request, Answer *out) {
    *out = (Answer){0};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        size_t n = strlen(pages[i].path);
        bool many = pages[i].path[n - 1] == '/';
        if (many ? strncmp(request->path, pages[i].path, n) == 0
                 : strcmp(request->path, pages[i].path) == 0) {
            answer_page(hub, request, out, pages[i].answer);
            return;
        }
    }
    web_answer(hub_options(hub)->web, request->path, request->packed, out);
}
