// table_turns: a game at the table, turn by turn; see at_table.h.
#include "cli/at_table.h"

#include "base/now.h"
#include "game/movetext.h"
#include "game/statetext.h"
#include "robot/serial.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SETTLE 0.7      // seconds that a person's move must stay as it is
#define COMPLAIN 3.0    // seconds until something odd on the board is mentioned
#define PLIES_MOST 2000 // of one game

// --- asking ---

// `enter`: Enter alone is the first of the words.
static int ask(AtTable *a, const char *question, const char *words, bool enter) {
    Text line = {0};
    int found = -1;
    talk_ask(a->talk, question);
    while (found < 0 && !talk_over(a->talk) && !cli_interrupted()) {
        text_clear(&line);
        if (!talk_line(a->talk, 0.5, &line))
            continue;
        const char *s = words;
        for (int i = 0; *s && found < 0; i++) {
            size_t n = strcspn(s, " ");
            if (strncasecmp(s, text_c(&line), n) == 0 && line.n == n)
                found = i;
            s += n + (s[n] == ' ');
        }
        if (found < 0 && line.n == 0 && enter)
            found = 0;
        if (found < 0) {
            text_clear(&line);
            text_f(&line, "Type one of: %s", words);
            talk_ask(a->talk, text_c(&line));
        }
    }
    text_free(&line);
    return found;
}

int table_ask(AtTable *a, const char *question, const char *words) {
    return ask(a, question, words, true);
}

static bool help(AtTable *a, const char *line) {
    a->figures.helped++;
    if (a->sim) {
        talk_say(a->talk, line);
        table_sim_help(a);
        return true;
    }
    Text question = {0};
    text_f(&question, "Please help: %s. Enter when it is done, `quit` to leave", line);
    talk_moving(a->talk, NULL);
    int answer = table_ask(a, text_c(&question), "done quit");
    talk_moving(a->talk, a->controller);
    text_free(&question);
    return answer == 0;
}

bool table_tell(void *with, RobotNews news, const char *line) {
    AtTable *a = with;
    switch (news) {
    case ROBOT_STEP:
        a->figures.steps++;
        talk_show(a->talk, "  %s", line);
        break;
    case ROBOT_WAIT: talk_say(a->talk, line); break;
    case ROBOT_SEEN:
        a->figures.reads++;
        if (a->sim)
            table_sim_check(a);
        break;
    case ROBOT_FAILED:
        a->figures.failed++;
        talk_show(a->talk, "  %s", line);
        break;
    case ROBOT_HELP: return help(a, line);
    case ROBOT_MOTION:
    case ROBOT_DONE: break;
    }
    return false;
}

// --- the arm's turn ---

// The exit status of somebody who leaves at a question: by a word, or by Ctrl-C.
static int left(void) {
    return cli_interrupted() ? EXIT_INTERRUPTED : EXIT_INPUT;
}

// After a stop, or when the robot gave up. TABLE_GO_ON: once more. That needs the whole word: who
// presses Enter twice wants to stop the arm, not to stop it and start it again.
static int try_again(AtTable *a, Text *why) {
    bool stopped = robot_is_stopped(a->robot);
    if (cli_interrupted())
        return EXIT_INTERRUPTED;
    if (talk_over(a->talk))
        return cli_error("%s", text_c(why));
    for (;;) {
        Text question = {0};
        text_stop(why);
        text_f(&question, "%s `go` to go on, `quit` to leave", text_c(why));
        int answer = ask(a, text_c(&question), "go quit", false);
        text_free(&question);
        if (answer != 0)
            return left();
        text_clear(why);
        if (!stopped || robot_resume(a->robot, why))
            return TABLE_GO_ON;
    }
}

// Makes the board as the record has it.
static int carry_out(AtTable *a) {
    int status = TABLE_GO_ON;
    bool done = false;
    Text why = {0};
    while (!done && status == TABLE_GO_ON) {
        int news = a->figures.failed + a->figures.helped;
        int repeats = controller_repeats(a->controller);
        text_clear(&why);
        if (a->sim && record_length(a->record) > 0)
            table_sim_trouble(a);
        talk_moving(a->talk, a->controller);
        done = robot_play(a->robot, record_now(a->record), &why);
        talk_moving(a->talk, NULL);
        if (a->sim)
            table_sim_count(a, a->figures.failed + a->figures.helped - news,
                            controller_repeats(a->controller) - repeats);
        if (!done)
            status = try_again(a, &why);
    }
    text_free(&why);
    return status;
}

static bool let_go(AtTable *a) {
    bool ask = a->ask == ASK_EACH || (a->ask == ASK_FIRST && a->asked < 3);
    a->asked++;
    return !ask || table_ask(a, "Enter: the arm moves. `quit` to leave", "go quit") == 0;
}

// What a search has found when Ctrl-C ends it is not played: who presses it wants no arm to move.
static int search(AtTable *a, int seat, Move *move) {
    static SearchResult result;
    SearchTask task = {.record = a->record, .seed = a->seed, .stop = cli_begin_search()};
    int status = TABLE_GO_ON;
    if (cli_interrupted()) { // so early that the search would not be told
        status = EXIT_INTERRUPTED;
    } else if (a->seats.bot[seat]) {
        status = seats_bot_move(&a->seats, seat, a->record, task.stop, move);
        status = status == EXIT_OK ? TABLE_GO_ON : status;
    } else if (player_search(a->seats.player[seat], &task, &result)) {
        *move = result.move;
    } else if (!atomic_load(task.stop)) {
        status = cli_error("%s", runner_error(a->desk.runner));
    }
    cli_end_search();
    return atomic_load(task.stop) ? EXIT_INTERRUPTED : status;
}

static int think(AtTable *a, Move *move) {
    const Move *moves;
    int n = runner_moves(a->desk.runner, record_now(a->record), &moves);
    if (n < 1)
        return cli_error("%s", runner_error(a->desk.runner));
    if (n > 1)
        return search(a, game_player(a->desk.game, record_now(a->record)), move);
    *move = moves[0];
    return TABLE_GO_ON;
}

static void announce(AtTable *a, Move move) {
    Text line = {0};
    const uint8_t *now = record_now(a->record);
    text_f(&line, "%s: ", a->desk.game->ir->player[game_player(a->desk.game, now)]);
    move_text(a->desk.runner, now, move, &line);
    talk_say(a->talk, text_c(&line));
    text_free(&line);
}

static int play_move(AtTable *a, Move move) {
    announce(a, move);
    a->figures.moves++;
    return record_play(a->record, move) ? TABLE_GO_ON
                                        : cli_error("%s", runner_error(a->desk.runner));
}

static int arms_turn(AtTable *a) {
    Move move;
    int status = think(a, &move);
    if (status == TABLE_GO_ON)
        status = play_move(a, move);
    if (status == TABLE_GO_ON && !let_go(a))
        status = left();
    return status == TABLE_GO_ON ? carry_out(a) : status;
}

// --- a person's turn ---

typedef struct Watch { // what the board looked like so far in this turn
    PersonFound found;
    Move move;
    double since;   // it looks so
    bool mentioned; // that it is odd
    Text said;      // what was said about it last
} Watch;

static int top_of(const AtTable *a, const uint8_t *state, int cell) {
    int height = state_height(a->desk.game, state, cell);
    return height ? state_plane(a->desk.game, state, cell, height - 1) : SCENE_NOTHING;
}

// Whether what was seen last is this state, as far as a camera can tell.
static bool looks_like(const AtTable *a, const uint8_t *state) {
    for (int c = 0; c < a->table->cells; c++)
        if (scene_top(robot_scene(a->robot), c) != top_of(a, state, c))
            return false;
    return true;
}

// A move that was typed may be on the board already; where piles look the same from above before
// it and after it, only the person knows.
// False: nobody answers.
static bool know_typed(AtTable *a, bool as_before) {
    const uint8_t *now = record_now(a->record);
    if (!a->camera || !looks_like(a, now) || scene_differs(robot_scene(a->robot), now) < 0)
        return true;
    int answer = 0;
    if (as_before)
        answer = table_ask(a,
                           "From above the board looks the same before that move and after it. Is "
                           "it on the board already? `yes`, or `no`: then I make it",
                           "yes no");
    if (answer == 0)
        robot_know(a->robot, now);
    return answer >= 0;
}

// What was typed: a move, which the arm then makes, or a command. TABLE_GO_ON with *done: played.
static int typed(AtTable *a, const char *line, bool *done) {
    Move move;
    Text why = {0};
    int status = TABLE_GO_ON;
    line += strspn(line, " \t");
    if (strcasecmp(line, "quit") == 0) {
        status = EXIT_INPUT;
    } else if (*line && move_read(a->desk.runner, record_now(a->record), line, &move, &why)) {
        bool as_before = looks_like(a, record_now(a->record));
        status = play_move(a, move);
        if (status == TABLE_GO_ON)
            status = know_typed(a, as_before) ? carry_out(a) : left();
        *done = true;
    } else if (*line) {
        talk_show(a->talk, "%s", text_c(&why));
    }
    text_free(&why);
    return status;
}

// A move that a person has made by hand.
static int take_move(AtTable *a, Move move, bool *done) {
    int status = play_move(a, move);
    if (status == TABLE_GO_ON)
        robot_know(a->robot, record_now(a->record));
    *done = true;
    return status;
}

static int choose(AtTable *a, const PersonMove *found, bool *done) {
    Text question = {0};
    a->figures.asked++;
    text_add(&question, "I am not sure. Which move was it?");
    for (int i = 0; i < found->bests; i++) {
        text_f(&question, " %d: ", i + 1);
        move_text(a->desk.runner, record_now(a->record), found->best[i], &question);
    }
    text_add(&question, ". 0: none of them");
    Move move;
    int answer = -1;
    if (a->sim) {
        talk_say(a->talk, text_c(&question));
        *done = table_sim_answer(a, &move);
    } else {
        answer = table_ask(a, text_c(&question), "0 1 2 3");
        *done = answer > 0 && answer <= found->bests;
        if (*done)
            move = found->best[answer - 1];
    }
    text_free(&question);
    return *done ? take_move(a, move, done) : TABLE_GO_ON;
}

// A simulated person has to say what no camera can see.
static bool told_unseen(AtTable *a, Move *move) {
    bool unseen = a->sim != NULL;
    for (int c = 0; c < a->table->cells && unseen; c++)
        unseen = top_of(a, record_now(a->record), c) == top_of(a, a->meant, c);
    if (!unseen || !table_sim_answer(a, move))
        return false;
    a->figures.asked++;
    talk_show(a->talk, "  the person says which move it was");
    return true;
}

static double settle_seconds(const AtTable *a) {
    return a->sim ? SETTLE / a->rate : SETTLE;
}

// Once for everything that is odd, after it has stayed a while.
static void complain(AtTable *a, Watch *w, PersonFound found, const char *why) {
    double patience = a->sim ? COMPLAIN / a->rate : COMPLAIN;
    if (w->mentioned || now_seconds() - w->since < patience)
        return;
    w->mentioned = true;
    if (found == PERSON_WRONG) {
        Text line = {0};
        a->figures.refused++;
        text_f(&line, "That is no legal move: %s", why);
        talk_say(a->talk, text_c(&line));
        text_free(&line);
    } else {
        talk_say(a->talk, why);
    }
    if (a->sim)
        table_sim_told(a);
}

// One look at the board. *done: the person's move was found and played.
static int look_once(AtTable *a, Watch *w, bool *done) {
    PersonMove found;
    Text why = {0};
    int status = TABLE_GO_ON;
    talk_moving(a->talk, a->controller);
    a->turn = true;
    bool ok = robot_home(a->robot, &why);
    talk_looking(a->talk, a->controller); // a move may be typed meanwhile
    ok = ok && robot_look(a->robot, &a->sight, &why);
    a->turn = false;
    talk_moving(a->talk, NULL);
    if (!ok) {
        status = try_again(a, &why);
        text_free(&why);
        return status;
    }
    if (!person_find(a->table, a->desk.runner, record_now(a->record), &a->sight, &found, &why)) {
        status = cli_error("%s", text_c(&why));
        text_free(&why);
        return status;
    }
    bool same = found.found == w->found && move_equal(found.move, w->move) &&
                strcmp(text_c(&why), text_c(&w->said)) == 0;
    if (!same) {
        w->found = found.found;
        w->move = found.move;
        w->since = now_seconds();
        w->mentioned = false;
        text_clear(&w->said);
        text_add(&w->said, text_c(&why));
    }
    bool settled = same && now_seconds() - w->since >= settle_seconds(a);
    if (found.found == PERSON_MOVE && settled) {
        status = take_move(a, found.move, done);
    } else if (found.found == PERSON_UNSURE && settled) {
        status = choose(a, &found, done);
        w->since = now_seconds();
    } else if (found.found == PERSON_NOTHING && settled && told_unseen(a, &found.move)) {
        status = take_move(a, found.move, done);
    } else if (found.found == PERSON_HALF || found.found == PERSON_WRONG) {
        complain(a, w, found.found, text_c(&why));
    }
    text_free(&why);
    return status;
}

// Only one thing to do, and nothing moves on the board: nobody has to be asked.
static bool only_pass(AtTable *a, Move *move) {
    const Move *moves;
    int n = runner_moves(a->desk.runner, record_now(a->record), &moves);
    *move = MOVE_PASS;
    return n == 1 && move_is_pass(moves[0]);
}

static int persons_turn(AtTable *a) {
    Watch w = {.found = PERSON_NOTHING, .since = now_seconds()};
    Move move;
    bool done = false;
    int status = TABLE_GO_ON;
    if (only_pass(a, &move))
        return play_move(a, move);
    if (a->sim && !table_sim_person(a))
        return EXIT_INPUT;
    if (!a->sim)
        talk_say(a->talk, a->camera ? "Your move." : "Type your move.");
    while (!done && status == TABLE_GO_ON) {
        Text line = {0};
        if (cli_interrupted())
            status = EXIT_INTERRUPTED;
        else if (!a->sim && talk_line(a->talk, a->camera ? 0.05 : 60, &line))
            status = typed(a, text_c(&line), &done);
        else if (!a->sim && !a->camera && talk_over(a->talk))
            status = cli_error("nobody types a move any more");
        else if (a->camera)
            status = look_once(a, &w, &done);
        text_free(&line);
    }
    a->figures.persons += done;
    text_free(&w.said);
    if (a->sim && status == TABLE_GO_ON &&
        !game_same(a->desk.game, record_now(a->record), a->meant)) {
        a->figures.wrong++;
        status = cli_error("the move of a simulated person was taken for another one");
    }
    return status;
}

// --- a game ---

static void show_board(AtTable *a) {
    Text board = {0};
    DrawStyle style = cli_style(a->cli);
    style.colour = style.colour && !a->json; // it is not standard output then
    draw_board(a->desk.game, record_now(a->record), style, &board);
    if (board.n && board.s[board.n - 1] == '\n')
        board.s[board.n - 1] = 0;
    talk_show(a->talk, "%s", text_c(&board));
    text_free(&board);
}

// The pieces stand as the game begins: by a person, by the arm, or by decree.
static int set_up(AtTable *a) {
    Scene start;
    if (!scene_init(&start, a->table))
        return cli_error("out of memory");
    scene_of_state(&start, record_now(a->record));
    robot_believe(a->robot, &start);
    scene_free(&start);
    if (a->sim) {
        table_sim_set(a);
        return carry_out(a); // nothing to do but to look at the board without a hand
    }
    int answer = table_ask(a,
                           "Set up the board, then Enter. The arm puts right what is left to be "
                           "done. `quit` to leave",
                           "done quit");
    return answer == 0 ? carry_out(a) : left();
}

static void note_result(AtTable *a, int result) {
    Text line = {0};
    game_result_text(a->desk.game, result, &line);
    const char *reason = record_reason(a->record);
    if (reason[0])
        text_f(&line, ": %s", reason);
    talk_say(a->talk, text_c(&line));
    text_free(&line);
    int winners = result & ~RESULT_OVER;
    a->figures.games++;
    a->figures.draws += winners == 0;
    for (int i = 0; i < a->desk.game->ir->players; i++)
        a->figures.wins[i] += winners >> i & 1;
}

int table_game(AtTable *a) {
    record_restart(a->record);
    int status = set_up(a), result = 0;
    while (status == TABLE_GO_ON) {
        if (cli_interrupted())
            return EXIT_INTERRUPTED;
        result = record_result(a->record);
        if (result < 0)
            return cli_error("%s", runner_error(a->desk.runner));
        if (result > 0 || record_length(a->record) >= PLIES_MOST)
            break;
        int seat = game_player(a->desk.game, record_now(a->record));
        status = seats_is_person(&a->seats, seat) ? persons_turn(a) : arms_turn(a);
        if (status == TABLE_GO_ON && !a->sim)
            show_board(a);
    }
    if (status != TABLE_GO_ON)
        return status;
    show_board(a);
    if (result > 0)
        note_result(a, result);
    else
        talk_say(a->talk, "The game goes on and on and is broken off: nobody has won.");
    return EXIT_OK;
}
