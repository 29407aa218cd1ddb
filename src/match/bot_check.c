// bot_check: see bot_check.h.
#include "match/bot_check.h"
#include "base/now.h"

#include <string.h>

#define GAME_PLIES 200   // longer games are left unfinished
#define GAME_SECONDS 0.1 // for a move of the whole game; short, because there are many,
#define GAME_MARGIN 5    //   and not strict: another check is about time
#define MOVE_SECONDS 0.3
#define CLOCK_SECONDS 2
#define TIME_MARGIN 0.3
#define THINK_SECONDS 0.3 // before `stop`
#define STOP_SECONDS 1    // after it
#define QUIT_SECONDS 2
#define TIME_TRIES 3 // a machine that is busy for a moment must not be held against the bot

typedef struct Checking {
    const Game *game;
    Runner *runner;
    Bot *bot;
    BotReport *report;
    BotCheck *now; // the check that runs
} Checking;

typedef void Check(Checking *c);

// --- what checks share ---

static void failed(Checking *c) {
    const char *why;
    c->now->result = CHECK_FAILED;
    if (bot_failed(c->bot, &why) != END_RULES) {
        text_clear(&c->now->text);
        text_add(&c->now->text, why);
    }
    bot_log(c->bot, &c->now->log);
}

// A game from its beginning, with a process that works.
static Record *begin(Checking *c) {
    Record *record = record_new(c->runner, NULL);
    if (record && bot_begin(c->bot, 1, NULL))
        return record;
    failed(c);
    record_free(record);
    return NULL;
}

// One move, played into the record. Repetition and the like are left to the rules.
static bool move(Checking *c, Record *record, const GoLimits *go, double seconds, double margin,
                 double *took) {
    Answer answer;
    bot_move(c->bot, record, go, seconds, margin, NULL, &answer);
    text_free(&answer.why);
    if (answer.ending != END_RULES) {
        failed(c);
        return false;
    }
    if (took && answer.told.seconds > *took)
        *took = answer.told.seconds;
    return record_play(record, answer.move);
}

// --- the checks, in order ---

static void check_start(Checking *c) {
    double begun = now_seconds();
    record_free(begin(c));
    if (c->now->result == CHECK_FAILED)
        return;
    text_add(&c->report->name, bot_name(c->bot));
    text_f(&c->now->text, "%s%sready after %.2f s", bot_name(c->bot),
           bot_name(c->bot)[0] ? ", " : "", now_seconds() - begun);
    if (!bot_name(c->bot)[0]) {
        c->now->result = CHECK_WARNING;
        text_add(&c->now->text, "; without `id name` nobody knows who it is");
    }
}

static void check_options(Checking *c) {
    bool game = bot_has_option(c->bot, "Game"), seed = bot_has_option(c->bot, "Seed");
    c->now->result = game && seed ? CHECK_OK : CHECK_WARNING;
    if (game && seed)
        text_add(&c->now->text, "Game and Seed");
    if (!game)
        text_add(&c->now->text, "without an option `Game` it is not told what is played");
    if (!seed)
        text_f(&c->now->text, "%swithout an option `Seed` its games cannot be repeated",
               game ? "" : "; ");
}

static void check_game(Checking *c) {
    GoLimits go = {.move = GAME_SECONDS};
    Record *record = begin(c);
    if (!record)
        return;
    bool ok = true;
    while (ok && record_length(record) < GAME_PLIES && record_result(record) == 0)
        ok = move(c, record, &go, GAME_SECONDS, GAME_MARGIN, NULL);
    if (ok) {
        text_f(&c->now->text, "%d legal moves against itself, ", record_length(record));
        if (record_result(record))
            game_result_text(c->game, record_result(record), &c->now->text);
        else
            text_add(&c->now->text, "not finished");
    }
    record_free(record);
}

static void check_movetime(Checking *c) {
    GoLimits go = {.move = MOVE_SECONDS};
    double took = 0;
    bool ok = true;
    Record *record = begin(c);
    for (int i = 0; record && ok && i < 3 && record_result(record) == 0; i++)
        ok = move(c, record, &go, MOVE_SECONDS, TIME_MARGIN, &took);
    if (record && ok)
        text_f(&c->now->text, "with %.1f s for a move it takes %.2f s", MOVE_SECONDS, took);
    record_free(record);
}

static void check_clock(Checking *c) {
    GoLimits go = {.clocks = true};
    double took = 0;
    for (int i = 0; i < c->game->ir->players; i++)
        go.left[i] = CLOCK_SECONDS;
    Record *record = begin(c);
    if (record && move(c, record, &go, CLOCK_SECONDS, 0, &took)) {
        text_f(&c->now->text, "with %d s for the game it takes %.2f s", CLOCK_SECONDS, took);
        if (took > CLOCK_SECONDS / 3.0 && c->game->ir->players > 1) {
            c->now->result = CHECK_WARNING;
            text_add(&c->now->text, " for the first move: little is left");
        }
    }
    record_free(record);
}

// A position that comes without its history.
static void check_state(Checking *c) {
    GoLimits go = {.move = MOVE_SECONDS};
    Record *record = begin(c), *later = NULL;
    bool ok = record != NULL;
    for (int i = 0; ok && i < 2 && record_result(record) == 0; i++)
        ok = move(c, record, &go, MOVE_SECONDS, GAME_MARGIN, NULL);
    if (ok && record_result(record) == 0) {
        later = record_new(c->runner, record_now(record));
        if (later && move(c, later, &go, MOVE_SECONDS, GAME_MARGIN, NULL))
            text_add(&c->now->text, "plays on from a state (`position fen`)");
    } else if (ok) {
        c->now->result = CHECK_LEFT_OUT;
        text_add(&c->now->text, "the game is over too soon");
    }
    record_free(later);
    record_free(record);
}

// The rest of a line that answers `go`; false if none came.
static bool hear_move(Checking *c, double seconds) {
    double deadline = now_seconds() + seconds;
    Text line = {0};
    bool found = false;
    size_t n;
    while (!found && bot_hear(c->bot, deadline, NULL, &line)) {
        const char *word = protocol_word(text_c(&line), &n);
        found = protocol_is(word, n, "bestmove");
    }
    text_free(&line);
    return found;
}

static void check_stop(Checking *c) {
    Record *record = begin(c);
    record_free(record);
    if (!record || !bot_say(c->bot, "position startpos") || !bot_say(c->bot, "go infinite")) {
        failed(c);
        return;
    }
    bool early = hear_move(c, THINK_SECONDS);
    double begun = now_seconds();
    bot_say(c->bot, "stop");
    if (early && bot_failed(c->bot, NULL) == END_RULES) {
        text_add(&c->now->text, "answers at once; `go infinite` lasts until `stop`");
        c->now->result = CHECK_WARNING;
    } else if (hear_move(c, STOP_SECONDS)) {
        text_f(&c->now->text, "answers %.0f ms after `stop`", 1000 * (now_seconds() - begun));
    } else {
        text_f(&c->now->text, "no `bestmove` within %d s after `stop`", STOP_SECONDS);
        failed(c);
        bot_quit(c->bot, QUIT_SECONDS); // its late answer would confuse the next check
    }
}

static void check_nonsense(Checking *c) {
    static const char *const lines[] = {"", "   ", "this is no command", "setoption name",
                                        "setoption name NoSuchOption value 1"};
    Record *record = begin(c);
    record_free(record);
    bool ok = record != NULL;
    for (int i = 0; ok && i < 5; i++)
        ok = bot_say(c->bot, lines[i]);
    ok = ok && bot_say(c->bot, "isready") && bot_wait_for(c->bot, "readyok", STOP_SECONDS * 5);
    if (ok)
        text_add(&c->now->text, "lines that it does not know are left out");
    else
        failed(c);
}

static void check_quit(Checking *c) {
    Record *record = begin(c);
    record_free(record);
    if (!record)
        return;
    double begun = now_seconds();
    Text line = {0};
    bot_say(c->bot, "quit");
    while (bot_hear(c->bot, begun + QUIT_SECONDS, NULL, &line))
        ;
    const char *why;
    Ending ending = bot_failed(c->bot, &why);
    if (ending == END_CRASH && strstr(why, "status 0")) {
        text_f(&c->now->text, "leaves after %.2f s", now_seconds() - begun);
    } else if (ending == END_CRASH && strstr(why, "status")) {
        c->now->result = CHECK_WARNING;
        text_f(&c->now->text, "leaves, but %s", why);
    } else {
        text_f(&c->now->text, "is still there %d s after `quit`", QUIT_SECONDS);
        failed(c);
    }
    text_free(&line);
}

static const struct {
    const char *name;
    Check *run;
    int tries; // until it is well
} checks[] = {
    {"start", check_start, 1},
    {"options", check_options, 1},
    {"game", check_game, 1},
    {"movetime", check_movetime, TIME_TRIES},
    {"clock", check_clock, TIME_TRIES},
    {"state", check_state, 1},
    {"stop", check_stop, TIME_TRIES},
    {"nonsense", check_nonsense, 1},
    {"quit", check_quit, TIME_TRIES},
};
#define CHECKS ((int)(sizeof checks / sizeof *checks))

static void run_check(Checking *c, int which) {
    for (int i = 0; i < checks[which].tries; i++) {
        text_clear(&c->now->text);
        text_clear(&c->now->log);
        c->now->result = CHECK_OK;
        checks[which].run(c);
        if (c->now->result != CHECK_FAILED)
            return;
    }
}

static void run_checks(Checking *c, BotCheckTell *tell, void *with) {
    BotReport *r = c->report;
    for (int i = 0; i < CHECKS; i++) {
        c->now = &r->check[r->count++];
        c->now->name = checks[i].name;
        if (i > 0 && r->check[0].result == CHECK_FAILED) {
            c->now->result = CHECK_LEFT_OUT; // it does not even start
            text_add(&c->now->text, "left out");
        } else {
            run_check(c, i);
        }
        r->failed += c->now->result == CHECK_FAILED;
        r->warnings += c->now->result == CHECK_WARNING;
        if (tell)
            tell(with, c->now);
    }
}

bool bot_check(const Game *game, const char *command, BotReport *report, BotCheckTell *tell,
               void *with, Text *why) {
    *report = (BotReport){0};
    Checking c = {.game = game, .runner = runner_new(game), .report = report};
    c.bot = c.runner ? bot_new(game, command, &bot_patience, why) : NULL;
    if (c.bot)
        run_checks(&c, tell, with);
    else if (!why->n)
        text_add(why, "out of memory");
    bool ok = c.bot != NULL;
    bot_free(c.bot);
    runner_free(c.runner);
    return ok;
}

void bot_report_free(BotReport *report) {
    text_free(&report->name);
    for (int i = 0; i < report->count; i++) {
        text_free(&report->check[i].text);
        text_free(&report->check[i].log);
    }
    *report = (BotReport){0};
}
