// play: a game in the terminal, or with moves from a pipe.
#include "cli/play.h"

#include "cli/line.h"
#include "cli/playout.h"
#include "cli/saved.h"
#include "game/statetext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

// More members of a choice are not listed.
#define LISTED_MAX 24

// --- who plays ---

static int64_t seed_of_the_moment(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (t.tv_nsec / 1000 + t.tv_sec) % 1000000; // short enough to type again
}

// --- showing ---

// The cells that look different than before the last move.
static void mark_changes(const Play *p, uint64_t *mark) {
    int length = record_length(p->record);
    if (length == 0)
        return;
    const uint8_t *now = record_now(p->record), *before = record_state(p->record, length - 1);
    for (int c = 0; c < p->game->ir->board->cells; c++) {
        int height = state_height(p->game, now, c);
        bool same = height == state_height(p->game, before, c);
        for (int level = 0; same && level < height; level++)
            same = state_plane(p->game, now, c, level) == state_plane(p->game, before, c, level);
        if (!same)
            mark[c / 64] |= (uint64_t)1 << (c % 64);
    }
}

void play_add_board(Play *p) {
    uint64_t mark[BOARD_MAX_WORDS] = {0};
    DrawStyle style = p->style;
    mark_changes(p, mark);
    for (int i = 0; i < BOARD_MAX_WORDS; i++)
        mark[i] |= p->begun.cells[i];
    style.mark = style.colour ? mark : NULL;
    draw_board(p->game, record_now(p->record), style, &p->out);
    if (p->terminal) // elsewhere the text of the position has it
        draw_values(p->game, record_now(p->record), &p->out);
}

static void add_result(Play *p, int result) {
    game_result_text(p->game, result, &p->out);
    const char *reason = record_reason(p->record);
    if (reason[0])
        text_f(&p->out, ": %s", reason);
    text_char(&p->out, '\n');
}

void play_add_next(Play *p) {
    const MoveBegun *b = &p->begun;
    if (b->say)
        text_f(&p->out, "%s\n", b->say);
    if (b->name)
        text_f(&p->out, "`%s` can be ", b->name);
    else
        text_add(&p->out, "Next can be ");
    const char *s = text_c(&b->next);
    for (int i = 0; i < b->count && i < LISTED_MAX; i++) {
        size_t n = strcspn(s, "\n");
        text_f(&p->out, "%s%.*s", i ? ", " : "", (int)n, s);
        s += n + 1;
    }
    const char *more = p->style.ascii ? ", ...\n" : ", …\n";
    text_add(&p->out, b->count > LISTED_MAX ? more : ".\n");
}

static void add_say(Play *p) {
    MoveBegun first = {0};
    const char *say = p->begun.say;
    if (!play_has_begun(p) && move_begin(p->runner, record_now(p->record), "", &first))
        say = first.say;
    if (say)
        text_f(&p->out, " %s", say);
    move_begun_free(&first);
}

void play_add_status(Play *p) {
    const uint8_t *now = record_now(p->record);
    int result = record_result(p->record);
    if (result > 0) {
        add_result(p, result);
        return;
    }
    text_f(&p->out, "%s to move.", p->game->ir->player[game_player(p->game, now)]);
    if (p->terminal)
        add_say(p);
    text_char(&p->out, '\n');
}

static void print_welcome(Play *p, int64_t seed) {
    const IrGame *ir = p->game->ir;
    text_f(&p->out, "%s\n", ir->title);
    const char *held = seats_enforced(&p->seats);
    if (held[0])
        text_f(&p->out, "Bots: %s\n", held);
    bool program = false;
    for (int i = 0; i < ir->players; i++) {
        text_f(&p->out, "%s%s: %s", i ? ", " : "", ir->player[i], seats_text(&p->seats, i));
        program = program || !seats_is_person(&p->seats, i);
    }
    if (program)
        text_f(&p->out, " (seed %lld)", (long long)seed);
    text_add(&p->out, seats_any_person(&p->seats) ? "\nType a move, or `help`.\n\n" : "\n\n");
    cli_print(&p->out);
}

static void print_end(Play *p) {
    if (!p->terminal || !seats_any_person(&p->seats)) {
        play_add_board(p);
        state_text(p->game, record_now(p->record), &p->out);
        text_char(&p->out, '\n');
        play_add_status(p);
    } else if (cli_interrupted() || !p->done) {
        int n = record_length(p->record);
        text_f(&p->out, "\n%s after %d move%s.\n", cli_interrupted() ? "Interrupted" : "Left", n,
               n == 1 ? "" : "s");
    }
    cli_print(&p->out);
}

// --- playing ---

// The move of a player that is no person. Where there is only one, nobody has to think.
static bool find_move(Play *p, Player *player, Move *move) {
    const Move *moves;
    int n = runner_moves(p->runner, record_now(p->record), &moves);
    if (n == 1)
        *move = moves[0];
    if (n <= 1)
        return n == 1;
    // Only who takes time is told by Ctrl-C to move: otherwise it ends the game.
    bool thinks = seats_any_thinker(&p->seats);
    SearchTask task = {.record = p->record, .seed = p->seed};
    SearchResult result;
    if (thinks)
        task.stop = cli_begin_search();
    bool found = player_search(player, &task, &result);
    if (thinks)
        cli_end_search();
    *move = result.move;
    return found;
}

// A bot gets every position, so that it can follow the game; Ctrl-C ends the game.
static int find_bot_move(Play *p, int seat, Move *move) {
    const atomic_bool *stop = cli_begin_search();
    int status = seats_bot_move(&p->seats, seat, p->record, stop, move);
    cli_end_search();
    return status;
}

static int play_program(Play *p) {
    Move move;
    const uint8_t *now = record_now(p->record);
    int seat = game_player(p->game, now);
    bool found = true;
    if (p->seats.bot[seat]) {
        int status = find_bot_move(p, seat, &move);
        if (status != EXIT_OK)
            return status;
    } else {
        found = find_move(p, p->seats.player[seat], &move);
    }
    if (cli_interrupted())
        return EXIT_INTERRUPTED;
    if (found) {
        text_f(&p->out, "%s: ", p->game->ir->player[seat]);
        move_text(p->runner, now, move, &p->out);
        text_char(&p->out, '\n');
        cli_print(&p->out);
        fflush(stdout); // the next move may take its time
    }
    if (!found || !record_play(p->record, move))
        return cli_error("%s", runner_error(p->runner));
    p->shown = false;
    return EXIT_OK;
}

// A message about a line; in a pipe it is the end.
static int complain(Play *p, const char *message) {
    if (!p->terminal)
        return cli_error("line %d: %s", p->line_number, message);
    printf("%s\n", message);
    return EXIT_OK;
}

PlayTyped play_read(Play *p, const char *line, Move *move, MoveBegun *part, Text *why) {
    if (record_result(p->record) != 0)
        return TYPED_NOTHING;
    const uint8_t *now = record_now(p->record);
    Text whole = {0}, ignored = {0};
    text_f(&whole, "%s%s%s", text_c(&p->begun.words), play_has_begun(p) ? " " : "", line);
    PlayTyped typed = TYPED_NOTHING;
    if (move_read(p->runner, now, text_c(&whole), move, why))
        typed = TYPED_MOVE;
    else if (move_begin(p->runner, now, text_c(&whole), part))
        typed = TYPED_PART;
    else if (play_has_begun(p) && move_read(p->runner, now, line, move, &ignored))
        typed = TYPED_MOVE;
    text_free(&whole);
    text_free(&ignored);
    return typed;
}

// Keeps the choices made and asks for the next.
static void keep_part(Play *p, MoveBegun *part) {
    MoveBegun old = p->begun;
    p->begun = *part;
    *part = old;
    p->begun_line = p->line_number;
    if (p->terminal)
        play_add_next(p);
    cli_print(&p->out);
}

static int play_move(Play *p, const char *line) {
    Move move;
    MoveBegun part = {0};
    Text why = {0};
    int status = EXIT_OK;
    PlayTyped typed = play_read(p, line, &move, &part, &why);
    if (typed == TYPED_PART) {
        keep_part(p, &part);
    } else if (typed == TYPED_NOTHING) {
        const char *near = play_near_command(line);
        text_add(&why, why.n ? "" : "the game is over");
        if (near)
            text_f(&why, "; did you mean the command `%s`?", near);
        status = complain(p, text_c(&why));
    } else if (!record_play(p->record, move)) {
        status = cli_error("%s", runner_error(p->runner));
    } else {
        p->shown = false;
        move_begun_free(&p->begun);
    }
    move_begun_free(&part);
    text_free(&why);
    return status;
}

// Input ends within a move: of a pipe that is a mistake.
static int end_of_input(Play *p) {
    if (p->terminal || !play_has_begun(p) || cli_interrupted())
        return EXIT_OK;
    Move move;
    Text why = {0};
    move_read(p->runner, record_now(p->record), text_c(&p->begun.text), &move, &why);
    p->line_number = p->begun_line;
    int status = complain(p, text_c(&why));
    text_free(&why);
    return status;
}

static int obey(Play *p, const char *line) {
    bool ok = true;
    if (!play_command(p, line, &ok))
        return play_move(p, line);
    int status = EXIT_OK;
    if (!ok) {
        status = complain(p, text_c(&p->out));
        text_clear(&p->out);
    }
    cli_print(&p->out);
    return status;
}

// A line without the blanks around it; nothing if it is a remark. An empty one gives up a choice.
static int obey_line(Play *p, const char *typed) {
    typed += strspn(typed, " \t");
    size_t n = strlen(typed);
    while (n > 0 && strchr(" \t", typed[n - 1]))
        n--;
    if (*typed == '#' || (n == 0 && !play_has_begun(p)))
        return EXIT_OK;
    if (n == 0)
        return obey(p, "/back");
    Text line = {0};
    text_add_n(&line, typed, n);
    int status = line.failed ? cli_error("out of memory") : obey(p, text_c(&line));
    text_free(&line);
    return status;
}

// What a person sees before typing.
static void show(Play *p, int result) {
    if (p->shown || !p->terminal)
        return;
    play_add_board(p);
    play_add_status(p);
    if (result)
        text_add(&p->out, "`undo`, `restart`, `save FILE` or `quit`?\n");
    cli_print(&p->out);
    p->shown = true;
}

static int loop(Play *p, Line *line) {
    int status = EXIT_OK;
    while (status == EXIT_OK && !p->done && !cli_interrupted()) {
        int result = record_result(p->record);
        if (result < 0)
            return cli_error("%s", runner_error(p->runner));
        bool person = play_is_person(p);
        if (!seats_any_person(&p->seats) && (result || record_length(p->record) >= PLAYOUT_PLIES))
            break;
        if (!result && !person) {
            status = play_program(p);
            continue;
        }
        show(p, result);
        Text prompt = {0};
        const char *name = p->game->ir->player[game_player(p->game, record_now(p->record))];
        text_f(&prompt, "%s%s%s> ", result ? "" : name, play_has_begun(p) ? " " : "",
               text_c(&p->begun.text));
        const char *typed = line_read(line, text_c(&prompt));
        text_free(&prompt);
        if (!typed) {
            status = end_of_input(p);
            break;
        }
        p->line_number++;
        cli_forget_interrupt();
        status = obey_line(p, typed);
    }
    return cli_interrupted() ? EXIT_INTERRUPTED : status;
}

static void complete(void *context, const char *typed, Text *out) {
    Play *p = context;
    const Move *moves;
    const uint8_t *now = record_now(p->record);
    int n = record_result(p->record) ? 0 : runner_moves(p->runner, now, &moves);
    Text text = {0};
    for (int i = 0; i < n; i++) {
        text_clear(&text);
        if (move_text(p->runner, now, moves[i], &text) &&
            strncmp(text_c(&text), typed, strlen(typed)) == 0)
            text_f(out, "%s\n", text_c(&text));
    }
    size_t length = strlen(typed);
    for (const char *s = text_c(&p->begun.next); *s; s += strcspn(s, "\n") + 1)
        if (strncmp(s, typed, length) == 0)
            text_add_n(out, s, strcspn(s, "\n") + 1);
    if (typed[0])
        play_complete_commands(typed, out);
    text_free(&text);
}

static int play(const Cli *cli, Saved *s) {
    Play p = {.cli = cli,
              .game = s->desk.game,
              .runner = s->desk.runner,
              .record = s->record,
              .params = (const char *const *)s->params,
              .param_count = s->param_count,
              .terminal = isatty(STDIN_FILENO),
              .style = cli_style(cli)};
    int64_t seed = seed_of_the_moment();
    if (!cli_number(cli, OPT_SEED, 0, INT64_MAX, &seed))
        return EXIT_USAGE;
    p.seed = (uint64_t)seed;
    int status = seats_open(cli, p.game, &p.seats);
    Line *line = status == EXIT_OK ? line_open(p.terminal, complete, &p) : NULL;
    if (!line) {
        seats_close(&p.seats);
        return status == EXIT_OK ? cli_error("out of memory") : status;
    }
    cli_catch_interrupt();
    Text ignored = {0};
    if (s->desk.backend == BACKEND_AUTO && seats_any_thinker(&p.seats))
        game_use(s->desk.game, BACKEND_AUTO, &ignored); // without it, they see less
    text_free(&ignored);
    seats_begin(&p.seats, p.seed);
    if (p.terminal)
        print_welcome(&p, seed);
    status = loop(&p, line);
    line_close(line);
    print_end(&p);
    player_free(p.adviser);
    seats_close(&p.seats);
    move_begun_free(&p.begun);
    text_free(&p.out);
    return status;
}

// A new game, in the form of a saved one without moves.
static int open_new(const Cli *cli, Saved *s) {
    *s = (Saved){0};
    int status = desk_open(cli, &s->desk);
    if (status == EXIT_OK)
        status = desk_backend(cli, &s->desk, BACKEND_AUTO);
    if (status == EXIT_OK)
        status = desk_first(cli, &s->desk);
    if (status != EXIT_OK)
        return status;
    s->record = record_new(s->desk.runner, s->desk.start);
    s->params = mem_alloc(sizeof *s->params * (size_t)(cli->param_count + 1));
    if (!s->record || !s->params)
        return cli_error("out of memory");
    for (int i = 0; i < cli->param_count; i++) {
        Text t = {0};
        text_add(&t, cli->params[i]);
        s->params[s->param_count++] = t.s;
    }
    return EXIT_OK;
}

static int open_saved(const Cli *cli, Saved *s) {
    *s = (Saved){0};
    if (cli->option[OPT_STATE] || cli->option[OPT_FIRST])
        return cli_usage(cli, "--load brings its own position: leave --state and --first out");
    if (cli->word_count > 1 || cli->param_count)
        return cli_usage(cli, "--load brings its own game: leave `%s` out",
                         cli->word_count > 1 ? cli->words[1] : cli->params[0]);
    int status = saved_open(cli, cli->option[OPT_LOAD], s);
    if (status != EXIT_OK || cli->word_count == 0)
        return status;
    if (strcmp(cli->words[0], s->desk.game->name) == 0)
        return EXIT_OK;
    return cli_error("%s: this is a game of `%s`, not of `%s`", cli->option[OPT_LOAD],
                     s->desk.game->name, cli->words[0]);
}

int cmd_play(const Cli *cli) {
    Saved s;
    int status = cli->option[OPT_LOAD] ? open_saved(cli, &s) : open_new(cli, &s);
    if (status == EXIT_OK)
        status = play(cli, &s);
    saved_close(&s);
    return status;
}
