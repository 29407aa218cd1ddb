// archive_contest: a contest as rows of the database. See archive_parts.h.
#include "match/archive_parts.h"
#include "match/contest_make.h"

#include "ludens.h"

#include <stdio.h>
#include <string.h>

bool archive_find(Archive *s, const char *title, Text *why) {
    sqlite3_stmt *q = archive_prepare(
        s, title ? "SELECT id FROM contests WHERE title = ?" : "SELECT max(id) FROM contests", why);
    if (!q)
        return false;
    if (title)
        archive_bind(q, 1, title);
    int step = sqlite3_step(q);
    s->id = step == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        archive_explain(s, why);
    sqlite3_finalize(q);
    return step == SQLITE_ROW || step == SQLITE_DONE;
}

// --- keeping ---

static bool keep_head(Archive *s, const Contest *c, Text *why) {
    sqlite3_stmt *q = archive_prepare(s,
                                      "INSERT INTO contests VALUES"
                                      " (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                                      why);
    if (!q)
        return false;
    archive_bind(q, 1, c->title);
    archive_bind(q, 2, contest_kind_name(c->kind));
    archive_bind_seed(q, 3, c->seed);
    sqlite3_bind_int64(q, 4, c->each);
    sqlite3_bind_int(q, 5, c->rounds);
    sqlite3_bind_int(q, 6, c->swap);
    sqlite3_bind_int(q, 7, c->opening_plies);
    sqlite3_bind_int(q, 8, c->plies);
    sqlite3_bind_int(q, 9, c->sprt.on);
    sqlite3_bind_double(q, 10, c->sprt.elo0);
    sqlite3_bind_double(q, 11, c->sprt.elo1);
    sqlite3_bind_double(q, 12, c->sprt.alpha);
    sqlite3_bind_double(q, 13, c->sprt.beta);
    archive_bind(q, 14, ludens_version());
    bool ok = archive_step(s, q, why);
    sqlite3_finalize(q);
    s->id = ok ? sqlite3_last_insert_rowid(s->db) : 0;
    return ok;
}

static bool keep_entrants(Archive *s, const Contest *c, Text *why) {
    sqlite3_stmt *q = archive_prepare(s, "INSERT INTO entrants VALUES (?,?,?,?,?,?,?,?,?,?)", why);
    bool ok = q != NULL;
    for (int i = 0; ok && i < c->entrants; i++) {
        const Entrant *e = &c->entrant[i];
        sqlite3_bind_int64(q, 1, s->id);
        sqlite3_bind_int(q, 2, i);
        archive_bind(q, 3, e->name);
        archive_bind(q, 4, e->text);
        sqlite3_bind_double(q, 5, e->time.move);
        sqlite3_bind_double(q, 6, e->time.game);
        sqlite3_bind_double(q, 7, e->time.increment);
        sqlite3_bind_double(q, 8, e->time.margin);
        sqlite3_bind_int64(q, 9, e->time.nodes);
        sqlite3_bind_int(q, 10, e->time.depth);
        ok = archive_step(s, q, why);
    }
    sqlite3_finalize(q);
    return ok;
}

static bool keep_rules(Archive *s, const Contest *c, Text *why) {
    sqlite3_stmt *q = archive_prepare(s, "INSERT INTO rules VALUES (?,?,?)", why);
    sqlite3_stmt *p = archive_prepare(s, "INSERT INTO parameters VALUES (?,?,?,?)", why);
    bool ok = q && p;
    for (int i = 0; ok && i < c->games; i++) {
        sqlite3_bind_int64(q, 1, s->id);
        sqlite3_bind_int(q, 2, i);
        archive_bind(q, 3, c->game[i].name);
        ok = archive_step(s, q, why);
        for (int k = 0; ok && k < c->game[i].param_count; k++) {
            sqlite3_bind_int64(p, 1, s->id);
            sqlite3_bind_int(p, 2, i);
            sqlite3_bind_int(p, 3, k);
            archive_bind(p, 4, c->game[i].params[k]);
            ok = archive_step(s, p, why);
        }
    }
    sqlite3_finalize(q);
    sqlite3_finalize(p);
    return ok;
}

bool archive_keep(Archive *s, const Contest *c, Text *why) {
    bool ok = archive_run(s, "BEGIN IMMEDIATE", why);
    if (!ok)
        return false;
    ok = keep_head(s, c, why) && keep_entrants(s, c, why) && keep_rules(s, c, why) &&
         archive_run(s, "COMMIT", why);
    if (!ok)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}

// --- loading: what is in the file is checked like any other input ---

static bool unsound(const Archive *s, Text *why, const char *what) {
    if (why->n == 0)
        text_f(why, "`%s` is damaged: %s", s->path, what);
    return false;
}

static bool within(int64_t value, int64_t low, int64_t high) {
    return value >= low && value <= high;
}

static bool load_head(Archive *s, Contest *c, Text *why) {
    sqlite3_stmt *q = archive_prepare(s, "SELECT * FROM contests WHERE id = ?", why);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, s->id);
    bool ok = sqlite3_step(q) == SQLITE_ROW && contest_set_title(c, archive_column(q, 1), why) &&
              contest_kind_read(archive_column(q, 2), &c->kind) &&
              within(sqlite3_column_int64(q, 4), 1, CONTEST_EACH) &&
              within(sqlite3_column_int64(q, 5), 0, CONTEST_ROUNDS) &&
              within(sqlite3_column_int64(q, 7), 0, CONTEST_OPENING_PLIES) &&
              within(sqlite3_column_int64(q, 8), 1, CONTEST_MOST_PLIES);
    if (ok) {
        c->seed = archive_seed(q, 3);
        c->each = sqlite3_column_int64(q, 4);
        c->rounds = sqlite3_column_int(q, 5);
        c->swap = sqlite3_column_int(q, 6) != 0;
        c->opening_plies = sqlite3_column_int(q, 7);
        c->plies = sqlite3_column_int(q, 8);
        c->sprt = (Sprt){sqlite3_column_int(q, 9) != 0, sqlite3_column_double(q, 10),
                         sqlite3_column_double(q, 11), sqlite3_column_double(q, 12),
                         sqlite3_column_double(q, 13)};
    }
    sqlite3_finalize(q);
    return ok || unsound(s, why, "the contest cannot be read");
}

static bool load_entrants(Archive *s, Contest *c, Text *why) {
    sqlite3_stmt *q =
        archive_prepare(s, "SELECT * FROM entrants WHERE contest = ? ORDER BY number", why);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, s->id);
    int step;
    bool ok = true;
    while (ok && (step = sqlite3_step(q)) == SQLITE_ROW) {
        ok = sqlite3_column_int64(q, 1) == c->entrants &&
             contest_add_entrant(c, archive_column(q, 2), archive_column(q, 3), why);
        if (ok)
            c->entrant[c->entrants - 1].time =
                (TimeControl){sqlite3_column_double(q, 4), sqlite3_column_double(q, 5),
                              sqlite3_column_double(q, 6), sqlite3_column_double(q, 7),
                              sqlite3_column_int64(q, 8),  sqlite3_column_int(q, 9)};
    }
    ok = ok && step == SQLITE_DONE && c->entrants >= 1;
    sqlite3_finalize(q);
    return ok || unsound(s, why, "the entrants cannot be read");
}

static bool load_params(Archive *s, Contest *c, const char *name, Text *why) {
    sqlite3_stmt *q = archive_prepare(
        s, "SELECT text FROM parameters WHERE contest = ? AND rules = ? ORDER BY number", why);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, s->id);
    sqlite3_bind_int(q, 2, c->games);
    char *params[CONTEST_PARAMS + 1] = {0};
    int n = 0, step;
    while ((step = sqlite3_step(q)) == SQLITE_ROW && n < CONTEST_PARAMS) {
        const char *text = archive_column(q, 0);
        if (!(params[n] = sqlite3_mprintf("%s", text)))
            break;
        n++;
    }
    bool ok = step == SQLITE_DONE && contest_add_game(c, name, (const char *const *)params, n, why);
    for (int i = 0; i < n; i++)
        sqlite3_free(params[i]);
    sqlite3_finalize(q);
    return ok;
}

static bool load_rules(Archive *s, Contest *c, Text *why) {
    sqlite3_stmt *q =
        archive_prepare(s, "SELECT number, game FROM rules WHERE contest = ? ORDER BY number", why);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, s->id);
    int step;
    bool ok = true;
    while (ok && (step = sqlite3_step(q)) == SQLITE_ROW)
        ok = sqlite3_column_int64(q, 0) == c->games && load_params(s, c, archive_column(q, 1), why);
    ok = ok && step == SQLITE_DONE && c->games >= 1;
    sqlite3_finalize(q);
    return ok || unsound(s, why, "the games to play cannot be read");
}

bool archive_load(Archive *s, Text *why) {
    Contest *c = contest_new();
    if (!c) {
        text_add(why, "out of memory");
        return false;
    }
    if (!load_head(s, c, why) || !load_entrants(s, c, why) || !load_rules(s, c, why)) {
        contest_free(c);
        return false;
    }
    contest_free(s->contest);
    s->contest = c;
    return true;
}

// --- comparing ---

static bool same_number(const char *what, double kept, double asked, Text *why) {
    if (kept == asked)
        return true;
    text_f(why, "%s: %.15g there, %.15g here", what, kept, asked);
    return false;
}

static bool same_text(const char *what, int number, const char *kept, const char *asked,
                      Text *why) {
    if (strcmp(kept ? kept : "", asked ? asked : "") == 0)
        return true;
    text_f(why, "%s %d: `%s` there, `%s` here", what, number + 1, kept, asked);
    return false;
}

static bool same_entrant(int i, const Entrant *a, const Entrant *b, Text *why) {
    char what[64];
    if (!same_text("name of entrant", i, a->name, b->name, why) ||
        !same_text("player of entrant", i, a->text, b->text, why))
        return false;
    snprintf(what, sizeof what, "time of entrant %d", i + 1);
    return same_number(what, a->time.move, b->time.move, why) &&
           same_number(what, a->time.game, b->time.game, why) &&
           same_number(what, a->time.increment, b->time.increment, why) &&
           same_number(what, a->time.margin, b->time.margin, why) &&
           same_number(what, (double)a->time.nodes, (double)b->time.nodes, why) &&
           same_number(what, a->time.depth, b->time.depth, why);
}

static bool same_rules(int i, const ContestGame *a, const ContestGame *b, Text *why) {
    if (!same_text("game", i, a->name, b->name, why) ||
        !same_number("parameters", a->param_count, b->param_count, why))
        return false;
    for (int k = 0; k < a->param_count; k++)
        if (!same_text("parameter", k, a->params[k], b->params[k], why))
            return false;
    return true;
}

bool archive_same(const Contest *a, const Contest *b, Text *why) {
    if (a->kind != b->kind) {
        text_f(why, "%s there, %s here", contest_kind_name(a->kind), contest_kind_name(b->kind));
        return false;
    }
    if (a->seed != b->seed) {
        text_f(why, "seed %llu there, %llu here", (unsigned long long)a->seed,
               (unsigned long long)b->seed);
        return false;
    }
    if (!same_number("entrants", a->entrants, b->entrants, why) ||
        !same_number("kinds of games", a->games, b->games, why) ||
        !same_number("games of a pair", (double)a->each, (double)b->each, why) ||
        !same_number("rounds", a->rounds, b->rounds, why) ||
        !same_number("seats changed", a->swap, b->swap, why) ||
        !same_number("moves of the opening", a->opening_plies, b->opening_plies, why) ||
        !same_number("moves of the longest game", a->plies, b->plies, why) ||
        !same_number("sprt", a->sprt.on, b->sprt.on, why) ||
        !same_number("elo0", a->sprt.elo0, b->sprt.elo0, why) ||
        !same_number("elo1", a->sprt.elo1, b->sprt.elo1, why) ||
        !same_number("alpha", a->sprt.alpha, b->sprt.alpha, why) ||
        !same_number("beta", a->sprt.beta, b->sprt.beta, why))
        return false;
    for (int i = 0; i < a->entrants; i++)
        if (!same_entrant(i, &a->entrant[i], &b->entrant[i], why))
            return false;
    for (int i = 0; i < a->games; i++)
        if (!same_rules(i, &a->game[i], &b->game[i], why))
            return false;
    return true;
}
