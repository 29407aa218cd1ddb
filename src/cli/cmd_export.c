// export: the games of a database for other programs.
#include "cli/cli.h"
#include "cli/sink.h"

#include "base/file.h"
#include "match/archive.h"
#include "match/export.h"
#include "match/results.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

typedef enum Format { CSV, JSONL, PGN, RECORDS, FORMATS } Format;
static const char *const names[] = {"csv", "jsonl", "pgn", "records"};

typedef struct Export {
    Format format;
    const Contest *contest;
    int which, contests; // of the file
    int seats;           // columns of players in CSV
    int64_t only;        // the number of a game, -1: all
    int64_t games;
    const char *folder; // for records; NULL: a single one to standard output
    Sink sink;
    Text text, why;
} Export;

static bool count_seats(void *with, const Played *p) {
    Export *e = with;
    int seats = results_seats(&p->pairing);
    e->seats = seats > e->seats ? seats : e->seats;
    return !cli_interrupted();
}

static bool write_record(Export *e, const Played *p) {
    if (!e->folder)
        return sink_write(&e->sink, &e->text);
    Text path = {0};
    text_f(&path, "%s/", e->folder);
    if (e->contests > 1)
        text_f(&path, "%d-", e->which + 1);
    text_f(&path, "%06lld.txt", (long long)p->pairing.number + 1);
    bool ok = file_write_atomic(text_c(&path), text_c(&e->text), e->text.n, &e->why);
    text_clear(&e->text);
    text_free(&path);
    return ok;
}

static bool write_game(void *with, const Played *p) {
    Export *e = with;
    if (e->only >= 0 && p->pairing.number != e->only)
        return true;
    e->games++;
    switch (e->format) {
    case CSV: export_csv(e->contest, p, e->seats, &e->text); break;
    case JSONL: export_json(e->contest, p, &e->text); break;
    case PGN: export_pgn(e->contest, p, &e->text); break;
    default:
        text_add(&e->text, text_c(&p->record));
        return write_record(e, p) && !cli_interrupted();
    }
    return sink_write(&e->sink, &e->text) && !cli_interrupted();
}

static bool each_contest(Export *e, Archive *s, ArchiveVisit *visit) {
    for (e->which = 0; e->which < e->contests; e->which++) {
        if (!archive_choose(s, e->which, &e->why))
            return false;
        e->contest = archive_contest(s);
        if (!archive_each(s, visit, e, &e->why) || e->why.n || cli_interrupted())
            return false;
    }
    return true;
}

static bool run(Export *e, Archive *s, const char *output) {
    e->contests = archive_contests(s);
    if (e->folder && mkdir(e->folder, 0777) != 0 && errno != EEXIST) {
        text_f(&e->why, "cannot make the folder `%s`: %s", e->folder, strerror(errno));
        return false;
    }
    if (e->format == CSV && !each_contest(e, s, count_seats))
        return false;
    if (!sink_open(&e->sink, e->folder ? NULL : output, &e->why))
        return false;
    if (e->format == CSV)
        export_csv_head(e->seats, &e->text);
    bool ok = each_contest(e, s, write_game);
    if (ok && e->only >= 0 && e->games == 0) { // nor a heading without a row
        text_f(&e->why, "there is no game %lld", (long long)e->only + 1);
        ok = false;
    }
    ok = ok && sink_write(&e->sink, &e->text);
    return sink_close(&e->sink, ok, &e->why) && ok;
}

static int read_format(const Cli *cli, Export *e) {
    const char *name = cli->option[OPT_FORMAT] ? cli->option[OPT_FORMAT] : "csv";
    while (e->format < FORMATS && strcmp(names[e->format], name) != 0)
        e->format++;
    if (e->format == FORMATS)
        return cli_usage(cli, "--format is csv, jsonl, pgn or records, not `%s`", name);
    if (e->format == RECORDS && e->only < 0) {
        if (!cli->option[OPT_OUTPUT])
            return cli_usage(cli, "records are a file for each game: name a folder with -o, or "
                                  "one game with --number");
        e->folder = cli->option[OPT_OUTPUT];
    }
    return EXIT_OK;
}

int cmd_export(const Cli *cli) {
    int64_t number = 0;
    if (cli->word_count != 1)
        return cli_usage(cli, cli->word_count ? "one database at a time"
                                              : "the file of the database is missing");
    if (!cli_number(cli, OPT_NUMBER, 1, INT64_MAX, &number))
        return EXIT_USAGE;
    Export e = {.only = number - 1};
    int status = read_format(cli, &e);
    if (status != EXIT_OK)
        return status;
    cli_catch_interrupt();
    Archive *s = archive_read(cli->words[0], &e.why);
    if (!s || !run(&e, s, cli->option[OPT_OUTPUT])) {
        if (cli_interrupted() && e.why.n == 0)
            status = EXIT_INTERRUPTED;
        else
            status =
                cli_error("%s", e.why.n ? text_c(&e.why) : "out of memory, or nowhere to write");
    } else if (e.folder) {
        printf("%lld records in %s\n", (long long)e.games, e.folder);
    }
    archive_close(s);
    text_free(&e.text);
    text_free(&e.why);
    return status;
}
