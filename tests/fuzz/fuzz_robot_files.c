// fuzz_robot_files: any text as an arm file or as a file of what was taught about a table.
//
// The first byte says which. What is accepted must be within the limits of the arm, and written and
// read again give the same; what is not accepted must have a message and change nothing.
#include "robot/path.h"
#include "robot/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(what)                                                                                 \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);                             \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static Arm usual;
static Game *game;
static Table *table;

static void prepare(void) {
    Diags diags = {0};
    Text why = {0};
    arm_usual(&usual);
    game = game_load("mill", NULL, 0, &diags);
    MUST(game);
    table = table_new(game, &usual, &why);
    MUST(table);
}

static void try_arm(const Source *source) {
    Arm arm = usual, again = usual;
    Diags diags = {0};
    bool ok = arm_read(source, &arm, &diags);
    MUST(ok == (diags.errors == 0));
    MUST(ok || memcmp(&arm, &usual, sizeof arm) == 0);
    if (ok) {
        Text text = {0}, second = {0};
        arm_write(&arm, &text);
        Source written = {"written", text_c(&text), text.n};
        MUST(arm_read(&written, &again, &diags));
        arm_write(&again, &second);
        MUST(strcmp(text_c(&text), text_c(&second)) == 0);
        Text why = {0};
        double degrees;
        if (path_home(&arm, -1e9, &why))
            MUST(arm_beyond(&arm, &arm.home, &degrees) < 0);
        else
            MUST(why.n > 0);
        text_free(&why);
        text_free(&text);
        text_free(&second);
    }
    diag_free(&diags);
}

// Poses are possible ones, and a table that was written can be read.
static void check_taught(const View *view) {
    Text text = {0};
    Diags diags = {0};
    double degrees;
    for (int i = 0; i < table->sites; i++)
        MUST(!table->site[i].posed || (arm_beyond(&usual, &table->site[i].above, &degrees) < 0 &&
                                       arm_beyond(&usual, &table->site[i].down, &degrees) < 0));
    table_write(table, view, &text);
    Source written = {"written", text_c(&text), text.n};
    if (!view->placed) // corners may lie at the horizon: then their pixels cannot be written
        MUST(table_read(&written, table, NULL, &diags));
    diag_free(&diags);
    text_free(&text);
}

static void try_table(const Source *source) {
    View *view = calloc(1, sizeof *view);
    MUST(view);
    table_view(table, view);
    Site *site = malloc((size_t)table->sites * sizeof *site);
    TableKind *kind = malloc((size_t)table->kinds * sizeof *kind);
    MUST(site && kind);
    memcpy(site, table->site, (size_t)table->sites * sizeof *site);
    memcpy(kind, table->kind, (size_t)table->kinds * sizeof *kind);
    Diags diags = {0};
    bool ok = table_read(source, table, view, &diags);
    MUST(ok == (diags.errors == 0));
    MUST(ok || memcmp(site, table->site, (size_t)table->sites * sizeof *site) == 0);
    if (ok)
        check_taught(view);
    memcpy(table->site, site, (size_t)table->sites * sizeof *site);
    memcpy(table->kind, kind, (size_t)table->kinds * sizeof *kind);
    diag_free(&diags);
    free(site);
    free(kind);
    free(view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!game)
        prepare();
    if (size < 1)
        return 0;
    char *text = malloc(size);
    MUST(text);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    Source source = {"fuzz", text, size - 1};
    if (data[0] % 2)
        try_arm(&source);
    else
        try_table(&source);
    free(text);
    return 0;
}
