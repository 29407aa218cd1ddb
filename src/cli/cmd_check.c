// check: what is wrong with rules, or what was learnt about the game.
#include "base/now.h"
#include "cli/cli.h"
#include "game/probe.h"
#include "knowledge/knowledge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// When no game ends within PROBE_PLIES, one more may last so long before there is a warning.
#define LATE_PLIES 5000
#define LATE_SECONDS 2
#define SOME_PLIES 100

// "1 kind: man", "2 players: White, Black"
static void add_names(Text *out, const char *noun, const char *const *names, int count) {
    text_f(out, "%d %s%s", count, noun, count == 1 ? "" : "s");
    for (int i = 0; i < count; i++)
        text_f(out, "%s%s", i ? ", " : ": ", names[i]);
}

static void print_learnt(const Game *g, Text *out) {
    const IrGame *ir = g->ir;
    const char *kinds[IR_MAX_KINDS];
    for (int i = 0; i < ir->kinds; i++)
        kinds[i] = ir->kind[i].name;
    text_f(out, "%s: ok\n  title      %s\n  players    ", g->source.name, ir->title);
    add_names(out, "player", ir->player, ir->players);
    text_f(out, "\n  board      %d cell%s", ir->board->cells, ir->board->cells == 1 ? "" : "s");
    if (ir->board->lines)
        text_f(out, ", %d line%s", ir->board->lines, ir->board->lines == 1 ? "" : "s");
    text_add(out, "\n  pieces     ");
    add_names(out, "kind", kinds, ir->kinds);
    text_f(out, "\n  state      %.1f bits of information in %d bytes\n", ir->layout.bits,
           ir->layout.size);
    double digits = ir->layout.bits * log10(2);
    text_f(out, "  positions  at most %.1fe%.0f, 2 to the power of %.1f\n",
           pow(10, digits - floor(digits)), floor(digits), ir->layout.bits);
    text_f(out, "  move       at most %d choice%s, %d bits\n", ir->most_choices,
           ir->most_choices == 1 ? "" : "s", ir->move_bits);
}

static void print_known(const Knowledge *k, Text *out) {
    const IrKnowledge *ir = knowledge_ir(k);
    int rules = 0;
    for (int i = 0; i < ir->relations; i++)
        rules += ir->relation[i].derived;
    int facts = ir->relations - rules;
    if (knowledge_is_clips(k)) {
        text_f(out, "  knowledge  a file in CLIPS, beside %d fact%s of the game\n", facts,
               facts == 1 ? "" : "s");
        return;
    }
    text_f(out, "  knowledge  %d fact%s, %d rule%s, %d line%s of worth, %d of prefer\n", facts,
           facts == 1 ? "" : "s", rules, rules == 1 ? "" : "s", ir->worths,
           ir->worths == 1 ? "" : "s", ir->prefers);
}

// What is known about the game, by its own file or the one beside it; NULL also if that is wrong.
static Knowledge *check_known(const Cli *cli, const Game *g, Diags *diags) {
    const char *file = cli->option[OPT_KNOWLEDGE];
    Knowledge *k = file ? knowledge_load(g, file, diags) : knowledge_own(g);
    if (!file && k)
        knowledge_try(k, diags);
    diags->source = &g->source;
    return k;
}

static void print_played(const ProbeFindings *f, bool ok, Text *out) {
    text_f(out, "  played     %lld random game%s, %lld moves, at most %d in a game: %s\n",
           (long long)f->games, f->games == 1 ? "" : "s", (long long)f->plies, f->longest,
           ok ? "no fault found" : "a fault was found");
}

// Whether one more random game ends that may last longer.
static bool ends_late(const Game *g, Runner *r) {
    uint8_t *state = mem_alloc((size_t)game_state_size(g));
    double start = now_seconds();
    bool ended = !state;
    Rng rng;
    rng_seed(&rng, 1);
    if (state)
        memcpy(state, g->start, (size_t)game_state_size(g));
    for (int plies = 0; plies < LATE_PLIES && !ended && !cli_interrupted(); plies += SOME_PLIES) {
        ended = runner_playout(r, state, &rng, SOME_PLIES) < SOME_PLIES;
        if (now_seconds() - start > LATE_SECONDS)
            break;
    }
    mem_free(state);
    return ended;
}

// What is no fault but hardly meant. A puzzle is seldom solved by chance, and repetition is not
// seen in random games here.
static void warn_about_play(const Game *g, const ProbeFindings *f, Diags *diags) {
    const Span nowhere = {0};
    Runner *r = runner_new(g);
    if (r && runner_count(r, g->start) == 0)
        diag_warn(diags, nowhere, "%s has no move at the start",
                  g->ir->player[game_player(g, g->start)]);
    bool endless = f->games > 0 && f->ended == 0 && g->ir->players > 1 && !g->ir->repeated;
    if (r && endless && !ends_late(g, r))
        diag_warn(diags, nowhere, "no game ended within %d moves: does `end` ever hold?",
                  PROBE_PLIES);
    runner_free(r);
}

static void say_stopped(const ProbeFindings *f, ProbeLimits limits) {
    if (limits.games)
        cli_error("stopped after %lld of %lld games", (long long)f->games, (long long)limits.games);
    else
        cli_error("stopped after %lld game%s", (long long)f->games, f->games == 1 ? "" : "s");
}

static void json_learnt(const Game *g, const ProbeFindings *f, Text *out) {
    const IrGame *ir = g->ir;
    text_char(out, ',');
    cli_json_game(g, out);
    text_f(out, ",\"players\":%d,\"cells\":%d,\"lines\":%d,\"kinds\":%d", ir->players,
           ir->board->cells, ir->board->lines, ir->kinds);
    text_f(out, ",\"states_log2\":%.3f,\"state_bytes\":%d", ir->layout.bits, ir->layout.size);
    text_f(out, ",\"most_choices\":%d,\"move_bits\":%d", ir->most_choices, ir->move_bits);
    text_f(out, ",\"played\":{\"games\":%lld,\"plies\":%lld,\"longest\":%d}", (long long)f->games,
           (long long)f->plies, f->longest);
}

static void print_json(const char *name, const Game *g, const ProbeFindings *f, const Diags *diags,
                       Text *out) {
    text_add(out, "{\"file\":");
    text_json(out, name);
    text_f(out, ",\"ok\":%s", diags->errors ? "false" : "true");
    if (g)
        json_learnt(g, f, out);
    text_add(out, ",\"messages\":");
    diag_json(diags, out);
    text_add(out, "}\n");
}

static int check_one(const Cli *cli, const char *name, ProbeLimits limits) {
    int status = cli_no_game(cli, name);
    if (status != EXIT_OK)
        return status;
    Diags diags = {0};
    ProbeFindings findings = {0};
    Text out = {0};
    Game *g = game_load(name, cli->params, cli->param_count, &diags);
    Knowledge *k = g ? check_known(cli, g, &diags) : NULL;
    bool ok = g && !diags.errors && probe_game(g, limits, &findings, &diags);
    if (ok)
        warn_about_play(g, &findings, &diags);
    if (cli->option[OPT_JSON]) {
        print_json(name, g, &findings, &diags, &out);
    } else {
        cli_print_diags(&diags, true);
        if (ok)
            print_learnt(g, &out);
        if (ok && k)
            print_known(k, &out);
        if (ok)
            print_played(&findings, ok, &out);
    }
    cli_print(&out);
    if (ok && cli_interrupted())
        say_stopped(&findings, limits);
    text_free(&out);
    diag_free(&diags);
    knowledge_free(k);
    game_free(g);
    return ok ? EXIT_OK : EXIT_INPUT;
}

int cmd_check(const Cli *cli) {
    int64_t games = 0, seed = 1;
    double seconds = 0;
    if (!cli_number(cli, OPT_GAMES, 1, 1000000000, &games) ||
        !cli_number(cli, OPT_SEED, 0, INT64_MAX, &seed) || !cli_seconds(cli, &seconds))
        return EXIT_USAGE;
    if (cli->word_count == 0)
        return cli_usage(cli, "a file is missing");
    cli_catch_interrupt();
    ProbeLimits limits = {.games = games,
                          .seconds = seconds == 0 && games == 0 ? 1 : seconds,
                          .seed = (uint64_t)seed,
                          .stop = cli_interrupted};
    int status = EXIT_OK;
    for (int i = 0; i < cli->word_count && !cli_interrupted(); i++) {
        int each = check_one(cli, cli->words[i], limits);
        status = each != EXIT_OK ? each : status;
    }
    return cli_interrupted() ? EXIT_INTERRUPTED : status;
}
