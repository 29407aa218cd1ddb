// search: a position searched by any player, with the tree that it walked.
#include "cli/found.h"

#include <string.h>

// What is shown of a tree without --nodes, and the most: a file of some hundred megabytes.
#define NODES_USUAL 1000
#define NODES_MOST 1000000

typedef enum Format { FORMAT_TEXT, FORMAT_JSON, FORMAT_DOT } Format;

static int read_format(const Cli *cli, Format *format) {
    static const char *const names[] = {"text", "json", "dot"};
    const char *text = cli->option[OPT_FORMAT];
    *format = cli->option[OPT_JSON] ? FORMAT_JSON : FORMAT_TEXT;
    for (int i = 0; text && i < 3; i++)
        if (strcmp(names[i], text) == 0) {
            *format = (Format)i;
            return EXIT_OK;
        }
    return text ? cli_usage(cli, "--format is text, json or dot, not `%s`", text) : EXIT_OK;
}

static bool print_trace(const Position *p, const Trace *t, Format format, Text *out) {
    Runner *r = p->saved.desk.runner;
    const uint8_t *root = record_now(p->saved.record);
    switch (format) {
    case FORMAT_JSON: return trace_json(t, r, root, out);
    case FORMAT_DOT: return trace_dot(t, r, root, out);
    default: return trace_text(t, r, root, out);
    }
}

// A tree for Graphviz stands alone: the rest would not be understood.
static int print(const Cli *cli, const Position *p, const SearchResult *result, const Trace *t,
                 Format format) {
    Text out = {0};
    bool ok = !t || print_trace(p, t, format, &out);
    bool alone = t && format == FORMAT_DOT;
    if (ok && t && format == FORMAT_TEXT)
        text_char(&out, '\n');
    if (ok && !alone && (cli->option[OPT_JSON] || format == FORMAT_JSON)) {
        text_char(&out, '{');
        cli_json_game(p->saved.desk.game, &out);
        text_char(&out, ',');
        found_json(p, result, &out);
        text_add(&out, "}\n");
    } else if (ok && !alone) {
        found_text(p, result, &out);
    }
    int status = ok ? EXIT_OK : cli_error("%s", runner_error(p->saved.desk.runner));
    if (ok)
        cli_print(&out);
    text_free(&out);
    return status;
}

int cmd_search(const Cli *cli) {
    int64_t nodes = NODES_USUAL;
    Format format;
    int status = read_format(cli, &format);
    if (status != EXIT_OK || !cli_number(cli, OPT_NODES, 1, NODES_MOST, &nodes))
        return EXIT_USAGE;
    if (!cli->option[OPT_TRACE] && (cli->option[OPT_FORMAT] || cli->option[OPT_NODES]))
        return cli_usage(cli, "--format and --nodes are about the tree: add --trace");
    Position p;
    SearchResult result;
    Trace *trace = cli->option[OPT_TRACE] ? trace_new((int)nodes) : NULL;
    status = position_open(cli, &p);
    if (status == EXIT_OK && cli->option[OPT_TRACE] && !trace)
        status = cli_error("out of memory");
    if (status == EXIT_OK)
        status = position_search(&p, trace, &result);
    if (status == EXIT_OK)
        status = print(cli, &p, &result, trace, format);
    position_close(&p);
    trace_free(trace);
    return status;
}
