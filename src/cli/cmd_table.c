// table: a game on a real table, with an arm and a camera, or with simulated ones.
#include "cli/at_table.h"

#include "base/file.h"
#include "base/mem.h"
#include "cli/robot_commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PICTURE_SECONDS 5.0

// --- what it is about ---

static int read_ask(AtTable *a) {
    static const char *const words[] = {"each", "first", "free"};
    const char *text = a->cli->option[OPT_ASK];
    a->ask = a->sim ? ASK_FREE : ASK_EACH;
    if (!text)
        return EXIT_OK;
    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            a->ask = (AskWhen)i;
            return EXIT_OK;
        }
    return cli_usage(a->cli, "--ask is each, first or free, not `%s`", text);
}

static int open_table(AtTable *a) {
    Text why = {0};
    int status = arm_of(a->cli, &a->arm);
    if (status == EXIT_OK) {
        a->table = table_new(a->desk.game, &a->arm, &why);
        if (!a->table)
            status = cli_error("%s", text_c(&why));
        else
            table_view(a->table, &a->view);
    }
    if (status == EXIT_OK && a->cli->option[OPT_TABLE_FILE])
        status = table_taught(a->cli->option[OPT_TABLE_FILE], a->table, &a->view);
    text_free(&why);
    return status;
}

// --- arm and camera ---

static bool place_view(AtTable *a, Text *why) {
    Picture picture = {0};
    bool ok = camera_take(a->camera, &picture, PICTURE_SECONDS, why) &&
              table_seen(a->table, &picture, &a->view, &a->tags, why);
    picture_free(&picture);
    return ok;
}

static int open_camera(AtTable *a) {
    const char *where = a->cli->option[OPT_CAMERA];
    Text why = {0}, notes = {0};
    int status = EXIT_OK;
    if (where && !a->camera) {
        a->camera = camera_open(where, 0, 0, &notes, &why);
        if (notes.n)
            talk_show(a->talk, "%s", text_c(&notes));
        if (!a->camera || !place_view(a, &why))
            status = cli_error("%s", text_c(&why));
    }
    text_free(&why);
    text_free(&notes);
    return status;
}

static bool before_joint(void *with, int joint) {
    AtTable *a = with;
    if (!a->sim)
        talk_show(a->talk, "  the %s", arm_joint_name(joint));
    return !cli_interrupted();
}

static bool wake(AtTable *a, Text *why) {
    Pose home = a->arm.home;
    if (!a->sim &&
        table_ask(a,
                  "The arm will now go home, one joint after the other, each with a jerk. Keep a "
                  "hand at the switch. Enter to begin, `quit` to leave",
                  "go quit") != 0) {
        text_add(why, "the arm was not woken");
        return false;
    }
    talk_waking(a->talk, a->controller);
    ControllerFault fault = controller_wake(a->controller, &home, before_joint, a, why);
    talk_moving(a->talk, NULL);
    return fault == CONTROLLER_OK;
}

static int open_robot(AtTable *a) {
    Text why = {0};
    int64_t baud = 9600;
    if (!cli_number(a->cli, OPT_BAUD, 2400, 230400, &baud))
        return EXIT_USAGE;
    ControllerOptions line = {.baud = (int)baud};
    RobotOptions options = {.tell = table_tell, .with = a, .tags = a->tags};
    const char *port = a->cli->option[OPT_ARM];
    if (a->sim) {
        port = sim_table_port(a->sim);
        line.poll = 0.002;
        line.answer = a->faults ? 0.3 : 1; // a busy machine is no fault
        line.wake_seconds = 1.5 / a->rate;
        options.port = table_sim_port;
        options.patience = fmax(2, 10 / a->rate);
    }
    a->controller = controller_open(&a->arm, port, &line, &why);
    if (a->controller && wake(a, &why))
        a->robot = robot_new(a->table, a->controller, a->camera, &a->view, &options, &why);
    int status = EXIT_OK;
    if (!a->robot)
        status = cli_interrupted() ? EXIT_INTERRUPTED : cli_error("%s", text_c(&why));
    text_free(&why);
    return status;
}

static int open_record(AtTable *a) {
    a->record = record_new(a->desk.runner, a->desk.start);
    return a->record ? EXIT_OK : cli_error("out of memory");
}

static int open_talk(AtTable *a) {
    Text why = {0};
    // A simulation asks only who wants to be asked, or has stopped it.
    TalkWhere where = !a->json ? TALK_OUT : a->sim ? TALK_QUESTIONS : TALK_ERROR;
    a->talk = talk_open(a->cli->option[OPT_VOICE] != NULL, where, &why);
    if (why.n)
        fprintf(stderr, "ludens: %s\n", text_c(&why));
    text_free(&why);
    return a->talk ? EXIT_OK : EXIT_INPUT;
}

// --- what came out ---

// Behind a game every piece stands somewhere; in the middle of one it may be in the air.
static int pieces_lost(AtTable *a) {
    int lost = 0;
    if (!a->sim)
        return 0;
    sim_table_get(a->sim, &a->truth);
    for (int k = 0; k < a->table->kinds; k++) {
        int n = 0;
        for (int i = 0; i < a->table->sites * SCENE_LEVELS; i++)
            n += a->truth.kind[i] == k;
        lost += a->table->kind[k].count - n;
    }
    return lost;
}

static void add_wins(const AtTable *a, Text *out) {
    const IrGame *ir = a->desk.game->ir;
    text_add(out, ",\"wins\":{");
    for (int i = 0; i < ir->players; i++) {
        text_add(out, i ? "," : "");
        text_json(out, ir->player[i]);
        text_f(out, ":%d", a->figures.wins[i]);
    }
    text_f(out, "},\"draws\":%d", a->figures.draws);
}

static void print_json(AtTable *a, int collisions, Text *out) {
    const TableFigures *f = &a->figures;
    text_char(out, '{');
    cli_json_game(a->desk.game, out);
    text_f(out, ",\"games\":%d", f->games);
    add_wins(a, out);
    text_f(out, ",\"moves\":%d,\"persons\":%d,\"steps\":%d,\"reads\":%d", f->moves, f->persons,
           f->steps, f->reads);
    if (a->sim)
        text_f(out,
               ",\"misread\":%d,\"wrong\":%d,\"collisions\":%d,\"lost\":%d,\"faults\":%d,"
               "\"noticed\":%d",
               f->misread, f->wrong, collisions, f->lost, f->happened, f->noticed);
    text_f(out, ",\"refused\":%d,\"asked\":%d,\"failed\":%d,\"helped\":%d}\n", f->refused, f->asked,
           f->failed, f->helped);
}

static void print_text(AtTable *a, int collisions, Text *out) {
    const TableFigures *f = &a->figures;
    text_f(out, "\n%d game%s, %d moves, %d of them by persons; %d steps of the arm\n", f->games,
           f->games == 1 ? "" : "s", f->moves, f->persons, f->steps);
    text_f(out, "the table was read %d times", f->reads);
    if (a->sim)
        text_f(out, ", %d of them wrongly; %d moves taken for others", f->misread, f->wrong);
    text_f(out, "\n%d boards refused, %d moves asked for\n", f->refused, f->asked);
    if (a->sim)
        text_f(out, "%d collisions, %d pieces lost; %d faults, %d noticed\n", collisions, f->lost,
               f->happened, f->noticed);
    text_f(out, "%d times something did not come out, %d times a person helped\n", f->failed,
           f->helped);
}

// In a simulation everything is known: then what is not right is an error, unless somebody left in
// the middle of a move.
static int report(AtTable *a, bool ended) {
    SimTold told = {0};
    Text out = {0};
    if (a->sim)
        sim_table_told(a->sim, &told);
    if (a->json)
        print_json(a, told.collisions, &out);
    else
        print_text(a, told.collisions, &out);
    cli_print(&out);
    text_free(&out);
    if (a->figures.misread || a->figures.wrong)
        return cli_error("the table was read wrongly");
    if (ended && !a->faults && (told.collisions || a->figures.lost))
        return cli_error("pieces were hit or lost");
    return EXIT_OK;
}

static int save(AtTable *a) {
    const char *path = a->cli->option[OPT_RECORD];
    if (!path || !a->record)
        return EXIT_OK;
    Text text = {0}, why = {0};
    record_save(a->record, a->cli->params, a->cli->param_count, &text);
    bool ok = !text.failed && file_write_atomic(path, text_c(&text), text.n, &why);
    int status = ok ? EXIT_OK : cli_error("%s", text.failed ? "out of memory" : text_c(&why));
    text_free(&text);
    text_free(&why);
    return status;
}

// --- the command ---

static int play_games(AtTable *a) {
    int64_t games = 1;
    if (!cli_number(a->cli, OPT_GAMES, 1, 1000000, &games))
        return EXIT_USAGE;
    int status = EXIT_OK;
    for (int64_t i = 0; i < games && status == EXIT_OK; i++) {
        seats_begin(&a->seats, a->seed + (uint64_t)i);
        status = table_game(a);
        if (status == EXIT_OK)
            a->figures.lost += pieces_lost(a);
        a->seed++;
    }
    int saved = save(a), told = report(a, status == EXIT_OK);
    return status != EXIT_OK ? status : saved != EXIT_OK ? saved : told;
}

// Which of everything is simulated: all or nothing.
static int check_options(const Cli *cli, bool *sim) {
    const char *arm = cli->option[OPT_ARM], *camera = cli->option[OPT_CAMERA];
    bool sim_arm = arm && strcmp(arm, "sim") == 0,
         sim_camera = camera && strcmp(camera, "sim") == 0;
    *sim = cli->option[OPT_SIM] || sim_arm;
    if (cli->option[OPT_SIM] && ((arm && !sim_arm) || (camera && !sim_camera)))
        return cli_usage(cli, "--sim has an arm and a camera of its own");
    if (!cli->option[OPT_SIM] && !arm)
        return cli_usage(cli, "where is the arm? --arm PORT, or --sim to simulate everything");
    if (!*sim && sim_camera)
        return cli_usage(cli, "a simulated camera sees only a simulated arm: --sim");
    if (sim_arm && camera && !sim_camera)
        return cli_usage(cli, "a camera cannot see a simulated arm: --sim");
    if (!*sim && (cli->option[OPT_RATE] || cli->option[OPT_NOISE] || cli->option[OPT_FAULTS] ||
                  cli->option[OPT_REAL]))
        return cli_usage(cli, "--rate, --noise, --faults and --real are for --sim");
    return EXIT_OK;
}

static int open_everything(AtTable *a, bool sim) {
    int64_t seed = 1;
    if (!cli_number(a->cli, OPT_SEED, 0, INT64_MAX, &seed))
        return EXIT_USAGE;
    a->seed = (uint64_t)seed;
    int status = desk_open(a->cli, &a->desk);
    if (status == EXIT_OK)
        status = desk_backend(a->cli, &a->desk, BACKEND_INTERP);
    if (status == EXIT_OK)
        status = seats_open(a->cli, a->desk.game, &a->seats);
    if (status == EXIT_OK)
        status = open_table(a);
    if (status == EXIT_OK && sim)
        status = table_sim_open(a);
    if (status == EXIT_OK)
        status = read_ask(a);
    if (status == EXIT_OK)
        status = open_talk(a);
    if (status == EXIT_OK)
        status = open_camera(a);
    if (status == EXIT_OK)
        status = open_record(a);
    return status == EXIT_OK ? open_robot(a) : status;
}

static int run(AtTable *a, bool sim) {
    int status = open_everything(a, sim);
    if (status == EXIT_INTERRUPTED) // while the arm was woken: there are figures, too
        report(a, false);
    return status == EXIT_OK ? play_games(a) : status;
}

int cmd_table(const Cli *cli) {
    bool sim;
    int status = check_options(cli, &sim);
    if (status != EXIT_OK)
        return status;
    AtTable *a = mem_alloc(sizeof *a);
    if (!a)
        return cli_error("out of memory");
    a->cli = cli;
    a->json = cli->option[OPT_JSON] != NULL;
    cli_catch_interrupt();
    status = run(a, sim);
    if (a->talk)
        talk_moving(a->talk, NULL);
    talk_close(a->talk);
    record_free(a->record);
    robot_free(a->robot);
    controller_close(a->controller);
    camera_close(a->camera);
    table_sim_close(a);
    table_free(a->table);
    seats_close(&a->seats);
    desk_close(&a->desk);
    mem_free(a);
    return status;
}
