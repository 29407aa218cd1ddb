// games: the library, as a table or one game in full.
#include "cli/cli.h"

#include "game/library.h"

#include <string.h>

static Game *load_quietly(const char *name) {
    Diags diags = {0};
    Game *g = game_load(name, NULL, 0, &diags);
    diag_free(&diags);
    return g;
}

static void json_texts(const char *key, const char *const *texts, int count, Text *out) {
    text_f(out, ",\"%s\":[", key);
    for (int i = 0; i < count; i++) {
        if (i)
            text_char(out, ',');
        text_json(out, texts[i]);
    }
    text_char(out, ']');
}

static void json_text(const char *key, const char *value, Text *out) {
    text_f(out, ",\"%s\":", key);
    if (value)
        text_json(out, value);
    else
        text_add(out, "null");
}

static void json_game(const Game *g, Text *out) {
    const IrGame *ir = g->ir;
    text_add(out, "{\"name\":");
    text_json(out, g->name);
    json_text("title", ir->title, out);
    json_texts("also", ir->also, ir->also_count, out);
    json_text("about", ir->about, out);
    json_text("source", ir->origin, out);
    json_texts("players", ir->player, ir->players, out);
    text_add(out, ",\"parameters\":[");
    for (int i = 0; i < ir->parameters; i++) {
        const IrParameter *p = &ir->parameter[i];
        text_add(out, i ? ",{\"name\":" : "{\"name\":");
        text_json(out, p->name);
        json_text("allowed", p->allowed, out);
        text_add(out, ",\"default\":");
        cli_json_parameter(p, out);
        json_text("help", p->help, out);
        text_char(out, '}');
    }
    text_add(out, "]}");
}

// A cell of a table and blanks up to `width` columns.
static void padded(Text *out, const char *s, int width) {
    text_add(out, s);
    for (int n = text_columns(s); n < width; n++)
        text_char(out, ' ');
}

static void table_line(const Game *g, int name_width, int title_width, Text *out) {
    const IrGame *ir = g->ir;
    padded(out, g->name, name_width + 2);
    padded(out, ir->title, title_width + 2);
    text_f(out, "%7d", ir->players);
    for (int i = 0; i < ir->parameters; i++) {
        const IrParameter *p = &ir->parameter[i];
        text_f(out, "%s%s=%s (%s)", i ? ", " : "  ", p->name, p->initial, p->allowed);
    }
    text_char(out, '\n');
}

static void print_table(Game *const *games, int count, Text *out) {
    int name_width = 4, title_width = 5;
    for (int i = 0; i < count; i++) {
        int name = text_columns(games[i]->name), title = text_columns(games[i]->ir->title);
        name_width = name > name_width ? name : name_width;
        title_width = title > title_width ? title : title_width;
    }
    padded(out, "name", name_width + 2);
    padded(out, "title", title_width + 2);
    text_add(out, "players  parameters\n");
    for (int i = 0; i < count; i++)
        table_line(games[i], name_width, title_width, out);
}

static void print_texts(const char *head, const char *const *texts, int count, Text *out) {
    if (count > 0)
        padded(out, head, 12);
    for (int i = 0; i < count; i++)
        text_f(out, "%s%s", texts[i], i + 1 < count ? ", " : "\n");
}

// `name` is what the person called the game: it works for the next command too.
static void print_game(const Game *g, const char *name, Text *out) {
    const IrGame *ir = g->ir;
    text_f(out, "%s: %s\n", g->name, ir->title);
    print_texts("also", ir->also, ir->also_count, out);
    print_texts("about", &ir->about, ir->about && ir->about[0], out);
    print_texts("source", &ir->origin, ir->origin && ir->origin[0], out);
    print_texts("players", ir->player, ir->players, out);
    text_f(out, "board       %d cells\n", ir->board->cells);
    for (int i = 0; i < ir->parameters; i++) {
        const IrParameter *p = &ir->parameter[i];
        padded(out, i ? "" : "parameters", 12);
        text_f(out, "%s=%s (%s)", p->name, p->initial, p->allowed);
        if (p->help)
            text_f(out, ": %s", p->help);
        text_char(out, '\n');
    }
    text_f(out, "\nludens play %s\n", name);
}

static int one_game(const Cli *cli) {
    Desk t;
    int status = desk_open(cli, &t);
    Text out = {0};
    if (status == EXIT_OK) {
        if (cli->option[OPT_JSON])
            json_game(t.game, &out);
        else
            print_game(t.game, cli->words[0], &out);
        if (cli->option[OPT_JSON])
            text_char(&out, '\n');
        cli_print(&out);
    }
    text_free(&out);
    desk_close(&t);
    return status;
}

static void json_list(Game *const *games, int count, Text *out) {
    for (int i = 0; i < count; i++) {
        text_add(out, i ? ",\n " : "[");
        json_game(games[i], out);
    }
    text_add(out, count ? "]\n" : "[]\n");
}

int cmd_games(const Cli *cli) {
    if (cli->word_count > 0)
        return one_game(cli);
    if (cli->param_count > 0)
        return cli_usage(cli, "`%s` belongs to a game: name it", cli->params[0]);
    Game **games = mem_alloc(sizeof(Game *) * (size_t)(library_count + 1));
    if (!games)
        return cli_error("out of memory");
    int status = EXIT_OK, count = 0;
    for (int i = 0; i < library_count; i++) {
        games[count] = load_quietly(library_games[i].name);
        if (games[count])
            count++;
        else
            status = cli_error("`%s` does not load: try `ludens check %s`", library_games[i].name,
                               library_games[i].name);
    }
    Text out = {0};
    if (cli->option[OPT_JSON])
        json_list(games, count, &out);
    else
        print_table(games, count, &out);
    cli_print(&out);
    text_free(&out);
    for (int i = 0; i < count; i++)
        game_free(games[i]);
    mem_free(games);
    return status;
}
