// referee: see referee.h.
#include "match/referee.h"

#include "match/contestant.h"

#include <string.h>
#include <time.h>

typedef struct Seat {
    Contestant *contestant;
    int game, entrant;
} Seat;

struct Referee {
    const Contest *c;
    Game *const *games;
    int game; // that runner and record are for; -1: none yet
    Runner *runner;
    Record *record;
    Seat kept[IR_MAX_PLAYERS];
    int kept_count;
    Contestant *at[IR_MAX_PLAYERS]; // of this game, by player
};

// --- who plays ---

Referee *referee_new(const Contest *c, Game *const *games) {
    Referee *r = mem_alloc(sizeof *r);
    if (r)
        *r = (Referee){.c = c, .games = games, .game = -1};
    return r;
}

void referee_free(Referee *r) {
    if (!r)
        return;
    for (int i = 0; i < r->kept_count; i++)
        contestant_close(r->kept[i].contestant);
    record_free(r->record);
    runner_free(r->runner);
    mem_free(r);
}

static bool take_game(Referee *r, int game) {
    if (r->game == game && r->record)
        return true;
    record_free(r->record);
    runner_free(r->runner);
    r->record = NULL;
    r->game = game;
    r->runner = runner_new(r->games[game]);
    r->record = r->runner ? record_new(r->runner, NULL) : NULL;
    return r->record != NULL;
}

static bool is_needed(const Pairing *p, int players, const Seat *seat) {
    for (int i = 0; i < players; i++)
        if (seat->game == p->game && seat->entrant == p->seat[i])
            return true;
    return false;
}

static Contestant *find_kept(Referee *r, int game, int entrant) {
    for (int i = 0; i < r->kept_count; i++)
        if (r->kept[i].game == game && r->kept[i].entrant == entrant)
            return r->kept[i].contestant;
    return NULL;
}

static bool seat_players(Referee *r, const Pairing *p, Text *why) {
    const Game *g = r->games[p->game];
    int left = 0;
    for (int i = 0; i < r->kept_count; i++) {
        if (is_needed(p, g->ir->players, &r->kept[i]))
            r->kept[left++] = r->kept[i];
        else
            contestant_close(r->kept[i].contestant);
    }
    r->kept_count = left;
    for (int i = 0; i < g->ir->players; i++) {
        int entrant = p->seat[i];
        Contestant *c = find_kept(r, p->game, entrant);
        if (!c) {
            if (!(c = contestant_open(g, &r->c->entrant[entrant], why)))
                return false;
            r->kept[r->kept_count++] = (Seat){c, p->game, entrant};
        }
        r->at[i] = c;
        uint64_t mix = p->seed + (uint64_t)i;
        if (!contestant_begin(c, rng_splitmix(&mix), why))
            return false;
    }
    return true;
}

bool referee_check(const Contest *c, Game *const *games, Text *why) {
    for (int i = 0; i < c->entrants; i++)
        for (int k = 0; k < c->games; k++) {
            Text reason = {0};
            Contestant *one = contestant_open(games[k], &c->entrant[i], &reason);
            bool ok = one && contestant_check(one, &reason);
            if (!ok)
                text_f(why, "%s: %s", c->entrant[i].name, text_c(&reason));
            text_free(&reason);
            contestant_close(one);
            if (!ok)
                return false;
        }
    return true;
}

// --- a game ---

typedef struct Match { // what is needed while a game goes on
    Referee *r;
    const Game *game;
    Played *played;
    Clocks clocks;
    int cap; // of played->move
} Match;

static double unix_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const TimeControl *time_of(const Match *m, int player) {
    return &m->r->c->entrant[m->played->pairing.seat[player]].time;
}

static void end_game(Match *m, Ending ending, int result, int culprit, const char *reason) {
    m->played->ending = ending;
    m->played->result = result;
    m->played->culprit = culprit;
    text_add(&m->played->reason, reason);
}

static bool note_move(Match *m, const PlayedMove *told) {
    Played *p = m->played;
    if (p->moves == m->cap) {
        int cap = m->cap ? 2 * m->cap : 32;
        PlayedMove *move = mem_resize(p->move, sizeof *move * (size_t)cap);
        if (!move)
            return false;
        p->move = move;
        m->cap = cap;
    }
    p->move[p->moves++] = *told;
    return true;
}

// Everybody else wins.
static void lose(Match *m, int player, const Answer *answer) {
    int others = ((1 << m->game->ir->players) - 1) & ~(1 << player);
    end_game(m, answer->ending, RESULT_OVER | others, player, text_c(&answer->why));
    contestant_log(m->r->at[player], &m->played->log);
}

// A move was given; its time is taken. False: the game is over by it.
static bool take_move(Match *m, int player, const Answer *answer) {
    Played *p = m->played;
    const TimeControl *time = time_of(m, player);
    p->seconds[player] += answer->told.seconds;
    if (time->game > 0) {
        m->clocks.left[player] += time->increment - answer->told.seconds;
        if (m->clocks.left[player] < 0) // within the margin
            m->clocks.left[player] = 0;
    }
    if (record_play(m->r->record, answer->move))
        return true;
    end_game(m, END_FAULT, 0, -1, runner_error(m->r->runner));
    return false;
}

// One move; false when the game is over.
static bool play_move(Match *m, const atomic_bool *stop, bool *memory) {
    Record *record = m->r->record;
    int result = record_result(record);
    if (result < 0)
        end_game(m, END_FAULT, 0, -1, runner_error(m->r->runner));
    else if (result > 0)
        end_game(m, END_RULES, result, -1, record_reason(record));
    else if (record_length(record) >= m->r->c->plies)
        end_game(m, END_LENGTH, RESULT_OVER, -1, "the game was too long");
    if (result || record_length(record) >= m->r->c->plies)
        return false;
    int player = game_player(m->game, record_now(record));
    Answer answer;
    contestant_move(m->r->at[player], record, &m->clocks, stop, &answer);
    bool goes_on = false;
    if (answer.ending == END_RULES) {
        goes_on = take_move(m, player, &answer);
        *memory = !goes_on || note_move(m, &answer.told);
    } else if (answer.ending == END_STOPPED || answer.ending == END_FAULT) {
        end_game(m, answer.ending, 0, -1, text_c(&answer.why));
    } else {
        m->played->seconds[player] += answer.told.seconds;
        lose(m, player, &answer);
    }
    text_free(&answer.why);
    return goes_on && *memory;
}

static bool play_opening(Match *m, bool *memory) {
    const Contest *c = m->r->c;
    Played *p = m->played;
    record_restart(m->r->record);
    if (!referee_opening(m->r->runner, m->r->record, p->pairing.opening, c->opening_plies)) {
        end_game(m, END_FAULT, 0, -1, runner_error(m->r->runner));
        return false;
    }
    p->openings = record_length(m->r->record);
    for (int i = 0; i < p->openings && *memory; i++)
        *memory = note_move(m, &(PlayedMove){0});
    return *memory;
}

bool referee_play(Referee *r, const Pairing *pairing, const atomic_bool *stop, Played *played,
                  Text *why) {
    *played = (Played){.pairing = *pairing, .culprit = -1, .began = unix_time()};
    bool memory = take_game(r, pairing->game);
    if (memory && !seat_players(r, pairing, why))
        return false;
    if (memory) {
        const ContestGame *game = &r->c->game[pairing->game];
        Match m = {.r = r, .game = r->games[pairing->game], .played = played};
        for (int i = 0; i < m.game->ir->players; i++) {
            m.clocks.left[i] = time_of(&m, i)->game;
            m.clocks.increment[i] = time_of(&m, i)->increment;
        }
        if (play_opening(&m, &memory))
            while (memory && play_move(&m, stop, &memory)) {
            }
        record_save(r->record, game->params, game->param_count, &played->record);
    }
    played->ended = unix_time();
    memory = memory && !played->record.failed && !played->reason.failed && !played->log.failed;
    if (!memory)
        text_add(why, "out of memory");
    return memory;
}
