// Tests of src/match/bot.c, process.c, sandbox.c, command.c and contestant.c: players and bots,
// among them the hostile ones of tests/match/hostile, each a real process.
#include "match/bot.h"
#include "match/command.h"
#include "match/sandbox.h"
#include "search_fixture.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define FOLDER "tests/match/hostile/"

static const BotPatience usual = {.hello = 60, .ready = 60, .grace = 20, .longest = 60};
static const BotPatience short_hello = {.hello = 1, .ready = 60, .grace = 20, .longest = 60};
static const BotPatience longer_hello = {.hello = 8, .ready = 60, .grace = 20, .longest = 60};
static const BotPatience short_ready = {.hello = 60, .ready = 1, .grace = 20, .longest = 60};
static const BotPatience short_grace = {.hello = 60, .ready = 60, .grace = 0.3, .longest = 60};

// A bot plays two moves of a game in which the other side takes the last free cell.
typedef struct Case {
    const char *name;
    Ending ending; // of the last of the two; END_RULES: both were legal
    const BotPatience *patience;
    double seconds;     // for a move
    const char *reason; // part of the reason in words
    const char *log;    // part of what is kept; may be NULL
} Case;

static const Case cases[] = {
    {"silent", END_SILENCE, &short_hello, 60, "no answer to `ugi`", "> ugi"},
    {"sleeps_at_start", END_SILENCE, &short_hello, 60, "no answer to `ugi`", NULL},
    {"silent_at_go", END_SILENCE, &short_grace, 0.2, "nor after `stop`", "> stop"},
    {"never_ready", END_SILENCE, &short_ready, 60, "no `readyok`", NULL},
    {"ignores_stop", END_SILENCE, &short_grace, 0.2, "nor after `stop`", "< info depth 1"},
    {"spins", END_SILENCE, &short_grace, 0.2, "nor after `stop`", NULL},
    {"late", END_TIME, &usual, 0.2, "answered after", NULL},
    {"illegal", END_ILLEGAL, &usual, 30, "`z9` is no move here", "< bestmove z9"},
    {"other_position", END_ILLEGAL, &usual, 30, "`a1` is no move here", NULL},
    {"exits_at_start", END_CRASH, &usual, 30, "has ended with status 0", NULL},
    {"exits_at_ugi", END_CRASH, &usual, 30, "has ended with status 4", NULL},
    {"exits_at_new_game", END_CRASH, &usual, 30, "has ended with status 1", "no games, please"},
    {"exits_at_go", END_CRASH, &usual, 30, "has ended with status 3", "> go movetime"},
    {"raises", END_CRASH, &usual, 30, "has ended with status 1", "KeyError: 'the missing key'"},
    {"crashes", END_CRASH, &usual, 30, "signal 11", NULL},
    {"closes_output", END_CRASH, &short_grace, 1, "has closed its output", NULL},
    {"closes_input", END_CRASH, &short_ready, 1, "has closed its input", NULL},
    {"fork_bomb", END_LIMIT, &usual, 30, "processes, more than", NULL},
    {"endless_line", END_LIMIT, &usual, 30, "a line of more than", NULL},
    {"flood_output", END_LIMIT, &usual, 30, "bytes of output at once", NULL},
    {"flood_errors", END_LIMIT, &usual, 30, "bytes of output at once", "flood flood"},
    {"eats_memory", END_LIMIT, &usual, 30, "", NULL},
    {"garbage", END_NONSENSE, &usual, 30, "no text", NULL},
    {"twice", END_NONSENSE, &usual, 30, "nobody had said `go`", NULL},
    {"early_move", END_NONSENSE, &usual, 30, "nobody had said `go`", NULL},
    {"no_move", END_NONSENSE, &usual, 30, "without a move", NULL},
    {"wrong_handshake", END_NONSENSE, &usual, 30, "uciok", NULL},
    {"no_handshake", END_NONSENSE, &longer_hello, 60, "never says `ugiok`", "< Hello!"},
    {"slow_start", END_RULES, &usual, 30, "", NULL},
    {"chatty", END_RULES, &usual, 30, "", NULL},
    {"forks", END_RULES, &usual, 30, "", NULL},
    {"escapes", END_RULES, &usual, 30, "", NULL},
    {"ignores_quit", END_RULES, &usual, 30, "", NULL},
    {"empty_lines", END_RULES, &usual, 30, "", NULL},
    {"crlf", END_RULES, &usual, 30, "", NULL},
    {"capitals", END_RULES, &usual, 30, "", NULL},
    {"writes_outside", END_RULES, &usual, 30, "", NULL},
    {"network", END_RULES, &usual, 30, "", NULL},
};
#define CASES ((int)(sizeof cases / sizeof *cases))

// Processes whose command line has that text.
static int processes_of(const char *text) {
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    int n = 0;
    assert_non_null(proc);
    while ((entry = readdir(proc))) {
        char path[300], line[1000] = "";
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        int fd = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ? open(path, O_RDONLY) : -1;
        ssize_t got = fd < 0 ? 0 : read(fd, line, sizeof line - 1);
        if (fd >= 0)
            close(fd);
        for (ssize_t i = 0; i < got; i++)
            line[i] = line[i] ? line[i] : ' ';
        n += got > 0 && strstr(line, text) != NULL;
    }
    closedir(proc);
    return n;
}

// What was killed is gone in a moment.
static void assert_nothing_left(const char *text) {
    for (int i = 0; i < 1000 && processes_of(text) > 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_int_equal(processes_of(text), 0);
}

static void play_word(Fixture *f, const char *word) {
    Move move;
    Text why = {0};
    assert_true(
        protocol_read_move(f->runner, record_now(f->record), word, strlen(word), &move, &why));
    assert_true(record_play(f->record, move));
    text_free(&why);
}

static void ask(Bot *b, Fixture *f, double seconds, Answer *answer) {
    GoLimits go = {.move = seconds};
    bot_move(b, f->record, &go, seconds, 0, NULL, answer);
}

static void try_case(const Case *c) {
    Fixture f = open_game("tic-tac-toe", "", NULL);
    Text why = {0}, log = {0}, command = {0};
    text_f(&command, FOLDER "%s.py", c->name);
    Bot *b = bot_new(f.game, text_c(&command), c->patience, &why);
    assert_non_null(b);
    bot_begin(b, 7, NULL);
    Answer answer;
    ask(b, &f, c->seconds, &answer);
    if (answer.ending == END_RULES) {
        assert_true(record_play(f.record, answer.move));
        play_word(&f, "c3");
        text_free(&answer.why);
        ask(b, &f, c->seconds, &answer);
    }
    bot_log(b, &log);
    // Bubblewrap holds the pipes open, so that it looks like silence.
    bool held = strncmp(c->name, "closes_", 7) == 0 && sandbox_here()->bubblewrap;
    Ending wanted = held ? END_SILENCE : c->ending;
    if (answer.ending != wanted || (!held && !strstr(text_c(&answer.why), c->reason)) ||
        (c->log && !strstr(text_c(&log), c->log)))
        fail_msg("%s: %d, %s\n%s", c->name, answer.ending, text_c(&answer.why), text_c(&log));
    // What has failed stays so until a new game begins.
    if (c->ending != END_RULES) {
        text_free(&answer.why);
        ask(b, &f, c->seconds, &answer);
        assert_int_equal(answer.ending, wanted);
        assert_false(bot_running(b));
    }
    bot_quit(b, 0.2);
    text_clear(&log);
    bot_log(b, &log);
    if (sandbox_here()->bubblewrap) {
        assert_null(strstr(text_c(&log), "wrote outside"));
        assert_null(strstr(text_c(&log), "reached the network"));
    }
    bot_free(b);
    assert_nothing_left(text_c(&command));
    text_free(&answer.why);
    text_free(&why);
    text_free(&log);
    text_free(&command);
    close_game(&f);
}

// A server that a bot could reach if nothing held it back.
static int open_port(void) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    char port[16];
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(fd, 5), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    snprintf(port, sizeof port, "%d", ntohs(address.sin_port));
    setenv("TEST_PORT", port, 1);
    return fd;
}

static void hostile_bots_are_answered(void **state) {
    (void)state;
    int fd = open_port();
    for (int i = 0; i < CASES; i++)
        try_case(&cases[i]);
    close(fd);
}

// The last word of a bot counts even without the end of its line.
static void last_word_counts(void **state) {
    (void)state;
    Fixture f = open_game("tic-tac-toe", "", NULL);
    Text why = {0};
    Bot *b = bot_new(f.game, FOLDER "no_last_newline.py", &usual, &why);
    Answer answer;
    assert_true(bot_begin(b, 1, NULL));
    ask(b, &f, 60, &answer);
    assert_int_equal(answer.ending, END_RULES);
    ask(b, &f, 60, &answer);
    assert_int_equal(answer.ending, END_CRASH);
    text_free(&answer.why);
    assert_true(bot_begin(b, 2, NULL)); // a new process
    ask(b, &f, 60, &answer);
    assert_int_equal(answer.ending, END_RULES);
    bot_free(b);
    close_game(&f);
}

// --- commands ---

static void commands_are_taken_apart(void **state) {
    (void)state;
    Command c;
    Text why = {0};
    assert_true(command_read(" python3 'a b' \"c d\"e f\\ g  " FOLDER "silent.py", &c, &why));
    assert_int_equal(c.count, 5);
    assert_string_equal(c.word[1], "a b");
    assert_string_equal(c.word[2], "c de");
    assert_string_equal(c.word[3], "f g");
    assert_non_null(c.folder);
    assert_non_null(strstr(c.folder, "tests/match/hostile"));
    command_free(&c);
    assert_true(command_read("python3 -u", &c, &why));
    assert_null(c.folder);
    command_free(&c);
    assert_false(command_read("  ", &c, &why));
    command_free(&c);
    assert_false(command_read("'open", &c, &why));
    command_free(&c);
    assert_false(command_read("a b c d e f g h i j k l m n o p q r s t u v w x y", &c, &why));
    assert_non_null(strstr(text_c(&why), "more than 24 words"));
    command_free(&c);
    Text quoted = {0};
    command_quote("it's", &quoted);
    assert_string_equal(text_c(&quoted), "'it'\\''s'");
    text_free(&quoted);
    text_free(&why);
}

// --- contestants ---

static Contestant *enter(const Game *g, const char *text, TimeControl time) {
    Text why = {0};
    Entrant e = {.name = "X", .text = text, .time = time};
    Contestant *c = contestant_open(g, &e, &why);
    text_free(&why);
    return c;
}

static void what_cannot_play_is_told(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"bot:./no-such-bot", "No such file"},
        {"bot:no-such-program-at-all", "there is no program"},
        {"bot:README.md/x", "Not a directory"},
        {"bot:./README.md", "chmod +x"},
    };
    Fixture f = open_game("tic-tac-toe", "", NULL);
    assert_null(enter(f.game, "nobody", (TimeControl){0}));
    assert_null(enter(f.game, "bot:", (TimeControl){0}));
    for (int i = 0; i < 4; i++) {
        Contestant *c = enter(f.game, wrong[i][0], (TimeControl){0});
        Text why = {0};
        Answer answer;
        assert_non_null(c);
        contestant_begin(c, 1, &why);
        contestant_move(c, f.record, NULL, NULL, &answer);
        assert_int_equal(answer.ending, END_CRASH);
        if (!strstr(text_c(&answer.why), wrong[i][1]))
            fail_msg("%s", text_c(&answer.why));
        text_free(&answer.why);
        text_free(&why);
        contestant_close(c);
    }
    close_game(&f);
}

static void players_of_the_program_play(void **state) {
    (void)state;
    Fixture f = open_game("connect-four", "", NULL);
    Text why = {0};
    Answer answer;
    // Depth alone counts, not the second that it has by itself.
    Contestant *c = enter(f.game, "alphabeta:time=100s", (TimeControl){.depth = 3});
    assert_true(contestant_begin(c, 1, &why));
    contestant_move(c, f.record, NULL, NULL, &answer);
    assert_int_equal(answer.ending, END_RULES);
    assert_true(answer.told.known && answer.told.depth >= 3 && answer.told.nodes > 0);
    Move first = answer.move;
    assert_true(contestant_begin(c, 1, &why)); // the same game again
    contestant_move(c, f.record, NULL, NULL, &answer);
    assert_true(move_equal(first, answer.move));
    assert_string_equal(contestant_enforced(c), "");
    atomic_bool stop = true;
    contestant_move(c, f.record, NULL, &stop, &answer);
    assert_int_equal(answer.ending, END_STOPPED);
    text_free(&answer.why);
    contestant_close(c);

    // Its clock has a second: the move takes a share of it.
    c = enter(f.game, "alphabeta", (TimeControl){.game = 1, .margin = 60});
    Clocks clocks = {.left = {1, 1}};
    contestant_move(c, f.record, &clocks, NULL, &answer);
    assert_int_equal(answer.ending, END_RULES);
    contestant_close(c);

    // No margin, and a time that nobody can keep.
    c = enter(f.game, "random", (TimeControl){.move = 1e-9});
    contestant_move(c, f.record, NULL, NULL, &answer);
    assert_int_equal(answer.ending, END_TIME);
    text_free(&answer.why);
    contestant_close(c);
    text_free(&why);
    close_game(&f);
}

static void stop_ends_a_bot(void **state) {
    (void)state;
    Fixture f = open_game("tic-tac-toe", "", NULL);
    Text why = {0};
    Answer answer;
    atomic_bool stop = false;
    Contestant *c = enter(f.game, "bot:" FOLDER "silent_at_go.py", (TimeControl){.move = 60});
    assert_true(contestant_begin(c, 1, &why));
    assert_non_null(strstr(contestant_enforced(c), "MB"));
    stop = true;
    contestant_move(c, f.record, NULL, &stop, &answer);
    assert_int_equal(answer.ending, END_STOPPED);
    text_free(&answer.why);
    contestant_close(c);
    assert_nothing_left(FOLDER "silent_at_go.py");

    // Also before it has said anything.
    c = enter(f.game, "bot:" FOLDER "silent.py", (TimeControl){.move = 60});
    assert_true(contestant_begin(c, 1, &why));
    contestant_move(c, f.record, NULL, &stop, &answer);
    assert_int_equal(answer.ending, END_STOPPED);
    text_free(&answer.why);
    contestant_close(c);
    assert_nothing_left(FOLDER "silent.py");
    text_free(&why);
    close_game(&f);
}

static void memory_runs_out(void **state) {
    (void)state;
    Fixture f = open_game("tic-tac-toe", "", NULL);
    long left = 0;
    for (long n = 1; left == 0 && n < 10000; n++) {
        Text why = {0};
        Answer answer = {0};
        Entrant e = {.name = "X", .text = "bot:/bin/true 'a b' README.md"};
        mem_fail_at(n);
        Contestant *c = contestant_open(f.game, &e, &why);
        if (c) {
            contestant_begin(c, 1, &why);
            contestant_move(c, f.record, NULL, NULL, &answer);
            assert_int_equal(answer.ending, END_CRASH);
        }
        contestant_close(c);
        left = mem_fail_at(0);
        text_free(&answer.why);
        text_free(&why);
    }
    assert_true(left > 0);
    close_game(&f);
}

int main(void) {
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1); // nothing is left in the tree
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_taken_apart),  cmocka_unit_test(players_of_the_program_play),
        cmocka_unit_test(what_cannot_play_is_told),  cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(stop_ends_a_bot),           cmocka_unit_test(last_word_counts),
        cmocka_unit_test(hostile_bots_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
