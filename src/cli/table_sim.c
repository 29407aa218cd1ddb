// table_sim: a simulated table for the command `table`: persons, faults and the truth; see
// at_table.h.
#include "cli/at_table.h"

#include "base/mem.h"
#include "cli/robot_commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PERSON_SECONDS 2.0 // simulated, for each piece
#define PERSON_REAL 0.06   //   but at least so many real ones: a hand has to be seen
#define FAULT_CHANCE 3     // one move of the arm in so many
#define MISTAKE_CHANCE 6   // one move of a person

static bool read_faults(AtTable *a, const char *text) {
    if (strcmp(text, "all") == 0) {
        a->faults = (1u << SIM_TROUBLES) - 1;
        return true;
    }
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, ",");
        bool known = n == 5 && strncmp(s, "wrong", n) == 0;
        a->mistakes = a->mistakes || known;
        for (int t = 0; t < SIM_TROUBLES && !known; t++) {
            const char *word = sim_trouble_word((SimTrouble)t);
            known = strlen(word) == n && strncmp(s, word, n) == 0;
            if (known)
                a->faults |= 1u << t;
        }
        if (!known)
            return false;
        s += n + (s[n] == ',');
    }
    return a->faults || a->mistakes;
}

int table_sim_open(AtTable *a) {
    int64_t noise = 6, rate = 10;
    const char *faults = a->cli->option[OPT_FAULTS];
    if (!cli_number(a->cli, OPT_NOISE, 0, 60, &noise) ||
        !cli_number(a->cli, OPT_RATE, 1, 1000, &rate))
        return EXIT_USAGE;
    if (faults && !read_faults(a, faults))
        return cli_usage(a->cli,
                         "--faults is `all` or some of drop, miss, stuck, lose, pull and wrong "
                         "(persons' moves), not `%s`",
                         faults);
    Text why = {0};
    a->rate = (double)rate;
    rng_seed(&a->rng, a->seed);
    SimLook look = {.noise = (double)noise, .light = 0.3, .tilt = 15, .shake = 1};
    Arm real = a->arm;
    if (a->cli->option[OPT_REAL]) {
        arm_usual(&real);
        int status = arm_from(a->cli->option[OPT_REAL], &real);
        if (status != EXIT_OK)
            return status;
    }
    a->sim = sim_table_new(a->table, &look, a->rate, a->seed, &why);
    if (a->sim)
        sim_table_real(a->sim, &real);
    a->person = a->sim ? player_new(a->desk.game, "random", &why) : NULL;
    a->meant = mem_alloc((size_t)game_state_size(a->desk.game));
    bool ok = a->sim && a->person && a->meant && scene_init(&a->truth, a->table);
    if (ok) {
        a->camera = sim_table_camera(a->sim);
        sim_table_view(a->sim, &a->view);
    }
    int status =
        ok && a->camera ? EXIT_OK : cli_error("%s", why.n ? text_c(&why) : "out of memory");
    text_free(&why);
    return status;
}

void table_sim_close(AtTable *a) {
    player_free(a->person);
    mem_free(a->meant);
    scene_free(&a->truth);
    plan_free(&a->plan);
    sim_table_free(a->sim);
}

const char *table_sim_port(void *with) {
    AtTable *a = with;
    return sim_table_port(a->sim);
}

void table_sim_set(AtTable *a) {
    scene_of_state(&a->truth, record_now(a->record));
    sim_table_set(a->sim, &a->truth);
}

// --- persons ---

static double seconds_a_piece(const AtTable *a) {
    return fmax(PERSON_SECONDS, PERSON_REAL * a->rate);
}

static bool move_piece(AtTable *a, int from, int to) {
    double seconds = seconds_a_piece(a), now = sim_board_seconds(sim_table_board(a->sim));
    a->busy_until = fmax(a->busy_until, now) + seconds;
    return sim_table_person(a->sim, from, to, seconds);
}

// Puts the board right, as the person has it in mind, perhaps after one other step.
static bool move_pieces(AtTable *a, const Step *first) {
    Text why = {0};
    sim_table_get(a->sim, &a->truth);
    if (first)
        scene_step(&a->truth, first);
    bool ok = plan_to_state(&a->plan, &a->truth, a->meant, &why);
    for (int i = 0; i < a->plan.steps && ok; i++) {
        ok = move_piece(a, a->plan.step[i].from, a->plan.step[i].to);
        if (!ok)
            text_add(&why, "there is no such piece");
    }
    if (!ok)
        cli_error("a simulated person cannot move: %s", text_c(&why));
    text_free(&why);
    return ok;
}

// Whether a move that is made by mistake would be taken for a legal one.
static bool looks_legal(AtTable *a) {
    const Move *moves;
    Move copy[1024];
    const uint8_t *now = record_now(a->record);
    int n = runner_moves(a->desk.runner, now, &moves);
    n = n < 1024 ? n : 1024;
    memcpy(copy, moves, sizeof *copy * (size_t)n);
    Scene scene;
    uint8_t *next = mem_alloc((size_t)game_state_size(a->desk.game));
    bool legal = !next || !scene_init(&scene, a->table);
    if (!legal) {
        sim_table_get(a->sim, &scene);
        Step step = {a->mistake_from, a->mistake_to, scene_top(&scene, a->mistake_from)};
        scene_step(&scene, &step);
        for (int i = 0; i < n && !legal; i++)
            legal =
                runner_apply(a->desk.runner, now, copy[i], next) && scene_differs(&scene, next) < 0;
        scene_free(&scene);
    }
    mem_free(next);
    return legal;
}

// A piece from one random cell to another: hardly ever a legal move.
static bool make_mistake(AtTable *a) {
    int from = -1, to = -1, cells = a->table->cells;
    sim_table_get(a->sim, &a->truth);
    for (int i = 0; i < 200 && (from < 0 || to < 0); i++) {
        int c = (int)rng_below(&a->rng, (uint64_t)cells);
        bool empty = scene_height(&a->truth, c) == 0;
        if (empty && to < 0)
            to = c;
        else if (!empty && from < 0)
            from = c;
    }
    a->mistake_from = from;
    a->mistake_to = to;
    a->mistaken = from >= 0 && to >= 0 && !looks_legal(a);
    return !a->mistaken || move_piece(a, from, to);
}

bool table_sim_person(AtTable *a) {
    static SearchResult result;
    SearchTask task = {.record = a->record, .seed = rng_next(&a->rng)};
    if (!player_search(a->person, &task, &result) ||
        !runner_apply(a->desk.runner, record_now(a->record), result.move, a->meant)) {
        cli_error("%s", runner_error(a->desk.runner));
        return false;
    }
    a->meant_move = result.move;
    if (a->mistakes && rng_below(&a->rng, MISTAKE_CHANCE) == 0) {
        if (!make_mistake(a))
            return false;
        if (a->mistaken)
            return true;
    }
    return move_pieces(a, NULL);
}

void table_sim_told(AtTable *a) {
    if (!a->mistaken)
        return;
    a->mistaken = false;
    sim_table_get(a->sim, &a->truth);
    Step back = {a->mistake_to, a->mistake_from, scene_top(&a->truth, a->mistake_to)};
    if (move_piece(a, back.from, back.to))
        move_pieces(a, &back);
}

bool table_sim_answer(AtTable *a, Move *move) {
    double now = sim_board_seconds(sim_table_board(a->sim));
    *move = a->meant_move;
    return !a->mistaken && now > a->busy_until;
}

// A free site for a piece that lies about: where it is said to lie, else any.
static int free_site(const AtTable *a, int kind) {
    int found = -1;
    for (int i = 0; i < a->table->sites; i++) {
        bool askew = robot_askew(a->robot, i);
        if (scene_height(&a->truth, i) == 0 && a->table->site[i].takes >> kind & 1 &&
            (found < 0 || (askew && !robot_askew(a->robot, found))))
            found = i;
    }
    return found;
}

void table_sim_help(AtTable *a) {
    SimTold told;
    sim_table_repair(a->sim);
    sim_table_told(a->sim, &told);
    if (told.fallen == 0)
        return;
    // There are fewer stores than pieces that fell: the person puts them back on the board.
    sim_table_get(a->sim, &a->truth);
    for (int k = 0; k < a->table->kinds; k++) {
        int left = a->table->kind[k].count;
        for (int i = 0; i < a->table->sites * SCENE_LEVELS; i++)
            left -= a->truth.kind[i] == k;
        for (int site; left > 0 && (site = free_site(a, k)) >= 0; left--)
            a->truth.kind[site * SCENE_LEVELS] = (uint8_t)k;
    }
    sim_table_set(a->sim, &a->truth);
}

// --- the truth ---

// Between two pieces of a person there is no state to be read; nor where something stands askew,
// which it notices.
static bool is_state(const AtTable *a) {
    bool state = sim_board_seconds(sim_table_board(a->sim)) >= a->busy_until;
    for (int i = 0; i < a->table->sites && state; i++)
        state = !robot_askew(a->robot, i);
    return state;
}

// Whether a site was read rightly: the camera sees the top of a pile, the rest is remembered.
static bool read_rightly(const AtTable *a, int site) {
    const Scene *seen = robot_scene(a->robot);
    int at = site * SCENE_LEVELS;
    return a->turn ? scene_top(seen, site) == scene_top(&a->truth, site)
                   : memcmp(seen->kind + at, a->truth.kind + at, SCENE_LEVELS) == 0;
}

void table_sim_check(AtTable *a) {
    const Scene *seen = robot_scene(a->robot);
    if (!is_state(a)) {
        a->figures.reads--;
        return;
    }
    sim_table_get(a->sim, &a->truth);
    bool wrong = false;
    for (int i = 0; i < a->table->sites; i++)
        if (!read_rightly(a, i)) {
            wrong = true;
            int is = scene_top(&a->truth, i), was = scene_top(seen, i);
            talk_show(a->talk, "  read wrongly: %s has %s, not %s", a->table->site[i].name,
                      is == SCENE_NOTHING ? "nothing" : a->table->kind[is].name,
                      was == SCENE_NOTHING ? "nothing" : a->table->kind[was].name);
        }
    a->figures.misread += wrong;
}

// --- faults ---

void table_sim_trouble(AtTable *a) {
    int count = 0, chosen;
    for (int t = 0; t < SIM_TROUBLES; t++)
        count += (a->faults >> t & 1) != 0;
    if (count == 0 || rng_below(&a->rng, FAULT_CHANCE) != 0)
        return;
    chosen = (int)rng_below(&a->rng, (uint64_t)count);
    for (int t = 0; t < SIM_TROUBLES; t++)
        if (a->faults >> t & 1 && chosen-- == 0)
            sim_table_trouble(a->sim, (SimTrouble)t);
}

void table_sim_count(AtTable *a, int news, int repeats) {
    SimTold told;
    sim_table_told(a->sim, &told);
    int happened = told.troubles - a->figures.happened;
    a->figures.happened = told.troubles;
    if (news > 0 || repeats > 0)
        a->figures.noticed += happened;
}
