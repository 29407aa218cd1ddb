// results: see results.h.
#include "match/results.h"
#include "match/record_words.h"

#include "game/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPENINGS_KEPT 5000 // different ones that are counted; the rest has no name

double results_points(int result, int seat, int seats) {
    int winners = __builtin_popcount((unsigned)result & 0x7F);
    if (winners == 0)
        return seats == 1 ? 0 : 1.0 / seats;
    return result >> seat & 1 ? 1.0 / winners : 0;
}

int results_seats(const Pairing *p) {
    int n = 0;
    while (n < IR_MAX_PLAYERS && p->seat[n] >= 0)
        n++;
    return n;
}

Results *results_new(const Contest *c) {
    Results *r = mem_alloc(sizeof *r);
    if (!r)
        return NULL;
    size_t n = (size_t)c->entrants;
    r->contest = c;
    r->n = c->entrants;
    r->last.number = -2;
    r->score = mem_alloc(sizeof *r->score * n * n);
    r->side = mem_alloc(sizeof *r->side * n);
    r->order = mem_alloc(sizeof *r->order * n);
    r->offence = mem_alloc(sizeof *r->offence * RESULTS_OFFENCES);
    if (r->score && r->side && r->order && r->offence)
        return r;
    results_free(r);
    return NULL;
}

void results_free(Results *r) {
    if (!r)
        return;
    for (int i = 0; i < r->offences; i++) {
        text_free(&r->offence[i].reason);
        text_free(&r->offence[i].log);
    }
    mem_free(r->score);
    mem_free(r->side);
    mem_free(r->order);
    mem_free(r->offence);
    mem_free(r->length);
    mem_free(r->opening);
    mem_free(r);
}

// --- adding ---

static void count(Score *s, double mine, double theirs) {
    s->won += mine > theirs;
    s->drawn += mine == theirs;
    s->lost += mine < theirs;
}

// Half a point stands for a draw here.
static double outcome(int result, int seat, int seats) {
    int everybody = (1 << seats) - 1, winners = result & everybody;
    bool drawn = seats > 1 && (winners == 0 || winners == everybody);
    return drawn ? 0.5 : winners >> seat & 1;
}

static void add_points(Results *r, const Played *p, int seats) {
    const int *seat = p->pairing.seat;
    r->drawn += outcome(p->result, 0, seats) == 0.5;
    for (int i = 0; i < seats; i++) {
        ResultsSide *side = &r->side[seat[i]];
        double mine = results_points(p->result, i, seats);
        side->points += mine;
        side->seat_points[i] += mine;
        count(&side->score, outcome(p->result, i, seats), 0.5);
        count(&side->seat[i], outcome(p->result, i, seats), 0.5);
        count(&r->seat[i], outcome(p->result, i, seats), 0.5);
        for (int j = 0; j < seats; j++) {
            if (j == i)
                continue;
            double theirs = results_points(p->result, j, seats);
            if (i == 0)
                count(&r->opener, mine, theirs);
            if (seat[i] != seat[j])
                count(&r->score[seat[i] * r->n + seat[j]], mine, theirs);
        }
    }
}

// Two games of two with seats changed: half points of who sat first in the first of them.
static void add_pair(Results *r, const Played *p, int seats) {
    const Pairing *now = &p->pairing, *before = &r->last;
    int points = (int)(2 * results_points(p->result, 0, seats));
    bool pair = r->contest->swap && seats == 2 && now->number % 2 == 1 &&
                before->number == now->number - 1 && before->opening == now->opening &&
                before->seat[0] == now->seat[1] && before->seat[1] == now->seat[0] &&
                now->seat[0] != now->seat[1];
    if (pair) {
        int a = before->seat[0], b = before->seat[1], sum = r->last_points + 2 - points;
        r->score[a * r->n + b].pairs[sum]++;
        r->score[b * r->n + a].pairs[4 - sum]++;
        r->side[a].score.pairs[sum]++;
        r->side[b].score.pairs[4 - sum]++;
    }
    r->last = *now;
    r->last_points = points;
}

static void add_times(Results *r, const Played *p, int seats) {
    for (int i = 0; i < seats; i++)
        r->side[p->pairing.seat[i]].seconds += p->seconds[i];
    RecordWords words;
    record_words_begin(&words, text_c(&p->record));
    for (int i = 0; i < p->moves && seats > 0; i++) {
        // Who made which move is not kept with it: they move in turn, or the record has names.
        int seat = (r->first + i) % seats;
        if (record_words_next(&words) && words.name[0])
            for (int k = 0; k < seats; k++)
                seat = strcmp(r->seat_name[k], words.name) == 0 ? k : seat;
        if (i < p->openings)
            continue;
        ResultsSide *side = &r->side[p->pairing.seat[seat]];
        side->moves++;
        side->nodes += p->move[i].nodes;
        if (p->move[i].seconds > side->longest)
            side->longest = p->move[i].seconds;
    }
    record_words_end(&words);
    if (r->games == 0 || p->began < r->began)
        r->began = p->began;
    if (p->ended > r->ended)
        r->ended = p->ended;
}

static bool add_length(Results *r, int moves) {
    if (r->lengths == r->lengths_cap) {
        int64_t cap = r->lengths_cap ? 2 * r->lengths_cap : 256;
        int *grown = mem_resize(r->length, sizeof *grown * (size_t)cap);
        if (!grown)
            return false;
        r->length = grown;
        r->lengths_cap = cap;
    }
    r->length[r->lengths++] = moves;
    return true;
}

// The moves of the opening, as many as fit.
static void opening_text(const Played *p, char *out, size_t size) {
    RecordWords words;
    size_t n = 0;
    out[0] = '\0';
    record_words_begin(&words, text_c(&p->record));
    for (int i = 0; i < p->openings && record_words_next(&words); i++) {
        if (n + words.word.n + 2 >= size)
            break;
        n += (size_t)snprintf(out + n, size - n, "%s%s", i ? " " : "", text_c(&words.word));
    }
    record_words_end(&words);
}

static bool add_opening(Results *r, const Played *p, int seats) {
    ResultsOpening new = {.games = 0};
    if (p->openings == 0 || seats < 2)
        return true;
    opening_text(p, new.text, sizeof new.text);
    int i = 0;
    while (i < r->openings && strcmp(r->opening[i].text, new.text) != 0)
        i++;
    if (i == OPENINGS_KEPT)
        return true;
    if (i == r->openings_cap) {
        int cap = i ? 2 * i : 64;
        ResultsOpening *grown = mem_resize(r->opening, sizeof *grown * (size_t)cap);
        if (!grown)
            return false;
        r->opening = grown;
        r->openings_cap = cap;
    }
    if (i == r->openings)
        r->opening[r->openings++] = new;
    r->opening[i].games++;
    for (int j = 1; j < seats; j++)
        count(&r->opening[i].first, results_points(p->result, 0, seats),
              results_points(p->result, j, seats));
    return true;
}

static void add_offence(Results *r, const Played *p, int seats) {
    if (!ending_is_offence(p->ending) || p->culprit < 0 || p->culprit >= seats)
        return;
    int entrant = p->pairing.seat[p->culprit];
    r->side[entrant].offences++;
    r->offences_all++;
    if (r->offences == RESULTS_OFFENCES)
        return;
    ResultsOffence *o = &r->offence[r->offences++];
    *o = (ResultsOffence){.number = p->pairing.number, .entrant = entrant, .ending = p->ending};
    text_add(&o->reason, text_c(&p->reason));
    text_add(&o->log, text_c(&p->log));
}

bool results_add(Results *r, const Played *p) {
    int seats = results_seats(&p->pairing);
    r->ending[p->ending]++;
    add_times(r, p, seats);
    r->games++;
    if (p->ending == END_FAULT || seats == 0) {
        r->faults++;
        return true;
    }
    r->seats = seats > r->seats ? seats : r->seats;
    add_points(r, p, seats);
    add_pair(r, p, seats);
    add_offence(r, p, seats);
    return add_length(r, p->moves) && add_opening(r, p, seats);
}

// --- the end ---

static int by_length(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static int by_games(const void *a, const void *b) {
    const ResultsOpening *x = a, *y = b;
    return x->games != y->games ? (y->games > x->games) - (y->games < x->games)
                                : strcmp(x->text, y->text);
}

// By points, then by rating, then as they were entered: an insertion sort is stable.
static void sort_sides(Results *r) {
    for (int i = 0; i < r->n; i++) {
        int k = i;
        for (; k > 0; k--) {
            const ResultsSide *a = &r->side[r->order[k - 1]], *b = &r->side[i];
            if (a->points > b->points || (a->points == b->points && a->elo >= b->elo))
                break;
            r->order[k] = r->order[k - 1];
        }
        r->order[k] = i;
    }
}

bool results_finish(Results *r) {
    double *elo = mem_alloc(sizeof *elo * 2 * (size_t)r->n);
    bool ok = elo && rate_all(r->score, r->n, elo, elo + r->n);
    for (int i = 0; ok && i < r->n; i++) {
        r->side[i].elo = elo[i];
        r->side[i].error = elo[r->n + i];
    }
    mem_free(elo);
    if (r->lengths > 1)
        qsort(r->length, (size_t)r->lengths, sizeof *r->length, by_length);
    if (r->openings > 1)
        qsort(r->opening, (size_t)r->openings, sizeof *r->opening, by_games);
    sort_sides(r);
    return ok;
}

static bool visit(void *with, const Played *p) {
    Results *r = with;
    r->failed = !results_add(r, p);
    return !r->failed;
}

// White, Black, …: the database has numbers, the rules have names. Rules that cannot be found any
// more are no reason to have no report.
static void name_seats(Results *r) {
    const ContestGame *cg = &r->contest->game[0];
    Diags diags = {0};
    Game *g =
        r->contest->games == 1 ? game_load(cg->name, cg->params, cg->param_count, &diags) : NULL;
    for (int i = 0; g && i < g->ir->players && i < IR_MAX_PLAYERS; i++)
        snprintf(r->seat_name[i], sizeof r->seat_name[i], "%.39s", g->ir->player[i]);
    r->first = g ? game_player(g, g->start) : 0;
    diag_free(&diags);
    game_free(g);
}

Results *results_of(Archive *s, Text *why) {
    Results *r = results_new(archive_contest(s));
    if (r)
        name_seats(r);
    if (r && archive_each(s, visit, r, why) && !r->failed && results_finish(r))
        return r;
    if (why->n == 0)
        text_add(why, "out of memory");
    results_free(r);
    return NULL;
}
