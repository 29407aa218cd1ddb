// bench_knowledge: see bench_knowledge.h. Times are of the processor, as for the other speeds.
#include "cli/bench_knowledge.h"

#include "cli/knowing.h"

#include <stdio.h>
#include <string.h>

// So many positions, of random games one after the other; more than fit a processor's first cache,
// as in a search.
#define POSITIONS 1024

typedef struct Sample {
    uint8_t *state; // POSITIONS of them
    size_t size;
    int players;
} Sample;

typedef int64_t Judge(Reasoner *r, const uint8_t *state, int me);

static bool take_sample(const Desk *t, Sample *s) {
    Rng rng;
    Move move;
    rng_seed(&rng, 1);
    s->size = (size_t)game_state_size(t->game);
    s->players = t->game->ir->players;
    s->state = mem_alloc(s->size * POSITIONS);
    if (!s->state)
        return false;
    memcpy(s->state, t->start, s->size);
    for (int i = 1; i < POSITIONS; i++) {
        const uint8_t *from = s->state + (size_t)(i - 1) * s->size;
        uint8_t *to = s->state + (size_t)i * s->size;
        if (runner_random(t->runner, from, rng_next(&rng), &move) != 1 ||
            !runner_apply(t->runner, from, move, to))
            memcpy(to, t->start, s->size);
    }
    return true;
}

// Positions judged per second, each for the next player; what they are worth goes to `*sum`, so
// that two ways to judge can be compared. 0 if the rules fail, see reasoner_error.
static double measure(Reasoner *r, Judge *judge, const Sample *s, double seconds, uint64_t *sum) {
    double start = cli_cpu(), now = start;
    int64_t count = 0;
    do {
        for (int i = 0; i < POSITIONS; i++) {
            int64_t value = judge(r, s->state + (size_t)i * s->size, i % s->players);
            if (reasoner_error(r))
                return 0;
            *sum += count < POSITIONS ? (uint64_t)value * (uint64_t)(i + 1) : 0;
            count++;
            if (i % 64 == 63 && cli_cpu() - start > seconds && count > POSITIONS)
                break;
        }
        now = cli_cpu();
    } while (now - start < seconds && !cli_interrupted());
    return (double)count / (now - start);
}

// `plain` is 0 for rules in CLIPS, which have no other evaluator. `sum` tells values apart: rules
// that say the same have the same.
static void print_speeds(const Cli *cli, const Desk *t, const char *title, double speed,
                         double plain, uint64_t sum) {
    Text out = {0};
    if (cli->option[OPT_JSON]) {
        text_add(&out, "[{");
        cli_json_game(t->game, &out);
        text_f(&out, ",\"by\":\"%s\",\"evaluations_per_second\":%.0f", plain > 0 ? "code" : "CLIPS",
               speed);
        if (plain > 0)
            text_f(&out, ",\"reference_evaluations_per_second\":%.0f", plain);
        text_f(&out, ",\"values\":\"%016llx\"}]\n", (unsigned long long)sum);
    } else if (plain > 0) {
        text_f(&out, "%-20s %-24s %14s %14s %8s\n", "game", "rule set", "evaluations/s",
               "reference/s", "times");
        text_f(&out, "%-20s %-24s %14.0f %14.0f %8.0f\n", t->game->name, title, speed, plain,
               speed / plain);
    } else {
        text_f(&out, "%-20s %-24s %14s\n", "game", "rule set", "by CLIPS/s");
        text_f(&out, "%-20s %-24s %14.0f\n", t->game->name, title, speed);
    }
    cli_print(&out);
    text_free(&out);
}

static int bench_clips(const Cli *cli, const Desk *t, const Knowledge *k, Reasoner *r,
                       const Sample *s, double seconds) {
    uint64_t sum = 0;
    double speed = measure(r, reasoner_worth, s, seconds, &sum);
    if (reasoner_error(r))
        return cli_error("%s", reasoner_error(r));
    print_speeds(cli, t, knowledge_title(k), speed, 0, sum);
    return EXIT_OK;
}

static int bench_rules(const Cli *cli, const Desk *t, Knowledge *k, double seconds) {
    Reasoner *r = reasoner_new(k);
    Sample s = {0};
    Text why = {0};
    int status = EXIT_OK;
    if (!r || !take_sample(t, &s)) {
        status = cli_error("out of memory");
    } else if (knowledge_is_clips(k)) {
        status = bench_clips(cli, t, k, r, &s, seconds);
    } else if (!knowledge_use(k, BACKEND_NATIVE, &why)) {
        status = cli_error("%s", text_c(&why));
    } else {
        uint64_t by_native = 0, by_plain = 0;
        double native = measure(r, reasoner_worth, &s, seconds / 2, &by_native);
        double plain = measure(r, reference_worth, &s, seconds / 2, &by_plain);
        if (by_native != by_plain)
            status = cli_error("machine code and the reference evaluator differ");
        else
            print_speeds(cli, t, knowledge_title(k), native, plain, by_native);
    }
    text_free(&why);
    mem_free(s.state);
    reasoner_free(r);
    return status;
}

int bench_knowledge(const Cli *cli, double seconds) {
    if (cli->word_count != 1)
        return cli_usage(cli, "--knowledge goes with the name of one game");
    Desk t;
    Knowledge *k = NULL;
    int status = desk_open_game(cli, cli->words[0], cli->params, cli->param_count, &t);
    if (status == EXIT_OK)
        status = desk_backend(cli, &t, BACKEND_INTERP);
    if (status == EXIT_OK) {
        Cli own = *cli;
        if (strcmp(cli->option[OPT_KNOWLEDGE], "own") == 0)
            own.option[OPT_KNOWLEDGE] = NULL;
        status = knowing_open(&own, t.game, &k);
    }
    if (status == EXIT_OK)
        status = bench_rules(cli, &t, k, seconds);
    knowledge_free(k);
    desk_close(&t);
    return status;
}
