// archive_games: games into the database and out of it. See archive.h.
#include "match/archive_parts.h"
#include "match/contest_make.h"

#include "ludens.h"

#include <string.h>

// --- in ---

bool archive_has(const Archive *s, int64_t number) {
    if (!s->has)
        return false;
    sqlite3_mutex *mutex = sqlite3_db_mutex(s->db);
    sqlite3_mutex_enter(mutex);
    sqlite3_bind_int64(s->has, 1, s->id);
    sqlite3_bind_int64(s->has, 2, number);
    bool there = sqlite3_step(s->has) == SQLITE_ROW;
    sqlite3_reset(s->has);
    sqlite3_mutex_leave(mutex);
    return there;
}

static bool add_game(const Archive *s, const Played *p, Text *why) {
    sqlite3_stmt *q = s->game;
    sqlite3_bind_int64(q, 1, s->id);
    sqlite3_bind_int64(q, 2, p->pairing.number);
    sqlite3_bind_int(q, 3, p->pairing.round);
    sqlite3_bind_int(q, 4, p->pairing.game);
    sqlite3_bind_int(q, 5, p->result);
    archive_bind(q, 6, ending_name(p->ending));
    if (p->culprit >= 0)
        sqlite3_bind_int(q, 7, p->culprit);
    else
        sqlite3_bind_null(q, 7);
    archive_bind(q, 8, text_c(&p->reason));
    archive_bind_seed(q, 9, p->pairing.opening);
    archive_bind_seed(q, 10, p->pairing.seed);
    sqlite3_bind_int(q, 11, p->openings);
    sqlite3_bind_int(q, 12, p->moves);
    sqlite3_bind_double(q, 13, p->began);
    sqlite3_bind_double(q, 14, p->ended);
    archive_bind(q, 15, ludens_version());
    archive_bind(q, 16, text_c(&p->record));
    archive_bind(q, 17, text_c(&p->log));
    int step = sqlite3_step(q);
    sqlite3_reset(q);
    if (step == SQLITE_CONSTRAINT)
        text_f(why, "game %lld is in `%s` already", (long long)p->pairing.number, s->path);
    else if (step != SQLITE_DONE)
        archive_explain(s, why);
    return step == SQLITE_DONE;
}

static bool add_seats(const Archive *s, const Played *p, Text *why) {
    for (int i = 0; i < IR_MAX_PLAYERS && p->pairing.seat[i] >= 0; i++) {
        sqlite3_bind_int64(s->seat, 1, s->id);
        sqlite3_bind_int64(s->seat, 2, p->pairing.number);
        sqlite3_bind_int(s->seat, 3, i);
        sqlite3_bind_int(s->seat, 4, p->pairing.seat[i]);
        sqlite3_bind_double(s->seat, 5, p->seconds[i]);
        if (!archive_step(s, s->seat, why))
            return false;
    }
    return true;
}

static bool add_moves(const Archive *s, const Played *p, Text *why) {
    for (int i = 0; i < p->moves; i++) {
        const PlayedMove *m = &p->move[i];
        sqlite3_bind_int64(s->move, 1, s->id);
        sqlite3_bind_int64(s->move, 2, p->pairing.number);
        sqlite3_bind_int(s->move, 3, i);
        sqlite3_bind_double(s->move, 4, m->seconds);
        if (m->known) {
            sqlite3_bind_int64(s->move, 5, m->nodes);
            sqlite3_bind_int(s->move, 6, m->depth);
            sqlite3_bind_int(s->move, 7, m->value);
        } else {
            for (int k = 5; k <= 7; k++)
                sqlite3_bind_null(s->move, k);
        }
        if (!archive_step(s, s->move, why))
            return false;
    }
    return true;
}

// What would not come out again does not go in.
static bool is_sound(const Archive *s, const Played *p, Text *why) {
    const char *wrong = NULL;
    if (p->ending == END_STOPPED)
        wrong = "it was stopped";
    else if (p->reason.failed || p->record.failed || p->log.failed)
        wrong = "out of memory";
    else if (p->pairing.game < 0 || p->pairing.game >= s->contest->games)
        wrong = "there is no such kind of game";
    for (int i = 0; i < IR_MAX_PLAYERS; i++)
        if (p->pairing.seat[i] >= s->contest->entrants)
            wrong = "there is no such entrant";
    if (wrong)
        text_f(why, "game %lld cannot be kept: %s", (long long)p->pairing.number, wrong);
    return !wrong;
}

static bool add_one(const Archive *s, const Played *p, Text *why) {
    return is_sound(s, p, why) && add_game(s, p, why) && add_seats(s, p, why) &&
           add_moves(s, p, why);
}

bool archive_add_all(Archive *s, const Played *const *played, int count, Text *why) {
    if (!s->game) {
        text_f(why, "`%s` is open for reading only", s->path);
        return false;
    }
    sqlite3_mutex *mutex = sqlite3_db_mutex(s->db);
    sqlite3_mutex_enter(mutex);
    bool began = archive_run(s, "BEGIN IMMEDIATE", why), ok = began;
    for (int i = 0; ok && i < count; i++)
        ok = add_one(s, played[i], why);
    ok = ok && archive_run(s, "COMMIT", why);
    if (began && !ok)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_mutex_leave(mutex);
    return ok;
}

bool archive_add(Archive *s, const Played *played, Text *why) {
    return archive_add_all(s, &played, 1, why);
}

// --- out ---

typedef struct Reading {
    Archive *s;
    sqlite3_stmt *game, *seat, *move;
} Reading;

static bool read_ending(const char *word, Ending *ending) {
    for (Ending e = END_RULES; e <= END_STOPPED; e++)
        if (strcmp(ending_name(e), word) == 0) {
            *ending = e;
            return true;
        }
    return false;
}

static void read_text(sqlite3_stmt *q, int at, Text *out) {
    text_add(out, archive_column(q, at));
}

static bool read_seats(const Reading *r, Played *p) {
    for (int i = 0; i < IR_MAX_PLAYERS; i++)
        p->pairing.seat[i] = -1;
    sqlite3_bind_int64(r->seat, 1, r->s->id);
    sqlite3_bind_int64(r->seat, 2, p->pairing.number);
    int step;
    bool ok = true;
    for (int i = 0; (step = sqlite3_step(r->seat)) == SQLITE_ROW; i++) {
        int64_t entrant = sqlite3_column_int64(r->seat, 1);
        ok = ok && i < IR_MAX_PLAYERS && sqlite3_column_int64(r->seat, 0) == i && entrant >= 0 &&
             entrant < r->s->contest->entrants;
        if (!ok)
            break;
        p->pairing.seat[i] = (int)entrant;
        p->seconds[i] = sqlite3_column_double(r->seat, 2);
    }
    sqlite3_reset(r->seat);
    return ok && step == SQLITE_DONE;
}

static bool read_moves(const Reading *r, Played *p) {
    p->move = mem_alloc((size_t)(p->moves + 1) * sizeof *p->move);
    if (!p->move)
        return false;
    sqlite3_bind_int64(r->move, 1, r->s->id);
    sqlite3_bind_int64(r->move, 2, p->pairing.number);
    int n = 0;
    while (n <= p->moves && sqlite3_step(r->move) == SQLITE_ROW && n < p->moves)
        p->move[n++] = (PlayedMove){
            .seconds = sqlite3_column_double(r->move, 0),
            .nodes = sqlite3_column_int64(r->move, 1),
            .depth = (int16_t)sqlite3_column_int(r->move, 2),
            .value = sqlite3_column_int(r->move, 3),
            .known = sqlite3_column_type(r->move, 3) != SQLITE_NULL,
        };
    sqlite3_reset(r->move);
    return n == p->moves;
}

static bool read_game(const Reading *r, Played *p) {
    sqlite3_stmt *q = r->game;
    int64_t rules = sqlite3_column_int64(q, 2), openings = sqlite3_column_int64(q, 9),
            moves = sqlite3_column_int64(q, 10);
    p->pairing.number = sqlite3_column_int64(q, 0);
    p->pairing.round = sqlite3_column_int(q, 1);
    p->result = sqlite3_column_int(q, 3) & 0xFF;
    p->culprit = sqlite3_column_type(q, 5) == SQLITE_NULL ? -1 : sqlite3_column_int(q, 5);
    p->pairing.opening = archive_seed(q, 7);
    p->pairing.seed = archive_seed(q, 8);
    p->began = sqlite3_column_double(q, 11);
    p->ended = sqlite3_column_double(q, 12);
    if (!read_ending(archive_column(q, 4), &p->ending) || rules < 0 ||
        rules >= r->s->contest->games || openings < 0 || openings > moves ||
        moves > 2 * CONTEST_MOST_PLIES || p->culprit < -1 || p->culprit >= IR_MAX_PLAYERS)
        return false;
    p->pairing.game = (int)rules;
    p->openings = (int)openings;
    p->moves = (int)moves;
    read_text(q, 6, &p->reason);
    read_text(q, 13, &p->record);
    read_text(q, 14, &p->log);
    return read_seats(r, p) && read_moves(r, p);
}

static bool read_all(const Reading *r, ArchiveVisit *visit, void *with, Text *why) {
    int step;
    sqlite3_bind_int64(r->game, 1, r->s->id);
    while ((step = sqlite3_step(r->game)) == SQLITE_ROW) {
        Played p = {0};
        bool ok = read_game(r, &p);
        if (!ok)
            text_f(why, "`%s` is damaged: game %lld cannot be read", r->s->path,
                   (long long)p.pairing.number);
        bool more = ok && visit(with, &p);
        played_free(&p);
        if (!more)
            return ok;
    }
    if (step != SQLITE_DONE)
        archive_explain(r->s, why);
    return step == SQLITE_DONE;
}

bool archive_each(Archive *s, ArchiveVisit *visit, void *with, Text *why) {
    sqlite3_mutex *mutex = sqlite3_db_mutex(s->db);
    sqlite3_mutex_enter(mutex);
    Reading r = {
        s,
        archive_prepare(s,
                        "SELECT number, round, rules, result, ending, culprit, reason, opening,"
                        " seed, openings, moves, began, ended, record, log FROM games"
                        " WHERE contest = ? ORDER BY number",
                        why),
        archive_prepare(s,
                        "SELECT seat, entrant, seconds FROM seats"
                        " WHERE contest = ? AND game = ? ORDER BY seat",
                        why),
        archive_prepare(s,
                        "SELECT seconds, nodes, depth, value FROM moves"
                        " WHERE contest = ? AND game = ? ORDER BY ply",
                        why),
    };
    bool ok = r.game && r.seat && r.move && read_all(&r, visit, with, why);
    sqlite3_finalize(r.game);
    sqlite3_finalize(r.seat);
    sqlite3_finalize(r.move);
    sqlite3_mutex_leave(mutex);
    return ok;
}
