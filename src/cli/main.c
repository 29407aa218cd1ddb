// main: finds the command and runs it.
#include "cli/cli.h"

#include "game/library.h"
#include "ludens.h"

#include <stdio.h>
#include <string.h>

static const CliCommand commands[] = {
#define X(function, name, arguments, help, options, more)                                          \
    {name, arguments, help, {options}, more, cmd_##function},
    CLI_COMMANDS(X)
#undef X
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const CliCommand *find_command(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void print_overview(FILE *out) {
    fputs("Ludens: board games from rules that people can read.\n\n"
          "Usage: ludens COMMAND [ARGUMENT...]\n\n",
          out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-11s %s\n", commands[i].name, commands[i].help);
    fputs("  help        Tell more about a command: `ludens help play`\n\n"
          "A GAME is a name from `ludens games` or a rules file, such as `./mygame.game`;\n"
          "NAME=VALUE sets one of its parameters. Most commands print JSON with --json.\n\n"
          "Exit status: 0 all is well, 1 something is wrong with the input (rules,\n"
          "parameters, moves, files), 2 the command line is wrong, 130 stopped by Ctrl-C.\n"
          "`ludens --version` prints the version.\n",
          out);
}

// Whether somebody names what to play, and not what to do with it.
static bool is_game(const char *word) {
    size_t n = strlen(word);
    for (int i = 0; i < library_count; i++)
        if (strcmp(library_games[i].name, word) == 0)
            return true;
    return n > 5 && strcmp(word + n - 5, ".game") == 0;
}

static int unknown_command(const char *name) {
    const char *names[COMMANDS + 1];
    for (int i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    names[COMMANDS] = "help";
    const char *near = text_nearest(name, names, COMMANDS + 1);
    cli_error("there is no command `%s`", name);
    if (is_game(name))
        fprintf(stderr, "`ludens play %s` plays this game\n", name);
    else if (near)
        fprintf(stderr, "did you mean `%s`?\n", near);
    else
        fprintf(stderr, "`ludens help` lists the commands\n");
    return EXIT_USAGE;
}

static bool is_help(const char *word) {
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int help(const char *name) {
    if (!name || is_help(name)) {
        print_overview(stdout);
        return EXIT_OK;
    }
    const CliCommand *command = find_command(name);
    if (!command)
        return unknown_command(name);
    cli_help(command);
    return EXIT_OK;
}

static int run(int argc, char **argv) {
    const char *name = argv[1];
    if (is_help(name))
        return help(argv[2]);
    if (strcmp(name, "--version") == 0) {
        printf("ludens %s\n", ludens_version());
        return EXIT_OK;
    }
    const CliCommand *command = find_command(name);
    if (!command)
        return unknown_command(name);
    Cli cli;
    int status = EXIT_USAGE;
    if (cli_parse(command, argc - 1, argv + 1, &cli))
        status = command->run(&cli);
    cli_free(&cli);
    return status;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    int status = run(argc, argv);
    // A full disk must not look like success.
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("ludens: cannot write the output");
        return status == EXIT_OK ? EXIT_INPUT : status;
    }
    return status;
}
