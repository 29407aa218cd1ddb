// Tests of src/base: memory, text, diagnostics, random numbers, bits, files.
#include "base/bits.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/text.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

// mem

static void mem_alloc_is_zeroed(void **state) {
    (void)state;
    unsigned char *p = mem_alloc(1000);
    assert_non_null(p);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(p[i], 0);
    mem_free(p);
    p = mem_alloc(0);
    assert_non_null(p);
    mem_free(p);
    mem_free(NULL);
}

static void mem_resize_keeps_the_content(void **state) {
    (void)state;
    char *p = mem_resize(NULL, 4);
    memcpy(p, "abc", 4);
    p = mem_resize(p, 4000);
    assert_string_equal(p, "abc");
    mem_free(p);
}

static void mem_text_copies(void **state) {
    (void)state;
    const char *text = "seven pieces";
    char *whole = mem_text(text), *part = mem_text_n(text, 5), *none = mem_text_n(text, 0);
    assert_string_equal(whole, text);
    assert_ptr_not_equal(whole, text);
    assert_string_equal(part, "seven");
    assert_string_equal(none, "");
    mem_free(whole);
    mem_free(part);
    mem_free(none);
    mem_fail_at(1);
    assert_null(mem_text(text));
    mem_fail_at(0);
}

// The values are those of the authors of FNV-1a, so that files with hashes stay valid.
static void hash_of_known_texts(void **state) {
    (void)state;
    assert_true(hash_bytes(HASH_START, "", 0) == HASH_START);
    assert_true(hash_bytes(HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    uint64_t whole = hash_bytes(HASH_START, "foobar", 6);
    assert_true(whole == UINT64_C(0x85944171f73967e8));
    assert_true(hash_bytes(hash_bytes(HASH_START, "foo", 3), "bar", 3) == whole);
}

static void mem_fail_at_fails_once(void **state) {
    (void)state;
    mem_fail_at(2);
    void *first = mem_alloc(1);
    void *second = mem_alloc(1);
    void *third = mem_resize(NULL, 1);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    mem_free(third);
    mem_fail_at(1);
    assert_null(mem_resize(first, 100)); // and first is still there
    mem_fail_at(1);
    mem_fail_at(0);
    mem_free(first);
    first = mem_alloc(1);
    assert_non_null(first);
    mem_free(first);
}

static void arena_hands_out_zeroed_aligned_memory(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 0, 7, 16, 17, 100000, 3, 65536, 65535, 200};
    jmp_buf recovery;
    Arena a;
    if (setjmp(recovery))
        fail_msg("out of memory");
    arena_init(&a, &recovery);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < LENGTH(sizes); i++) {
            unsigned char *p = arena_alloc(&a, sizes[i]);
            assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
            for (size_t k = 0; k < sizes[i]; k++)
                assert_int_equal(p[k], 0);
            memset(p, 0xFF, sizes[i]);
        }
    }
    assert_true(a.used >= 3 * 231000);
    arena_free(&a);
    assert_int_equal(a.used, 0);
    assert_string_equal(arena_text(&a, "abcdef", 3), "abc");
    assert_string_equal(arena_text(&a, NULL, 0), "");
    assert_string_equal(arena_printf(&a, "%d-%s", 12, "x"), "12-x");
    arena_free(&a);
}

static void arena_arrays_grow(void **state) {
    (void)state;
    jmp_buf recovery;
    Arena a;
    if (setjmp(recovery))
        fail_msg("out of memory");
    arena_init(&a, &recovery);
    int *numbers = NULL;
    int count = 0;
    int cap = 0;
    for (int i = 0; i < 1000; i++) {
        ARENA_GROW(&a, int, numbers, count, cap);
        numbers[count++] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(numbers[i], i);
    arena_free(&a);
}

static void arena_recovers_when_an_allocation_fails(void **state) {
    (void)state;
    jmp_buf recovery;
    Arena a;
    arena_init(&a, &recovery);
    if (setjmp(recovery) == 0) {
        arena_alloc(&a, 100);
        mem_fail_at(1);
        arena_alloc(&a, 1 << 20);
        fail_msg("the allocation should have failed");
    }
    mem_fail_at(0);
    assert_int_equal(a.used >= 100, 1);
    arena_free(&a);
}

static void arena_recovers_at_its_limit(void **state) {
    (void)state;
    jmp_buf recovery;
    Arena a;
    arena_init(&a, &recovery);
    assert_int_equal(a.limit, ARENA_LIMIT);
    a.limit = 1024;
    if (setjmp(recovery))
        fail_msg("1024 bytes fit");
    arena_alloc(&a, 512);
    arena_alloc(&a, 512);
    assert_int_equal(a.used, 1024);
    if (setjmp(recovery) == 0) {
        arena_alloc(&a, 1);
        fail_msg("1025 bytes do not fit");
    }
    arena_free(&a);
}

static void arena_recovers_from_sizes_that_overflow(void **state) {
    (void)state;
    jmp_buf recovery;
    Arena a;
    arena_init(&a, &recovery);
    if (setjmp(recovery) == 0) {
        arena_alloc(&a, SIZE_MAX - 3);
        fail_msg("too large");
    }
    if (setjmp(recovery) == 0) {
        ARENA_ARRAY(&a, uint64_t, SIZE_MAX / 8 + 2);
        fail_msg("the product overflows");
    }
    if (setjmp(recovery) == 0) {
        int negative = -1;
        ARENA_ARRAY(&a, uint64_t, negative);
        fail_msg("negative");
    }
    assert_int_equal(a.used, 0);
    arena_free(&a);
}

// text

static void text_starts_empty(void **state) {
    (void)state;
    Text t = {0};
    assert_string_equal(text_c(&t), "");
    text_clear(&t);
    text_add(&t, "");
    assert_non_null(t.s);
    assert_string_equal(t.s, "");
    text_free(&t);
    text_f(&t, "%s", "");
    assert_string_equal(t.s, "");
    text_free(&t);
}

static void text_grows(void **state) {
    (void)state;
    Text t = {0};
    for (int i = 0; i < 1000; i++) {
        text_f(&t, "%d", i % 10);
        text_char(&t, ',');
        text_add(&t, "xy");
        text_add_n(&t, "z...", 1);
        assert_int_equal(strlen(t.s), t.n);
    }
    assert_int_equal(t.n, 5000);
    assert_memory_equal(t.s, "0,xyz1,xyz2,xyz", 15);
    assert_memory_equal(t.s + 4995, "9,xyz", 6);
    assert_false(t.failed);
    text_clear(&t);
    assert_string_equal(text_c(&t), "");
    text_free(&t);
    assert_null(t.s);
}

static void text_fails_without_losing_what_it_has(void **state) {
    (void)state;
    Text t = {0};
    text_add(&t, "kept");
    mem_fail_at(1);
    text_f(&t, "%1000d", 1);
    mem_fail_at(0);
    text_add(&t, "late");
    assert_true(t.failed);
    assert_string_equal(text_c(&t), "kept");
    text_clear(&t);
    text_add(&t, "again");
    assert_false(t.failed);
    assert_string_equal(text_c(&t), "again");
    text_free(&t);
}

static void text_stops_at_its_limit(void **state) {
    (void)state;
    size_t half = TEXT_LIMIT / 2;
    char *bytes = malloc(half);
    assert_non_null(bytes);
    memset(bytes, 'x', half);
    Text t = {0};
    text_add_n(&t, bytes, half);
    text_add_n(&t, bytes, half - 1);
    assert_false(t.failed);
    assert_int_equal(t.n, TEXT_LIMIT - 1);
    text_char(&t, 'x');
    assert_true(t.failed);
    assert_int_equal(t.n, TEXT_LIMIT - 1);
    text_free(&t);
    free(bytes);
}

static void check_json(const char *s, const char *expected) {
    Text t = {0};
    text_json(&t, s);
    assert_string_equal(text_c(&t), expected);
    text_free(&t);
}

static void text_json_escapes(void **state) {
    (void)state;
    check_json("", "\"\"");
    check_json("a \"b\" \\c/", "\"a \\\"b\\\" \\\\c/\"");
    check_json("\b\t\n\f\r", "\"\\b\\t\\n\\f\\r\"");
    check_json("\x01\x1b\x1f\x7f", "\"\\u0001\\u001b\\u001f\\u007f\"");
    check_json("Mühle \xE2\x99\x9F \xF0\x9F\x8E\xB2", "\"Mühle \xE2\x99\x9F \xF0\x9F\x8E\xB2\"");
}

static void text_json_replaces_what_is_not_utf8(void **state) {
    (void)state;
    check_json("a\xFFz", "\"a\xEF\xBF\xBDz\"");
    check_json("\xC3", "\"\xEF\xBF\xBD\"");
    check_json("\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");                 // overlong
    check_json("\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""); // a surrogate
}

static void text_utf8_knows_the_edges(void **state) {
    (void)state;
    assert_int_equal(text_utf8("", 0), 0);
    assert_int_equal(text_utf8("", 1), 1);
    assert_int_equal(text_utf8("\xC2\x80", 2), 2);
    assert_int_equal(text_utf8("\xC2\x80", 1), 0);
    assert_int_equal(text_utf8("\xE0\x9F\xBF", 3), 0);
    assert_int_equal(text_utf8("\xE0\xA0\x80", 3), 3);
    assert_int_equal(text_utf8("\xED\x9F\xBF", 3), 3);
    assert_int_equal(text_utf8("\xEE\x80\x80", 3), 3);
    assert_int_equal(text_utf8("\xF0\x8F\xBF\xBF", 4), 0);
    assert_int_equal(text_utf8("\xF0\x90\x80\x80", 4), 4);
    assert_int_equal(text_utf8("\xF4\x8F\xBF\xBF", 4), 4);
    assert_int_equal(text_utf8("\xF4\x90\x80\x80", 4), 0);
    assert_int_equal(text_utf8("\xF5\x80\x80\x80", 4), 0);
}

static void text_visible_disarms_terminals(void **state) {
    (void)state;
    Text t = {0};
    const char s[] = "a\033[2J\tü\xC2\x9B\x7F\xFF";
    text_visible(&t, s, sizeof s - 1);
    assert_string_equal(text_c(&t), "a?[2J\tü??\xEF\xBF\xBD");
    assert_int_equal(text_columns(text_c(&t)), text_columns(s));
    text_free(&t);
}

static void text_columns_counts_characters(void **state) {
    (void)state;
    assert_int_equal(text_columns(""), 0);
    assert_int_equal(text_columns("mill"), 4);
    assert_int_equal(text_columns("Mühle"), 5);
    assert_int_equal(text_columns("\xE2\x99\x9F\xF0\x9F\x8E\xB2"), 2);
    assert_int_equal(text_columns("\xFF\xFEx"), 3);
}

static void text_stop_ends_a_sentence(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"it is gone", "it is gone."}, {"is it in?", "is it in?"}, {"Done.", "Done."}, {"", ""}};
    for (int i = 0; i < LENGTH(cases); i++) {
        Text t = {0};
        text_add(&t, cases[i][0]);
        text_stop(&t);
        assert_string_equal(text_c(&t), cases[i][1]);
        text_free(&t);
    }
}

static void text_nearest_finds_what_was_meant(void **state) {
    (void)state;
    static const char *const words[] = {"empty", "mine", "theirs", "opponent", "White",
                                        "place", "row",  "count",  "mines"};
    static const char *const cases[][2] = {
        {"emty", "empty"},        {"emptyy", "empty"},       {"empti", "empty"}, {"palce", "place"},
        {"oponnent", "opponent"}, {"white", "White"},        {"WHITE", "White"}, {"ro", "row"},
        {"mine", "mine"},         {"minse", "mine"},         {"x", NULL},        {"", NULL},
        {"column", NULL},         {"opponents", "opponent"}, {"eytpm", NULL},
    };
    for (int i = 0; i < LENGTH(cases); i++) {
        const char *found = text_nearest(cases[i][0], words, LENGTH(words));
        if (cases[i][1])
            assert_string_equal(found ? found : "nothing", cases[i][1]);
        else
            assert_null(found);
    }
    assert_null(text_nearest("x", NULL, 0));
}

static void text_nearest_takes_long_words(void **state) {
    (void)state;
    char word[65 + 1];
    memset(word, 'a', 65);
    word[65] = '\0';
    const char *const words[] = {word};
    assert_null(text_nearest(word, words, 1)); // one more than it looks at
    word[64] = '\0';
    assert_ptr_equal(text_nearest(word, words, 1), word);
}

// diag

static const char MILL[] = "game \"Mühle\"\n"
                           "players Weiß, Schwarz, Weiß\r\n"
                           "\n"
                           "\tchoose to in emty";

static Source mill_source(void) {
    return (Source){.name = "mill.game", .text = MILL, .size = sizeof MILL - 1};
}

static void check_print(Diags *d, const char *expected) {
    Text t = {0};
    diag_print(d, &t, false);
    assert_string_equal(text_c(&t), expected);
    text_free(&t);
    diag_free(d);
}

static void diag_points_at_the_word(void **state) {
    (void)state;
    Source source = mill_source();
    Diags d = {.source = &source};
    // The second Weiß: 15 bytes "players Weiß, " and 9 "Schwarz, " before it.
    diag_error(&d, (Span){2, 25, 5}, "`%s` is there twice", "Weiß");
    diag_help(&d, "give every player a name of its own");
    diag_warn(&d, (Span){4, 15, 4}, "odd");
    assert_int_equal(d.count, 2);
    assert_int_equal(d.errors, 1);
    check_print(&d, "mill.game:2:25: error: `Weiß` is there twice\n"
                    "    2 | players Weiß, Schwarz, Weiß\n"
                    "      |                        ^~~~\n"
                    "      = help: give every player a name of its own\n"
                    "mill.game:4:15: warning: odd\n"
                    "    4 | \tchoose to in emty\n"
                    "      | \t             ^~~~\n");
    assert_int_equal(d.errors, 0);
}

static void diag_stays_inside_the_line(void **state) {
    (void)state;
    Source source = mill_source();
    Diags d = {.source = &source};
    diag_error(&d, (Span){1, 7, 100}, "long");
    diag_error(&d, (Span){1, 14, 0}, "end");
    diag_error(&d, (Span){1, 99, 1}, "beyond");
    diag_error(&d, (Span){3, 1, 1}, "blank");
    diag_error(&d, (Span){9, 1, 1}, "no line");
    diag_error(&d, (Span){1, 9, 1}, "inside");
    check_print(&d, "mill.game:1:7: error: long\n"
                    "    1 | game \"Mühle\"\n"
                    "      |       ^~~~~~\n"
                    "mill.game:1:14: error: end\n"
                    "    1 | game \"Mühle\"\n"
                    "      |             ^\n"
                    "mill.game:1:99: error: beyond\n"
                    "    1 | game \"Mühle\"\n"
                    "      |             ^\n"
                    "mill.game:3:1: error: blank\n"
                    "    3 | \n"
                    "      | ^\n"
                    "mill.game:9:1: error: no line\n"
                    "mill.game:1:9: error: inside\n"
                    "    1 | game \"Mühle\"\n"
                    "      |        ^\n");
}

static void diag_without_a_place(void **state) {
    (void)state;
    Source source = mill_source();
    Diags d = {.source = &source};
    diag_error(&d, (Span){0}, "`men` is 3..12, not %d", 99);
    diag_help(&d, "write men=%d", 9);
    diag_help(&d, "write men=%d", 12);
    check_print(&d, "mill.game: error: `men` is 3..12, not 99\n"
                    "      = help: write men=12\n");
    Diags none = {0};
    diag_help(&none, "nothing to help with");
    diag_error(&none, (Span){0}, "plain");
    check_print(&none, "error: plain\n");
}

static void diag_hides_control_characters(void **state) {
    (void)state;
    static const char text[] = "a\033[31m\0b";
    Source source = {.name = "x\n.game", .text = text, .size = sizeof text - 1};
    Diags d = {.source = &source};
    diag_error(&d, (Span){1, 8, 1}, "see %s", "\a");
    check_print(&d, "x?.game:1:8: error: see ?\n"
                    "    1 | a?[31m?b\n"
                    "      |        ^\n");
}

static void diag_cuts_long_lines(void **state) {
    (void)state;
    char text[1001];
    memset(text, 'x', 1000);
    memcpy(text + 500, "here", 4);
    text[1000] = '\0';
    Source source = {.name = "long", .text = text, .size = 1000};
    Diags d = {.source = &source};
    diag_error(&d, (Span){1, 501, 4}, "long line");
    Text t = {0};
    diag_print(&d, &t, false);
    const char *line = strchr(text_c(&t), '\n') + 1;
    const char *below = strchr(line, '\n') + 1;
    assert_memory_equal(line, "    1 | ...xxx", 14);
    assert_true(below - line < 250);
    assert_int_equal(strstr(line, "here") - line, strchr(below, '^') - below);
    text_free(&t);
    diag_free(&d);
}

static void diag_colours(void **state) {
    (void)state;
    Diags d = {0};
    diag_error(&d, (Span){0}, "plain");
    Text t = {0};
    diag_print(&d, &t, true);
    assert_string_equal(text_c(&t), "\033[1m\033[1;31merror:\033[0m plain\n");
    text_free(&t);
    diag_free(&d);
}

static void diag_keeps_a_limited_number(void **state) {
    (void)state;
    Diags d = {0};
    for (int i = 0; i < DIAG_MAX + 2; i++) {
        diag_error(&d, (Span){0}, "number %d", i);
        diag_help(&d, "help %d", i);
    }
    assert_int_equal(d.count, DIAG_MAX);
    assert_int_equal(d.errors, DIAG_MAX + 2);
    assert_string_equal(d.items[DIAG_MAX - 1].help, "help 49");
    Text t = {0};
    diag_print(&d, &t, false);
    assert_non_null(strstr(text_c(&t), "error: number 49\n      = help: help 49\n"
                                       "2 more errors not shown\n"));
    text_free(&t);
    diag_free(&d);
}

static void diag_as_json(void **state) {
    (void)state;
    Source source = mill_source();
    Diags d = {.source = &source};
    Text t = {0};
    diag_json(&d, &t);
    assert_string_equal(text_c(&t), "[]");
    text_clear(&t);
    diag_error(&d, (Span){2, 25, 5}, "say \"%s\"", "Weiß");
    diag_help(&d, "no");
    diag_warn(&d, (Span){4, 2, 1}, "odd");
    diag_json(&d, &t);
    assert_string_equal(text_c(&t),
                        "[{\"severity\":\"error\",\"file\":\"mill.game\",\"line\":2,\"column\":25,"
                        "\"length\":5,\"message\":\"say \\\"Weiß\\\"\",\"help\":\"no\"},"
                        "{\"severity\":\"warning\",\"file\":\"mill.game\",\"line\":4,\"column\":2,"
                        "\"length\":1,\"message\":\"odd\",\"help\":null}]");
    text_free(&t);
    diag_free(&d);
}

// Every allocation of a report fails once: the error is counted all the same.
static void diag_survives_exhausted_memory(void **state) {
    (void)state;
    Source source = mill_source();
    for (long n = 1; n <= 6; n++) {
        Diags d = {.source = &source};
        mem_fail_at(n);
        diag_error(&d, (Span){2, 25, 5}, "first");
        diag_help(&d, "help");
        mem_fail_at(0);
        assert_int_equal(d.errors, 1);
        diag_error(&d, (Span){0}, "second");
        Text t = {0};
        diag_print(&d, &t, false);
        assert_non_null(strstr(text_c(&t), "error: second\n"));
        if (d.count == 1)
            assert_non_null(strstr(text_c(&t), "1 more error not shown\n"));
        text_free(&t);
        diag_free(&d);
    }
}

// rng

// The first outputs of xoshiro256** from the splitmix64 seed 0 are fixed: saved games, benchmarks
// and scrambled puzzles depend on them.
static void rng_is_the_same_everywhere(void **state) {
    (void)state;
    Rng r;
    rng_seed(&r, 0);
    assert_true(r.s[0] == 0xE220A8397B1DCDAFu);
    assert_true(r.s[1] == 0x6E789E6AA1B965F4u);
    assert_true(rng_next(&r) == 0x99EC5F36CB75F2B4u);
    Rng a = r;
    Rng b = r;
    for (int i = 0; i < 100; i++)
        assert_true(rng_next(&a) == rng_next(&b));
    rng_seed(&b, 1);
    assert_true(rng_next(&a) != rng_next(&b));
}

static void rng_below_is_in_range_and_even(void **state) {
    (void)state;
    Rng r;
    rng_seed(&r, 7);
    int seen[7] = {0};
    for (int i = 0; i < 70000; i++) {
        uint64_t x = rng_below(&r, 7);
        assert_in_range(x, 0, 6);
        seen[x]++;
    }
    for (int i = 0; i < 7; i++)
        assert_in_range(seen[i], 9500, 10500); // five standard deviations
    static const uint64_t bounds[] = {
        1, 2, 3, 0x80000001u, UINT32_MAX, (uint64_t)UINT32_MAX + 2, UINT64_MAX / 2 + 2, UINT64_MAX};
    for (int i = 0; i < LENGTH(bounds); i++)
        for (int k = 0; k < 1000; k++)
            assert_true(rng_below(&r, bounds[i]) < bounds[i]);
    assert_true(rng_below(&r, 0) == 0);
}

// bits

static void bits_are_found(void **state) {
    (void)state;
    assert_int_equal(bits_count(0), 0);
    assert_int_equal(bits_count(UINT64_MAX), 64);
    uint64_t x = (uint64_t)1 << 63 | 6;
    assert_int_equal(bits_pop(&x), 1);
    assert_int_equal(bits_pop(&x), 2);
    assert_int_equal(bits_pop(&x), 63);
    assert_true(x == 0);
    static const int needed[][2] = {{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {256, 8}};
    for (int i = 0; i < LENGTH(needed); i++)
        assert_int_equal(bits_needed((uint64_t)needed[i][0]), needed[i][1]);
    assert_int_equal(bits_needed(UINT64_MAX), 64);
}

// file: each test works in a new folder of its own, in TMPDIR or the current folder

typedef struct Folder {
    Text path;
    Text name; // the last result of in_folder
    Text why;
} Folder;

static const char *in_folder(Folder *f, const char *name) {
    text_clear(&f->name);
    text_f(&f->name, "%s/%s", text_c(&f->path), name);
    return text_c(&f->name);
}

static int folder_make(void **state) {
    Folder *f = calloc(1, sizeof *f);
    if (!f)
        return -1;
    const char *parent = getenv("TMPDIR");
    text_f(&f->path, "%s/ludens-test-XXXXXX", parent ? parent : P_tmpdir);
    *state = f;
    return mkdtemp(f->path.s) ? 0 : -1;
}

static int folder_remove(void **state) {
    static const char *const names[] = {"a", "link", "folder", "pipe"};
    Folder *f = *state;
    for (int i = 0; i < LENGTH(names); i++)
        remove(in_folder(f, names[i]));
    int result = rmdir(text_c(&f->path)); // fails if a test left something behind
    text_free(&f->path);
    text_free(&f->name);
    text_free(&f->why);
    free(f);
    return result;
}

static void check_content(Folder *f, const char *name, const char *expected, size_t n) {
    size_t size = 99;
    char *s = file_read(in_folder(f, name), FILE_LIMIT, &size, &f->why);
    assert_non_null(s);
    assert_int_equal(size, n);
    assert_memory_equal(s, expected, n + 1);
    mem_free(s);
}

static void check_why(Folder *f, const char *verb, const char *reason) {
    Text expected = {0};
    text_f(&expected, "cannot %s `%s`: %s", verb, text_c(&f->name), reason);
    assert_string_equal(text_c(&f->why), text_c(&expected));
    text_clear(&f->why);
    text_free(&expected);
}

static void file_writes_and_reads(void **state) {
    Folder *f = *state;
    assert_true(file_write_atomic(in_folder(f, "a"), "", 0, &f->why));
    check_content(f, "a", "", 0);
    assert_true(file_write_atomic(in_folder(f, "a"), "x\0y\n", 4, &f->why));
    check_content(f, "a", "x\0y\n", 4);
    assert_string_equal(text_c(&f->why), "");
}

static void file_write_keeps_mode_and_link(void **state) {
    Folder *f = *state;
    struct stat info;
    assert_true(file_write_atomic(in_folder(f, "a"), "old", 3, &f->why));
    assert_int_equal(chmod(text_c(&f->name), 0640), 0);
    assert_int_equal(symlink("a", in_folder(f, "link")), 0);
    assert_true(file_write_atomic(in_folder(f, "link"), "new", 3, &f->why));
    assert_int_equal(lstat(text_c(&f->name), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    check_content(f, "a", "new", 3);
    assert_int_equal(stat(text_c(&f->name), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

static void file_missing(void **state) {
    Folder *f = *state;
    assert_null(file_read(in_folder(f, "none"), FILE_LIMIT, NULL, &f->why));
    check_why(f, "read", "No such file or directory");
    assert_false(file_write_atomic(in_folder(f, "none/a"), "x", 1, &f->why));
    check_why(f, "write", "No such file or directory");
}

static void file_folder(void **state) {
    Folder *f = *state;
    assert_int_equal(mkdir(in_folder(f, "folder"), 0755), 0);
    assert_null(file_read(text_c(&f->name), FILE_LIMIT, NULL, &f->why));
    check_why(f, "read", "Is a directory");
    assert_false(file_write_atomic(text_c(&f->name), "x", 1, &f->why));
    check_why(f, "write", "Is a directory");
}

static void file_device(void **state) {
    Folder *f = *state;
    assert_false(file_write_atomic("/dev/null", "x", 1, &f->why));
    assert_string_equal(text_c(&f->why), "cannot write `/dev/null`: it is not a regular file");
    size_t size = 99;
    char *s = file_read("/dev/null", 0, &size, &f->why);
    assert_string_equal(s, "");
    assert_int_equal(size, 0);
    mem_free(s);
}

static void wake_up(int number) {
    (void)number;
}

static void file_pipe(void **state) {
    Folder *f = *state;
    assert_int_equal(mkfifo(in_folder(f, "pipe"), 0600), 0);
    assert_null(file_read_regular(text_c(&f->name), FILE_LIMIT, NULL, &f->why));
    check_why(f, "read", "it is not a regular file");
    int open_end = open(text_c(&f->name), O_RDWR); // somebody who writes nothing
    assert_true(open_end >= 0);
    struct sigaction usual, action = {.sa_handler = wake_up};
    struct itimerval soon = {.it_value = {.tv_usec = 50000}, .it_interval = {.tv_usec = 50000}};
    struct itimerval never = {0};
    sigaction(SIGALRM, &action, &usual);
    setitimer(ITIMER_REAL, &soon, NULL);
    assert_null(file_read(text_c(&f->name), FILE_LIMIT, NULL, &f->why));
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &usual, NULL);
    close(open_end);
    check_why(f, "read", "Interrupted system call");
    assert_int_equal(mkdir(in_folder(f, "folder"), 0755), 0);
    assert_null(file_read_regular(text_c(&f->name), FILE_LIMIT, NULL, &f->why));
    check_why(f, "read", "Is a directory");
}

static void file_too_large(void **state) {
    Folder *f = *state;
    assert_true(file_write_atomic(in_folder(f, "a"), "12345", 5, &f->why));
    char *s = file_read(text_c(&f->name), 5, NULL, &f->why);
    assert_string_equal(s, "12345");
    mem_free(s);
    assert_null(file_read(text_c(&f->name), 4, NULL, &f->why));
    check_why(f, "read", "the file is too large");
}

static void file_exhausted_memory(void **state) {
    Folder *f = *state;
    assert_true(file_write_atomic(in_folder(f, "a"), "old", 3, &f->why));
    text_f(&f->why, "%300s", ""); // room, so that the reason itself needs no memory
    text_clear(&f->why);
    mem_fail_at(1);
    assert_null(file_read(text_c(&f->name), FILE_LIMIT, NULL, &f->why));
    check_why(f, "read", "Cannot allocate memory");
    mem_fail_at(1);
    assert_false(file_write_atomic(text_c(&f->name), "new", 3, &f->why));
    mem_fail_at(0);
    check_why(f, "write", "Cannot allocate memory");
    check_content(f, "a", "old", 3);
}

#define FILE_TEST(function) cmocka_unit_test_setup_teardown(function, folder_make, folder_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mem_alloc_is_zeroed),
        cmocka_unit_test(mem_resize_keeps_the_content),
        cmocka_unit_test(mem_text_copies),
        cmocka_unit_test(hash_of_known_texts),
        cmocka_unit_test(mem_fail_at_fails_once),
        cmocka_unit_test(arena_hands_out_zeroed_aligned_memory),
        cmocka_unit_test(arena_arrays_grow),
        cmocka_unit_test(arena_recovers_when_an_allocation_fails),
        cmocka_unit_test(arena_recovers_at_its_limit),
        cmocka_unit_test(arena_recovers_from_sizes_that_overflow),
        cmocka_unit_test(text_starts_empty),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(text_fails_without_losing_what_it_has),
        cmocka_unit_test(text_stops_at_its_limit),
        cmocka_unit_test(text_json_escapes),
        cmocka_unit_test(text_json_replaces_what_is_not_utf8),
        cmocka_unit_test(text_utf8_knows_the_edges),
        cmocka_unit_test(text_visible_disarms_terminals),
        cmocka_unit_test(text_columns_counts_characters),
        cmocka_unit_test(text_nearest_finds_what_was_meant),
        cmocka_unit_test(text_stop_ends_a_sentence),
        cmocka_unit_test(text_nearest_takes_long_words),
        cmocka_unit_test(diag_points_at_the_word),
        cmocka_unit_test(diag_stays_inside_the_line),
        cmocka_unit_test(diag_without_a_place),
        cmocka_unit_test(diag_hides_control_characters),
        cmocka_unit_test(diag_cuts_long_lines),
        cmocka_unit_test(diag_colours),
        cmocka_unit_test(diag_keeps_a_limited_number),
        cmocka_unit_test(diag_as_json),
        cmocka_unit_test(diag_survives_exhausted_memory),
        cmocka_unit_test(rng_is_the_same_everywhere),
        cmocka_unit_test(rng_below_is_in_range_and_even),
        cmocka_unit_test(bits_are_found),
        FILE_TEST(file_writes_and_reads),
        FILE_TEST(file_write_keeps_mode_and_link),
        FILE_TEST(file_missing),
        FILE_TEST(file_folder),
        FILE_TEST(file_device),
        FILE_TEST(file_pipe),
        FILE_TEST(file_too_large),
        FILE_TEST(file_exhausted_memory),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
