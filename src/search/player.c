// player: the table of players, making one from its text, and asking it; see search.h.
#include "search/evaluate.h"
#include "search/levels.h"
#include "search/parameters.h"

#include <string.h>

static const PlayerKind kinds[] = {
#define X(function, name, options, usual, begin, end, help)                                        \
    {name, help, options, usual, search_##function, begin, end},
    SEARCH_PLAYERS(X)
#undef X
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const PlayerKind *find_kind(const char *name, size_t n) {
    for (int i = 0; i < KINDS; i++)
        if (strlen(kinds[i].name) == n && strncmp(kinds[i].name, name, n) == 0)
            return &kinds[i];
    return NULL;
}

const char *player_usual(void) {
    static const char *const wanted[] = {"auto", "deepening-alphabeta", "greedy"};
    for (int i = 0; i < 3; i++)
        if (find_kind(wanted[i], strlen(wanted[i])))
            return wanted[i];
    return "random";
}

// --- making ---

static void add_unknown(const char *text, size_t n, Text *why) {
    const char *names[KINDS];
    for (int i = 0; i < KINDS; i++)
        names[i] = kinds[i].name;
    Text name = {0};
    text_visible(&name, text, n);
    const char *near = text_nearest(text_c(&name), names, KINDS);
    text_f(why, "there is no player `%s`", text_c(&name));
    int level = n > 0 && (text[0] < '0' || text[0] > '9') ? level_find(text_c(&name)) : 0;
    if (level > 0)
        text_f(why, "; the level is written `level=%s`", level_name(level));
    else if (strcmp(text_c(&name), "human") == 0)
        text_add(why, " here: nobody is asked");
    else if (n > 6 && strncmp(text + n - 6, ".rules", 6) == 0)
        text_f(why, "; a rules file plays as `rules:knowledge=%s`", text_c(&name));
    else if (near)
        text_f(why, "; did you mean `%s`?", near);
    else
        text_add(why, "; `ludens players` lists them");
    text_free(&name);
}

// A rule set by its own name is the player `rules` with that knowledge.
static bool read_rule_set(Player *p, const char *name, const char *parameters, Text *why) {
    Text knowledge = {0};
    text_f(&knowledge, "knowledge=%s", name);
    p->kind = find_kind("rules", strlen("rules"));
    parameters_init(p->kind, &p->options);
    bool ok = !knowledge.failed && parameters_read(p->kind, text_c(&knowledge), &p->options, why) &&
              parameters_read(p->kind, parameters, &p->options, why);
    text_free(&knowledge);
    text_add(&p->text, p->kind->name);
    parameters_text(&p->options, &p->text);
    return ok;
}

// `level=easy` alone is the usual player with that level.
static bool read_text(Player *p, const char *text, Text *why) {
    size_t n = strcspn(text, ":=");
    if (text[n] == '=') {
        p->kind = find_kind(player_usual(), strlen(player_usual()));
        parameters_init(p->kind, &p->options);
        if (!parameters_read(p->kind, text, &p->options, why))
            return false;
        text_add(&p->text, p->kind->name);
        parameters_text(&p->options, &p->text);
        return true;
    }
    p->kind = find_kind(text, n);
    const char *rules = p->kind ? NULL : player_rule_set(text, n);
    if (rules)
        return read_rule_set(p, rules, text[n] == ':' ? text + n + 1 : "", why);
    if (!p->kind) {
        add_unknown(text, n, why);
        return false;
    }
    parameters_init(p->kind, &p->options);
    if (text[n] == ':' && !parameters_read(p->kind, text + n + 1, &p->options, why))
        return false;
    text_add(&p->text, p->kind->name);
    parameters_text(&p->options, &p->text);
    return true;
}

static bool needs_evaluation(const PlayerKind *kind) {
    return parameters_has(kind, "heuristic");
}

static bool set_up(Player *p, Knowledge *lent, Text *why) {
    p->runner = runner_new(p->game);
    if (!p->runner) {
        text_add(why, "out of memory");
        return false;
    }
    if (!player_knowledge_begin(p, lent, why))
        return false;
    if (needs_evaluation(p->kind)) {
        p->evaluation =
            evaluation_stoppable(p->game, p->options.heuristic, p->knowledge, p->stop, why);
        if (!p->evaluation)
            return false;
    }
    return !p->kind->begin || p->kind->begin(p, why);
}

Player *player_new(const Game *game, const char *text, Text *why) {
    return player_knowing(game, text, NULL, why);
}

Player *player_knowing(const Game *game, const char *text, Knowledge *knowledge, Text *why) {
    return player_stoppable(game, text, knowledge, NULL, why);
}

Player *player_stoppable(const Game *game, const char *text, Knowledge *knowledge,
                         const atomic_bool *stop, Text *why) {
    Player *p = mem_alloc(sizeof *p);
    if (!p) {
        text_add(why, "out of memory");
        return NULL;
    }
    p->game = game;
    p->stop = stop;
    if (read_text(p, text, why) && set_up(p, knowledge, why))
        return p;
    player_free(p);
    return NULL;
}

void player_free(Player *p) {
    if (!p)
        return;
    if (p->kind && p->kind->end)
        p->kind->end(p);
    evaluation_free(p->evaluation);
    player_knowledge_end(p);
    parameters_end(&p->options);
    runner_free(p->runner);
    text_free(&p->text);
    text_free(&p->why);
    mem_free(p);
}

bool player_held_down(const char *text, int threads, int megabytes, Text *out, Text *why) {
    Player p = {0};
    bool ok = read_text(&p, text, why);
    if (ok) {
        PlayerOptions *o = &p.options;
        o->threads = o->threads > threads ? threads : o->threads;
        o->memory_mb = o->memory_mb > megabytes ? megabytes : o->memory_mb;
        text_add(out, p.kind->name);
        parameters_text(o, out);
    }
    parameters_end(&p.options);
    text_free(&p.text);
    return ok;
}

const char *player_text(const Player *p) {
    return text_c(&p->text);
}

const char *player_why(const Player *p) {
    return text_c(&p->why);
}

// --- limits ---

// The limits a kind has when nobody gives one; those of its text otherwise.
static PlayerOptions limits_of(const Player *p, const SearchTask *task) {
    const Limits *l = &task->limits;
    bool limited =
        parameters_limit(&p->options) || l->seconds > 0 || l->nodes || l->depth || l->iterations;
    PlayerOptions o = p->options;
    if (!limited) {
        Text ignored = {0};
        parameters_read(p->kind, p->kind->usual, &o, &ignored);
        text_free(&ignored);
    }
    return o;
}

static int64_t stricter(int64_t a, int64_t b) {
    return a <= 0 ? (b > 0 ? b : 0) : b <= 0 || a < b ? a : b;
}

double player_seconds(const Player *p, const SearchTask *task) {
    double own = (double)limits_of(p, task).time_ms / 1000, other = task->limits.seconds;
    return own <= 0 ? (other > 0 ? other : 0) : other <= 0 || own < other ? own : other;
}

int64_t player_nodes(const Player *p, const SearchTask *task) {
    return stricter(limits_of(p, task).nodes, task->limits.nodes);
}

int64_t player_iterations(const Player *p, const SearchTask *task) {
    return stricter(limits_of(p, task).iterations, task->limits.iterations);
}

int player_depth(const Player *p, const SearchTask *task) {
    return (int)stricter(limits_of(p, task).depth, task->limits.depth);
}

size_t player_memory(const Player *p, const SearchTask *task) {
    int64_t own = p->options.memory_mb << 20;
    int64_t other = task->limits.memory > INT64_MAX ? INT64_MAX : (int64_t)task->limits.memory;
    return (size_t)stricter(own, other);
}

void player_random(const Player *p, const SearchTask *task, Rng *rng) {
    uint64_t mix = (uint64_t)p->options.seed;
    uint64_t seed = task->seed ^ rng_splitmix(&mix);
    mix = (uint64_t)record_length(task->record);
    rng_seed(rng, seed + rng_splitmix(&mix));
}

Value value_of_result(const Game *g, int result, int player, int ply) {
    int everybody = (1 << g->ir->players) - 1, winners = result & everybody;
    bool mine = winners >> player & 1, alone = winners == 1 << player;
    if (alone)
        return VALUE_WIN - ply;
    if (mine)
        return winners == everybody ? 0 : 500;
    bool lost = winners || g->ir->players == 1; // a puzzle without a winner is lost
    return lost ? ply - VALUE_WIN : 0;
}

// --- asking ---

void result_note(SearchResult *result, Scored scored) {
    int at = result->best_count;
    if (at < SEARCH_MAX_BEST)
        result->best_count++;
    else if (result->best[--at].value >= scored.value)
        return;
    for (; at > 0 && result->best[at - 1].value < scored.value; at--)
        result->best[at] = result->best[at - 1];
    result->best[at] = scored;
}

// Only moves of the rules are ever played, whatever a search has in its tables.
static void complete(Player *p, const uint8_t *now, SearchResult *result) {
    const Move *moves;
    int n = runner_moves(p->runner, now, &moves);
    bool legal = false;
    for (int i = 0; i < n && result->found; i++)
        legal = legal || move_equal(moves[i], result->move);
    if (!legal && n > 0) {
        result->move = moves[0];
        result->line_length = 0;
    }
    result->found = n > 0;
    if (n > 0 && result->line_length == 0) {
        result->line[0] = result->move;
        result->line_length = 1;
    }
}

// Whether the position has occurred as often as the rules allow: the game is over then.
static bool is_repeated(const Player *p, const Record *record) {
    int times = p->game->ir->repeated;
    return times > 0 && record_times(record, record_now(record)) >= times;
}

bool player_search(Player *p, const SearchTask *task, SearchResult *result) {
    const uint8_t *now = record_now(task->record);
    *result = (SearchResult){0};
    if (runner_result(p->runner, now) != 0 || is_repeated(p, task->record))
        return false;
    player_knowledge_use(p);
    Clock clock;
    SearchTask timed = *task;
    double seconds = timing_begin(p, task->record);
    if (seconds > 0 && (task->limits.seconds <= 0 || seconds < task->limits.seconds))
        timed.limits.seconds = seconds;
    if (seconds > 0 && task->limits.seconds <= 0 && !p->options.time_ms)
        timed.limits.stretch = timing_stretch(p, seconds);
    clock_start(&clock, p, &timed);
    p->kind->search(p, &timed, result);
    if (result->seconds <= 0)
        result->seconds = clock_seconds(&clock);
    complete(p, now, result);
    timing_end(p, clock_seconds(&clock));
    return result->found;
}

// --- listing ---

static void list_json(const PlayerKind *kind, Text *out) {
    text_f(out, "{\"name\":\"%s\",\"help\":", kind->name);
    text_json(out, kind->help);
    text_add(out, ",\"usual\":");
    text_json(out, kind->usual);
    text_add(out, ",\"parameters\":");
    parameters_json(kind, out);
    text_char(out, '}');
}

static void list_text(const PlayerKind *kind, Text *out) {
    text_f(out, "%s: %s\n    ", kind->name, kind->help);
    parameters_names(kind, out);
    text_f(out, kind->usual[0] ? " (%s if no limit is given)\n" : "%s\n", kind->usual);
}

void player_list(Text *out, bool json) {
    text_add(out, json ? "[" : "");
    for (int i = 0; i < KINDS; i++) {
        text_add(out, i && json ? "," : "");
        if (json)
            list_json(&kinds[i], out);
        else
            list_text(&kinds[i], out);
    }
    player_list_rule_sets(out, json);
    text_add(out, json ? "]\n" : "\nParameters:\n");
    if (!json)
        parameters_explain(NULL, out);
}

bool player_describe(const char *name, bool json, Text *out, Text *why) {
    const char *set = player_rule_set(name, strlen(name));
    const char *real = set ? "rules" : name;
    const PlayerKind *kind = find_kind(real, strlen(real));
    if (!kind) {
        add_unknown(name, strlen(name), why);
    } else if (json) {
        list_json(kind, out);
        text_char(out, '\n');
    } else {
        text_f(out, "%s: %s\n", kind->name, kind->help);
        if (set)
            text_f(out, "%s is short for rules:knowledge=%s\n", set, set);
        text_char(out, '\n');
        parameters_explain(kind, out);
        if (kind->usual[0])
            text_f(out, "\n%s if no limit is given\n", kind->usual);
    }
    return kind != NULL;
}
