// report: results of contests as tables in the terminal, as JSON, or as a page for a browser.
#include "cli/cli.h"

#include "base/file.h"
#include "match/archive.h"
#include "match/report.h"

#include <stdio.h>

static bool add_contest(const Cli *cli, const Results *r, int which, Text *out) {
    if (cli->option[OPT_OUTPUT]) {
        report_contest(r, out);
    } else if (cli->option[OPT_JSON]) {
        text_add(out, which ? ",\n" : "");
        crosstable_json(r, out);
    } else {
        text_add(out, which ? "\n" : "");
        crosstable_text(r, cli_columns(), out);
    }
    return !out->failed;
}

static bool run(const Cli *cli, Archive *s, Text *out, Text *why) {
    int contests = archive_contests(s);
    bool ok = true, json = cli->option[OPT_JSON] && !cli->option[OPT_OUTPUT];
    if (cli->option[OPT_OUTPUT])
        report_begin(out, archive_contest(s)->title);
    text_add(out, json ? "[" : "");
    for (int i = 0; ok && i < contests; i++) {
        Results *r = archive_choose(s, i, why) ? results_of(s, why) : NULL;
        ok = r && add_contest(cli, r, i, out);
        results_free(r);
    }
    text_add(out, json ? "]\n" : "");
    if (cli->option[OPT_OUTPUT])
        report_end(out);
    if (why->n == 0 && (!ok || out->failed))
        text_add(why, "out of memory");
    return ok && !out->failed;
}

int cmd_report(const Cli *cli) {
    if (cli->word_count != 1)
        return cli_usage(cli, cli->word_count ? "one database at a time"
                                              : "the file of the database is missing");
    Text out = {0}, why = {0};
    const char *path = cli->option[OPT_OUTPUT];
    Archive *s = archive_read(cli->words[0], &why);
    bool ok = s && run(cli, s, &out, &why);
    if (ok && path)
        ok = file_write_atomic(path, text_c(&out), out.n, &why);
    else if (ok)
        cli_print(&out);
    if (ok && path)
        printf("report in %s\n", path);
    if (!ok)
        cli_error("%s", text_c(&why));
    archive_close(s);
    text_free(&out);
    text_free(&why);
    return ok ? EXIT_OK : EXIT_INPUT;
}
