// games: those that are loaded, each once, with a Runner for the loop's thread; see room.h.
#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "game/library.h"
#include "server/room_inside.h"
#include "server/web.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define GAMES_SPARE 24                // that nobody uses may stay loaded
#define RULES_LIMIT ((size_t)1 << 20) // bytes of a file that is given out

typedef struct Loaded {
    struct Loaded *next; // the one used last is the first
    char *key;           // name and parameters
    Game *game;
    Runner *runner;
    int users;
    bool trusted;
} Loaded;

struct Games {
    Loaded *first;
    Text library;           // library.json
    Text refused;           // the key of a game that could not be loaded just now
    const char *refused_by; //   and the reason
};

static Games *games_of(const Hub *hub) {
    return hub_rooms(hub)->games;
}

bool games_begin(Hub *hub, Text *why) {
    Rooms *rooms = hub_rooms(hub);
    rooms->games = mem_alloc(sizeof *rooms->games);
    if (!rooms->games)
        text_add(why, "out of memory");
    return rooms->games != NULL;
}

static void unload(Loaded *l) {
    runner_free(l->runner);
    game_free(l->game);
    mem_free(l->key);
    mem_free(l);
}

void games_end(Hub *hub) {
    Games *games = games_of(hub);
    if (!games)
        return;
    while (games->first) {
        Loaded *next = games->first->next;
        unload(games->first);
        games->first = next;
    }
    text_free(&games->library);
    text_free(&games->refused);
    mem_free(games);
}

void games_sweep(Hub *hub) {
    int spare = 0;
    for (Loaded **link = &games_of(hub)->first; *link;) {
        Loaded *l = *link;
        if (l->users == 0 && ++spare > GAMES_SPARE) {
            *link = l->next;
            unload(l);
        } else {
            link = &l->next;
        }
    }
}

// --- finding ---

static Loaded *find_game(const Games *games, const Game *game) {
    for (Loaded *l = games->first; l; l = l->next)
        if (l->game == game)
            return l;
    return NULL;
}

// Moves to the front what was found.
static Loaded *find_key(Games *games, const char *key) {
    for (Loaded **link = &games->first; *link; link = &(*link)->next) {
        Loaded *l = *link;
        if (strcmp(l->key, key) != 0)
            continue;
        *link = l->next;
        l->next = games->first;
        games->first = l;
        return l;
    }
    return NULL;
}

// The one among the server's own files with this name; NULL: none.
static const char *own_file(const Hub *hub, const char *name) {
    const ServerOptions *options = hub_options(hub);
    for (int i = 0; i < options->game_count; i++) {
        const char *slash = strrchr(options->games[i], '/');
        const char *plain = slash ? slash + 1 : options->games[i];
        const char *dot = strrchr(plain, '.');
        size_t n = dot && dot > plain && dot[1] ? (size_t)(dot - plain) : strlen(plain);
        if (strlen(name) == n && strncmp(name, plain, n) == 0)
            return options->games[i];
    }
    return NULL;
}

static bool in_library(const char *name) {
    for (int i = 0; i < library_count; i++)
        if (strcmp(library_games[i].name, name) == 0)
            return true;
    return false;
}

static void first_message(const Diags *diags, Text *why) {
    for (int i = 0; i < diags->count; i++) {
        const Diag *d = &diags->items[i];
        if (d->severity != SEV_ERROR)
            continue;
        if (d->span.line > 0)
            text_f(why, "line %d: ", d->span.line);
        text_add(why, d->message);
        if (d->help)
            text_f(why, "; %s", d->help);
        return;
    }
    text_add(why, "out of memory");
}

// Whoever is told of the game can ask for it by this name again.
static Game *named_upload(Game *g, const char *hash, Diags *diags) {
    char *name = g ? mem_alloc(strlen(hash) + 2) : NULL;
    if (!g)
        return NULL;
    if (!name) {
        diags->source = NULL;
        game_free(g);
        return NULL;
    }
    name[0] = '@';
    memcpy(name + 1, hash, strlen(hash));
    mem_free((char *)g->name);
    g->name = name;
    return g;
}

Game *games_compile(const char *name, const char *title, const char *text,
                    const char *const *params, int count, Text *why) {
    Diags diags = {0};
    Game *g = game_compile_within(GAMES_SETUP, title, text, strlen(text), params, count, &diags);
    g = named_upload(g, name + 1, &diags);
    if (!g)
        first_message(&diags, why);
    diag_free(&diags);
    return g;
}

// Where nobody could wait for it: see games_wait.h.
static Game *load_upload(Hub *hub, const char *name, const char *const *params, int count,
                         Text *why) {
    Text title = {0};
    char *text = store_find_rules(hub_rooms(hub)->store, name + 1, &title);
    Game *g = NULL;
    if (text)
        g = games_compile(name, title.n ? text_c(&title) : "rules.game", text, params, count, why);
    else
        text_add(why, "there is no such game any more");
    mem_free(text);
    text_free(&title);
    return g;
}

// Paths are never taken from a page: a game is of the library, of the server's files, or uploaded.
static Game *load(Hub *hub, const char *name, const char *const *params, int count, Text *why) {
    Diags diags = {0};
    Game *g = NULL;
    const char *file = own_file(hub, name);
    if (name[0] == '@')
        g = load_upload(hub, name, params, count, why);
    else if (file || in_library(name))
        g = game_load(file ? file : name, params, count, &diags);
    else
        text_f(why, "there is no game `%.40s`", name);
    if (!g && !why->n)
        first_message(&diags, why);
    diag_free(&diags);
    return g;
}

// Takes the game.
static Loaded *add_loaded(Games *games, Game *g, const char *key, Text *why) {
    bool trusted = key[0] != '@';
    Loaded *l = mem_alloc(sizeof *l);
    Runner *r = runner_new(g);
    char *copy = mem_text(key);
    if (!l || !r || !copy) {
        mem_free(l);
        runner_free(r);
        mem_free(copy);
        game_free(g);
        text_add(why, "out of memory");
        return NULL;
    }
    *l = (Loaded){games->first, copy, g, r, 0, trusted};
    games->first = l;
    return l;
}

static Loaded *load_new(Hub *hub, const char *name, const char *const *params, int count,
                        const char *key, Text *why) {
    Games *games = games_of(hub);
    if (games->refused.n && strcmp(key, text_c(&games->refused)) == 0) {
        text_add(why, games->refused_by);
        return NULL;
    }
    Game *g = load(hub, name, params, count, why);
    return g ? add_loaded(games, g, key, why) : NULL;
}

static void make_key(const char *name, const char *const *params, int count, Text *key) {
    text_add(key, name);
    for (int i = 0; i < count; i++)
        text_f(key, "\n%s", params[i]);
}

const Game *games_take(Hub *hub, const char *name, const char *const *params, int count,
                       Text *why) {
    Text key = {0};
    make_key(name, params, count, &key);
    Loaded *l = NULL;
    if (key.failed)
        text_add(why, "out of memory");
    else if (!(l = find_key(games_of(hub), text_c(&key))))
        l = load_new(hub, name, params, count, text_c(&key), why);
    text_free(&key);
    if (!l)
        return NULL;
    l->users++;
    return l->game;
}

bool games_has(const Hub *hub, const char *name, const char *const *params, int count) {
    Text key = {0};
    make_key(name, params, count, &key);
    bool found = !key.failed && find_key(games_of(hub), text_c(&key));
    text_free(&key);
    return found;
}

void games_put(Hub *hub, const char *name, const char *const *params, int count, Game *game,
               const char *why) {
    Games *games = games_of(hub);
    Text key = {0}, ignored = {0};
    make_key(name, params, count, &key);
    if (!game || key.failed || find_key(games, text_c(&key))) // somebody else was sooner
        game_free(game);
    else
        add_loaded(games, game, text_c(&key), &ignored);
    if (!game) {
        games->refused = key;
        games->refused_by = why;
        key = (Text){0};
    }
    text_free(&key);
    text_free(&ignored);
}

void games_put_over(Hub *hub) {
    text_free(&games_of(hub)->refused);
}

const Game *games_take_list(Hub *hub, const char *name, char *const *params, int count, Text *why) {
    const char *list[ROOM_PARAMS];
    for (int i = 0; i < count && i < ROOM_PARAMS; i++)
        list[i] = params[i];
    return games_take(hub, name, list, count, why);
}

void games_hold(Hub *hub, const Game *game) {
    Loaded *l = find_game(games_of(hub), game);
    if (l)
        l->users++;
}

void games_drop(Hub *hub, const Game *game) {
    Loaded *l = game ? find_game(games_of(hub), game) : NULL;
    if (l && l->users > 0)
        l->users--;
}

bool games_trusted(const Hub *hub, const Game *game) {
    const Loaded *l = find_game(games_of(hub), game);
    return l && l->trusted;
}

Runner *games_runner(const Hub *hub, const Game *game, double seconds) {
    Loaded *l = find_game(games_of(hub), game);
    if (l && !l->trusted)
        runner_limit(l->runner, GAMES_STEPS, seconds);
    return l ? l->runner : NULL;
}

// Not before: who only looks at the library does not start thirty compilers.
void games_speed_up(Hub *hub, const Game *game) {
    Loaded *l = find_game(games_of(hub), game);
    Text ignored = {0};
    if (l && (l->trusted || hub_options(hub)->native))
        game_use(l->game, BACKEND_AUTO, &ignored); // without machine code the rules are interpreted
    text_free(&ignored);
}

// What somebody uploaded is not given out: who plays it need not see how it is written.
bool games_rules(const Hub *hub, const char *name, Text *out, Text *why) {
    const char *file = own_file(hub, name);
    if (file) {
        size_t size = 0;
        char *text = file_read_regular(file, RULES_LIMIT, &size, why);
        if (text)
            text_add_n(out, text, size);
        mem_free(text);
        return text != NULL;
    }
    for (int i = 0; i < library_count; i++)
        if (strcmp(library_games[i].name, name) == 0) {
            text_add_n(out, library_games[i].text, library_games[i].size);
            return true;
        }
    text_f(why, "there is no game `%.40s` in the library", name);
    return false;
}

// --- uploads ---

// Not a secret and not safe against forgers: texts are compared as well.
static void hash_text(const char *text, uint64_t salt, char hash[33]) {
    uint64_t a = 0x6C7564656E730000u + salt, b = ~a;
    for (const char *s = text; *s; s++) {
        a ^= (unsigned char)*s;
        rng_splitmix(&a);
        a = rng_splitmix(&a);
        b = (b ^ a) * 0xD6E8FEB86659FD93u;
        b ^= b >> 32;
    }
    snprintf(hash, 33, "%016llx%016llx", (unsigned long long)a, (unsigned long long)b);
}

bool games_keep(Hub *hub, const char *title, const char *text, char name[40], Text *why) {
    Store *store = hub_rooms(hub)->store;
    char hash[33];
    for (uint64_t salt = 0;; salt++) {
        hash_text(text, salt, hash);
        Text ignored = {0};
        char *there = store_find_rules(store, hash, &ignored);
        text_free(&ignored);
        bool same = there && strcmp(there, text) == 0, free_name = !there;
        mem_free(there);
        snprintf(name, 40, "@%s", hash);
        if (same)
            return true;
        if (!free_name)
            continue;
        bool ok = store_rules(store, hash, title, text, why);
        hub_rooms(hub)->broken |= !ok;
        return ok;
    }
}

// --- for HTTP ---

// Of games that cannot be loaded there is none.
static void add_card(const char *name, Text *out) {
    Diags diags = {0};
    Game *g = game_load(name, NULL, 0, &diags);
    if (g) {
        text_add(out, ",\n");
        describe_card(g, 0, out);
    }
    game_free(g);
    diag_free(&diags);
}

// What was worked out about the library, with the cards of the server's own games at the end.
static void make_library(const ServerOptions *options, Text *list) {
    static const char tail[] = "],\"version\":\"" LUDENS_VERSION "\"}";
    Answer library = {0};
    web_inside("library.json", false, &library);
    if (library.size < strlen(tail)) {
        list->failed = true;
        return;
    }
    text_add_n(list, library.data, library.size - strlen(tail));
    for (int i = 0; i < options->game_count; i++)
        if (!in_library(options->games[i]))
            add_card(options->games[i], list);
    text_add(list, tail);
}

bool games_library(Hub *hub, Text *out, Text *why) {
    Text *list = &games_of(hub)->library;
    if (!list->n)
        make_library(hub_options(hub), list);
    if (!list->failed) {
        text_add_n(out, list->s, list->n);
        return true;
    }
    text_add(why, "out of memory");
    text_free(list);
    return false;
}

bool games_is_usual(const Hub *hub, const char *name) {
    return !own_file(hub, name) && in_library(name);
}

// --- pictures ---

static bool names_picture(const Look *look, const char *file) {
    bool named = look->board_picture && strcmp(look->board_picture, file) == 0;
    for (int i = 0; i < look->pieces; i++)
        for (int k = 0; k < look->piece[i].states; k++) {
            const char *f = look->piece[i].picture[k].file;
            named = named || (f && strcmp(f, file) == 0);
        }
    for (int i = 0; i < look->place_types; i++) {
        const char *f = look->place_type[i].picture.file;
        named = named || (f && strcmp(f, file) == 0);
    }
    return named;
}

bool games_picture(Hub *hub, const char *game, const char *file, Text *path, Text *why) {
    static const char *const folders[] = {"../images", "images", "."};
    const char *rules = own_file(hub, game);
    const Game *g = rules ? games_take(hub, game, NULL, 0, why) : NULL;
    bool found = false;
    if (g && g->ir->look && names_picture(g->ir->look, file)) {
        const char *slash = strrchr(rules, '/');
        int n = slash ? (int)(slash - rules) : 1;
        for (int i = 0; i < 3 && !found; i++) {
            struct stat info;
            text_clear(path);
            text_f(path, "%.*s/%s/%s", n, slash ? rules : ".", folders[i], file);
            found = stat(text_c(path), &info) == 0 && S_ISREG(info.st_mode);
        }
    }
    games_drop(hub, g);
    if (!found && !why->n)
        text_add(why, "there is no such picture");
    return found;
}
