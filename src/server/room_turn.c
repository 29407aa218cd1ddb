// room_turn: what pages do to a game: moves, offers, seats; see docs/web-protocol.md.
#include "base/mem.h"
#include "base/now.h"
#include "server/room_inside.h"

#include <stdio.h>
#include <string.h>

// --- answers ---

void reply_seq(Client *c, int64_t id, const Room *room) {
    char members[48];
    snprintf(members, sizeof members, "\"seq\":%lld", (long long)room->seq);
    client_reply(c, id, members);
}

void reply_kept(Client *c, int64_t id, const Room *room, bool kept, Text *why) {
    if (kept)
        reply_seq(c, id, room);
    else
        client_error(c, id, "failed", NULL, "%s", text_c(why));
    text_free(why);
}

bool reply_denied(Client *c, int64_t id, const char *why) {
    client_error(c, id, "denied", NULL, "%s", why);
    return false;
}

// A room that is as the client believes it is.
bool in_turn(Client *c, int64_t id, const cJSON *in, Room **room) {
    return in_loaded(c, id, in, room) && in_seq(c, id, in, *room);
}

// --- moves ---

static bool read_move(Client *c, int64_t id, const cJSON *in, Room *room, Move *move) {
    Runner *r = games_runner(room->hub, room->loaded, GAMES_SECONDS);
    const uint8_t *state = record_now(room->record);
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(in, "text");
    int64_t values[ROOM_VALUES];
    int count;
    Text why = {0};
    bool ok;
    if (cJSON_IsString(text)) {
        ok = move_read(r, state, text->valuestring, move, &why);
    } else {
        if (!in_values(c, id, in, values, &count))
            return false;
        ok = room_move_of(r, state, values, count, move, &why);
    }
    if (!ok)
        client_error(c, id, "illegal", NULL, "%s", text_c(&why));
    text_free(&why);
    return ok;
}

void hub_do_move(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    Move move;
    (void)hub;
    if (!in_turn(client, id, in, &room))
        return;
    if (room->end != END_NONE) {
        client_error(client, id, "illegal", NULL, "the game is over");
        return;
    }
    if (!room_sits(room, client, room_turn(room))) {
        reply_denied(client, id, "it is not your turn");
        return;
    }
    if (!read_move(client, id, in, room, &move))
        return;
    Text why = {0};
    double seconds = now_seconds() - room->turn_since;
    if (room_play(room, move, seconds, &why))
        reply_seq(client, id, room);
    else
        client_error(client, id, room->end ? "illegal" : "failed", NULL, "%s", text_c(&why));
    text_free(&why);
}

// --- going back and forth, for those who are alone ---

static bool may_turn_back(Client *c, int64_t id, const cJSON *in, Room **room) {
    if (!in_turn(c, id, in, room))
        return false;
    if (!room_alone(*room, c))
        return reply_denied(c, id, "others play here, too: offer to take back");
    if ((*room)->end != END_NONE && (*room)->end != END_RULES && (*room)->end != END_FAILED) {
        client_error(c, id, "illegal", NULL, "the game is over");
        return false;
    }
    return true;
}

void hub_do_undo(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    (void)hub;
    if (!may_turn_back(client, id, in, &room))
        return;
    int ply = room_back_ply(room, room_seats_of(room, client));
    if (ply < 0) {
        client_error(client, id, "illegal", NULL, "there is no move of yours to take back");
        return;
    }
    Text why = {0};
    bool kept = room_go_to(room, ply, &why);
    reply_kept(client, id, room, kept, &why);
}

// Forward to the next own choice, or to the end of what is known.
static int forward_ply(Room *room, uint32_t seats) {
    int ply = room->ply + 1;
    while (ply < room->known) {
        int player = game_player(room->loaded, record_state(room->record, ply));
        if (seats >> player & 1)
            break;
        ply++;
    }
    return ply;
}

void hub_do_redo(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    (void)hub;
    if (!may_turn_back(client, id, in, &room))
        return;
    if (room->known == room->ply) {
        client_error(client, id, "illegal", NULL, "there is nothing to redo");
        return;
    }
    Text why = {0};
    bool kept = room_go_to(room, forward_ply(room, room_seats_of(room, client)), &why);
    reply_kept(client, id, room, kept, &why);
}

static bool begin_anew(Room *room, Text *why) {
    room_stop_thinking(room);
    room_settle_clock(room);
    for (int i = 0; i < room->seat_count; i++)
        room->left[i] = room->whole;
    room->end = END_NONE;
    return room_go_to(room, 0, why);
}

// --- offers ---

static int lowest_seat(uint32_t seats) {
    return seats ? __builtin_ctz(seats) : -1;
}

static void make_offer(Room *room, OfferKind kind, uint32_t mine, int ply) {
    room->offer = kind;
    room->offer_seat = lowest_seat(mine);
    room->offer_ply = ply;
    room->agreed = mine;
    room_tell(room);
}

static void offer(Client *c, int64_t id, const cJSON *in, OfferKind kind) {
    Room *room;
    if (!in_turn(c, id, in, &room))
        return;
    uint32_t mine = room_seats_of(room, c), others = room_persons(room) & ~mine;
    int ply = mine ? room_back_ply(room, mine) : -1;
    if (!mine || !others) {
        reply_denied(c, id, mine ? "there is nobody to ask" : "you have no seat here");
        return;
    }
    if (room->end != END_NONE || room->offer || (kind == OFFER_TAKEBACK && ply < 0)) {
        client_error(c, id, "illegal", NULL,
                     room->end     ? "the game is over"
                     : room->offer ? "there is an offer already"
                                   : "there is no move of yours to take back");
        return;
    }
    make_offer(room, kind, mine, ply);
    reply_seq(c, id, room);
}

void hub_do_takeback(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub;
    offer(client, id, in, OFFER_TAKEBACK);
}

void hub_do_draw(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub;
    offer(client, id, in, OFFER_DRAW);
}

static bool carry_out(Room *room, Text *why) {
    OfferKind kind = room->offer;
    room->offer = OFFER_NONE;
    if (kind == OFFER_RESTART)
        return begin_anew(room, why);
    if (kind == OFFER_DRAW) {
        room_finish(room, END_AGREEMENT, 0, "a draw by agreement");
        return true;
    }
    return room_go_to(room, room->offer_ply, why);
}

static bool agree(Room *room, uint32_t seats, Text *why) {
    room->agreed |= seats;
    if ((room->agreed & room_persons(room)) == room_persons(room))
        return carry_out(room, why);
    room_tell(room);
    return true;
}

void hub_do_answer(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    (void)hub;
    if (!in_turn(client, id, in, &room))
        return;
    const cJSON *yes = cJSON_GetObjectItemCaseSensitive(in, "yes");
    uint32_t mine = room_seats_of(room, client);
    if (!cJSON_IsBool(yes)) {
        client_error(client, id, "bad", NULL, "`yes` is true or false");
        return;
    }
    if (!room->offer || !mine) {
        client_error(client, id, room->offer ? "denied" : "illegal", NULL,
                     room->offer ? "you have no seat here" : "there is no offer");
        return;
    }
    Text why = {0};
    bool ok = true;
    // Whoever made the offer can only withdraw it: consent is that of the others.
    if (cJSON_IsTrue(yes)) {
        ok = agree(room, mine, &why);
    } else {
        room->offer = OFFER_NONE;
        room_tell(room);
    }
    reply_kept(client, id, room, ok, &why);
}

// Where others play, too, it is an offer to them, or the answer to theirs.
void hub_do_restart(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    (void)hub;
    if (!in_turn(client, id, in, &room))
        return;
    bool own = room_all_computers(room) && room_owns(room, client);
    bool alone = room_alone(room, client) || own, ok = true;
    uint32_t mine = room_seats_of(room, client);
    if (!alone && !room_may_ask_again(room, client)) {
        reply_denied(client, id,
                     mine && room->offer ? "there is an offer already" : "others play here, too");
        return;
    }
    Text why = {0};
    if (alone)
        ok = begin_anew(room, &why);
    else if (room->offer)
        ok = agree(room, mine, &why);
    else
        make_offer(room, OFFER_RESTART, mine, 0);
    reply_kept(client, id, room, ok, &why);
}

void hub_do_resign(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    (void)hub;
    if (!in_turn(client, id, in, &room))
        return;
    uint32_t mine = room_seats_of(room, client), all = ((uint32_t)1 << room->seat_count) - 1;
    int turn = room_turn(room);
    if (!mine || turn < 0) {
        if (mine)
            client_error(client, id, "illegal", NULL, "the game is over");
        else
            reply_denied(client, id, "you have no seat here");
        return;
    }
    // Who plays several sides alone resigns the one on move.
    int seat = mine >> turn & 1 ? turn : lowest_seat(mine);
    uint32_t losers = room_alone(room, client) && mine == all ? (uint32_t)1 << seat : mine;
    Text text = {0};
    text_f(&text, "%s resigned", room->loaded->ir->player[seat]);
    room_finish(room, END_RESIGN, all & ~losers, text_c(&text));
    text_free(&text);
    reply_seq(client, id, room);
}
