// play_commands: what can be typed besides moves.
#include "cli/play.h"

#include "base/file.h"
#include "cli/found.h"
#include "cli/saved.h"

#include <string.h>

// Lists are laid out for a terminal of this width.
#define COLUMNS 80

bool play_is_person(const Play *p) {
    return seats_is_person(&p->seats, game_player(p->game, record_now(p->record)));
}

static bool refuse(Play *p, const char *why) {
    text_add(&p->out, why);
    return false;
}

// After a change of the position.
static void show_anew(Play *p) {
    p->shown = false;
    move_begun_free(&p->begun);
}

// --- the commands ---

static bool do_help(Play *p, const char *rest);

static bool do_moves(Play *p, const char *rest) {
    (void)rest;
    const Move *moves;
    const uint8_t *now = record_now(p->record);
    int n = record_result(p->record) ? 0 : runner_moves(p->runner, now, &moves);
    if (n < 0)
        return refuse(p, runner_error(p->runner));
    if (n == 0)
        text_add(&p->out, "The game is over: there are no moves.\n");
    int width = 0, column = 0, last_shown = 0;
    Text text = {0};
    for (int pass = 0; pass < 2; pass++) { // the first finds the width
        for (int i = 0; i < n; i++) {
            text_clear(&text);
            if (play_has_begun(p) && !move_continues(p->runner, now, moves[i], &p->begun))
                continue;
            if (!move_text(p->runner, now, moves[i], &text))
                continue;
            int columns = text_columns(text_c(&text));
            if (pass == 0) {
                width = columns > width ? columns : width;
                last_shown = i;
                continue;
            }
            bool last = i == last_shown || column + 2 * (width + 2) > COLUMNS;
            text_f(&p->out, "%s%*s", text_c(&text), last ? 0 : width + 2 - columns, "");
            text_add(&p->out, last ? "\n" : "");
            column = last ? 0 : column + width + 2;
        }
    }
    text_free(&text);
    return true;
}

static bool do_board(Play *p, const char *rest) {
    (void)rest;
    play_add_board(p);
    play_add_status(p);
    return true;
}

static bool do_back(Play *p, const char *rest) {
    (void)rest;
    if (!play_has_begun(p))
        return refuse(p, "no move is begun; `undo` takes back a whole one");
    Text words = {0}, fewer = {0};
    text_add(&words, text_c(&p->begun.words));
    const char *s = text_c(&words);
    size_t n = words.n;
    do { // a label may have several words
        while (n > 0 && s[n - 1] != ' ')
            n--;
        while (n > 0 && s[n - 1] == ' ')
            n--;
        text_clear(&fewer);
        text_add_n(&fewer, s, n);
    } while (n > 0 && !move_begin(p->runner, record_now(p->record), text_c(&fewer), &p->begun));
    text_free(&words);
    text_free(&fewer);
    if (n == 0)
        move_begun_free(&p->begun);
    if (p->terminal && n > 0)
        play_add_next(p);
    else if (p->terminal)
        play_add_status(p);
    return true;
}

static bool do_hint(Play *p, const char *rest) {
    (void)rest;
    if (record_result(p->record))
        return refuse(p, "the game is over");
    SearchTask task = {.record = p->record, .seed = p->seed, .stop = cli_begin_search()};
    if (!p->adviser)
        p->adviser =
            player_stoppable(p->game, player_usual(), p->seats.knowledge, task.stop, &p->out);
    if (!p->adviser) {
        cli_end_search();
        return false;
    }
    SearchResult result;
    bool found = player_search(p->adviser, &task, &result);
    cli_end_search();
    if (!found)
        return refuse(p, runner_error(p->runner));
    move_text(p->runner, record_now(p->record), result.move, &p->out);
    text_add(&p->out, " (");
    result_describe(&result, &p->out);
    text_add(&p->out, ")\n");
    return true;
}

static bool do_history(Play *p, const char *rest) {
    (void)rest;
    const IrGame *ir = p->game->ir;
    int length = record_length(p->record), number = 0, before = -1;
    bool in_turn = record_in_turn(p->record);
    for (int i = 0; i < length; i++) {
        const uint8_t *state = record_state(p->record, i);
        int player = game_player(p->game, state);
        if (in_turn ? i % ir->players == 0 : player != before)
            text_f(&p->out, "%s%3d.", i ? "\n" : "", ++number);
        if (!in_turn && player != before)
            text_f(&p->out, " %s:", ir->player[player]);
        before = player;
        text_char(&p->out, ' ');
        move_text(p->runner, state, record_move(p->record, i), &p->out);
    }
    text_add(&p->out, length ? "\n" : "No moves yet.\n");
    return true;
}

static bool do_undo(Play *p, const char *rest) {
    (void)rest;
    if (!record_undo(p->record))
        return refuse(p, "there is nothing to take back");
    while (!play_is_person(p) && record_undo(p->record))
        continue;
    show_anew(p);
    return true;
}

static bool do_redo(Play *p, const char *rest) {
    (void)rest;
    if (!record_redo(p->record))
        return refuse(p, "nothing was taken back");
    while (!play_is_person(p) && record_redo(p->record))
        continue;
    show_anew(p);
    return true;
}

static bool do_restart(Play *p, const char *rest) {
    (void)rest;
    record_restart(p->record);
    show_anew(p);
    return true;
}

static bool do_save(Play *p, const char *rest) {
    if (!*rest)
        return refuse(p, "`save` needs the name of a file");
    Text text = {0};
    record_save(p->record, p->params, p->param_count, &text);
    bool ok = !text.failed && file_write_atomic(rest, text_c(&text), text.n, &p->out);
    if (text.failed)
        text_add(&p->out, "out of memory");
    else if (ok && p->terminal)
        text_f(&p->out, "Saved to %s.\n", rest);
    text_free(&text);
    return ok;
}

static bool do_load(Play *p, const char *rest) {
    if (!*rest)
        return refuse(p, "`load` needs the name of a file");
    if (!saved_load_into(p->record, p->game, rest, &p->out))
        return false;
    show_anew(p);
    return true;
}

static bool do_quit(Play *p, const char *rest) {
    (void)rest;
    p->done = true;
    return true;
}

// --- the table ---

static const struct PlayCommand {
    const char *name;
    char letter;
    const char *arguments;
    const char *help;
    bool (*run)(Play *p, const char *rest);
} table[] = {
#define X(name, letter, arguments, help) {#name, letter, arguments, help, do_##name},
    PLAY_COMMANDS(X)
#undef X
};
enum { COMMANDS = sizeof table / sizeof table[0] };

static void add_first_move(Play *p) {
    const Move *moves;
    int n = runner_moves(p->runner, record_now(p->record), &moves);
    if (n <= 0)
        return;
    text_add(&p->out, "Type a move, for example ");
    move_text(p->runner, record_now(p->record), moves[0], &p->out);
    if (p->game->ir->most_choices > 1)
        text_add(&p->out, " (also choice by choice)");
    text_add(&p->out, ", or:\n");
}

static bool do_help(Play *p, const char *rest) {
    (void)rest;
    add_first_move(p);
    for (int i = 0; i < COMMANDS; i++) {
        Text name = {0};
        text_f(&name, "%s %s", table[i].name, table[i].arguments);
        if (table[i].letter)
            text_f(&name, "(%c)", table[i].letter);
        text_f(&p->out, "  %-14s %s\n", text_c(&name), table[i].help);
        text_free(&name);
    }
    return true;
}

static const struct PlayCommand *find(const char *word, size_t n) {
    for (int i = 0; i < COMMANDS; i++) {
        bool named = strlen(table[i].name) == n && strncmp(table[i].name, word, n) == 0;
        bool lettered = n == 1 && table[i].letter && table[i].letter == word[0];
        if (named || lettered)
            return &table[i];
    }
    return NULL;
}

// A move may have the same text as a command: then it is the move, and `/` makes the command. So
// with the next choice of a move that is begun, but not with the first of one that is not.
static bool is_move(Play *p, const char *line) {
    Move move;
    MoveBegun part = {0};
    Text ignored = {0};
    PlayTyped typed = play_read(p, line, &move, &part, &ignored);
    move_begun_free(&part);
    text_free(&ignored);
    return typed == TYPED_MOVE || (typed == TYPED_PART && play_has_begun(p));
}

bool play_command(Play *p, const char *line, bool *ok) {
    bool marked = line[0] == '/';
    const char *word = line + marked;
    size_t n = strcspn(word, " \t");
    const struct PlayCommand *command = find(word, n);
    if (!command && marked) {
        text_f(&p->out, "there is no command `%s`; `help` lists them", line);
        *ok = false;
        return true;
    }
    if (!command || (!marked && is_move(p, line)))
        return false;
    const char *rest = word + n + strspn(word + n, " \t");
    if (*rest && !command->arguments[0]) {
        text_f(&p->out, "`%s` takes nothing after it", command->name);
        *ok = false;
        return true;
    }
    *ok = command->run(p, rest);
    return true;
}

const char *play_near_command(const char *line) {
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++)
        names[i] = table[i].name;
    size_t n = strcspn(line, " \t");
    char word[16];
    if (n < 3 || n >= sizeof word)
        return NULL;
    memcpy(word, line, n);
    word[n] = '\0';
    return text_nearest(word, names, COMMANDS);
}

void play_complete_commands(const char *typed, Text *out) {
    for (int i = 0; i < COMMANDS; i++)
        if (strncmp(table[i].name, typed, strlen(typed)) == 0)
            text_f(out, "%s\n", table[i].name);
}
