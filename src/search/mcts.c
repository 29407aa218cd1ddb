// mcts: Monte Carlo tree search as a player; mcts.h tells how the tree lies in memory.
//
// A search goes in rounds: all threads walk the tree until the limits end or the block is full;
// then the least visited parts are thrown away, and the next round begins. What is left of the tree
// when the game goes on is where the next search begins.
#include "search/mcts.h"

#include <pthread.h>
#include <string.h>

#define CUT_USUAL 2000      // moves of a random game
#define EXPLORE 0.4         // the factor of UCB1 with random games
#define EXPLORE_JUDGED 0.15 // and with the heuristic
#define BIAS 0.5            // weight of the heuristic, where it is asked
#define MINIMAX 0.3
#define WIDE 64          // moves; to ask about each of so many costs more than it tells
#define EXPAND 4         // visits before a position gets its moves
#define ROUND_LEAST 1000 // random games between two clearings up, else it does not pay
#define TELL_FIRST 0.1   // seconds until the first news; then at doubling intervals

// --- heuristic or random games ---

// Random games tell something where the board fills up: they end soon, and what was played stays.
// Where pieces move about or are taken, most of a random game has nothing to do with the position
// it began in, and the heuristic knows better. So it does where a line has to be made on a large
// board: by chance that takes so long that one move means nothing.
static bool judging_suits(const Player *p) {
    const Mcts *m = p->own;
    bool lines = p->game->ir->board->lines > 0 && m->moves >= WIDE;
    return p->game->ir->players > 1 && (!m->filling || lines);
}

static bool knows_something(const Player *p) {
    return strcmp(evaluation_name(p->evaluation), "none") != 0;
}

static bool judges(const Player *p) {
    int64_t judge = p->options.judge;
    return knows_something(p) && (judge < 0 ? judging_suits(p) : judge > 0);
}

static void say_why(Player *p) {
    const Mcts *m = p->own;
    const char *name = evaluation_name(p->evaluation);
    bool judged = judges(p);
    const char *reason = p->options.judge >= 0  ? "as you said"
                         : judged && m->filling ? "lines are made on a large board"
                         : judged               ? "the board does not fill up"
                         : m->filling           ? "the board fills up"
                                                : "nothing else is known";
    if (judged)
        text_f(&p->why, "`%s` judges instead of random games: %s", name, reason);
    else
        text_f(&p->why, "random games: %s", reason);
}

// --- what a player keeps ---

static void set_rewards(Mcts *m) {
    for (int result = 0; result < 256; result++)
        for (int p = 0; p < m->game->ir->players; p++) {
            Value v = value_of_result(m->game, result, p, 0);
            m->reward[result][p] = (int16_t)(v >= VALUE_SURE    ? MCTS_REWARD
                                             : v <= -VALUE_SURE ? -MCTS_REWARD
                                                                : v);
        }
}

bool mcts_begin(Player *p, Text *why) {
    Mcts *m = mem_alloc(sizeof *m);
    p->own = m;
    if (m) {
        int bits = p->game->ir->move_bits;
        m->game = p->game;
        m->clocks = clocks_of(p->game);
        bool joins = p->options.transpositions && !clocks_whole_way(p->game, m->clocks);
        set_rewards(m);
        m->move_bytes = bits < 32 ? 4 : bits < 64 ? 8 : 16;
        m->root_state = mem_alloc((size_t)game_state_size(p->game));
        size_t bytes = (size_t)p->options.memory_mb << 20;
        uint8_t *other = mem_alloc((size_t)game_state_size(p->game));
        bool ok = other && m->root_state;
        if (ok)
            mcts_look(m, p->runner, m->root_state, other);
        ok = ok && mcts_amaf_begin(m) && mcts_alloc_block(m, bytes, joins);
        mem_free(other);
        if (ok)
            say_why(p);
        if (ok)
            return true;
    }
    text_add(why, "out of memory");
    return false;
}

void mcts_end(Player *p) {
    Mcts *m = p->own;
    if (!m)
        return;
    mcts_free_block(m);
    mcts_amaf_end(m);
    mem_free(m->root_state);
    mem_free(m);
}

// --- threads ---

static bool worker_begin(MctsWorker *w, MctsShared *s, int number) {
    Player *p = s->player;
    size_t size = (size_t)game_state_size(p->game);
    w->shared = s;
    w->runner = number == 0 ? p->runner : runner_new(p->game);
    w->state = mem_alloc(size);
    w->other = mem_alloc(size);
    w->batch = s->batch ? s->batch : s->mcts->batch ? s->mcts->batch : 1;
    player_random(p, s->task, &w->rng);
    for (int i = 0; i < number; i++)
        rng_seed(&w->rng, rng_next(&w->rng));
    clock_start(&w->clock, p, s->task);
    w->told = TELL_FIRST;
    w->clock.node_limit /= s->threads;
    if (s->prefers)
        w->reasoner = reasoner_new(p->knowledge);
    return w->runner && (w->reasoner || !s->prefers) && w->state && w->other;
}

static void worker_end(MctsWorker *w) {
    if (w->shared && w->runner != w->shared->player->runner)
        runner_free(w->runner);
    reasoner_free(w->reasoner);
    mem_free(w->state);
    mem_free(w->other);
}

static void *run_worker(void *worker) {
    mcts_run(worker);
    return NULL;
}

// One round. The first worker is this thread; those that cannot be started are done without.
static void run_round(MctsShared *s, MctsWorker *workers) {
    pthread_t thread[PLAYER_THREADS];
    int started = 1;
    while (started < s->threads &&
           pthread_create(&thread[started], NULL, run_worker, &workers[started]) == 0)
        started++;
    mcts_run(&workers[0]);
    for (int i = 1; i < started; i++)
        pthread_join(thread[i], NULL);
}

// --- a search ---

static void settle(MctsShared *s, Player *p) {
    const PlayerOptions *o = &p->options;
    const IrGame *ir = p->game->ir;
    bool knows = knows_something(p);
    s->threads = (int)o->threads;
    s->most = player_iterations(p, s->task);
    // What depends on the time would not be the same twice.
    bool timed = player_seconds(p, s->task) > 0 && s->most == 0;
    s->batch = o->batch ? (int)o->batch : timed ? 0 : 1;
    s->cut = o->cut ? (int)o->cut : CUT_USUAL;
    s->solver = o->solver;
    s->decisive = o->decisive && ir->end.count > 0;
    s->judges = judges(p);
    bool asks = knows && (s->judges || s->mcts->moves < WIDE);
    // A heuristic that judges has looked behind each move: asking for priorities, too, takes a
    // third of the time and won nothing.
    s->prefers = player_prefers(p) && (o->bias > 0 || (o->bias < 0 && !s->judges));
    s->bias = o->bias >= 0 ? (knows || s->prefers ? o->bias : 0) : asks || s->prefers ? BIAS : 0;
    s->minimax = o->minimax >= 0 ? (knows ? o->minimax : 0) : asks ? MINIMAX : 0;
    s->minimax = ir->players == 2 ? s->minimax : 0;
    bool biases = knows && (o->bias > 0 || (o->bias < 0 && asks));
    s->estimates = biases || s->minimax > 0 || s->judges;
    s->rave = s->judges ? 0 : o->rave < 0 ? mcts_amaf_suits(s->mcts) : o->rave;
    s->looks = s->decisive || s->estimates || s->prefers || s->rave > 0;
    s->fpu = o->fpu;
    // The heuristic says the same each time: fewer visits tell as much.
    s->explore = o->explore >= 0 ? o->explore : s->judges ? EXPLORE_JUDGED : EXPLORE;
    s->expand = o->expand ? (int)o->expand : s->judges ? 0 : EXPAND;
    if (s->judges)
        s->batch = 1;
}

static bool note_seen(MctsShared *s) {
    const Game *g = s->player->game;
    if (g->ir->repeated == 0)
        return true;
    int count = record_length(s->task->record); // the position itself is on every path
    s->seen = mem_alloc(sizeof *s->seen * (size_t)(count + 1));
    for (int i = 0; i < count && s->seen; i++)
        s->seen[i] = game_hash(g, record_state(s->task->record, i));
    s->seen_count = s->seen ? count : 0;
    return s->seen != NULL;
}

static void sum_up(const MctsShared *s, SearchResult *result) {
    const MctsWorker *workers = s->workers;
    mcts_report(s->mcts, s, result);
    result->nodes = result->playouts = 0;
    for (int i = 0; i < s->threads; i++) {
        result->nodes += workers[i].nodes;
        result->playouts += workers[i].done;
        if (workers[i].deepest > result->depth)
            result->depth = workers[i].deepest;
    }
    result->seconds = clock_seconds(&workers[0].clock);
}

// Only the first worker tells. What the others have done is not known exactly while they run.
void mcts_tell(MctsWorker *w) {
    const MctsShared *s = w->shared;
    double seconds = clock_seconds(&w->clock);
    if (w != s->workers || !s->task->tell || seconds < w->told)
        return;
    SearchResult news = {.nodes = w->nodes * s->threads,
                         .playouts = w->done * s->threads,
                         .depth = w->deepest,
                         .seconds = seconds};
    mcts_report(s->mcts, s, &news);
    s->task->tell(s->task->with, &news);
    w->told = 2 * seconds > TELL_FIRST ? 2 * seconds : TELL_FIRST;
}

// Begins with what is left of the last tree.
static void find_root(MctsShared *s, MctsWorker *w) {
    Mcts *m = s->mcts;
    size_t bytes = player_memory(s->player, s->task);
    size_t own = (size_t)s->player->options.memory_mb << 20;
    m->limit = bytes >= own ? m->units : (uint32_t)((double)m->units * (double)bytes / (double)own);
    if (!s->player->options.reuse || MCTS_LOAD(m->used) > m->limit)
        mcts_forget(m);
    mcts_follow(m, s->task->record);
    mcts_amaf_forget(m);
    if (m->root && MCTS_LOAD(m->used) > m->limit / 2)
        mcts_clear_up(m, false, &w->clock);
    if (!m->root)
        m->root = mcts_expand(w, s->root);
}

static void run(MctsShared *s, SearchResult *result) {
    MctsWorker *workers = s->workers;
    Mcts *m = s->mcts;
    find_root(s, &workers[0]);
    int64_t before = 0;
    while (m->root && !MCTS_LOAD(s->halt)) {
        run_round(s, workers);
        sum_up(s, result);
        if (MCTS_LOAD(s->halt))
            break;
        s->frozen = result->playouts - before < ROUND_LEAST;
        before = result->playouts;
        if (!s->frozen && !mcts_clear_up(m, true, &workers[0].clock))
            break;
    }
}

bool search_mcts(Player *p, const SearchTask *task, SearchResult *result) {
    MctsShared s = {.mcts = p->own, .player = p, .task = task, .root = record_now(task->record)};
    settle(&s, p);
    MctsWorker *workers = mem_alloc(sizeof *workers * (size_t)s.threads);
    bool ok = workers && note_seen(&s);
    for (int i = 0; i < s.threads && ok; i++)
        ok = worker_begin(&workers[i], &s, i);
    s.workers = workers;
    if (ok) {
        run(&s, result);
        s.mcts->batch = workers[0].batch;
        mcts_trace(s.mcts, &s, task->trace);
    }
    for (int i = 0; i < s.threads && workers; i++)
        worker_end(&workers[i]);
    mem_free(workers);
    mem_free(s.seen);
    return result->found;
}
