// table_open: the table of a game, as the command line speaks of it.
#include "cli/robot_commands.h"

#include "base/file.h"
#include "base/mem.h"

int table_taught(const char *path, Table *table, View *view) {
    Text why = {0};
    size_t size;
    char *text = file_read(path, FILE_LIMIT, &size, &why);
    if (!text) {
        int status = cli_error("%s", text_c(&why));
        text_free(&why);
        return status;
    }
    Source source = {path, text, size};
    Diags diags = {.source = &source};
    bool ok = table_read(&source, table, view, &diags);
    cli_print_diags(&diags, true);
    diag_free(&diags);
    mem_free(text);
    return ok ? EXIT_OK : EXIT_INPUT;
}

bool table_seen(const Table *table, const Picture *picture, View *view, bool *by_tags, Text *why) {
    double pixels[8];
    bool taught = view->placed && view->width == picture->width && view->height == picture->height;
    bool pixels_given = view->placed && view->width == 0;
    Tags *tags = tags_new(why);
    bool found = tags && tags_find(tags, picture, pixels, why);
    tags_free(tags);
    if (by_tags)
        *by_tags = found;
    if (found) {
        view->width = picture->width;
        view->height = picture->height;
        view->placed = view_place(view, table->corner, pixels, 4);
        if (view->placed)
            view_check_pixels(view);
        else
            text_add(why, "the tags do not lie at the corners of the board");
        return view->placed;
    }
    return taught || (pixels_given && view_by_pixels(view, picture->width, picture->height));
}

int laid_open(const Cli *cli, const char *const *words, int count, bool taught, Laid *laid) {
    *laid = (Laid){0};
    if (count != 1)
        return count ? cli_usage(cli, "`%s` is one word too many", words[1])
                     : cli_usage(cli, "a game is missing");
    const char *file = cli->option[OPT_TABLE_FILE];
    if (taught && !file)
        return cli_usage(cli, "--table-file is missing: the places that were taught");
    int status = arm_of(cli, &laid->arm);
    if (status == EXIT_OK)
        status = desk_open_game(cli, words[0], cli->params, cli->param_count, &laid->desk);
    if (status != EXIT_OK)
        return status;
    Text why = {0};
    laid->table = table_new(laid->desk.game, &laid->arm, &why);
    if (laid->table) {
        table_view(laid->table, &laid->view);
        status = file ? table_taught(file, laid->table, &laid->view) : EXIT_OK;
    } else {
        status = cli_error("%s", text_c(&why));
    }
    text_free(&why);
    return status;
}

void laid_close(Laid *laid) {
    table_free(laid->table);
    desk_close(&laid->desk);
}
