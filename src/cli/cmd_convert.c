// convert: an S3 file as a `.game` file.
#include "base/file.h"
#include "cli/cli.h"
#include "lang/check.h"
#include "lang/format.h"
#include "lang/parse.h"
#include "robot/arm.h"
#include "s3/convert.h"

#include <string.h>

static int refused(const Cli *cli, const Diags *diags) {
    if (cli->option[OPT_JSON]) {
        Text out = {0};
        text_add(&out, "{\"converted\":false,\"reasons\":");
        diag_json(diags, &out);
        text_add(&out, "}\n");
        cli_print(&out);
        text_free(&out);
    } else {
        cli_print_diags(diags, false);
    }
    return EXIT_INPUT;
}

static void converted(const Cli *cli, Text *game) {
    if (!cli->option[OPT_JSON]) {
        cli_print(game);
        return;
    }
    Text out = {0};
    text_add(&out, "{\"converted\":true,\"game\":");
    text_json(&out, text_c(game));
    text_add(&out, "}\n");
    cli_print(&out);
    text_free(&out);
}

static bool playable(Arena *arena, const Source *source, Diags *diags) {
    const Node *file = parse_file(arena, source, diags);
    return file && diags->errors == 0 && check_game(arena, file, source, NULL, 0, diags) != NULL;
}

// S3Games knew one arm.
static void reach(const double *robot, int count, double at[3]) {
    Arm arm;
    Pose pose;
    Point p = {robot[0], robot[1], robot[2]};
    arm_usual(&arm);
    if (count != 3) {
        memcpy(pose.angle, count == 10 ? robot + 5 : robot, sizeof pose.angle);
        p = arm_point(&arm, &pose);
    }
    at[0] = p.x;
    at[1] = p.y;
    at[2] = p.z;
}

static int convert_text(const Cli *cli, Arena *arena, const Source *source) {
    Diags diags = {.source = source};
    Text raw = {0}, game = {0};
    const S3File *file = s3_read(arena, source, &diags);
    int status = EXIT_INPUT;
    if (!file || !s3_convert(arena, file, reach, &raw, &diags)) {
        status = refused(cli, &diags);
    } else {
        // Laid out as usual and checked, so that nothing that cannot be played is ever written.
        Source made = {"the converted rules", text_c(&raw), raw.n};
        Diags problems = {.source = &made};
        if (raw.failed)
            status = cli_error("out of memory");
        else if (!format_file(&made, &problems, &game) || !playable(arena, &made, &problems))
            status = refused(cli, &problems);
        else
            status = EXIT_OK;
        if (status == EXIT_OK)
            converted(cli, &game);
        diag_free(&problems);
    }
    text_free(&raw);
    text_free(&game);
    diag_free(&diags);
    return status;
}

static int convert_arena(const Cli *cli, const Source *source) {
    Arena arena;
    jmp_buf recovery;
    arena_init(&arena, &recovery);
    int status;
    if (setjmp(recovery) == 0)
        status = convert_text(cli, &arena, source);
    else
        status = cli_error("out of memory");
    arena_free(&arena);
    return status;
}

int cmd_convert(const Cli *cli) {
    if (cli->word_count != 1)
        return cli_usage(cli, "name one S3 file");
    const char *path = cli->words[0];
    Text why = {0};
    size_t size;
    char *text = file_read(path, FILE_LIMIT, &size, &why);
    int status = EXIT_INPUT;
    if (!text) {
        cli_error("%s", text_c(&why));
    } else if (!s3_recognised(text, size)) {
        cli_error("`%s` is no S3 file", path);
    } else {
        Source source = {path, text, size};
        status = convert_arena(cli, &source);
    }
    mem_free(text);
    text_free(&why);
    return status;
}
