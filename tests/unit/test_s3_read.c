// Tests of the reader of S3 files: every section and attribute, what is forgiven as in the
// original, limits just below and just above, and files that nobody would write. Messages are
// tested by the files in tests/bad-s3.
#include "s3/s3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

typedef struct Loaded {
    Source source;
    Diags diags;
    Arena arena;
    jmp_buf recovery;
    S3File *file;
    bool exhausted;
} Loaded;

// On the heap: its fields are read after a jump, and the arena points into it.
static Loaded *load_bytes(const char *name, const char *text, size_t size) {
    Loaded *l = calloc(1, sizeof *l);
    l->source = (Source){name, text, size};
    l->diags.source = &l->source;
    arena_init(&l->arena, &l->recovery);
    if (setjmp(l->recovery) == 0)
        l->file = s3_read(&l->arena, &l->source, &l->diags);
    else
        l->exhausted = true;
    return l;
}

static Loaded *load(const char *text) {
    return load_bytes("nowhere/Test", text, strlen(text));
}

static void release(Loaded *l) {
    arena_free(&l->arena);
    diag_free(&l->diags);
    free(l);
}

// Loads a text that nothing can be said against.
static Loaded *load_well(const char *text) {
    Loaded *l = load(text);
    if (l->diags.count > 0)
        print_error("%d: %s\n", l->diags.items[0].span.line, l->diags.items[0].message);
    assert_int_equal(l->diags.count, 0);
    assert_non_null(l->file);
    return l;
}

// Whether exactly this message is given, as LINE:COLUMN: TEXT.
static void expect_message(const char *text, const char *expected) {
    Loaded *l = load(text);
    Text found = {0};
    for (int i = 0; i < l->diags.count; i++)
        text_f(&found, "%s%d:%d: %s", i ? "; " : "", l->diags.items[i].span.line,
               l->diags.items[i].span.column, l->diags.items[i].message);
    assert_string_equal(text_c(&found), expected);
    assert_int_equal(l->file == NULL, l->diags.errors > 0);
    text_free(&found);
    release(l);
}

// ---- Everything ------------------------------------------------------------------------------

static const char whole[] = "[BOARD]\n"
                            "image=board.png\n"
                            "// a comment\n"
                            "[REALBOARD ELEMENT TYPES]\n"
                            "name=man\n"
                            "state=2\n"
                            "hueMin=337\n"
                            "hueMax=19.5\n"
                            "saturationMin=0.25\n"
                            "saturationMax=1.0\n"
                            "valueMin=0\n"
                            "valueMax=.5\n"
                            "sizeMin=200\n"
                            "sizeMax=5000\n"
                            "[ELEMENT TYPES]\n"
                            "name=man\n"
                            "states=3\n"
                            "image=one.png\n"
                            "point=1,2\n"
                            "image=two.png\n"
                            "point=-3,4\n"
                            "[LOCATION TYPES]\n"
                            "name=board\n"
                            "image=place.png\n"
                            "shape=circle(30,31)\n"
                            "point=5, 6\n"
                            "name=stack\n"
                            "relevant=NO\n"
                            "shape=rectangular(40,30)\n"
                            "point=0,0\n"
                            "[LOCATIONS]\n"
                            "name=s(1)\n"
                            "type=board\n"
                            "point=10,20\n"
                            "camera=30,40\n"
                            "robot=1,2,3,4,5,6,7,8,9,10.5\n"
                            "name=s(2)\n"
                            "type=stack\n"
                            "robot=-9,20,0\n"
                            "name=s(3)\n"
                            "type=board\n"
                            "robot=1,2,3,4,5\n"
                            "[PLAYER NAMES]\n"
                            "1=White\n"
                            "score=2\n"
                            "2=Black\n"
                            "score=3\n"
                            "[MOVABLE ELEMENTS]\n"
                            "name=m(1)\n"
                            "type=man\n"
                            "player=2\n"
                            "location=s(2)\n"
                            "state=3\n"
                            "zindex=-7\n"
                            "name=m(2)\n"
                            "type=man\n"
                            "location=s(1)\n"
                            "[EXPRESSIONS]\n"
                            "Twice($A, $B )\n"
                            "  $A + $B\n"
                            "  5\n"
                            "END\n"
                            "Once\n"
                            "Twice(1,2) == 3\n"
                            "end\n"
                            "[SCORINGS]\n"
                            "situation=Once\n"
                            "player=1\n"
                            "player=2\n"
                            "score=10\n"
                            "score=20\n"
                            "[END OF GAME]\n"
                            "situation=EMPTY(\"s(1)\")\n"
                            "winner=PLAYER\n"
                            "[GAME RULES]\n"
                            "name=step one\n"
                            "element=m($J)\n"
                            "state=$S\n"
                            "player=1\n"
                            "from=s($K)\n"
                            "to=s($L)\n"
                            "condition= Once\n"
                            "awardPlayer=1\n"
                            "withScore=$L\n"
                            "followup=NEXTPLAYER\n"
                            "name=jump\n"
                            "element=m($J)\n"
                            "from=s($K)\n"
                            "toLocations={\"s(1)\"}\n";

static void every_attribute_is_read(void **state) {
    (void)state;
    Loaded *l = load_well(whole);
    const S3File *f = l->file;
    assert_string_equal(f->name, "Test");
    assert_int_equal(f->players, 2);
    assert_string_equal(f->player[0], "White");
    assert_string_equal(f->player[1], "Black");
    assert_int_equal(f->score, 3);

    assert_int_equal(f->locations, 3);
    assert_int_equal(f->location[0].type, 0);
    assert_true(f->location[0].relevant);
    assert_int_equal(f->location[1].type, 1);
    assert_false(f->location[1].relevant);

    assert_int_equal(f->elements, 2);
    const S3Element *m = &f->element[0];
    assert_string_equal(m->name, "m(1)");
    assert_int_equal(m->type, 0);
    assert_int_equal(m->owner, 2);
    assert_int_equal(m->location, 1);
    assert_int_equal(m->state, 3);
    assert_int_equal(m->zindex, -7);
    assert_int_equal(m->span.line, 49);
    m = &f->element[1];
    assert_int_equal(m->owner, 0);
    assert_int_equal(m->state, 1);
    assert_int_equal(m->zindex, 0);

    assert_int_equal(f->functions, 2);
    assert_int_equal(f->function[0].params, 2);
    assert_string_equal(f->function[0].param[0], "A");
    assert_string_equal(f->function[0].param[1], "B");
    assert_int_equal(f->function[0].lines, 2);
    assert_int_equal(f->function[0].line[1]->value, 5);
    assert_int_equal(f->function[1].lines, 1);
    assert_int_equal(f->function[1].line[0]->kid[0]->function, 0);
    release(l);
}

static void rules_are_read(void **state) {
    (void)state;
    Loaded *l = load_well(whole);
    const S3File *f = l->file;
    assert_int_equal(f->scorings, 1);
    assert_int_equal(f->scoring[0].awards, 2);
    assert_int_equal(f->scoring[0].award[1].player->value, 2);
    assert_int_equal(f->scoring[0].award[1].score->value, 20);
    assert_int_equal(f->scoring[0].situation->function, 1);
    assert_int_equal(f->ends, 1);
    assert_int_equal(f->end[0].winner->op, S3_PLAYER);

    assert_int_equal(f->rules, 2);
    const S3Rule *rule = &f->rule[0];
    assert_string_equal(rule->name, "step one");
    assert_string_equal(rule->element->part[0].var, "J");
    assert_string_equal(rule->from->part[0].text, "s(");
    assert_string_equal(rule->to->part[0].var, "L");
    assert_int_equal(rule->state->kind, S3_VAR);
    assert_int_equal(rule->player->value, 1);
    assert_int_equal(rule->condition->function, 1);
    assert_int_equal(rule->followup->op, S3_NEXTPLAYER);
    assert_int_equal(rule->awards, 1);
    assert_null(rule->to_locations);
    rule = &f->rule[1];
    assert_null(rule->to);
    assert_null(rule->state);
    assert_null(rule->player);
    assert_null(rule->condition);
    assert_null(rule->followup);
    assert_int_equal(rule->awards, 0);
    assert_int_equal(rule->to_locations->kind, S3_SET);
    release(l);
}

static void the_look_is_read(void **state) {
    (void)state;
    Loaded *l = load_well(whole);
    const Look *look = l->file->look;
    assert_string_equal(look->board_picture, "board.png");
    assert_int_equal(look->board_span.line, 2);

    assert_int_equal(look->colours, 1);
    const LookColour *c = &look->colour[0];
    assert_string_equal(c->name, "man");
    assert_int_equal(c->state, 2);
    assert_true(c->hue_min == 337 && c->hue_max == 19.5);
    assert_true(c->saturation_min == 0.25 && c->saturation_max == 1);
    assert_true(c->value_min == 0 && c->value_max == 0.5);
    assert_int_equal(c->size_min, 200);
    assert_int_equal(c->size_max, 5000);

    assert_int_equal(look->pieces, 1);
    const LookPiece *piece = &look->piece[0];
    assert_int_equal(piece->states, 3);
    assert_string_equal(piece->picture[0].file, "one.png");
    assert_string_equal(piece->picture[1].file, "two.png");
    assert_string_equal(piece->picture[2].file, "one.png");
    assert_int_equal(piece->picture[1].x, -3);
    assert_int_equal(piece->picture[1].y, 4);

    assert_int_equal(look->place_types, 2);
    const LookPlaceType *type = &look->place_type[0];
    assert_true(type->relevant);
    assert_string_equal(type->picture.file, "place.png");
    assert_int_equal(type->picture.y, 6);
    assert_int_equal(type->shape, LOOK_CIRCLE);
    assert_int_equal(type->width, 30);
    type = &look->place_type[1];
    assert_false(type->relevant);
    assert_int_equal(type->shape, LOOK_RECTANGLE);
    assert_int_equal(type->width, 40);
    assert_int_equal(type->height, 30);

    assert_int_equal(look->places, 3);
    const LookPlace *place = &look->place[0];
    assert_string_equal(place->name, "s(1)");
    assert_true(place->has_point && place->has_camera);
    assert_int_equal(place->x, 10);
    assert_int_equal(place->camera_y, 40);
    assert_int_equal(place->robot_count, 10);
    assert_true(place->robot[9] == 10.5);
    assert_false(look->place[1].has_point || look->place[1].has_camera);
    assert_int_equal(look->place[1].robot_count, 3);
    assert_true(look->place[1].robot[0] == -9);
    assert_int_equal(look->place[2].robot_count, 5);
    release(l);
}

// ---- What is forgiven ------------------------------------------------------------------------

// Replaces every newline.
static char *with_line_ends(const char *text, const char *end) {
    Text out = {0};
    for (; *text; text++)
        if (*text == '\n')
            text_add(&out, end);
        else
            text_char(&out, *text);
    return out.s;
}

static void line_ends_and_blanks_do_not_matter(void **state) {
    (void)state;
    static const char *const ends[] = {"\r\n", "\r", "  \t\n", "\n\n", " // note\n", "\n   "};
    for (int i = 0; i < LENGTH(ends); i++) {
        char *text = with_line_ends(whole, ends[i]);
        Loaded *l = load_well(text);
        assert_int_equal(l->file->rules, 2);
        assert_string_equal(l->file->rule[1].name, "jump");
        assert_string_equal(l->file->look->board_picture, "board.png");
        release(l);
        mem_free(text);
    }
}

// A small game; the tests put something before or behind it.
#define SMALL                                                                                      \
    "[ELEMENT TYPES]\nname=man\nstates=1\n"                                                        \
    "[LOCATION TYPES]\nname=p\npoint=0,0\n"                                                        \
    "[LOCATIONS]\nname=s(1)\ntype=p\nname=s(2)\ntype=p\n"                                          \
    "[PLAYER NAMES]\n1=A\n"                                                                        \
    "[MOVABLE ELEMENTS]\nname=m\ntype=man\nlocation=s(1)\n"                                        \
    "[GAME RULES]\nname=r\nelement=m\nfrom=s($A)\nto=s($B)\n"

static void case_counts_only_in_names(void **state) {
    (void)state;
    Loaded *l = load_well("[board]\nimage=x.png\n" SMALL "[Expressions]\nA\ntrue\neNd\n"
                          "[gAmE rules]\nNAME=q\nELEMENT=m\nFrom=s($A)\nTO=s($B)\nCondition=A\n");
    assert_int_equal(l->file->rules, 2);
    assert_int_equal(l->file->rule[1].condition->function, 0);
    release(l);
    expect_message("IMAGE=x.png\n" SMALL, "1:1: there is no `IMAGE` in [BOARD]");
}

static void a_file_begins_with_the_board(void **state) {
    (void)state;
    Loaded *l = load_well("\xEF\xBB\xBFimage=x.png\n" SMALL);
    assert_string_equal(l->file->look->board_picture, "x.png");
    release(l);
}

static void a_header_may_end_oddly(void **state) {
    (void)state;
    expect_message("[BOARD)\n" SMALL, "1:7: the name of a section ends with `]`");
    expect_message("[BOARD\n" SMALL, "1:1: there is no section `BOARD`");
}

static void later_records_replace_earlier_ones_in_their_place(void **state) {
    (void)state;
    Loaded *l = load_well(SMALL "[MOVABLE ELEMENTS]\nname=n\ntype=man\nlocation=s(2)\n"
                                "name=m\ntype=man\nlocation=s(1)\n"
                                "[LOCATIONS]\nname=s(1)\ntype=p\n");
    assert_int_equal(l->file->elements, 2);
    assert_string_equal(l->file->element[0].name, "m");
    assert_int_equal(l->file->locations, 2);
    assert_int_equal(l->file->look->places, 2);
    release(l);
    expect_message(SMALL "[MOVABLE ELEMENTS]\nname=m\ntype=man\nlocation=s(2)\n",
                   "24:6: `m` is declared twice, and differently");
    expect_message(SMALL "[LOCATIONS]\nname=s(1)\ntype=p\npoint=1,1\n",
                   "24:6: `s(1)` is declared twice, and differently");
    l = load(SMALL "[GAME RULES]\nname=x\nelement=m\nfrom=s($A)\nto=s($B)\n"
                   "name=r\nelement=m\nfrom=s(1)\nto=s(2)\n"
                   "[EXPRESSIONS]\nF\n1\n2\nEND\nG\n3\nEND\nF\n4\nEND\n");
    assert_int_equal(l->diags.count, 2);
    assert_int_equal(l->file->rules, 2);
    assert_string_equal(l->file->rule[0].name, "r");
    assert_int_equal(l->file->rule[0].from->parts, 1);
    assert_int_equal(l->file->functions, 2);
    assert_int_equal(l->file->function[0].lines, 1);
    assert_int_equal(l->file->function[0].line[0]->value, 4);
    release(l);
}

static void a_surplus_end_closes_nothing(void **state) {
    (void)state;
    expect_message(SMALL "[EXPRESSIONS]\nF\ntrue\nEND\nEND\nG\nF\nEND\n",
                   "27:1: this END closes nothing");
}

static void one_character_is_a_line_of_an_expression(void **state) {
    (void)state;
    Loaded *l = load_well(SMALL "[EXPRESSIONS]\nF\n$X = 1\n5\nEND\n");
    assert_int_equal(l->file->function[0].lines, 2);
    release(l);
    expect_message(SMALL "x\n", "23:1: a line of one character does not count");
}

static void a_line_may_begin_with_a_bracket(void **state) {
    (void)state;
    Loaded *l = load_well(SMALL "[EXPRESSIONS]\nF\n[\"s(1)\", F]\nEND\n");
    assert_int_equal(l->file->function[0].line[0]->kind, S3_LAZY);
    release(l);
}

static void comments_are_not_in_texts(void **state) {
    (void)state;
    Loaded *l = load_well(SMALL "[EXPRESSIONS] // the rest\nF // name\n"
                                "\"a //b\" // c \" d\nEND // F\n// all of it\n");
    assert_string_equal(l->file->function[0].name, "F");
    assert_string_equal(l->file->function[0].line[0]->part[0].text, "a//b");
    release(l);
    l = load_well("[BOARD]\nimage=a//b.png\n" SMALL);
    assert_string_equal(l->file->look->board_picture, "a//b.png");
    release(l);
}

static void a_player_named_twice_is_two_players(void **state) {
    (void)state;
    Loaded *l = load(SMALL "[PLAYER NAMES]\n1=B\n");
    assert_int_equal(l->diags.count, 1);
    assert_int_equal(l->file->players, 2);
    assert_string_equal(l->file->player[0], "B");
    assert_string_equal(l->file->player[1], "player 2");
    release(l);
}

static void the_name_is_that_of_the_file(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"Frogs", "Frogs"},       {"a/b.c/Frogs", "Frogs"},     {"games/Frogs.s3", "Frogs"},
        {"./.hidden", ".hidden"}, {"x/My.Game.txt", "My.Game"},
    };
    for (int i = 0; i < LENGTH(cases); i++) {
        Loaded *l = load_bytes(cases[i][0], SMALL, strlen(SMALL));
        assert_string_equal(l->file->name, cases[i][1]);
        release(l);
    }
}

static void attributes_may_come_back_later(void **state) {
    (void)state;
    Loaded *l = load_well(SMALL "[END OF GAME]\nsituation=true\n[GAME RULES]\ncondition=true\n"
                                "[END OF GAME]\nwinner=1\n");
    assert_non_null(l->file->rule[0].condition);
    assert_int_equal(l->file->ends, 1);
    release(l);
}

// ---- Which files -----------------------------------------------------------------------------

static void files_are_recognised(void **state) {
    (void)state;
    static const char *const yes[] = {
        "[BOARD]\n",
        "  [Board]  \r\n",
        "// a game\n\n[LOCATIONS]",
        "image=x.png\n[PLAYER NAMES]\n",
        "\xEF\xBB\xBF[BOARD]",
        "[BORD]\n",
        "x\n[BOARD] // of four\n",
    };
    static const char *const no[] = {
        "",
        "game \"X\"\n[BOARD]\n",
        "# a comment\n[BOARD]\n",
        "# x = 3\n[BOARD]\n",
        "[1, 2]\n",
        "[]\n",
        "// nothing\nimage=x\n",
        "hello\n",
    };
    for (int i = 0; i < LENGTH(yes); i++)
        assert_true(s3_recognised(yes[i], strlen(yes[i])));
    for (int i = 0; i < LENGTH(no); i++)
        assert_false(s3_recognised(no[i], strlen(no[i])));
}

// ---- Limits ----------------------------------------------------------------------------------

// SMALL and `n` records more, of which `format` makes the i-th.
static Loaded *load_many(const char *section, const char *format, int n, Text *text) {
    text_add(text, SMALL);
    text_add(text, section);
    for (int i = 1; i <= n; i++) {
        char record[200];
        for (const char *s = format; *s; s++) {
            if (*s != '#') {
                text_char(text, *s);
                continue;
            }
            snprintf(record, sizeof record, "%d", i);
            text_add(text, record);
        }
    }
    return load(text_c(text));
}

static void expect_limit(const char *section, const char *format, int most, const char *message) {
    for (int n = most; n <= most + 1; n++) {
        Text text = {0};
        Loaded *l = load_many(section, format, n, &text);
        if (l->diags.errors != (n > most))
            print_error("%d records in %s", n, section);
        assert_int_equal(l->diags.errors, n > most);
        if (n > most)
            assert_string_equal(l->diags.items[l->diags.count - 1].message, message);
        release(l);
        text_free(&text);
    }
}

static void records_are_bounded(void **state) {
    (void)state;
    // SMALL has two locations and one of most others.
    expect_limit("[LOCATIONS]\n", "name=x(#)\ntype=p\n", 510, "more than 512 locations");
    expect_limit("[MOVABLE ELEMENTS]\n", "name=x(#)\nlocation=s(1)\n", 1023,
                 "more than 1024 elements");
    expect_limit("[PLAYER NAMES]\n", "1=x#\n", 6, "more than 7 players");
    expect_limit("[EXPRESSIONS]\n", "F#\n1\nEND\n", 1024, "more than 1024 expressions");
    expect_limit("[GAME RULES]\n", "name=x#\nelement=m\nfrom=s(1)\nto=s(2)\n", 1023,
                 "more than 1024 rules");
    expect_limit("[SCORINGS]\n", "situation=#\n", 1024, "more than 1024 scorings");
    expect_limit("[END OF GAME]\n", "situation=#\nwinner=1\n", 1024,
                 "more than 1024 conditions of the end");
    expect_limit("[ELEMENT TYPES]\n", "name=x#\n", 255, "more than 256 types of elements");
    expect_limit("[LOCATION TYPES]\n", "name=x#\n", 255, "more than 256 types of locations");
    expect_limit("[REALBOARD ELEMENT TYPES]\n", "name=x#\n", 256,
                 "more than 256 types for the camera");
}

static void values_are_bounded(void **state) {
    (void)state;
    expect_message("[ELEMENT TYPES]\nname=x\nstates=255\n" SMALL, "");
    expect_message("[ELEMENT TYPES]\nname=x\nstates=256\n" SMALL,
                   "3:8: a type can have 1 to 255 states");
    Text text = {0};
    for (int n = 100; n <= 101; n++) {
        text_clear(&text);
        text_f(&text, "%s[LOCATION TYPES]\nname=%0*d\n", SMALL, n, 0);
        expect_message(text_c(&text), n > 100 ? "24:6: this name has more than 100 bytes" : "");
    }
    for (int n = 10000; n <= 10001; n++) {
        text_clear(&text);
        text_f(&text, "%s%*s\n[PLAYER NAMES]\nX=%0*d\n", SMALL, n + 9, "", n - 2, 0);
        expect_message(text_c(&text), n > 10000 ? "25:1: this line has more than 10000 bytes"
                                                : "25:1: there is no `X` in [PLAYER NAMES]");
    }
    for (int n = 32; n <= 33; n++) {
        text_clear(&text);
        text_f(&text, "%s[EXPRESSIONS]\nF(", SMALL);
        for (int i = 0; i < n; i++)
            text_f(&text, "%s$P%d", i ? "," : "", i);
        text_add(&text, ")\n1\nEND\n");
        expect_message(text_c(&text), n > 32 ? "24:153: more than 32 parameters" : "");
    }
    text_free(&text);
    expect_message(SMALL "[PLAYER NAMES]\nscore=2147483647\n", "");
    expect_message(SMALL "[PLAYER NAMES]\nscore=2147483648\n",
                   "24:7: `score` wants a whole number, not `2147483648`");
}

// However much is odd, errors are still seen.
static void warnings_leave_room_for_errors(void **state) {
    (void)state;
    Text text = {0};
    for (int i = 0; i < 1000; i++)
        text_add(&text, "odd=1\n");
    text_add(&text, "no field\n");
    Loaded *l = load(text_c(&text));
    assert_int_equal(l->diags.errors, 1);
    assert_string_equal(l->diags.items[l->diags.count - 1].message, "there is no `=` in this line");
    release(l);
    text_free(&text);
}

// ---- Files that nobody would write -----------------------------------------------------------

static void random_changes_do_no_harm(void **state) {
    (void)state;
    Rng rng;
    rng_seed(&rng, 3);
    size_t size = strlen(whole);
    char *text = malloc(size + 1);
    for (int round = 0; round < 3000; round++) {
        memcpy(text, whole, size + 1);
        for (uint64_t changes = 1 + rng_below(&rng, 6); changes > 0; changes--) {
            static const char bytes[] = "\n\r =[](){}$\",/!<>-19aE\0\xC3";
            text[rng_below(&rng, size)] = bytes[rng_below(&rng, sizeof bytes - 1)];
        }
        size_t n = rng_below(&rng, 4) ? size : rng_below(&rng, size);
        char *exact = malloc(n + 1); // so that reading beyond it is seen
        memcpy(exact, text, n);
        exact[n] = '\0';
        Loaded *l = load_bytes("Test", exact, n);
        assert_int_equal(l->file == NULL, l->diags.errors > 0);
        s3_recognised(exact, n);
        release(l);
        free(exact);
    }
    free(text);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    long n = 1;
    for (; n < 2000; n++) {
        mem_fail_at(n);
        Loaded *l = load(whole);
        long left = mem_fail_at(0);
        assert_true(l->exhausted || l->file || l->diags.errors > 0);
        release(l);
        if (left > 0)
            break;
    }
    assert_in_range(n, 2, 1999);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_attribute_is_read),
        cmocka_unit_test(rules_are_read),
        cmocka_unit_test(the_look_is_read),
        cmocka_unit_test(line_ends_and_blanks_do_not_matter),
        cmocka_unit_test(case_counts_only_in_names),
        cmocka_unit_test(a_file_begins_with_the_board),
        cmocka_unit_test(a_header_may_end_oddly),
        cmocka_unit_test(later_records_replace_earlier_ones_in_their_place),
        cmocka_unit_test(a_surplus_end_closes_nothing),
        cmocka_unit_test(one_character_is_a_line_of_an_expression),
        cmocka_unit_test(a_line_may_begin_with_a_bracket),
        cmocka_unit_test(comments_are_not_in_texts),
        cmocka_unit_test(a_player_named_twice_is_two_players),
        cmocka_unit_test(the_name_is_that_of_the_file),
        cmocka_unit_test(attributes_may_come_back_later),
        cmocka_unit_test(files_are_recognised),
        cmocka_unit_test(records_are_bounded),
        cmocka_unit_test(values_are_bounded),
        cmocka_unit_test(warnings_leave_room_for_errors),
        cmocka_unit_test(random_changes_do_no_harm),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
