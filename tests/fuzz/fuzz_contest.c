// fuzz_contest: any text as a tournament file.
//
// What is reported agrees with what is returned; a contest that is returned keeps its limits, and
// its schedule gives each game once and comes to an end or goes on without a crash.
#include "match/contest_file.h"
#include "match/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 4096
#define GAMES 300 // that are played at most
#define EACH 20   // more games of a pair are left out: they need memory, not thought

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what) {
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check_contest(const Contest *c) {
    must(c->title && c->title[0], "no title");
    must(c->entrants >= 2 && c->entrants <= CONTEST_ENTRANTS, "entrants");
    must(c->games >= 1 && c->games <= CONTEST_GAMES, "games");
    must(c->each >= 1 && c->plies >= 1 && c->opening_plies < c->plies, "numbers");
    for (int i = 0; i < c->entrants; i++) {
        TimeControl back = {0};
        Text text = {0}, why = {0};
        time_control_text(&c->entrant[i].time, &text);
        if (text.n)
            must(time_control_read(text_c(&text), &back, &why), "a time does not read back");
        text_free(&text);
        text_free(&why);
        for (int k = 0; k < i; k++)
            must(strcmp(c->entrant[i].name, c->entrant[k].name) != 0, "a name twice");
    }
}

static void play(Schedule *s, int players) {
    Pairing p;
    int64_t n = 0;
    while (n < GAMES && schedule_next(s, &p) == NEXT_GAME) {
        must(p.number == n++, "a number is left out");
        uint64_t x = p.seed;
        int winner = (int)(rng_splitmix(&x) % (uint64_t)(players + 1));
        int result = RESULT_OVER | (winner < players ? 1 << winner : 0);
        must(schedule_result(s, p.number, END_RULES, result), "a result is refused");
    }
    must(schedule_played(s) == n, "games are not counted");
    Standing standing[CONTEST_ENTRANTS];
    schedule_standings(s, standing);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > LARGEST)
        return -1;
    char *text = mem_alloc(size + 1);
    if (size)
        memcpy(text, data, size);
    Source source = {"fuzz", text, size};
    Diags diags = {.source = &source};
    Contest *c = contest_read(&source, &diags);
    must((c == NULL) == (diags.errors > 0), "errors and result disagree");
    Text out = {0};
    diag_print(&diags, &out, false);
    diag_free(&diags);
    if (c) {
        check_contest(c);
        c->each = c->each > EACH ? EACH : c->each;
        for (int players = 1; players <= 3; players++) {
            int all[CONTEST_GAMES];
            for (int i = 0; i < CONTEST_GAMES; i++)
                all[i] = players;
            text_clear(&out);
            Schedule *s = schedule_new(c, all, &out);
            must((s == NULL) == (out.n > 0), "no reason for having no schedule");
            if (s)
                play(s, players);
            schedule_free(s);
        }
    }
    text_free(&out);
    contest_free(c);
    mem_free(text);
    return 0;
}
