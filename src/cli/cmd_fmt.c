// fmt: rules files in the usual layout.
#include "base/file.h"
#include "cli/cli.h"
#include "lang/format.h"
#include "s3/s3.h"

#include <stdio.h>
#include <string.h>

static int write_back(const char *path, const char *old, size_t size, const Text *text) {
    if (text->n == size && memcmp(text_c(text), old, size) == 0)
        return EXIT_OK;
    Text why = {0};
    bool ok = file_write_atomic(path, text_c(text), text->n, &why);
    if (!ok)
        cli_error("%s", text_c(&why));
    text_free(&why);
    return ok ? EXIT_OK : EXIT_INPUT;
}

static int format_text(const Cli *cli, const char *path, const char *old, size_t size) {
    bool is_input = strcmp(path, "-") == 0;
    if (s3_recognised(old, size))
        return cli_error("`%s` is an S3 file; only `.game` files are laid out", path);
    Source source = {is_input ? "standard input" : path, old, size};
    Diags diags = {.source = &source};
    Text text = {0};
    int status = EXIT_OK;
    if (!format_file(&source, &diags, &text)) {
        cli_print_diags(&diags, false);
        status = EXIT_INPUT;
    } else if (text.failed) {
        status = cli_error("out of memory");
    } else if (cli->option[OPT_CHECK]) {
        bool same = text.n == size && memcmp(text_c(&text), old, size) == 0;
        if (!same)
            printf("%s\n", source.name);
        status = same ? EXIT_OK : EXIT_INPUT;
    } else if (cli->option[OPT_WRITE] && !is_input) {
        status = write_back(path, old, size, &text);
    } else {
        cli_print(&text);
    }
    text_free(&text);
    diag_free(&diags);
    return status;
}

static int format_path(const Cli *cli, const char *path) {
    Text why = {0};
    size_t size;
    const char *real = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    char *old = file_read(real, FILE_LIMIT, &size, &why);
    int status = old ? format_text(cli, path, old, size) : cli_error("%s", text_c(&why));
    mem_free(old);
    text_free(&why);
    return status;
}

int cmd_fmt(const Cli *cli) {
    if (cli->word_count == 0)
        return cli_usage(cli, "a file is missing");
    if (cli->option[OPT_CHECK] && cli->option[OPT_WRITE])
        return cli_usage(cli, "--check changes nothing: it goes without --write");
    if (cli->param_count > 0)
        return cli_usage(cli, "`%s` is not a file; write `./%s` if it is", cli->params[0],
                         cli->params[0]);
    int status = EXIT_OK;
    for (int i = 0; i < cli->word_count; i++) {
        int each = format_path(cli, cli->words[i]);
        status = each != EXIT_OK ? each : status;
    }
    return status;
}
