// record: see record.h for the contract.
//
//     states    s0   s1   s2   s3   s4        `length` moves are played, `known` - `length` can
//     moves        m0   m1   m2   m3          be redone; state i + 1 is state i after move i
//                       ^length     ^known
#include "game/record.h"

#include "game/library.h"
#include "game/movetext.h"
#include "game/runner.h"
#include "game/statetext.h"

#include <stdlib.h>
#include <string.h>

typedef struct Ply {
    uint64_t hash;
    int times; // that the position occurred up to here
    Move move; // played here
} Ply;

struct Record {
    Runner *r;
    uint8_t *states;
    Ply *plies;
    int length, known, cap;
    Text reason;
};

// Of the conditions of the end, when one is looked for that has held: far above those of any game.
#define REASON_STEPS 10000000

// A hundred thousand moves of a large state are a few hundred megabytes.
#define RECORD_MAX 100000

static size_t state_size(const Record *rec) {
    return (size_t)game_state_size(rec->r->game);
}

static uint8_t *state_at(const Record *rec, int ply) {
    return rec->states + state_size(rec) * (size_t)ply;
}

static bool make_room(Record *rec, int plies) {
    if (plies <= rec->cap)
        return true;
    if (plies > RECORD_MAX)
        return runner_fail(rec->r, "the game has more than %d moves", RECORD_MAX);
    int cap = rec->cap ? 2 * rec->cap : 64;
    uint8_t *states = mem_resize(rec->states, state_size(rec) * (size_t)cap);
    if (states)
        rec->states = states;
    Ply *list = mem_resize(rec->plies, sizeof *list * (size_t)cap);
    if (list)
        rec->plies = list;
    if (!states || !list)
        return runner_fail(rec->r, "out of memory");
    rec->cap = cap;
    return true;
}

// Fills in what is known about the state at a ply.
static void note_position(Record *rec, int ply) {
    const Game *g = rec->r->game;
    Ply *p = &rec->plies[ply];
    p->hash = game_hash(g, state_at(rec, ply));
    p->times = 1;
    for (int i = ply - 1; i >= 0; i--) {
        bool same =
            rec->plies[i].hash == p->hash && game_same(g, state_at(rec, i), state_at(rec, ply));
        if (same) {
            p->times = rec->plies[i].times + 1;
            break;
        }
    }
}

Record *record_new(Runner *r, const uint8_t *start) {
    Record *rec = mem_alloc(sizeof *rec);
    if (!rec)
        return NULL;
    rec->r = r;
    if (!make_room(rec, 1)) {
        record_free(rec);
        return NULL;
    }
    memcpy(rec->states, start ? start : r->game->start, state_size(rec));
    note_position(rec, 0);
    return rec;
}

void record_free(Record *rec) {
    if (!rec)
        return;
    mem_free(rec->states);
    mem_free(rec->plies);
    text_free(&rec->reason);
    mem_free(rec);
}

void record_use(Record *rec, Runner *r) {
    rec->r = r;
}

int record_length(const Record *rec) {
    return rec->length;
}

const uint8_t *record_state(const Record *rec, int ply) {
    return state_at(rec, ply);
}

const uint8_t *record_now(const Record *rec) {
    return state_at(rec, rec->length);
}

Move record_move(const Record *rec, int ply) {
    return rec->plies[ply].move;
}

bool record_in_turn(const Record *rec) {
    const Game *g = rec->r->game;
    int first = game_player(g, rec->states);
    for (int i = 0; i < rec->length; i++)
        if (game_player(g, state_at(rec, i)) != (first + i) % g->ir->players)
            return false;
    return true;
}

int record_times(const Record *rec, const uint8_t *state) {
    const Game *g = rec->r->game;
    uint64_t hash = game_hash(g, state);
    for (int i = rec->length; i >= 0; i--)
        if (rec->plies[i].hash == hash && game_same(g, state_at(rec, i), state))
            return rec->plies[i].times;
    return 0;
}

uint64_t record_past(const Record *rec, int times) {
    uint64_t sum = 0;
    for (int i = 0; i <= rec->length; i++)
        if (rec->plies[i].times >= times) {
            uint64_t mix = rec->plies[i].hash;
            sum += rng_splitmix(&mix);
        }
    return sum;
}

bool record_play(Record *rec, Move move) {
    int ply = rec->length;
    if (!make_room(rec, ply + 2) ||
        !runner_apply(rec->r, state_at(rec, ply), move, state_at(rec, ply + 1)))
        return false;
    rec->plies[ply].move = move;
    rec->length = rec->known = ply + 1;
    note_position(rec, ply + 1);
    return true;
}

bool record_undo(Record *rec) {
    if (rec->length == 0)
        return false;
    rec->length--;
    return true;
}

bool record_redo(Record *rec) {
    if (rec->length == rec->known)
        return false;
    rec->length++;
    return true;
}

void record_restart(Record *rec) {
    rec->length = rec->known = 0;
}

// --- the end ---

static bool is_repeated(const Record *rec) {
    int times = rec->r->game->ir->repeated;
    return times > 0 && rec->plies[rec->length].times >= times;
}

int record_result(Record *rec) {
    int result = runner_result(rec->r, record_now(rec));
    return result == 0 && is_repeated(rec) ? RESULT_OVER : result;
}

// Whether a rule can have given this result.
static bool fits(const IrRule *rule, int players, int result) {
    bool scores = rule->outcome == OUT_MOST || rule->outcome == OUT_LEAST;
    // A puzzle that is lost has no winner either.
    bool draws = rule->outcome == OUT_DRAW || (players == 1 && rule->outcome == OUT_LOSES);
    return rule->outcome != OUT_PASS && (scores || draws == (result == RESULT_OVER));
}

// The only rule that can have given this result, or NULL: the state does not say which it was.
static const IrRule *only_rule(const IrRules *rules, int players, int result) {
    const IrRule *found = NULL;
    for (int i = 0; i < rules->count; i++) {
        const IrRule *rule = &rules->rule[i];
        if (!fits(rule, players, result))
            continue;
        if (found)
            return NULL;
        found = rule;
    }
    return found;
}

// The first rule whose condition holds for `me`; NULL if that cannot be found out.
static const IrRule *first_rule(const Record *rec, const IrRules *rules, int me) {
    const IrGame *ir = rec->r->game->ir;
    IrView view = {.state = record_now(rec), .me = me};
    int slots = rules->frame.slots;
    IrValue *locals = mem_alloc(sizeof *locals * (size_t)slots);
    long steps = REASON_STEPS;
    IrEval eval = {.g = ir, .view = &view, .locals = locals, .slots = slots, .steps = &steps};
    const IrRule *found = NULL;
    for (int i = 0; locals && i < rules->count && !found; i++) {
        const IrRule *rule = &rules->rule[i];
        IrValue holds = {.number = 1};
        if (rule->cond && !ir_value(&eval, rule->cond, &holds))
            break;
        if (holds.number)
            found = rule;
    }
    mem_free(locals);
    return found;
}

// The rule for who has moved last.
static const IrRule *end_rule(const Record *rec, int result) {
    const IrGame *ir = rec->r->game->ir;
    const IrRule *rule = only_rule(&ir->end, ir->players, result);
    if (!rule && rec->length > 0)
        rule = first_rule(rec, &ir->end,
                          game_player(rec->r->game, record_state(rec, rec->length - 1)));
    return rule && fits(rule, ir->players, result) ? rule : NULL;
}

// The rule for who cannot move. Where none holds it is a draw, by no rule.
static const IrRule *stuck_rule(const Record *rec, const IrRules *rules, int result) {
    const Game *game = rec->r->game;
    const IrRule *rule = first_rule(rec, rules, game_player(game, record_now(rec)));
    return rule && fits(rule, game->ir->players, result) ? rule : NULL;
}

// Names the rule too if there is more to it than that the player cannot move.
static void add_stuck(Record *rec, int result) {
    const IrGame *ir = rec->r->game->ir;
    const uint8_t *now = record_now(rec);
    bool all = vm_stuck(rec->r->vm, now, false) == VM_PASS;
    const IrRules *rules = all ? &ir->all_stuck : &ir->stuck;
    const IrRule *rule = stuck_rule(rec, rules, result);
    if (rule && rule->why) {
        text_add(&rec->reason, rule->why);
        return;
    }
    if (all)
        text_add(&rec->reason, ir->players == 1 ? "there is no move" : "nobody can move");
    else
        text_f(&rec->reason, "%s cannot move", ir->player[game_player(rec->r->game, now)]);
    if (rule && rule->text && rule->cond)
        text_f(&rec->reason, ": `%s`", rule->text);
}

const char *record_reason(Record *rec) {
    const IrGame *ir = rec->r->game->ir;
    const uint8_t *now = record_now(rec);
    text_clear(&rec->reason);
    int result = record_result(rec);
    if (result < 0) {
        text_add(&rec->reason, runner_error(rec->r));
    } else if (result && now[ir->layout.result]) {
        const IrRule *rule = end_rule(rec, result);
        if (rule && rule->why)
            text_add(&rec->reason, rule->why);
        else if (rule && rule->text)
            text_f(&rec->reason, "by the rule `%s`", rule->text);
    } else if (result && runner_result(rec->r, now)) {
        add_stuck(rec, result);
    } else if (result && ir->repeated_why) {
        text_add(&rec->reason, ir->repeated_why);
    } else if (result) {
        text_f(&rec->reason, "the position occurred %d times", rec->plies[rec->length].times);
    }
    return text_c(&rec->reason);
}

// --- saving ---

// Words with blanks, quotes or nothing in them stand in quotes.
static void add_word(Text *out, const char *word) {
    bool plain = word[0] && !strpbrk(word, " \t\"\\");
    if (plain) {
        text_add(out, word);
        return;
    }
    text_char(out, '"');
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            text_char(out, '\\');
        text_char(out, *word);
    }
    text_char(out, '"');
}

// By its name in the library if these are the rules there, else by its path.
static const char *saved_name(const Game *g) {
    for (int i = 0; i < library_count; i++) {
        const LibraryGame *entry = &library_games[i];
        if (strcmp(entry->name, g->name) == 0 && entry->size == g->source.size &&
            memcmp(entry->text, g->source.text, entry->size) == 0)
            return g->name;
    }
    return g->source.name;
}

static bool usual_start(const Record *rec) {
    return memcmp(rec->states, rec->r->game->start, state_size(rec)) == 0;
}

// Numbered lines: rounds, or what a player does until another is on move.
static void save_moves(Record *rec, Text *out) {
    const Game *g = rec->r->game;
    bool in_turn = record_in_turn(rec);
    Text move = {0};
    int number = 0, before = -1;
    for (int i = 0; i < rec->length; i++) {
        int player = game_player(g, state_at(rec, i));
        if (in_turn ? i % g->ir->players == 0 : player != before)
            text_f(out, "%s%d.", i ? "\n" : "", ++number);
        if (!in_turn && player != before)
            text_f(out, " %s:", g->ir->player[player]);
        before = player;
        text_clear(&move);
        if (!move_text(rec->r, state_at(rec, i), rec->plies[i].move, &move))
            out->failed = true;
        text_char(out, ' ');
        add_word(out, text_c(&move));
    }
    text_add(out, rec->length ? "\n" : "");
    text_free(&move);
}

void record_save(Record *rec, const char *const *params, int count, Text *out) {
    const Game *g = rec->r->game;
    text_add(out, "ludens game 1\ngame ");
    add_word(out, saved_name(g));
    for (int i = 0; i < count; i++) {
        text_char(out, ' ');
        add_word(out, params[i]);
    }
    if (!usual_start(rec)) {
        text_add(out, "\nstart ");
        state_text(g, rec->states, out);
    }
    text_add(out, "\nmoves\n");
    save_moves(rec, out);
    text_add(out, "result ");
    int result = record_result(rec);
    game_result_text(g, result < 0 ? 0 : result, out);
    text_char(out, '\n');
}

// --- loading ---

typedef struct Lines { // a text being read line by line
    const char *next;
    Text line; // the one read last, without surrounding blanks
    int number;
    Text *error;
} Lines;

static bool wrong(Lines *in, const char *message) {
    text_clear(in->error);
    text_f(in->error, "line %d: %s", in->number, message);
    return false;
}

// Reads the next line that is not blank or a comment.
static bool next_line(Lines *in) {
    while (*in->next) {
        size_t n = strcspn(in->next, "\n");
        const char *start = in->next;
        in->next += n + (in->next[n] == '\n');
        in->number++;
        while (n > 0 && strchr(" \t\r", start[n - 1]))
            n--;
        size_t blanks = 0;
        while (blanks < n && strchr(" \t", start[blanks]))
            blanks++;
        text_clear(&in->line);
        text_add_n(&in->line, start + blanks, n - blanks);
        if (n > blanks && start[blanks] != '#')
            return true;
    }
    text_clear(&in->line);
    in->number++; // where it is missed
    return false;
}

// What follows the first word of the line if that is `word`, else NULL.
static const char *line_after(const Lines *in, const char *word) {
    const char *line = text_c(&in->line);
    size_t n = strlen(word);
    if (strncmp(line, word, n) != 0 || (line[n] && line[n] != ' '))
        return NULL;
    return line + n + strspn(line + n, " ");
}

// Takes the next word off *s, quotes undone; false at the end.
static bool take_word(const char **s, Text *word) {
    text_clear(word);
    const char *p = *s + strspn(*s, " \t");
    if (!*p)
        return false;
    if (*p == '"') {
        for (p++; *p && *p != '"'; p++) {
            if (*p == '\\' && p[1])
                p++;
            text_char(word, *p);
        }
        p += *p == '"';
    } else {
        size_t n = strcspn(p, " \t");
        text_add_n(word, p, n);
        p += n;
    }
    *s = p;
    return true;
}

static bool is_number_of_round(const char *word) {
    size_t n = strspn(word, "0123456789");
    return n > 0 && word[n] == '.' && !word[n + 1];
}

static bool is_name_of_player(const IrGame *ir, const char *word) {
    for (int i = 0; i < ir->players; i++) {
        size_t n = strlen(ir->player[i]);
        if (strncmp(word, ir->player[i], n) == 0 && strcmp(word + n, ":") == 0)
            return true;
    }
    return false;
}

static bool load_head(Lines *in, const char **game_line) {
    if (!next_line(in) || strcmp(text_c(&in->line), "ludens game 1") != 0)
        return wrong(in, "a saved game begins with `ludens game 1`");
    if (!next_line(in) || !(*game_line = line_after(in, "game")) || !**game_line)
        return wrong(in, "expected `game NAME`");
    return true;
}

static bool play_word(Lines *in, Record *rec, const char *word) {
    Move move;
    Text why = {0};
    bool ok = move_read(rec->r, record_now(rec), word, &move, &why);
    if (!ok)
        wrong(in, text_c(&why));
    else if (record_result(rec))
        ok = wrong(in, "the game is over before this move");
    else if (!record_play(rec, move))
        ok = wrong(in, runner_error(rec->r));
    text_free(&why);
    return ok;
}

static bool play_line(Lines *in, Record *rec) {
    const char *rest = text_c(&in->line);
    Text word = {0};
    bool ok = true;
    while (ok && take_word(&rest, &word))
        if (!is_number_of_round(text_c(&word)) &&
            !is_name_of_player(rec->r->game->ir, text_c(&word)))
            ok = play_word(in, rec, text_c(&word));
    text_free(&word);
    return ok;
}

static bool check_result(Lines *in, Record *rec, const char *claimed) {
    Text actual = {0};
    int result = record_result(rec);
    game_result_text(rec->r->game, result < 0 ? 0 : result, &actual);
    bool same = strcmp(text_c(&actual), claimed) == 0;
    if (!same) {
        Text message = {0};
        text_f(&message, "the result is `%s`, but after these moves it is `%s`", claimed,
               text_c(&actual));
        wrong(in, text_c(&message));
        text_free(&message);
    }
    text_free(&actual);
    return same;
}

static bool load_start(Lines *in, Record *rec, const char *text) {
    Text why = {0};
    bool ok = state_read(rec->r->game, text, rec->states, &why);
    if (ok)
        note_position(rec, 0);
    else
        wrong(in, text_c(&why));
    text_free(&why);
    return ok;
}

static bool load_lines(Lines *in, Record *rec) {
    const char *rest;
    if (!load_head(in, &rest))
        return false;
    bool more = next_line(in);
    if (more && (rest = line_after(in, "start"))) {
        if (!load_start(in, rec, rest))
            return false;
        more = next_line(in);
    }
    if (!more || !line_after(in, "moves"))
        return wrong(in, "expected `moves`");
    while (next_line(in)) {
        if ((rest = line_after(in, "result")))
            return check_result(in, rec, rest) &&
                   (!next_line(in) || wrong(in, "nothing may stand behind the result"));
        if (!play_line(in, rec))
            return false;
    }
    return true;
}

bool record_load(Record *rec, const char *text, Text *error) {
    text_clear(error);
    Record *fresh = record_new(rec->r, NULL);
    if (!fresh) {
        text_add(error, "out of memory");
        return false;
    }
    Lines in = {.next = text, .error = error};
    bool ok = load_lines(&in, fresh);
    text_free(&in.line);
    if (ok) { // only now does the old game go
        Record old = *rec;
        *rec = *fresh;
        *fresh = old;
    }
    record_free(fresh);
    return ok;
}

static void free_words(char **words, int count) {
    for (int i = 0; i < count; i++)
        mem_free(words[i]);
    mem_free(words);
}

bool record_read_game(const char *text, char *game, size_t size, char ***params, int *count,
                      Text *error) {
    *params = NULL;
    *count = 0;
    text_clear(error);
    Lines in = {.next = text, .error = error};
    Text word = {0};
    const char *rest;
    bool ok = load_head(&in, &rest);
    if (ok && take_word(&rest, &word)) {
        if (word.n >= size)
            ok = wrong(&in, "the name of the game is too long");
        else
            memcpy(game, text_c(&word), word.n + 1);
    }
    while (ok && take_word(&rest, &word)) {
        char **grown = mem_resize(*params, sizeof **params * (size_t)(*count + 1));
        if (grown)
            *params = grown;
        if (!grown || word.failed)
            ok = wrong(&in, "out of memory");
        else
            grown[(*count)++] = word.s;
        word = grown ? (Text){0} : word;
    }
    if (!ok) {
        free_words(*params, *count);
        *params = NULL;
        *count = 0;
    }
    text_free(&word);
    text_free(&in.line);
    return ok;
}
