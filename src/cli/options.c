// options: arguments of the command line, read with argp from the table of options.
#include "cli/cli.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATE_BEHIND "GAME [STATE] [NAME=" // what the arguments of such a command begin with

// Keys of options that have no letter lie above all characters.
enum { KEY_BASE = 0x100, KEY_NO_COLOR = KEY_BASE + OPT_COUNT };

static const struct OptionRow {
    const char *name;
    int letter;
    const char *value;
    const char *help;
} option_rows[OPT_COUNT] = {
#define X(constant, name, letter, value, help) {name, letter, value, help},
    CLI_OPTIONS(X) CLI_ARM_OPTIONS(X)
#undef X
};

static int key_of(int option) {
    return option_rows[option].letter ? option_rows[option].letter : KEY_BASE + option;
}

static bool has_option(const CliCommand *command, int option) {
    if (option >= OPT_ARM)
        return command->options[1] >> (option - OPT_ARM) & 1;
    return command->options[0] >> option & 1;
}

// The options of a command in argp's form; `out` has room for them, -h, --no-color and the end.
static void argp_options(const CliCommand *command, struct argp_option *out) {
    int n = 0;
    for (int i = 0; i < OPT_COUNT; i++) {
        const struct OptionRow *row = &option_rows[i];
        if (!has_option(command, i))
            continue;
        out[n++] = (struct argp_option){row->name, key_of(i), row->value, 0, row->help, 0};
        if (i == OPT_NO_COLOUR)
            out[n++] = (struct argp_option){"no-color", KEY_NO_COLOR, NULL, OPTION_ALIAS, NULL, 0};
    }
    out[n++] = (struct argp_option){NULL, 'h', NULL, OPTION_HIDDEN, NULL, -1};
    out[n] = (struct argp_option){0};
}

bool cli_is_parameter(const char *word) {
    size_t n = 0;
    while ((word[n] >= 'a' && word[n] <= 'z') || (word[n] >= 'A' && word[n] <= 'Z') ||
           (n > 0 && word[n] >= '0' && word[n] <= '9') || word[n] == '_')
        n++;
    return n > 0 && word[n] == '=';
}

static error_t take(int key, char *value, struct argp_state *state) {
    Cli *cli = state->input;
    if (key == 'h') {
        argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
        return 0;
    }
    if (key == ARGP_KEY_ARG) {
        if (cli_is_parameter(value))
            cli->params[cli->param_count++] = value;
        else
            cli->words[cli->word_count++] = value;
        return 0;
    }
    if (key == KEY_NO_COLOR)
        key = KEY_BASE + OPT_NO_COLOUR;
    for (int i = 0; i < OPT_COUNT; i++) {
        if (key == key_of(i)) {
            cli->option[i] = value ? value : "";
            if (i == OPT_ARCHIVE)
                cli->archives[cli->archive_count++] = value;
            return 0;
        }
    }
    return ARGP_ERR_UNKNOWN;
}

// argp would say what hardly anybody asks: that values belong to short options too.
static char *help_text(int key, const char *text, void *input) {
    (void)input;
    return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)text;
}

static void with_argp(const CliCommand *command, void (*use)(const struct argp *, void *),
                      void *context) {
    struct argp_option options[OPT_COUNT + 3];
    argp_options(command, options);
    Text doc = {0};
    text_f(&doc, "%s.\v%s", command->help, command->more);
    struct argp argp = {.options = options,
                        .parser = take,
                        .args_doc = command->arguments[0] ? command->arguments : NULL,
                        .doc = text_c(&doc),
                        .help_filter = help_text};
    use(&argp, context);
    text_free(&doc);
}

typedef struct Arguments {
    int argc;
    char **argv;
    Cli *cli;
    bool ok;
} Arguments;

static void parse(const struct argp *argp, void *context) {
    Arguments *a = context;
    argp_err_exit_status = EXIT_USAGE;
    a->ok = argp_parse(argp, a->argc, a->argv, 0, NULL, a->cli) == 0;
}

// In commands about a position its text may stand behind the game.
static void take_state(const CliCommand *command, Cli *cli) {
    bool behind = strncmp(command->arguments, STATE_BEHIND, strlen(STATE_BEHIND)) == 0;
    if (behind && cli->word_count == 2 && !cli->option[OPT_STATE] && !cli->option[OPT_LOAD])
        cli->option[OPT_STATE] = cli->words[--cli->word_count];
}

bool cli_parse(const CliCommand *command, int argc, char **argv, Cli *cli) {
    *cli = (Cli){.command = command->name};
    cli->words = mem_alloc(sizeof *cli->words * (size_t)(argc + 1));
    cli->params = mem_alloc(sizeof *cli->params * (size_t)(argc + 1));
    cli->archives = mem_alloc(sizeof *cli->archives * (size_t)(argc + 1));
    Text name = {0};
    text_f(&name, "ludens %s", command->name);
    Arguments a = {argc, argv, cli, false};
    if (cli->words && cli->params && cli->archives && !name.failed) {
        argv[0] = name.s;
        with_argp(command, parse, &a);
        take_state(command, cli);
    } else {
        cli_error("out of memory");
    }
    text_free(&name);
    return a.ok;
}

void cli_free(Cli *cli) {
    mem_free(cli->words);
    mem_free(cli->params);
    mem_free(cli->archives);
    *cli = (Cli){0};
}

static void help(const struct argp *argp, void *context) {
    argp_help(argp, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK, context);
}

void cli_help(const CliCommand *command) {
    Text name = {0};
    text_f(&name, "ludens %s", command->name);
    with_argp(command, help, name.s);
    text_free(&name);
}
