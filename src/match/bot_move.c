// bot_move: a bot is asked for a move; see bot.h.
#include "base/now.h"
#include "match/bot_parts.h"

// Whether a line answers `go`: the word behind `bestmove`. News is taken along.
static bool take_answer(const char *line, PlayedMove *told, const char **move, size_t *n) {
    const char *word = protocol_word(line, n);
    if (protocol_is(word, *n, "info"))
        protocol_read_info(word + *n, told);
    if (!protocol_is(word, *n, "bestmove"))
        return false;
    *move = protocol_word(word + *n, n);
    return true;
}

static bool hear_move(Bot *b, double deadline, const atomic_bool *stop, PlayedMove *told,
                      Text *move) {
    Text line = {0};
    bool found = false;
    while (!found && bot_hear(b, deadline, stop, &line)) {
        const char *word = NULL;
        size_t n;
        found = take_answer(text_c(&line), told, &word, &n);
        text_clear(move);
        if (found)
            text_add_n(move, word, n);
    }
    text_free(&line);
    return found;
}

static void read_answer(Bot *b, const Record *record, const Text *move, Answer *answer) {
    Text why = {0};
    if (move->n == 0)
        bot_fail(b, END_NONSENSE, "`bestmove` without a move");
    else if (!protocol_read_move(b->runner, record_now(record), move->s, move->n, &answer->move,
                                 &why))
        bot_fail(b, END_ILLEGAL, "`%.40s` is no move here: %s", move->s, text_c(&why));
    text_free(&why);
}

// The time is up: a late answer is worse than none only in what it is called.
static void hear_late(Bot *b, double begun, double allowed, PlayedMove *told, Text *move) {
    if (!bot_say(b, "stop"))
        return;
    if (hear_move(b, now_seconds() + b->patience.grace, NULL, told, move))
        bot_fail(b, END_TIME, "answered after %.3f s, %.3f s were allowed", now_seconds() - begun,
                 allowed);
    else
        bot_fail(b, END_SILENCE, "no `bestmove` within %.3f s, nor after `stop`", allowed);
}

static bool set_up_position(Bot *b, const Record *record) {
    Text line = {0};
    text_add(&line, "position ");
    protocol_position(b->runner, record, &line);
    bool ok = !line.failed && bot_say(b, text_c(&line)) && bot_say(b, "isready") &&
              bot_wait_for(b, "readyok", b->patience.ready);
    text_free(&line);
    return ok;
}

static void ask(Bot *b, const Record *record, const GoLimits *go, double allowed,
                const atomic_bool *stop, Answer *answer) {
    Text line = {0}, move = {0};
    protocol_go(go, b->game->ir->players, &line);
    double begun = now_seconds();
    if (bot_say(b, text_c(&line))) {
        begun = now_seconds();
        bool found = hear_move(b, begun + allowed, stop, &answer->told, &move);
        double seconds = now_seconds() - begun;
        answer->told.seconds = seconds;
        if (found && seconds > allowed)
            bot_fail(b, END_TIME, "answered after %.3f s, %.3f s were allowed", seconds, allowed);
        else if (found)
            read_answer(b, record, &move, answer);
        else if (b->failed == END_RULES)
            hear_late(b, begun, allowed, &answer->told, &move);
    }
    text_free(&line);
    text_free(&move);
}

void bot_move(Bot *b, const Record *record, const GoLimits *go, double seconds, double margin,
              const atomic_bool *stop, Answer *answer) {
    *answer = (Answer){0};
    b->stop = stop;
    double allowed = seconds > 0 ? seconds + margin : b->patience.longest;
    if (!b->process && b->failed == END_RULES)
        bot_fail(b, END_CRASH, "was not started");
    if (b->failed == END_RULES && set_up_position(b, record))
        ask(b, record, go, allowed, stop, answer);
    b->stop = NULL;
    answer->ending = b->failed;
    if (b->failed != END_RULES)
        text_add(&answer->why, text_c(&b->why));
}
