// contestant: see contestant.h.
#include "base/now.h"
#include "match/bot.h"
#include "match/sandbox.h"
#include "search/player.h"

#include <string.h>

#define USUAL_SECONDS 1   // for a move of a bot if nobody sets any limit,
#define USUAL_MARGIN 30   //   which is not meant strictly
#define QUIT_SECONDS 0.2  // that a bot has to leave
#define RESERVE 0.01      // of the time for a move: seconds for what happens around a search,
#define RESERVE_SHARE 0.1 //  but not more than this share

struct Contestant {
    const Game *game;
    TimeControl time;
    Player *player; // one of these two
    Bot *bot;
    uint64_t seed;
    bool used;   // in a game
    bool begins; // a bot does not know yet that a game begins
};

static Contestant *refuse(Contestant *c, Text *why) {
    if (!why->n)
        text_add(why, "out of memory");
    contestant_close(c);
    return NULL;
}

Contestant *contestant_open(const Game *game, const Entrant *e, Text *why) {
    Contestant *c = mem_alloc(sizeof *c);
    if (!c)
        return refuse(c, why);
    c->game = game;
    c->time = e->time;
    if (strncmp(e->text, "bot:", 4) == 0)
        c->bot = bot_new(game, e->text + 4, &bot_patience, why);
    else
        c->player = player_new(game, e->text, why);
    return c->bot || c->player ? c : refuse(c, why);
}

void contestant_close(Contestant *c) {
    if (!c)
        return;
    if (c->bot)
        bot_quit(c->bot, QUIT_SECONDS);
    bot_free(c->bot);
    player_free(c->player);
    mem_free(c);
}

bool contestant_check(const Contestant *c, Text *why) {
    return !c->bot || bot_check_program(c->bot, why);
}

// A bot is told with its first move, so that a stop is heard then, and so that a bot that does not
// start or does not shake hands loses the game for the right reason.
bool contestant_begin(Contestant *c, uint64_t seed, Text *why) {
    c->seed = seed;
    c->begins = true;
    if (c->player && c->used && c->player->kind->begin) { // what it remembers is of another game
        Player *fresh = player_new(c->game, player_text(c->player), why);
        if (!fresh)
            return false;
        player_free(c->player);
        c->player = fresh;
    }
    c->used = true;
    return true;
}

// --- moves ---

// Seconds for this move, 0 without a limit.
static double time_for_move(const Contestant *c, const Clocks *clocks, int me) {
    double seconds = c->time.move;
    if (c->time.game > 0 && clocks && (seconds <= 0 || clocks->left[me] < seconds))
        seconds = clocks->left[me] > 0.001 ? clocks->left[me] : 0.001;
    return seconds;
}

static void ask_bot(Contestant *c, const Record *record, const Clocks *clocks,
                    const atomic_bool *stop, Answer *answer) {
    int me = game_player(c->game, record_now(record));
    double seconds = time_for_move(c, clocks, me), margin = c->time.margin;
    GoLimits go = {.move = c->time.move, .nodes = c->time.nodes, .depth = c->time.depth};
    if (c->time.game > 0 && clocks) {
        go.clocks = true;
        memcpy(go.left, clocks->left, sizeof go.left);
        memcpy(go.increment, clocks->increment, sizeof go.increment);
    }
    if (seconds <= 0 && !go.nodes && !go.depth) {
        go.move = seconds = USUAL_SECONDS;
        margin = USUAL_MARGIN;
    }
    if (c->begins)
        bot_begin(c->bot, c->seed, stop);
    c->begins = false;
    bot_move(c->bot, record, &go, seconds, margin, stop, answer);
}

static double with_reserve(double seconds) {
    double reserve = seconds * RESERVE_SHARE < RESERVE ? seconds * RESERVE_SHARE : RESERVE;
    return seconds > 0 ? seconds - reserve : 0;
}

static void ask_player(Contestant *c, const Record *record, const Clocks *clocks,
                       const atomic_bool *stop, Answer *answer) {
    int me = game_player(c->game, record_now(record));
    double allowed = time_for_move(c, clocks, me), begun = now_seconds();
    SearchTask task = {.record = record, .stop = stop, .seed = c->seed};
    task.limits = (Limits){
        .seconds = with_reserve(c->time.move), .nodes = c->time.nodes, .depth = c->time.depth};
    if (c->time.game > 0 && clocks) {
        double share = timing_share(c->player, record, clocks->left[me], clocks->increment[me]);
        if (task.limits.seconds <= 0 || share < task.limits.seconds)
            task.limits.seconds = share;
    }
    SearchResult result;
    bool found = player_search(c->player, &task, &result);
    double seconds = now_seconds() - begun;
    answer->move = result.move;
    answer->told =
        (PlayedMove){.seconds = seconds,
                     .nodes = result.nodes,
                     .value = result.value,
                     .depth = (int16_t)(result.depth > INT16_MAX ? INT16_MAX : result.depth),
                     .known = true};
    if (stop && atomic_load(stop)) {
        answer->ending = END_STOPPED;
        text_add(&answer->why, "stopped");
    } else if (!found) {
        answer->ending = END_FAULT;
        text_add(&answer->why, runner_error(c->player->runner));
    } else if (allowed > 0 && seconds > allowed + c->time.margin) {
        answer->ending = END_TIME;
        text_f(&answer->why, "answered after %.3f s, %.3f s were allowed", seconds,
               allowed + c->time.margin);
    }
}

void contestant_move(Contestant *c, const Record *record, const Clocks *clocks,
                     const atomic_bool *stop, Answer *answer) {
    *answer = (Answer){.ending = END_RULES};
    if (c->bot)
        ask_bot(c, record, clocks, stop, answer);
    else
        ask_player(c, record, clocks, stop, answer);
}

// --- what is known about it ---

void contestant_log(const Contestant *c, Text *out) {
    if (c->bot)
        bot_log(c->bot, out);
}

const char *contestant_enforced(const Contestant *c) {
    return c->bot ? sandbox_here()->words : "";
}
