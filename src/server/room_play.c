// room_play: moves, clocks, and computers on move; see room_inside.h.
#include "base/mem.h"
#include "base/now.h"
#include "server/room_inside.h"
#include "server/think.h"

#include <string.h>

#define THINK_SECONDS 60.0 // for a move without a clock; players have limits of their own
#define BUSY_SECONDS 1.0   // until a computer that found no place to think tries again

// --- clocks ---

double room_left(const Room *room, int seat) {
    double left = room->left[seat];
    if (room->since > 0 && room->record && room_turn((Room *)room) == seat)
        left -= (now_seconds() - room->since) * 1000;
    return left > 0 ? left : 0;
}

void room_settle_clock(Room *room) {
    int turn = room_turn(room);
    if (room->since > 0 && turn >= 0)
        room->left[turn] = room_left(room, turn);
    room->since = 0;
}

// Nobody's time runs before the first move, nor while somebody has yet to come.
static bool clock_runs(const Room *room) {
    for (int i = 0; i < room->seat_count; i++)
        if (room->seats[i].kind == SEAT_OPEN)
            return false;
    return room->clocked && room->ply > 0 && room->end == END_NONE;
}

static void start_clock(Room *room) {
    if (!clock_runs(room) || room->since > 0)
        return;
    int turn = room_turn(room);
    room->since = now_seconds();
    rooms_due(room, room->since + room->left[turn] / 1000);
}

void room_time_out(Room *room) {
    int turn = room_turn(room);
    Text text = {0};
    uint32_t all = ((uint32_t)1 << room->seat_count) - 1;
    if (turn < 0)
        return;
    room_settle_clock(room);
    text_f(&text, "%s ran out of time", room->loaded->ir->player[turn]);
    room_finish(room, END_TIME, all & ~((uint32_t)1 << turn), text_c(&text));
    text_free(&text);
}

// --- the end ---

void room_finish(Room *room, RoomEnd end, uint32_t winners, const char *text) {
    Text why = {0};
    char *copy = mem_text(text);
    room_stop_thinking(room);
    room_settle_clock(room);
    mem_free(room->end_text);
    room->end_text = copy;
    room->end = end;
    room->winners = winners;
    room->offer = OFFER_NONE;
    rooms_due(room, 0);
    room_keep(room, &why);
    text_free(&why);
    room_tell(room);
}

void room_fail(Room *room, const char *why) {
    Text ignored = {0};
    room->thinking = -1;
    if (room_load(room, &ignored) && room->end == END_NONE)
        room_finish(room, END_FAILED, 0, why);
    text_free(&ignored);
}

// --- computers ---

void room_stop_thinking(Room *room) {
    Think *think = hub_think(room->hub);
    if (room->thinking >= 0 && think)
        think_forget(think, room);
    room->thinking = -1;
}

// With a clock, a computer does not spend more than this of what it has left.
static double thinking_time(const Room *room, int seat) {
    if (!room->clocked)
        return THINK_SECONDS;
    double seconds = (room_left(room, seat) / 25 + room->increment * 0.8) / 1000;
    return seconds < 0.05 ? 0.05 : seconds;
}

static void begin_thinking(Room *room, int seat) {
    Text why = {0};
    Think *think = hub_think(room->hub);
    double limit = thinking_time(room, seat);
    room->thinking = -1;
    if (think && think_move(think, room, room->seats[seat].player, limit, &why)) {
        room->thinking = seat;
        room->thinking_since = now_seconds();
        room->thinking_limit = limit;
    } else {
        double again = now_seconds() + BUSY_SECONDS; // there is too much to do, or no memory
        rooms_due(room, room->due > 0 && room->due < again ? room->due : again);
    }
    text_free(&why);
}

static bool computer_waits(const Room *room) {
    return room_all_computers(room) && room->pace < 0 && !room->stepping;
}

void room_go_on(Room *room) {
    Text why = {0};
    if (!room_load(room, &why) || room->end != END_NONE) {
        room_stop_thinking(room);
        text_free(&why);
        return;
    }
    text_free(&why);
    start_clock(room);
    int turn = room_turn(room);
    bool computer = room->seats[turn].kind == SEAT_COMPUTER;
    if (!computer || computer_waits(room)) {
        room_stop_thinking(room);
        return;
    }
    // A room that nobody looks at waits, unless its clock runs.
    if (room->thinking != turn && (room->joined_count > 0 || room->since > 0))
        begin_thinking(room, turn);
}

void room_wake(Room *room, double now) {
    int turn = room->record ? room_turn(room) : -1;
    if (room->since > 0 && turn >= 0 && room_left(room, turn) <= 0) {
        room_time_out(room);
        return;
    }
    if (room->since > 0 && turn >= 0)
        rooms_due(room, now + room_left(room, turn) / 1000 + 0.001);
    int before = room->thinking;
    room_go_on(room);
    if (room->thinking != before)
        room_tell(room);
}

// --- moves ---

static bool line_of(Runner *r, const uint8_t *state, Move move, Text *line) {
    int64_t values[VM_MAX_CHOICES];
    int n = move_values(r, state, move, values, VM_MAX_CHOICES);
    for (int i = 0; i < n; i++)
        text_f(line, "%s%lld", i ? "," : "", (long long)values[i]);
    text_add(line, n > 0 ? " " : "- ");
    return n >= 0 && move_text(r, state, move, line) && !line->failed;
}

static bool store_line(Room *room, int ply, const char *line, double seconds, Text *why) {
    Text head = {0};
    rooms_touch(room);
    if (room->clocked)
        room_head(room, &head);
    StoredRoom stored = {.seq = room->seq + 1, .ply = ply + 1};
    stored.head = room->clocked ? text_c(&head) : NULL;
    stored.used = room->used = wall_clock();
    stored.rules = room->game[0] == '@' ? room->game + 1 : NULL;
    memcpy(stored.name, room->name, sizeof stored.name);
    bool ok =
        !head.failed && store_move(hub_rooms(room->hub)->store, &stored, ply, line, seconds, why);
    hub_rooms(room->hub)->broken |= !ok;
    text_free(&head);
    return ok;
}

// The move is legal. In memory first: if the store fails, the round is given up and the room is
// read again.
static bool play_line(Room *room, Move move, const char *line, double seconds, Text *why) {
    if (!record_play(room->record, move)) {
        text_add(why, runner_error(games_runner(room->hub, room->loaded, GAMES_SECONDS)));
        return false;
    }
    if (!room_add_move(room, room->ply, line, seconds)) {
        record_undo(room->record);
        text_f(why, "the game has more than %d moves", ROOM_PLIES);
        return false;
    }
    room->ply++;
    if (!store_line(room, room->ply - 1, line, seconds, why))
        return false;
    room->seq++;
    room->turn_since = now_seconds();
    room->offer = OFFER_NONE;
    room_refresh_end(room);
    return true;
}

static void after_move(Room *room) {
    room->thinking = -1;
    room->stepping = false;
    rooms_due(room, 0);
    bool computers = room_all_computers(room);
    if (computers && room->pace > 0 && room->end == END_NONE) {
        start_clock(room);
        double next = now_seconds() + room->pace;
        rooms_due(room, room->due > 0 && room->due < next ? room->due : next);
    } else {
        room_go_on(room);
    }
    room_tell(room);
}

bool room_play(Room *room, Move move, double seconds, Text *why) {
    if (!room_load(room, why))
        return false;
    Runner *r = games_runner(room->hub, room->loaded, GAMES_SECONDS);
    int turn = room_turn(room);
    if (turn < 0 || !runner_is_legal(r, record_now(room->record), move)) {
        text_add(why, turn < 0 ? "the game is over" : "the move is not legal");
        return false;
    }
    if (room->since > 0 && room_left(room, turn) <= 0) {
        room_time_out(room);
        text_add(why, "the time is over");
        return false;
    }
    Text line = {0};
    bool ok = line_of(r, record_now(room->record), move, &line);
    if (!ok)
        text_add(why, runner_error(r));
    if (ok && room->since > 0)
        seconds = now_seconds() - room->since;
    room_settle_clock(room);
    if (room->clocked && room->ply > 0)
        room->left[turn] += room->increment;
    if (ok && room->seats[turn].kind != SEAT_COMPUTER)
        room_stop_thinking(room);
    ok = ok && play_line(room, move, text_c(&line), seconds, why);
    text_free(&line);
    if (ok)
        after_move(room);
    return ok;
}

bool room_play_past(Room *room, Move move, Text *why) {
    Runner *r = games_runner(room->hub, room->loaded, GAMES_SECONDS);
    Text line = {0};
    bool ok = room_turn(room) >= 0 && line_of(r, record_now(room->record), move, &line) &&
              play_line(room, move, text_c(&line), 0, why);
    if (!ok && !why->n)
        text_add(why, room_turn(room) < 0 ? "the game is over" : runner_error(r));
    text_free(&line);
    return ok;
}

int room_back_ply(Room *room, uint32_t seats) {
    for (int ply = room->ply - 1; room->record && ply >= 0; ply--) {
        int player = game_player(room->loaded, record_state(room->record, ply));
        if (seats >> player & 1)
            return ply;
    }
    return -1;
}

bool room_go_to(Room *room, int ply, Text *why) {
    room_stop_thinking(room);
    room_settle_clock(room);
    while (room->ply > ply && record_undo(room->record))
        room->ply--;
    while (room->ply < ply && record_redo(room->record))
        room->ply++;
    room->offer = OFFER_NONE;
    room->turn_since = now_seconds();
    if (room->end == END_RULES || room->end == END_FAILED)
        room->end = END_NONE;
    room_refresh_end(room);
    if (!room_keep(room, why))
        return false;
    rooms_due(room, 0);
    room_go_on(room);
    room_tell(room);
    return true;
}
