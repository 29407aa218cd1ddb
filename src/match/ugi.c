// ugi: see ugi.h.
#include "match/ugi_parts.h"

#include "search/player.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INFO_SECONDS 0.05 // between two pieces of news, at least
#define SEED_MOST 9007199254740991

// --- saying ---

void ugi_say(Ugi *u, const Text *line) {
    pthread_mutex_lock(&u->saying);
    if (!line->failed)
        u->setup.say(u->setup.with, text_c(line), line->n);
    pthread_mutex_unlock(&u->saying);
}

void ugi_say_f(Ugi *u, const char *format, ...) {
    Text line = {0};
    va_list args;
    va_start(args, format);
    text_vf(&line, format, args);
    va_end(args);
    for (size_t i = 0; i < line.n; i++)
        if (line.s[i] == '\n' || line.s[i] == '\r')
            line.s[i] = ' ';
    ugi_say(u, &line);
    text_free(&line);
}

void ugi_say_error(Ugi *u, const char *why) {
    ugi_say_f(u, "info string error: %s", why);
}

// --- the game ---

static void drop_game(Ugi *u) {
    player_free(u->player);
    record_free(u->record);
    runner_free(u->talker);
    runner_free(u->runner);
    game_free(u->game);
    u->player = NULL;
    u->record = NULL;
    u->runner = u->talker = NULL;
    u->game = NULL;
    text_clear(&u->position);
}

// Without the new game the old one stays.
static bool set_game(Ugi *u, const char *text, Text *why) {
    Ugi next = {.game = protocol_read_game(text, why)};
    if (!next.game)
        return false;
    next.runner = runner_new(next.game);
    next.talker = runner_new(next.game);
    next.record = next.runner ? record_new(next.runner, NULL) : NULL;
    if (!next.record || !next.talker) {
        text_add(why, "out of memory");
        drop_game(&next);
        return false;
    }
    Text ignored = {0};
    if (u->setup.player && u->setup.backend != BACKEND_INTERP)
        game_use(next.game, u->setup.backend, &ignored); // without it, it is slower
    text_free(&ignored);
    drop_game(u);
    u->game = next.game;
    u->runner = next.runner;
    u->talker = next.talker;
    u->record = next.record;
    return true;
}

static bool need_player(Ugi *u, Text *why) {
    if (!u->player)
        u->player = player_new(u->game, text_c(&u->player_text), why);
    return u->player != NULL;
}

static bool set_player(Ugi *u, const char *text, Text *why) {
    Player *player = player_new(u->game, text, why);
    if (!player)
        return false;
    player_free(u->player);
    u->player = player;
    text_clear(&u->player_text);
    text_add(&u->player_text, text);
    return !u->player_text.failed;
}

// --- searching ---

static void say_info(Ugi *u, const SearchResult *r) {
    Text line = {0};
    long ms = (long)(r->seconds * 1000);
    text_f(&line, "info depth %d time %ld nodes %lld nps %.0f score ", r->depth, ms,
           (long long)r->nodes, r->seconds > 0 ? (double)r->nodes / r->seconds : 0.0);
    protocol_score(r->value, &line);
    uint64_t room[IR_MAX_STATE / 8];
    uint8_t *state = (uint8_t *)room;
    memcpy(state, record_now(u->record), (size_t)game_state_size(u->game));
    text_add(&line, r->line_length > 0 ? " pv" : "");
    for (int i = 0; i < r->line_length; i++) {
        text_char(&line, ' ');
        if (!protocol_move(u->talker, state, r->line[i], &line) ||
            !runner_apply(u->talker, state, r->line[i], state))
            break;
    }
    ugi_say(u, &line);
    text_free(&line);
}

static void tell(void *with, const SearchResult *so_far) {
    Ugi *u = with;
    if (!so_far->found || so_far->seconds - u->told < INFO_SECONDS)
        return;
    u->told = so_far->seconds;
    say_info(u, so_far);
}

static void wait_for_stop(Ugi *u) {
    while (u->go.infinite && !atomic_load(&u->stop))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void *search(void *with) {
    Ugi *u = with;
    SearchTask task = {.record = u->record, .stop = &u->stop, .seed = u->seed, .tell = tell};
    task.with = u;
    task.limits = (Limits){.seconds = u->go.move, .nodes = u->go.nodes, .depth = u->go.depth};
    if (u->go.infinite)
        task.limits.seconds = 1e7;
    else if (u->go.clocks) {
        int me = game_player(u->game, record_now(u->record));
        double share = timing_share(u->player, u->record, u->go.left[me], u->go.increment[me]);
        if (task.limits.seconds <= 0 || share < task.limits.seconds)
            task.limits.seconds = share;
    }
    SearchResult *result = mem_alloc(sizeof *result);
    Text line = {0};
    text_add(&line, "bestmove ");
    u->told = 0;
    bool found = result && player_search(u->player, &task, result);
    if (found)
        say_info(u, result);
    wait_for_stop(u);
    if (!found || !protocol_move(u->talker, record_now(u->record), result->move, &line))
        text_add(&line, "none");
    ugi_say(u, &line);
    text_free(&line);
    mem_free(result);
    return NULL;
}

static void end_search(Ugi *u, bool at_once) {
    if (!u->searching)
        return;
    if (at_once)
        atomic_store(&u->stop, true);
    pthread_join(u->thread, NULL);
    u->searching = false;
}

static void go(Ugi *u, const char *rest) {
    Text why = {0};
    protocol_read_go(rest, &u->go);
    atomic_store(&u->stop, false);
    bool ok = false;
    if (!u->setup.player)
        text_add(&why, "this is a rules server: it does not search");
    else if (!u->record)
        text_add(&why, "there is no position");
    else
        ok = need_player(u, &why);
    if (ok && pthread_create(&u->thread, NULL, search, u) != 0) {
        text_add(&why, "no thread can be had to search");
        ok = false;
    }
    u->searching = ok;
    if (!ok) {
        ugi_say_error(u, text_c(&why));
        ugi_say_f(u, "bestmove none");
    }
    text_free(&why);
}

// --- lines ---

static void introduce(Ugi *u) {
    ugi_say_f(u, "id name %s", u->setup.name);
    ugi_say_f(u, "id author the authors of Ludens");
    ugi_say_f(u, "option name Game type string default %s", u->setup.game);
    if (u->setup.player) {
        ugi_say_f(u, "option name Player type string default %s", u->setup.player);
        ugi_say_f(u, "option name Seed type spin default 0 min 0 max %lld", (long long)SEED_MOST);
    }
    ugi_say_f(u, "ugiok");
}

// setoption name N value V; names of options have no blanks here.
static void set_option(Ugi *u, const char *rest) {
    size_t n, name_n;
    const char *s = protocol_word(rest, &n);
    bool named = protocol_is(s, n, "name");
    const char *name = protocol_word(s + n, &name_n);
    const char *value = protocol_word(name + name_n, &n);
    Text why = {0}, copy = {0};
    bool ok = true, formed = named && protocol_is(value, n, "value");
    text_add(&copy, formed ? value + n + strspn(value + n, " \t") : "");
    while (copy.n > 0 && strchr(" \t\r\n", copy.s[copy.n - 1]))
        copy.s[--copy.n] = '\0';
    if (!formed) {
        text_add(&why, "write `setoption name NAME value VALUE`");
        ok = false;
    } else if (protocol_is(name, name_n, "Game")) {
        ok = set_game(u, text_c(&copy), &why);
    } else if (protocol_is(name, name_n, "Player") && u->setup.player) {
        ok = set_player(u, text_c(&copy), &why);
    } else if (protocol_is(name, name_n, "Seed") && u->setup.player) {
        char *end;
        long long seed = strtoll(text_c(&copy), &end, 10);
        ok = end != text_c(&copy) && !*end && seed >= 0 && seed <= SEED_MOST;
        if (ok)
            u->seed = (uint64_t)seed;
        else
            text_add(&why, "Seed is a number");
    }
    if (!ok)
        ugi_say_error(u, text_c(&why));
    text_free(&why);
    text_free(&copy);
}

// What a position adds to the last one, if it goes on with it; else NULL. Games grow by a move or
// two each time, and moves take long to be understood where there are thousands.
static const char *moves_added(const Ugi *u, const char *text) {
    size_t known = u->position.n, n;
    if (!u->record || known == 0 || strncmp(text, u->position.s, known) != 0)
        return NULL;
    const char *rest = text + known, *word = protocol_word(rest, &n);
    if (*rest != ' ')
        return NULL;
    if (record_length(u->record) > 0)
        return rest;
    return protocol_is(word, n, "moves") ? word + n : NULL;
}

static void set_position(Ugi *u, const char *rest) {
    Text why = {0};
    const char *text = rest + strspn(rest, " \t"), *added = moves_added(u, text);
    Record *next = u->record;
    if (!added)
        next = protocol_read_position(u->runner, text, &why);
    bool ok = next && (!added || protocol_play(u->runner, next, added, &why));
    if (!added || !ok)
        record_free(u->record);
    u->record = ok ? next : NULL;
    text_clear(&u->position);
    if (ok)
        text_add_n(&u->position, text, strcspn(text, "\r\n"));
    else
        ugi_say_error(u, text_c(&why));
    while (u->position.n > 0 && strchr(" \t", u->position.s[u->position.n - 1]))
        u->position.s[--u->position.n] = '\0';
    if (u->position.failed)
        text_clear(&u->position);
    text_free(&why);
}

static void new_game(Ugi *u) {
    player_free(u->player); // what it remembers is of another game
    u->player = NULL;
    record_free(u->record);
    u->record = record_new(u->runner, NULL);
    text_clear(&u->position);
}

// What takes time before a search does it now: nobody's clock runs.
static void be_ready(Ugi *u) {
    Text ignored = {0}; // `go` says it
    if (u->setup.player && !u->searching)
        need_player(u, &ignored);
    text_free(&ignored);
    ugi_say_f(u, "readyok");
}

typedef enum UgiCommand {
    UGI_UGI,
    UGI_READY,
    UGI_OPTION,
    UGI_NEW,
    UGI_POSITION,
    UGI_GO,
    UGI_STOP,
    UGI_QUERY,
    UGI_SHOW,
    UGI_QUIT,
    UGI_COMMANDS
} UgiCommand;
static const char *const commands[UGI_COMMANDS] = {
    "ugi", "isready", "setoption", "uginewgame", "position", "go", "stop", "query", "show", "quit",
};

// The first word that is a command; what stands before it is left out, as UCI wants it.
static int find_command(const char *line, const char **rest) {
    size_t n;
    for (const char *s = protocol_word(line, &n); n > 0; s = protocol_word(s + n, &n))
        for (int i = 0; i < UGI_COMMANDS; i++)
            if (protocol_is(s, n, commands[i])) {
                *rest = s + n;
                return i;
            }
    return -1;
}

bool ugi_line(Ugi *u, const char *line) {
    const char *rest = "";
    int command = find_command(line, &rest);
    if (command >= 0 && command != UGI_READY)
        end_search(u, true);
    switch (command) {
    case UGI_UGI: introduce(u); break;
    case UGI_READY: be_ready(u); break;
    case UGI_OPTION: set_option(u, rest); break;
    case UGI_NEW: new_game(u); break;
    case UGI_POSITION: set_position(u, rest); break;
    case UGI_GO: go(u, rest); break;
    case UGI_QUERY: ugi_query(u, rest); break;
    case UGI_SHOW: ugi_show(u); break;
    case UGI_QUIT: u->quit = true; break;
    default: break;
    }
    return !u->quit;
}

void ugi_too_long(Ugi *u) {
    ugi_say_f(u, "info string error: a line of more than %zu bytes was left out", PROTOCOL_LINE);
}

void ugi_finish(Ugi *u) {
    end_search(u, u->go.infinite);
}

Ugi *ugi_new(const UgiSetup *setup, Text *why) {
    Ugi *u = mem_alloc(sizeof *u);
    if (!u) {
        text_add(why, "out of memory");
        return NULL;
    }
    u->setup = *setup;
    pthread_mutex_init(&u->saying, NULL);
    bool ok = set_game(u, setup->game, why);
    if (ok && setup->player) {
        ok = set_player(u, setup->player, why);
    }
    if (ok)
        return u;
    ugi_free(u);
    return NULL;
}

void ugi_free(Ugi *u) {
    if (!u)
        return;
    end_search(u, true);
    drop_game(u);
    pthread_mutex_destroy(&u->saying);
    text_free(&u->player_text);
    text_free(&u->position);
    mem_free(u);
}
