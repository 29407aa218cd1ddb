// library_pages OUTPUT: what the server says about the games of the library, worked out when the
// program is built, so that the first page need not wait for the rules of all games.
//
// The output is a JSON object of the files that tools/embed_web.py puts beside the page's:
// "library.json", and "game/NAME.json" for each game with its usual parameters.
#include "base/mem.h"
#include "game/describe.h"
#include "game/library.h"

#include <stdio.h>

static bool add_game(const LibraryGame *entry, Text *cards, Text *out) {
    Diags diags = {0};
    Text page = {0}, name = {0};
    Game *g = game_load(entry->name, NULL, 0, &diags);
    if (g) {
        text_add(cards, cards->n ? ",\n" : "");
        describe_card(g, entry->length, cards);
        describe_game(g, &page);
        text_f(&name, "game/%s.json", entry->name);
        text_json(out, text_c(&name));
        text_char(out, ':');
        text_json(out, text_c(&page));
        text_add(out, ",\n");
    } else {
        fprintf(stderr, "library_pages: %s cannot be loaded\n", entry->name);
    }
    bool ok = g && !page.failed && !name.failed;
    text_free(&page);
    text_free(&name);
    game_free(g);
    diag_free(&diags);
    return ok;
}

static bool write_out(const char *path, const Text *out) {
    FILE *f = out->failed ? NULL : fopen(path, "w");
    bool ok = f && fwrite(out->s, 1, out->n, f) == out->n;
    return f && fclose(f) == 0 && ok;
}

int main(int argc, char **argv) {
    Text cards = {0}, library = {0}, out = {0};
    bool ok = argc == 2;
    text_add(&out, "{");
    for (int i = 0; ok && i < library_count; i++)
        ok = add_game(&library_games[i], &cards, &out);
    text_f(&library, "{\"games\":[%s],\"version\":\"%s\"}", text_c(&cards), LUDENS_VERSION);
    text_add(&out, "\"library.json\":");
    text_json(&out, text_c(&library));
    text_add(&out, "}\n");
    ok = ok && !cards.failed && !library.failed && write_out(argv[1], &out);
    text_free(&cards);
    text_free(&library);
    text_free(&out);
    return ok ? 0 : 1;
}
