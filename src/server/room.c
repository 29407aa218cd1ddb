// room: one game being played: its record, its clients, its end; see room_inside.h.
#include "base/mem.h"
#include "server/room_inside.h"
#include "server/think.h"

#include "base/now.h"
#include "game/statetext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- memory ---

static void free_move(RoomMove *m) {
    mem_free(m->line);
    mem_free(m->json);
    *m = (RoomMove){0};
}

void room_cut(Room *room, int ply) {
    while (room->known > ply)
        free_move(&room->moves[--room->known]);
}

void room_unload(Room *room) {
    record_free(room->record);
    room->record = NULL;
    games_drop(room->hub, room->loaded);
    room->loaded = NULL;
    for (int i = 0; i < room->known; i++) {
        mem_free(room->moves[i].json);
        room->moves[i].json = NULL;
    }
}

void room_clear(Room *room) {
    room_unload(room);
    room_cut(room, 0);
    mem_free(room->moves);
    room->moves = NULL;
    room->move_cap = room->ply = 0;
    mem_free(room->game);
    free_params(room->params, room->param_count);
    for (int i = 0; i < IR_MAX_PLAYERS; i++) {
        mem_free(room->seats[i].player);
        room->seats[i] = (Seat){0};
    }
    mem_free(room->start);
    mem_free(room->title);
    mem_free(room->end_text);
    mem_free(room->unplayable);
    room->game = room->start = room->title = room->end_text = room->unplayable = NULL;
    room->params = NULL;
    room->param_count = room->seat_count = 0;
    room->end = END_NONE;
    room->winners = 0;
    room->clocked = false;
}

void room_free(Room *room) {
    room_clear(room);
    mem_free(room->joined);
    mem_free(room);
}

// --- moves as they are stored ---

bool room_add_move(Room *room, int at, const char *line, double seconds) {
    if (at >= ROOM_PLIES)
        return false;
    room_cut(room, at);
    if (at == room->move_cap) {
        int cap = at ? 2 * at : 32;
        RoomMove *moves = mem_resize(room->moves, sizeof *moves * (size_t)cap);
        if (!moves)
            return false;
        room->moves = moves;
        room->move_cap = cap;
    }
    char *copy = mem_text(line);
    if (!copy)
        return false;
    room->moves[at] = (RoomMove){.line = copy, .seconds = (float)seconds};
    room->known = at + 1;
    return true;
}

bool room_values(const char *line, int64_t *values, int *count) {
    *count = 0;
    if (line[0] == '-' && (line[1] == ' ' || !line[1]))
        return true;
    for (const char *s = line;; s++) {
        char *end;
        long long v = strtoll(s, &end, 10);
        if (end == s || *count == ROOM_VALUES)
            return false;
        values[(*count)++] = v;
        s = end;
        if (*s != ',')
            return *s == ' ' || !*s;
    }
}

const char *room_line_text(const char *line) {
    const char *blank = strchr(line, ' ');
    return blank ? blank + 1 : "";
}

bool room_move_of(Runner *r, const uint8_t *state, const int64_t *values, int count, Move *move,
                  Text *why) {
    MoveOptions options;
    int64_t own[VM_MAX_CHOICES];
    bool ok = count <= VM_MAX_CHOICES && move_options(r, state, values, count, &options) &&
              options.complete &&
              move_values(r, state, options.move, own, VM_MAX_CHOICES) == count &&
              runner_is_legal(r, state, options.move);
    if (ok)
        *move = options.move;
    else if (!move_why(r, state, values, count, why))
        text_add(why, "the move is not complete");
    return ok;
}

// --- the record ---

static bool replay(Record *record, Runner *r, const RoomMove *moves, int n, int ply, Text *why) {
    for (int i = 0; i < n; i++) {
        int64_t values[ROOM_VALUES];
        int count;
        Move move;
        Text reason = {0};
        bool ok = room_values(moves[i].line, values, &count) &&
                  room_move_of(r, record_now(record), values, count, &move, &reason) &&
                  record_play(record, move);
        if (!ok)
            text_f(why, "move %d, %s, cannot be played any more: %s", i + 1,
                   room_line_text(moves[i].line), reason.n ? text_c(&reason) : runner_error(r));
        text_free(&reason);
        if (!ok)
            return false;
    }
    for (int i = n; i > ply; i--)
        record_undo(record);
    return true;
}

Record *room_replay(Runner *r, const char *start, const RoomMove *moves, int count, int ply,
                    Text *why) {
    const Game *g = runner_game(r);
    uint8_t *state = mem_alloc((size_t)game_state_size(g));
    Record *record = NULL;
    bool ok = state != NULL;
    if (ok && start && start[0])
        ok = state_read(g, start, state, why);
    else if (ok)
        memcpy(state, g->start, (size_t)game_state_size(g));
    if (ok)
        record = record_new(r, state);
    mem_free(state);
    if (record && replay(record, r, moves, count, ply, why))
        return record;
    if (!why->n)
        text_add(why, "out of memory");
    record_free(record);
    return NULL;
}

static bool make_record(Room *room, Text *why) {
    if (room->loaded->ir->players != room->seat_count) {
        text_add(why, "the rules have changed");
        return false;
    }
    Runner *r = games_runner(room->hub, room->loaded, GAMES_SETUP);
    room->record = room_replay(r, room->start, room->moves, room->known, room->ply, why);
    return room->record != NULL;
}

bool room_adopt(Room *room, Record *record) {
    Text ignored = {0};
    if (!room->loaded)
        room->loaded =
            games_take_list(room->hub, room->game, room->params, room->param_count, &ignored);
    text_free(&ignored);
    if (!room->loaded || room->loaded->ir->players != room->seat_count)
        return false;
    record_use(record, games_runner(room->hub, room->loaded, GAMES_SECONDS));
    room->record = record;
    room->looked = now_seconds();
    games_speed_up(room->hub, room->loaded);
    room_refresh_end(room);
    return true;
}

bool room_load(Room *room, Text *why) {
    room->looked = now_seconds();
    if (room->record) {
        games_runner(room->hub, room->loaded, GAMES_SECONDS);
        return true;
    }
    if (room->unplayable) { // to find that out may have taken long
        text_add(why, room->unplayable);
        return false;
    }
    if (!room->loaded)
        room->loaded = games_take_list(room->hub, room->game, room->params, room->param_count, why);
    if (room->loaded && make_record(room, why)) {
        games_runner(room->hub, room->loaded, GAMES_SECONDS);
        games_speed_up(room->hub, room->loaded);
        room_refresh_end(room);
        return true;
    }
    room_unload(room);
    if (strcmp(text_c(why), "out of memory") != 0) // what may be otherwise the next time
        room->unplayable = mem_text(text_c(why));
    return false;
}

const Game *room_game(Room *room) {
    Text why = {0};
    bool ok = room_load(room, &why);
    text_free(&why);
    return ok ? room->loaded : NULL;
}

Runner *room_runner(Room *room) {
    return room_game(room) ? games_runner(room->hub, room->loaded, GAMES_SECONDS) : NULL;
}

Record *room_record(Room *room) {
    return room_game(room) ? room->record : NULL;
}

Seat *room_seat(Room *room, int seat) {
    return seat >= 0 && seat < room->seat_count ? &room->seats[seat] : NULL;
}

const char *room_name(const Room *room) {
    return room->name;
}

int64_t room_seq(const Room *room) {
    return room->seq;
}

int64_t room_account(const Room *room, const char **address) {
    *address = room->from;
    return room->came;
}

// --- clients ---

ClientRooms *client_rooms(Client *c) {
    void **slot = client_slot(c, PART_rooms);
    if (!*slot)
        *slot = mem_alloc(sizeof(ClientRooms));
    return *slot;
}

const char *client_page(Client *c) {
    const ClientRooms *mine = client_rooms(c);
    return mine ? mine->page : "";
}

static Joined *joined_of(const Room *room, const Client *c) {
    for (int i = 0; i < room->joined_count; i++)
        if (room->joined[i].client == c)
            return &room->joined[i];
    return NULL;
}

bool room_joined(const Room *room, const Client *c) {
    return joined_of(room, c) != NULL;
}

static bool note_room(ClientRooms *mine, Room *room) {
    if (mine->count == mine->cap) {
        int cap = mine->cap ? 2 * mine->cap : 4;
        Room **rooms = mem_resize(mine->rooms, sizeof *rooms * (size_t)cap);
        if (!rooms)
            return false;
        mine->rooms = rooms;
        mine->cap = cap;
    }
    mine->rooms[mine->count++] = room;
    return true;
}

Joined *room_join(Room *room, Client *c) {
    Joined *j = joined_of(room, c);
    ClientRooms *mine = client_rooms(c);
    if (j || !mine || room->joined_count == ROOM_JOINED || mine->count == ROOM_OF_CLIENT)
        return j;
    if (room->joined_count == room->joined_cap) {
        int cap = room->joined_cap ? 2 * room->joined_cap : 2;
        Joined *joined = mem_resize(room->joined, sizeof *joined * (size_t)cap);
        if (!joined)
            return NULL;
        room->joined = joined;
        room->joined_cap = cap;
    }
    if (!note_room(mine, room))
        return NULL;
    if (room->joined_count == 0) {
        snprintf(room->from, sizeof room->from, "%s", client_address(c));
        room->came = client_number(c);
    }
    j = &room->joined[room->joined_count++];
    *j = (Joined){.client = c};
    return j;
}

void room_part(Room *room, const Client *c) {
    for (int i = 0; i < room->joined_count; i++)
        if (room->joined[i].client == c)
            room->joined[i--] = room->joined[--room->joined_count];
    ClientRooms *mine = *client_slot((Client *)c, PART_rooms);
    for (int i = 0; mine && i < mine->count; i++)
        if (mine->rooms[i] == room)
            mine->rooms[i--] = mine->rooms[--mine->count];
    room->looked = now_seconds();
    // Nobody waits for the move, unless somebody's time runs; it is begun anew when somebody comes.
    if (room->joined_count == 0 && room->since == 0)
        room_stop_thinking(room);
}

uint32_t room_persons(const Room *room) {
    uint32_t persons = 0;
    for (int i = 0; i < room->seat_count; i++)
        if (room->seats[i].kind != SEAT_COMPUTER)
            persons |= (uint32_t)1 << i;
    return persons;
}

uint32_t room_keys_of(const Room *room, const Client *c) {
    const Joined *j = joined_of(room, c);
    return j ? j->seats : 0;
}

uint32_t room_seats_of(const Room *room, const Client *c) {
    uint32_t seats = room_keys_of(room, c);
    for (int i = 0; i < room->seat_count; i++)
        if (room->seats[i].kind != SEAT_PERSON)
            seats &= ~((uint32_t)1 << i);
    return seats;
}

bool room_sits(const Room *room, const Client *c, int seat) {
    return seat >= 0 && seat < room->seat_count && (room_seats_of(room, c) >> seat & 1);
}

bool room_alone(const Room *room, const Client *c) {
    uint32_t persons = room_persons(room);
    return persons && (room_seats_of(room, c) & persons) == persons;
}

bool room_may_ask_again(const Room *room, const Client *c) {
    uint32_t mine = room_seats_of(room, c), others = room_persons(room) & ~mine;
    bool asked = room->offer == OFFER_RESTART && !(mine & ~room->agreed);
    return mine && others && room->end != END_NONE && !asked;
}

bool room_owns(const Room *room, Client *c) {
    const ClientRooms *mine = client_rooms(c);
    return room->opener == client_number(c) ||
           (mine && mine->page[0] && strcmp(mine->page, room->owner) == 0);
}

bool room_all_computers(const Room *room) {
    return room_persons(room) == 0;
}

// --- the end ---

int room_turn(Room *room) {
    return room->end || !room->record ? -1 : game_player(room->loaded, record_now(room->record));
}

void room_refresh_end(Room *room) {
    if (room->end != END_NONE && room->end != END_RULES && room->end != END_FAILED)
        return;
    int result = record_result(room->record);
    Text words = {0};
    if (result > 0)
        game_result_text(room->loaded, result, &words);
    else if (result < 0)
        text_f(&words, "the rules fail: %s", record_reason(room->record));
    room->end = result < 0 ? END_FAILED : result > 0 ? END_RULES : END_NONE;
    room->winners = result > 0 ? (uint32_t)(result & ~RESULT_OVER) : 0;
    mem_free(room->end_text);
    room->end_text = mem_text(text_c(&words));
    text_free(&words);
}
