// robot_point: the fingers show random places, and a person says whether they are right: the last
// step of measuring an arm.
#include "cli/robot_commands.h"

#include "base/rng.h"
#include "cli/table_talk.h"
#include "robot/plan.h"

#include <stdio.h>
#include <strings.h>
#include <time.h>

#define POINTS 3
#define LINE_SECONDS 0.5

typedef struct Pointing {
    Laid laid;
    Controller *c;
    Talk *talk;
    Scene scene; // the board is to be empty
    Motion motion[PLAN_MOTIONS];
    Text why;
} Pointing;

static bool carry_out(Pointing *p, int motions) {
    bool ok = motions >= 0;
    talk_moving(p->talk, p->c);
    for (int i = 0; i < motions && ok; i++)
        ok = controller_move(p->c, &p->motion[i].pose, p->motion[i].seconds, &p->why) ==
             CONTROLLER_OK;
    talk_moving(p->talk, NULL);
    return ok;
}

static bool show(Pointing *p, int site) {
    Pose from = {0};
    controller_pose(p->c, &from);
    return carry_out(p, plan_visit(&p->scene, site, true, &from, p->motion, &p->why));
}

static bool go_home(Pointing *p) {
    Pose from = {0};
    controller_pose(p->c, &from);
    return carry_out(p, plan_home(&p->scene, &from, p->motion, &p->why));
}

// 1 yes, 0 no, -1: nobody answers.
static int ask(Pointing *p, const char *question) {
    Text line = {0};
    int answer = -1;
    talk_ask(p->talk, question);
    while (answer < 0 && !talk_over(p->talk) && !cli_interrupted()) {
        text_clear(&line);
        if (!talk_line(p->talk, LINE_SECONDS, &line))
            continue;
        if (line.n == 0 || strcasecmp(text_c(&line), "yes") == 0)
            answer = 1;
        else if (strcasecmp(text_c(&line), "no") == 0)
            answer = 0;
        else
            talk_show(p->talk, "Enter or `yes`, or `no`");
    }
    text_free(&line);
    return answer;
}

static int broken_off(Pointing *p) {
    if (cli_interrupted())
        return EXIT_INTERRUPTED;
    return cli_error("%s", p->why.n ? text_c(&p->why) : "nobody answered");
}

static int point(Pointing *p, uint64_t seed) {
    const Table *t = p->laid.table;
    bool shown[VIEW_PLACES] = {0};
    Text missed = {0};
    Rng rng;
    rng_seed(&rng, seed);
    int answer = ask(p, "Is the board empty? Enter to begin");
    for (int i = 0; i < POINTS && i < t->cells && answer >= 0; i++) {
        int site;
        do
            site = (int)rng_below(&rng, (uint32_t)t->cells);
        while (shown[site]);
        shown[site] = true;
        Text question = {0};
        text_f(&question, "The fingers should be at %s. Enter if they are, `no` if not",
               t->site[site].name);
        answer = show(p, site) ? ask(p, text_c(&question)) : -1;
        if (answer == 0)
            text_f(&missed, "%s%s", missed.n ? ", " : "", t->site[site].name);
        text_free(&question);
    }
    int status = EXIT_OK;
    if (answer < 0 || !go_home(p))
        status = broken_off(p);
    else if (missed.n)
        status = cli_error("it missed %s: teach such places too, and fit again", text_c(&missed));
    else
        talk_show(p->talk, "The arm is measured well.");
    text_free(&missed);
    return status;
}

static int begin(const Cli *cli, const char *const *words, int count, Pointing *p) {
    int status = laid_open(cli, words, count, false, &p->laid);
    if (status == EXIT_OK)
        status = arm_open(cli, &p->laid.arm, &p->c);
    if (status == EXIT_OK && controller_find(p->c, &p->why) != CONTROLLER_OK)
        status = cli_error("%s", text_c(&p->why));
    if (status == EXIT_OK && !scene_init(&p->scene, p->laid.table))
        status = cli_error("out of memory");
    if (status == EXIT_OK && !(p->talk = talk_open(false, TALK_OUT, &p->why)))
        status = cli_error("%s", text_c(&p->why));
    return status;
}

int robot_point(const Cli *cli, const char *const *words, int count) {
    Pointing p = {0};
    int64_t seed = (int64_t)time(NULL);
    if (!cli_number(cli, OPT_SEED, 0, INT64_MAX, &seed))
        return EXIT_USAGE;
    cli_catch_interrupt();
    int status = begin(cli, words, count, &p);
    if (status == EXIT_OK)
        status = point(&p, (uint64_t)seed);
    talk_close(p.talk);
    controller_close(p.c);
    scene_free(&p.scene);
    laid_close(&p.laid);
    text_free(&p.why);
    return status;
}
