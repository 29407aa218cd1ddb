// robot_sim: a simulated arm and table for other programs: a port that speaks SSC-32U, a picture
// that is written now and then, and lines that are typed in place of a person's hands.
#include "cli/robot_commands.h"

#include "base/now.h"
#include "robot/sim_table.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PERSON_SECONDS 2.0 // that a person's hand is over the table
#define FAULT_SECONDS 20.0 // simulated: so often something goes wrong, and was repaired before
#define RATE_MOST 1000

typedef struct Sim {
    const Cli *cli;
    Arm arm;
    Desk desk;
    Table *table;  // NULL: only an arm
    SimTable *sim; //   and a board
    SimBoard *board;
    Camera *camera;
    Picture picture;
    bool folder; // of pictures
    double every, next_picture;
    int pictures;
    unsigned faults; // a bit for each
    double next_fault;
    Rng rng;
    char linked[64]; // the port that the link leads to
    char line[200];
    size_t n;
} Sim;

// --- options ---

static int read_faults(const Cli *cli, unsigned *faults) {
    const char *at = cli->option[OPT_FAULTS];
    while (at && *at) {
        size_t n = strcspn(at, ",");
        unsigned found = n == 3 && strncmp(at, "all", 3) == 0 ? (1u << SIM_TROUBLES) - 1 : 0;
        for (int t = 0; t < SIM_TROUBLES; t++) {
            const char *word = sim_trouble_word((SimTrouble)t);
            if (strlen(word) == n && strncmp(word, at, n) == 0)
                found = 1u << t;
        }
        if (!found)
            return cli_usage(cli, "there is no fault `%.*s`: drop, miss, stuck, lose, pull or all",
                             (int)n, at);
        *faults |= found;
        at += n + (at[n] == ',');
    }
    return EXIT_OK;
}

static int read_every(const Cli *cli, double *every) {
    const char *text = cli->option[OPT_EVERY];
    if (!text)
        return EXIT_OK;
    char *end;
    *every = strtod(text, &end);
    if (end == text || *end || !(*every >= 0.01 && *every <= 3600))
        return cli_usage(cli, "--every is a number from 0.01 to 3600, not `%s`", text);
    return EXIT_OK;
}

static int read_camera(Sim *s) {
    const char *path = s->cli->option[OPT_CAMERA];
    struct stat about;
    if (!path)
        return s->cli->option[OPT_EVERY] ? cli_usage(s->cli, "without --camera there is no picture")
                                         : EXIT_OK;
    if (!s->table)
        return cli_usage(s->cli, "without a game there is nothing to see");
    s->folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    if (!s->folder && !picture_named(path))
        return cli_usage(s->cli, "`%s` is neither a folder nor a picture (.png, .jpg, .ppm)", path);
    return read_every(s->cli, &s->every);
}

// --- the port and the link to it ---

static const char *port(const Sim *s) {
    return s->sim ? sim_table_port(s->sim) : sim_board_port(s->board);
}

// Another link takes the place of the old one at once.
static bool relink(Sim *s) {
    const char *path = s->cli->option[OPT_LINK];
    if (!path || strcmp(port(s), s->linked) == 0)
        return true;
    struct stat about;
    if (lstat(path, &about) == 0 && !S_ISLNK(about.st_mode)) {
        cli_error("`%s` is there already, and no link", path);
        return false;
    }
    Text beside = {0};
    text_f(&beside, "%s.new", path);
    unlink(text_c(&beside));
    bool ok = symlink(port(s), text_c(&beside)) == 0 && rename(text_c(&beside), path) == 0;
    if (ok)
        snprintf(s->linked, sizeof s->linked, "%s", port(s));
    else
        cli_error("cannot make the link `%s`: %s", path, strerror(errno));
    text_free(&beside);
    return ok;
}

static void unlink_ours(const Sim *s) {
    char to[64] = "";
    const char *path = s->cli->option[OPT_LINK];
    if (path && s->linked[0] && readlink(path, to, sizeof to - 1) > 0 && strcmp(to, s->linked) == 0)
        unlink(path);
}

// --- what is typed ---

static void show(Sim *s) {
    Text out = {0};
    Scene scene;
    if (!scene_init(&scene, s->table)) {
        cli_error("out of memory");
        return;
    }
    sim_table_get(s->sim, &scene);
    for (int i = 0; i < s->table->sites; i++) {
        int height = scene_height(&scene, i);
        if (height > 0)
            text_f(&out, "%s:", s->table->site[i].name);
        for (int level = 0; level < height; level++)
            text_f(&out, "%s %s", level ? "," : "",
                   s->table->kind[scene.kind[i * SCENE_LEVELS + level]].name);
        text_add(&out, height > 0 ? "\n" : "");
    }
    cli_print(&out);
    fflush(stdout);
    text_free(&out);
    scene_free(&scene);
}

// `d2 store 4`: names may have blanks in them.
static bool move_piece(Sim *s, const char *line) {
    for (int from = 0; from < s->table->sites; from++) {
        const char *name = s->table->site[from].name;
        size_t n = strlen(name);
        int to = strncmp(line, name, n) == 0 && line[n] == ' '
                     ? table_site_named(s->table, line + n + 1)
                     : -1;
        if (to < 0)
            continue;
        if (!sim_table_person(s->sim, from, to, PERSON_SECONDS))
            cli_error("no piece can go from %s to %s", name, s->table->site[to].name);
        return true;
    }
    return false;
}

static void obey(Sim *s, char *line) {
    line[strcspn(line, "\r")] = 0;
    if (!*line)
        return;
    if (!s->sim) {
        cli_error("without a game there is only an arm");
        return;
    }
    for (int t = 0; t < SIM_TROUBLES; t++) {
        if (strcmp(line, sim_trouble_word((SimTrouble)t)) == 0) {
            sim_table_trouble(s->sim, (SimTrouble)t);
            return;
        }
    }
    if (strcmp(line, "repair") == 0)
        sim_table_repair(s->sim);
    else if (strcmp(line, "show") == 0)
        show(s);
    else if (!move_piece(s, line))
        cli_error("`%s` is not understood: two places, repair, show, or drop, miss, stuck, lose, "
                  "pull",
                  line);
}

// Lines of standard input, as far as they have come. False at its end.
static bool read_lines(Sim *s) {
    char bytes[256];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    for (ssize_t i = 0; i < n; i++) {
        if (bytes[i] == '\n') {
            s->line[s->n] = 0;
            s->n = 0;
            obey(s, s->line);
        } else if (s->n + 1 < sizeof s->line) {
            s->line[s->n++] = bytes[i];
        }
    }
    return n > 0 || (n < 0 && errno == EINTR);
}

// --- what happens by itself ---

static bool take_picture(Sim *s) {
    const char *path = s->cli->option[OPT_CAMERA];
    if (!path || now_seconds() < s->next_picture)
        return true;
    Text name = {0}, why = {0};
    s->next_picture = now_seconds() + s->every;
    text_add(&name, path);
    if (s->folder)
        text_f(&name, "/%08d.png", ++s->pictures);
    bool ok = camera_take(s->camera, &s->picture, 1, &why) &&
              picture_save(&s->picture, text_c(&name), &why);
    if (!ok)
        cli_error("%s", text_c(&why));
    text_free(&name);
    text_free(&why);
    return ok;
}

static void go_wrong(Sim *s) {
    if (!s->sim || !s->faults)
        return;
    double now = sim_board_seconds(s->board);
    if (now < s->next_fault)
        return;
    if (s->next_fault > 0)
        sim_table_repair(s->sim);
    s->next_fault = now + FAULT_SECONDS;
    int t = (int)rng_below(&s->rng, SIM_TROUBLES);
    while (!(s->faults >> t & 1))
        t = (t + 1) % SIM_TROUBLES;
    sim_table_trouble(s->sim, (SimTrouble)t);
}

static int run(Sim *s, double seconds) {
    bool listens = true;
    double end = now_seconds() + seconds;
    while (!cli_interrupted() && now_seconds() < end) {
        struct pollfd p = {.fd = listens ? STDIN_FILENO : -1, .events = POLLIN};
        if (poll(&p, 1, 10) > 0)
            listens = read_lines(s);
        go_wrong(s);
        if (!relink(s) || !take_picture(s))
            return EXIT_INPUT;
    }
    return EXIT_OK;
}

// --- all together ---

static void announce(const Sim *s, double rate) {
    Text out = {0};
    const char *link = s->cli->option[OPT_LINK], *camera = s->cli->option[OPT_CAMERA];
    if (s->cli->option[OPT_JSON]) {
        text_add(&out, "{\"port\":");
        text_json(&out, link ? link : port(s));
        text_f(&out, ",\"rate\":%.0f", rate);
        if (camera) {
            text_add(&out, ",\"camera\":");
            text_json(&out, camera);
        }
        text_add(&out, "}\n");
    } else {
        text_f(&out, "The arm is at %s", link ? link : port(s));
        if (camera)
            text_f(&out, ", the camera at %s", camera);
        text_add(&out, ".\nCtrl-C ends it.\n");
    }
    cli_print(&out);
    fflush(stdout);
    text_free(&out);
}

static void tell_end(const Sim *s) {
    SimCounts counts;
    SimTold told = {0};
    Text out = {0};
    sim_board_counts(s->board, &counts);
    if (s->sim)
        sim_table_told(s->sim, &told);
    bool json = s->cli->option[OPT_JSON] != NULL;
    text_f(&out,
           json ? "{\"movements\":%lld,\"taken\":%lld,\"put\":%lld,\"collisions\":%d,\"fallen\":%d,"
                  "\"faults\":%d}\n"
                : "%lld movements; %lld pieces taken, %lld put, %d collisions, %d fallen, %d "
                  "faults\n",
           (long long)counts.moves, (long long)told.picked, (long long)told.placed, told.collisions,
           told.fallen, told.troubles);
    cli_print(&out);
    text_free(&out);
}

// The table of the game, with its pieces as at the beginning; an exit status.
static int set_table(Sim *s, const char *game, const SimLook *look, double rate, uint64_t seed) {
    Text why = {0};
    Scene scene = {0};
    int status = desk_open_game(s->cli, game, s->cli->params, s->cli->param_count, &s->desk);
    if (status != EXIT_OK)
        return status;
    s->table = table_new(s->desk.game, &s->arm, &why);
    s->sim = s->table ? sim_table_new(s->table, look, rate, seed, &why) : NULL;
    s->camera = s->sim ? sim_table_camera(s->sim) : NULL;
    bool ok = s->camera && scene_init(&scene, s->table);
    if (ok) {
        s->board = sim_table_board(s->sim);
        scene_of_state(&scene, s->desk.start);
        sim_table_set(s->sim, &scene);
    } else {
        status = cli_error("%s", why.n ? text_c(&why) : "out of memory");
    }
    scene_free(&scene);
    text_free(&why);
    return status;
}

static int set_board(Sim *s, double rate, uint64_t seed) {
    Text why = {0};
    s->board = sim_board_new(rate, seed, &why);
    int status = s->board ? EXIT_OK : cli_error("%s", text_c(&why));
    text_free(&why);
    return status;
}

static void clear(Sim *s) {
    unlink_ours(s);
    picture_free(&s->picture);
    camera_close(s->camera);
    if (s->sim)
        sim_table_free(s->sim);
    else
        sim_board_free(s->board);
    table_free(s->table);
    desk_close(&s->desk);
}

int robot_sim(const Cli *cli, const char *const *words, int count) {
    Sim s = {.cli = cli, .every = 0.5};
    int64_t rate = 1, seed = 1, noise = 4;
    double seconds = HUGE_VAL;
    if (count > 1)
        return cli_usage(cli, "`%s` is one word too many", words[1]);
    if (count == 0 && cli->param_count > 0)
        return cli_usage(cli, "`%s` belongs to a game, which is missing", cli->params[0]);
    if (!cli_number(cli, OPT_RATE, 1, RATE_MOST, &rate) ||
        !cli_number(cli, OPT_SEED, 0, INT64_MAX, &seed) ||
        !cli_number(cli, OPT_NOISE, 0, 100, &noise) || !cli_seconds(cli, &seconds))
        return EXIT_USAGE;
    int status = read_faults(cli, &s.faults);
    if (status == EXIT_OK)
        status = arm_of(cli, &s.arm);
    if (status != EXIT_OK)
        return status;
    uint8_t cells[TAG_CELLS * TAG_CELLS];
    bool tags = tags_cells(0, cells); // so that the camera can be found to stand where it does
    SimLook look = {.noise = (double)noise, .light = 0.15, .tilt = 12, .tags = tags};
    rng_seed(&s.rng, (uint64_t)seed);
    status = count ? set_table(&s, words[0], &look, (double)rate, (uint64_t)seed)
                   : set_board(&s, (double)rate, (uint64_t)seed);
    if (status == EXIT_OK)
        status = read_camera(&s);
    if (status == EXIT_OK && !relink(&s))
        status = EXIT_INPUT;
    if (status == EXIT_OK) {
        cli_catch_interrupt();
        announce(&s, (double)rate);
        status = run(&s, seconds);
        tell_end(&s);
    }
    clear(&s);
    return status;
}
