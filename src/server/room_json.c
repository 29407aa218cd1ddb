// room_json: a room as a client sees it; see room_inside.h and docs/web-protocol.md.
#include "base/mem.h"
#include "base/now.h"
#include "server/room_inside.h"

static const char *const seat_words[] = {"person", "open", "computer"};
static const char *const end_words[] = {"", "rules", "resign", "agreement", "time", "failed"};

// --- parts ---

static bool is_online(const Room *room, int seat) {
    if (room->seats[seat].kind == SEAT_COMPUTER)
        return true;
    for (int i = 0; i < room->joined_count; i++)
        if (room->joined[i].seats >> seat & 1)
            return true;
    return false;
}

static void seats_json(const Room *room, const Client *c, Text *out) {
    text_add(out, ",\"seats\":[");
    for (int i = 0; i < room->seat_count; i++) {
        const Seat *seat = &room->seats[i];
        text_f(out, "%s{\"kind\":\"%s\",\"name\":", i ? "," : "", seat_words[seat->kind]);
        text_json(out, seat->name);
        if (seat->kind == SEAT_COMPUTER) {
            text_add(out, ",\"player\":");
            text_json(out, seat->player);
        }
        text_f(out, ",\"you\":%s,\"online\":%s}", room_sits(room, c, i) ? "true" : "false",
               is_online(room, i) ? "true" : "false");
    }
    text_char(out, ']');
}

static void params_json(const Room *room, Text *out) {
    text_add(out, ",\"params\":{");
    for (int i = 0; i < room->param_count; i++) {
        const char *p = room->params[i];
        size_t n = 0;
        while (p[n] && p[n] != '=')
            n++;
        Text name = {0};
        text_add_n(&name, p, n);
        text_add(out, i ? "," : "");
        text_json(out, text_c(&name));
        text_char(out, ':');
        text_json(out, p[n] ? p + n + 1 : "");
        text_free(&name);
    }
    text_char(out, '}');
}

static void make_move_json(Room *room, int ply) {
    RoomMove *m = &room->moves[ply];
    const uint8_t *before = record_state(room->record, ply);
    Text json = {0}, values = {0}, cells = {0};
    describe_move(games_runner(room->hub, room->loaded, GAMES_SECONDS), before,
                  record_move(room->record, ply), &values, NULL);
    describe_changed(room->loaded, before, record_state(room->record, ply + 1), &cells);
    text_add(&json, "{\"text\":");
    text_json(&json, room_line_text(m->line));
    text_f(&json, ",\"player\":%d,\"seconds\":%.2f,\"values\":%s,\"cells\":%s}",
           game_player(room->loaded, before), (double)m->seconds, text_c(&values), text_c(&cells));
    if (!json.failed && !values.failed && !cells.failed)
        m->json = mem_text(text_c(&json));
    text_free(&json);
    text_free(&values);
    text_free(&cells);
}

void room_moves_json(Room *room, Text *out) {
    text_char(out, '[');
    for (int i = 0; i < room->ply; i++) {
        if (!room->moves[i].json)
            make_move_json(room, i);
        if (!room->moves[i].json)
            out->failed = true;
        text_add(out, i ? "," : "");
        text_add(out, room->moves[i].json ? room->moves[i].json : "null");
    }
    text_char(out, ']');
}

static void clock_json(const Room *room, int turn, Text *out) {
    if (!room->clocked) {
        text_add(out, ",\"clock\":null");
        return;
    }
    text_add(out, ",\"clock\":{\"left\":[");
    for (int i = 0; i < room->seat_count; i++)
        text_f(out, "%s%.0f", i ? "," : "", room_left(room, i));
    if (turn >= 0 && room->since > 0)
        text_f(out, "],\"running\":%d", turn);
    else
        text_add(out, "],\"running\":null");
    text_f(out, ",\"increment\":%.0f}", room->increment);
}

static void thinking_json(const Room *room, Text *out) {
    if (room->thinking < 0)
        text_add(out, ",\"thinking\":null");
    else
        text_f(out, ",\"thinking\":{\"seat\":%d,\"seconds\":%.2f,\"limit\":%.2f}", room->thinking,
               now_seconds() - room->thinking_since, room->thinking_limit);
}

static void offer_json(const Room *room, Text *out) {
    static const char *const kinds[] = {
        [OFFER_DRAW] = "draw", [OFFER_TAKEBACK] = "takeback", [OFFER_RESTART] = "restart"};
    if (room->offer == OFFER_NONE) {
        text_add(out, ",\"offer\":null");
        return;
    }
    text_f(out, ",\"offer\":{\"kind\":\"%s\",\"by\":%d", kinds[room->offer], room->offer_seat);
    if (room->offer == OFFER_TAKEBACK)
        text_f(out, ",\"ply\":%d", room->offer_ply);
    text_char(out, '}');
}

static void ended_json(const Room *room, Text *out) {
    if (room->end == END_NONE) {
        text_add(out, ",\"ended\":null");
        return;
    }
    text_f(out, ",\"ended\":{\"by\":\"%s\",\"winners\":[", end_words[room->end]);
    for (int i = 0, n = 0; i < room->seat_count; i++)
        if (room->winners >> i & 1)
            text_f(out, "%s%d", n++ ? "," : "", i);
    text_add(out, "],\"text\":");
    text_json(out, room->end_text ? room->end_text : "");
    text_char(out, '}');
}

// --- what the client may do ---

static void add_can(Text *out, const char *word, bool can, int *n) {
    if (can)
        text_f(out, "%s\"%s\"", (*n)++ ? "," : "", word);
}

static void can_json(Room *room, const Client *c, int turn, Text *out) {
    uint32_t mine = room_seats_of(room, c), others = room_persons(room) & ~mine;
    bool alone = room_alone(room, c), over = room->end != END_NONE;
    bool settled = over && room->end != END_RULES && room->end != END_FAILED;
    bool owner = room_owns(room, (Client *)c), watching = room_all_computers(room);
    bool own_move = mine && room_back_ply(room, mine) >= 0;
    int n = 0;
    text_add(out, ",\"can\":[");
    add_can(out, "move", turn >= 0 && (mine >> turn & 1), &n);
    add_can(out, "undo", alone && !settled && own_move, &n);
    add_can(out, "redo", alone && !settled && room->known > room->ply, &n);
    add_can(out, "restart", alone || (watching && owner), &n);
    add_can(out, "again", room_may_ask_again(room, c), &n);
    add_can(out, "takeback", mine && others && !over && own_move && !room->offer, &n);
    add_can(out, "draw", mine && others && !over && !room->offer, &n);
    add_can(out, "answer", room->offer && (mine & ~room->agreed), &n);
    add_can(out, "resign", mine && !over && room->seat_count > 1, &n);
    add_can(out, "hint", turn >= 0 && ((mine >> turn & 1) || alone), &n);
    add_can(out, "seat", mine || owner, &n);
    add_can(out, "pace", watching && owner, &n);
    add_can(out, "step", watching && owner && !over && room->pace < 0, &n);
    text_char(out, ']');
}

static int watcher_count(const Room *room) {
    int n = 0;
    for (int i = 0; i < room->joined_count; i++)
        n += room->joined[i].seats == 0;
    return n;
}

static void options_json(Room *room, const Client *c, int turn, Text *out) {
    Text why = {0};
    Runner *r = games_runner(room->hub, room->loaded, GAMES_SECONDS);
    text_add(out, ",\"options\":");
    if (turn < 0 || !room_sits(room, c, turn) ||
        !describe_options(r, record_now(room->record), NULL, 0, out, &why))
        text_add(out, "null");
    text_free(&why);
}

// --- the whole ---

static void state_members(Room *room, const Client *c, Text *out) {
    int turn = room_turn(room);
    text_f(out, ",\"ply\":%d,\"redo\":%d,\"moves\":", room->ply, room->known - room->ply);
    room_moves_json(room, out);
    text_add(out, ",\"position\":");
    describe_record_position(room->record, games_runner(room->hub, room->loaded, GAMES_SECONDS),
                             out);
    options_json(room, c, turn, out);
    clock_json(room, turn, out);
    can_json(room, c, turn, out);
}

void room_members(Room *room, const Client *c, Text *out) {
    Text why = {0};
    bool loaded = room_load(room, &why);
    text_f(out, "\"room\":\"%s\",\"seq\":%lld,\"game\":", room->name, (long long)room->seq);
    text_json(out, room->game);
    text_add(out, ",\"title\":");
    text_json(out, room->title);
    params_json(room, out);
    seats_json(room, c, out);
    text_add(out, ",\"start\":");
    text_json(out, room->start ? room->start : "");
    if (loaded) {
        state_members(room, c, out);
        ended_json(room, out);
    } else {
        text_add(out, ",\"ply\":0,\"redo\":0,\"moves\":[],\"position\":null,\"options\":null,"
                      "\"clock\":null,\"can\":[],\"ended\":{\"by\":\"failed\",\"winners\":[],"
                      "\"text\":");
        text_json(out, text_c(&why));
        text_char(out, '}');
    }
    thinking_json(room, out);
    offer_json(room, out);
    if (room->pace >= 0)
        text_f(out, ",\"pace\":%.3g", room->pace);
    else
        text_add(out, ",\"pace\":null");
    text_f(out, ",\"watchers\":%d", watcher_count(room));
    text_free(&why);
}

void room_json(Room *room, const Client *c, Text *out) {
    text_char(out, '{');
    room_members(room, c, out);
    text_char(out, '}');
}

// All who only watch are told the same: it is written once.
void room_tell(Room *room) {
    Text same = {0};
    for (int i = 0; i < room->joined_count; i++) {
        Client *c = room->joined[i].client;
        bool watches = room->joined[i].seats == 0 && !room_owns(room, c);
        Text own = {0}, *out = watches ? &same : &own;
        if (!out->n)
            room_members(room, c, out);
        if (!out->failed)
            client_push(c, "room", text_c(out));
        text_free(&own);
    }
    text_free(&same);
}

bool room_text(Hub *hub, const char *name, Text *out, Text *why) {
    Room *room = room_find(hub, name);
    if (!room) {
        text_add(why, "there is no such room");
        return false;
    }
    if (!room_load(room, why))
        return false;
    record_save(room->record, (const char *const *)room->params, room->param_count, out);
    return true;
}
