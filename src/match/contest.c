// contest: see contest.h and contest_make.h.
#include "match/contest_make.h"

#include <setjmp.h>
#include <string.h>

// --- games that were played ---

static const struct EndingRow {
    const char *name;
    bool offence;
} endings[] = {
    [END_RULES] = {"rules", false},      [END_LENGTH] = {"length", false},
    [END_TIME] = {"time", true},         [END_ILLEGAL] = {"illegal", true},
    [END_NONSENSE] = {"nonsense", true}, [END_SILENCE] = {"silence", true},
    [END_CRASH] = {"crash", true},       [END_LIMIT] = {"limit", true},
    [END_FAULT] = {"fault", false},      [END_STOPPED] = {"stopped", false},
};

const char *ending_name(Ending e) {
    return endings[e].name;
}

bool ending_is_offence(Ending e) {
    return endings[e].offence;
}

void played_free(Played *p) {
    text_free(&p->reason);
    text_free(&p->record);
    text_free(&p->log);
    mem_free(p->move);
    *p = (Played){0};
}

// --- kinds ---

static const char *const kinds[] = {[MATCH] = "match",
                                    [ROUND_ROBIN] = "round-robin",
                                    [GAUNTLET] = "gauntlet",
                                    [KNOCKOUT] = "knockout",
                                    [SWISS] = "swiss"};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const char *contest_kind_name(ContestKind kind) {
    return kinds[kind];
}

bool contest_kind_read(const char *word, ContestKind *kind) {
    for (int i = 0; i < KINDS; i++)
        if (strcmp(word, kinds[i]) == 0) {
            *kind = (ContestKind)i;
            return true;
        }
    return false;
}

// --- making ---

Contest *contest_new(void) {
    Contest *c = mem_alloc(sizeof *c);
    if (!c)
        return NULL;
    arena_init(&c->arena, NULL);
    jmp_buf recovery;
    c->arena.recovery = &recovery;
    if (setjmp(recovery)) {
        contest_free(c);
        return NULL;
    }
    c->entrant = ARENA_ARRAY(&c->arena, Entrant, CONTEST_ENTRANTS);
    c->game = ARENA_ARRAY(&c->arena, ContestGame, CONTEST_GAMES);
    c->arena.recovery = NULL;
    c->kind = ROUND_ROBIN;
    c->seed = 1;
    c->each = 2;
    c->swap = true;
    c->opening_plies = 2;
    c->plies = CONTEST_PLIES;
    return c;
}

void contest_free(Contest *c) {
    if (!c)
        return;
    arena_free(&c->arena);
    mem_free(c);
}

// A copy that the contest owns; NULL with the reason.
static const char *keep_text(Contest *c, const char *s, Text *why) {
    jmp_buf recovery;
    c->arena.recovery = &recovery;
    if (setjmp(recovery)) {
        text_add(why, "out of memory");
        return NULL;
    }
    const char *copy = arena_text(&c->arena, s, strlen(s));
    c->arena.recovery = NULL;
    return copy;
}

// Names stand in tables, files and on terminals: one line of UTF-8 without control characters.
static bool check_words(const char *what, const char *s, size_t most, Text *why) {
    size_t n = strlen(s);
    if (n == 0 || n > most) {
        text_f(why, "%s has 1 to %zu characters", what, most);
        return false;
    }
    for (size_t i = 0; i < n;) {
        int length = text_utf8(s + i, n - i);
        if (length == 0 || (unsigned char)s[i] < ' ' || s[i] == 127) {
            text_f(why, "%s is text without control characters", what);
            return false;
        }
        i += (size_t)length;
    }
    return true;
}

bool contest_set_title(Contest *c, const char *title, Text *why) {
    const char *copy =
        check_words("a title", title, 10 * CONTEST_NAME, why) ? keep_text(c, title, why) : NULL;
    c->title = copy ? copy : c->title;
    return copy != NULL;
}

static bool add_params(Contest *c, ContestGame *game, const char *const *params, int count,
                       Text *why) {
    jmp_buf recovery;
    c->arena.recovery = &recovery;
    if (setjmp(recovery)) {
        text_add(why, "out of memory");
        return false;
    }
    game->params = ARENA_ARRAY(&c->arena, const char *, count + 1);
    c->arena.recovery = NULL;
    for (int i = 0; i < count; i++) {
        game->params[i] = check_words("a parameter", params[i], CONTEST_TEXT, why)
                              ? keep_text(c, params[i], why)
                              : NULL;
        if (!game->params[i])
            return false;
    }
    game->param_count = count;
    return true;
}

bool contest_add_game(Contest *c, const char *name, const char *const *params, int count,
                      Text *why) {
    if (c->games == CONTEST_GAMES || count > CONTEST_PARAMS) {
        text_f(why, "a contest has at most %d games, each with at most %d parameters",
               CONTEST_GAMES, CONTEST_PARAMS);
        return false;
    }
    ContestGame game = {0};
    if (!check_words("the name of a game", name, CONTEST_TEXT, why) ||
        !(game.name = keep_text(c, name, why)) || !add_params(c, &game, params, count, why))
        return false;
    c->game[c->games++] = game;
    return true;
}

bool contest_add_entrant(Contest *c, const char *name, const char *text, Text *why) {
    if (c->entrants == CONTEST_ENTRANTS) {
        text_f(why, "a contest has at most %d entrants", CONTEST_ENTRANTS);
        return false;
    }
    // A long command is cut to a name.
    char short_name[CONTEST_NAME + 1] = "";
    if (!name && strlen(text) > CONTEST_NAME) {
        size_t n = CONTEST_NAME;
        while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80)
            n--;
        memcpy(short_name, text, n);
        name = short_name;
    }
    Entrant e = {0};
    if (!check_words("the text of an entrant", text, CONTEST_TEXT, why) ||
        !check_words("the name of an entrant", name ? name : text, CONTEST_NAME, why))
        return false;
    for (int i = 0; i < c->entrants; i++)
        if (strcmp(c->entrant[i].name, name ? name : text) == 0) {
            text_f(why, "there are two entrants `%s`: give one of them another name",
                   name ? name : text);
            return false;
        }
    if (!(e.text = keep_text(c, text, why)) || !(e.name = name ? keep_text(c, name, why) : e.text))
        return false;
    c->entrant[c->entrants++] = e;
    return true;
}

// --- the whole ---

static bool refuse(Text *why, const char *message) {
    text_add(why, message);
    return false;
}

static bool usual_title(Contest *c, Text *why) {
    Text title = {0};
    text_add(&title, c->game[0].name);
    for (int i = 0; i < c->game[0].param_count; i++)
        text_f(&title, " %s", c->game[0].params[i]);
    text_add(&title, c->games > 1 ? " and others" : "");
    if (c->kind != MATCH)
        text_f(&title, ", %s", kinds[c->kind]);
    text_add(&title, ": ");
    if (c->entrants <= 4)
        for (int i = 0; i < c->entrants; i++)
            text_f(&title, "%s%s", i ? " - " : "", c->entrant[i].name);
    else
        text_f(&title, "%d entrants", c->entrants);
    text_f(&title, ", seed %llu", (unsigned long long)c->seed);
    // Long commands do not fit.
    if (title.n > 10 * CONTEST_NAME) {
        text_clear(&title);
        text_f(&title, "%s of %d, seed %llu", kinds[c->kind], c->entrants,
               (unsigned long long)c->seed);
    }
    bool ok = contest_set_title(c, text_c(&title), why);
    text_free(&title);
    return ok;
}

bool contest_finish(Contest *c, const TimeControl *time, Text *why) {
    if (c->games == 0)
        return refuse(why, "there is no game to play");
    if (c->entrants < 2)
        return refuse(why, "at least two entrants are needed");
    if (c->each < 1 || c->each > CONTEST_EACH || c->rounds < 0 || c->rounds > CONTEST_ROUNDS ||
        c->plies < 1 || c->plies > CONTEST_MOST_PLIES || c->opening_plies < 0 ||
        c->opening_plies > CONTEST_OPENING_PLIES)
        return refuse(why, "a number is too small or too large");
    if (c->opening_plies >= c->plies)
        return refuse(why, "the opening must be shorter than the longest game");
    if (c->sprt.on && (c->kind != MATCH || c->entrants != 2 || c->games != 1))
        return refuse(why, "sprt is for a match of two in one game");
    if (c->rounds && c->kind != SWISS)
        return refuse(why, "only a swiss tournament has a number of rounds");
    for (int i = 0; i < c->entrants; i++)
        if (!time_control_limits(&c->entrant[i].time))
            c->entrant[i].time = *time;
    return c->title || usual_title(c, why);
}
