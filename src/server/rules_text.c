// rules_text: see rules_text.h.
#include "server/rules_text.h"

#include "base/mem.h"

#include <string.h>

#define TITLE_MOST 100 // bytes

// --- parameters ---

// A number or a flag may be written as such.
static bool add_value(const cJSON *item, Text *out) {
    if (cJSON_IsString(item))
        text_add(out, item->valuestring);
    else if (cJSON_IsBool(item))
        text_add(out, cJSON_IsTrue(item) ? "yes" : "no");
    else if (cJSON_IsNumber(item))
        text_f(out, "%.15g", item->valuedouble);
    else
        return false;
    return true;
}

static bool is_plain(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            return false;
    return true;
}

bool rules_read_params(const cJSON *in, char **param, int *count) {
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(in, "params"), *item;
    *count = 0;
    if (!object || cJSON_IsNull(object))
        return true;
    bool ok = cJSON_IsObject(object) && cJSON_GetArraySize(object) <= RULES_PARAMS;
    Text text = {0};
    for (item = ok ? object->child : NULL; ok && item; item = item->next) {
        text_clear(&text);
        text_f(&text, "%s=", item->string);
        ok = add_value(item, &text) && text.n <= RULES_PARAM && is_plain(text_c(&text)) &&
             (param[*count] = mem_text(text_c(&text)));
        *count += ok;
    }
    text_free(&text);
    while (!ok && *count > 0)
        mem_free(param[--*count]);
    return ok;
}

bool rules_params(Client *c, const cJSON *in, int64_t id, char **param, int *count) {
    if (rules_read_params(in, param, count))
        return true;
    client_error(c, id, "bad", NULL, "`params` is an object with at most %d short values",
                 RULES_PARAMS);
    return false;
}

// --- rules ---

static bool read_text(Rules *r, Client *c, const cJSON *in, int64_t id) {
    const char *title = "rules.game", *text;
    if (!in_text(c, id, in, "text", &text) ||
        (cJSON_GetObjectItemCaseSensitive(in, "title") && !in_text(c, id, in, "title", &title)))
        return false;
    if (strlen(title) > TITLE_MOST || !is_plain(title)) {
        client_error(c, id, "bad", NULL, "`title` has at most %d characters", TITLE_MOST);
        return false;
    }
    r->title = mem_text(title[0] ? title : "rules.game");
    r->text = mem_text(text);
    if (r->title && r->text)
        return true;
    client_error(c, id, "failed", NULL, "out of memory");
    return false;
}

static bool take_game(Rules *r, Client *c, const cJSON *in, int64_t id) {
    const char *name, *list[RULES_PARAMS];
    if (!in_text(c, id, in, "game", &name))
        return false;
    for (int i = 0; i < r->params; i++)
        list[i] = r->param[i];
    Text why = {0};
    r->game = games_take(client_hub(c), name, list, r->params, &why);
    if (!r->game)
        client_error(c, id, "gone", NULL, "%s", text_c(&why));
    else
        games_speed_up(client_hub(c), r->game);
    text_free(&why);
    return r->game != NULL;
}

bool rules_read(Rules *r, Client *c, const cJSON *in, int64_t id) {
    *r = (Rules){0};
    bool ok = rules_params(c, in, id, r->param, &r->params) &&
              (cJSON_GetObjectItemCaseSensitive(in, "text") ? read_text(r, c, in, id)
                                                            : take_game(r, c, in, id));
    if (!ok)
        rules_free(client_hub(c), r);
    return ok;
}

bool rules_compile(Rules *r, Diags *diags) {
    if (r->game)
        return true;
    const char *list[RULES_PARAMS];
    for (int i = 0; i < r->params; i++)
        list[i] = r->param[i];
    r->own = game_compile_within(RULES_SECONDS, r->title, r->text, strlen(r->text), list, r->params,
                                 diags);
    r->game = r->own;
    return r->game != NULL;
}

void rules_free(Hub *hub, Rules *r) {
    if (r->own)
        game_free(r->own);
    else if (r->game)
        games_drop(hub, r->game);
    mem_free(r->title);
    mem_free(r->text);
    for (int i = 0; i < r->params; i++)
        mem_free(r->param[i]);
    *r = (Rules){0};
}
