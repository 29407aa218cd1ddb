// robot_fit: the measures of an arm, from places that it was taught.
//
// The file of the arm and that of the table belong together: angles of places are those of the
// measures they were taught with. So both are written, the arm's first: if the second cannot be
// written, the first is put back.
#include "cli/robot_commands.h"

#include "base/file.h"
#include "base/mem.h"

#include <stdio.h>

static bool write_file(const char *path, const Text *text, Text *why) {
    if (text->failed)
        text_add(why, "out of memory");
    return !text->failed && file_write_atomic(path, text_c(text), text->n, why);
}

// The arm's file as it was, for the case that the table's cannot be written.
static void put_back(const char *path, const char *before, size_t size) {
    Text why = {0};
    if (before)
        file_write_atomic(path, before, size, &why);
    else
        remove(path);
    text_free(&why);
}

static int write_both(const Laid *laid, const char *arm_path, const char *table_path) {
    Text arm = {0}, table = {0}, why = {0}, ignored = {0};
    size_t size = 0;
    char *before = file_read(arm_path, FILE_LIMIT, &size, &ignored);
    arm_write(&laid->arm, &arm);
    table_write(laid->table, &laid->view, &table);
    bool ok = write_file(arm_path, &arm, &why);
    if (ok && !(ok = write_file(table_path, &table, &why)))
        put_back(arm_path, before, size);
    int status = ok ? EXIT_OK : cli_error("%s", text_c(&why));
    mem_free(before);
    text_free(&arm);
    text_free(&table);
    text_free(&why);
    text_free(&ignored);
    return status;
}

static void print_text(const Laid *laid, const Arm *before, const FitPlace *place, int places) {
    const Arm *a = &laid->arm;
    Text out = {0};
    text_f(&out, "%-12s %10s %10s %10s   mm\n", "place", "before", "now", "left out");
    double most = 0;
    for (int i = 0; i < places; i++) {
        const FitPlace *p = &place[i];
        text_f(&out, "%-12s %10.1f %10.1f %10.1f\n", p->name, 10 * p->before, 10 * p->off,
               10 * p->alone);
        most = p->alone > most ? p->alone : most;
    }
    text_f(&out, "base %.2f right, %.2f ahead; shoulder %.2f -> %.2f cm high\n", a->base_x,
           a->base_y, before->shoulder_height, a->shoulder_height);
    text_f(&out, "upper %.2f -> %.2f, fore %.2f -> %.2f, hand %.2f -> %.2f cm\n", before->upper,
           a->upper, before->fore, a->fore, before->hand, a->hand);
    for (int j = 0; j < ARM_HAND; j++)
        text_f(&out, "%-9s zero %.0f -> %.0f, per_degree %.2f -> %.2f\n", arm_joint_name(j),
               before->joint[j].zero, a->joint[j].zero, before->joint[j].per_degree,
               a->joint[j].per_degree);
    text_f(&out, "Elsewhere it should be off by %.1f mm at most.\n", 10 * most);
    cli_print(&out);
    text_free(&out);
}

static void print_json(const Laid *laid, const FitPlace *place, int places) {
    const Arm *a = &laid->arm;
    Text out = {0};
    text_f(&out, "{\"base_x\":%.4f,\"base_y\":%.4f,\"shoulder_height\":%.4f,\"upper\":%.4f,",
           a->base_x, a->base_y, a->shoulder_height, a->upper);
    text_f(&out, "\"fore\":%.4f,\"hand\":%.4f,\"joints\":[", a->fore, a->hand);
    for (int j = 0; j < ARM_HAND; j++)
        text_f(&out, "%s{\"name\":\"%s\",\"zero\":%.2f,\"per_degree\":%.4f}", j ? "," : "",
               arm_joint_name(j), a->joint[j].zero, a->joint[j].per_degree);
    text_add(&out, "],\"places\":[");
    for (int i = 0; i < places; i++) {
        text_add(&out, i ? ",{\"name\":" : "{\"name\":");
        text_json(&out, place[i].name);
        text_f(&out, ",\"before\":%.2f,\"now\":%.2f,\"left_out\":%.2f}", 10 * place[i].before,
               10 * place[i].off, 10 * place[i].alone);
    }
    text_add(&out, "]}\n");
    cli_print(&out);
    text_free(&out);
}

static int fit(const Cli *cli, Laid *laid, FitPlace *place) {
    const char *to = cli->option[OPT_OUTPUT] ? cli->option[OPT_OUTPUT] : cli->option[OPT_ARM_FILE];
    if (!to)
        return cli_usage(cli, "which file shall be written? --arm-file, or -o for another");
    int places = table_fit_places(laid->table, place, FIT_MOST);
    Text why = {0};
    Arm before = laid->arm, fitted;
    bool ok = arm_fit(&before, place, places, &fitted, &why);
    int status = ok ? EXIT_OK : cli_error("%s", text_c(&why));
    if (ok) {
        laid->arm = fitted;
        ok = table_measured(laid->table, &before, &why);
        status = ok ? write_both(laid, to, cli->option[OPT_TABLE_FILE])
                    : cli_error("by the measures that were found %s", text_c(&why));
        if (status == EXIT_OK && cli->option[OPT_JSON])
            print_json(laid, place, places);
        else if (status == EXIT_OK)
            print_text(laid, &before, place, places);
        if (status == EXIT_OK && why.n)
            fprintf(stderr, "ludens: %s\n", text_c(&why));
    }
    text_free(&why);
    return status;
}

int robot_fit(const Cli *cli, const char *const *words, int count) {
    Laid laid;
    int status = laid_open(cli, words, count, true, &laid);
    FitPlace *place = status == EXIT_OK ? mem_alloc(sizeof *place * FIT_MOST) : NULL;
    if (place)
        status = fit(cli, &laid, place);
    else if (status == EXIT_OK)
        status = cli_error("out of memory");
    mem_free(place);
    laid_close(&laid);
    return status;
}
