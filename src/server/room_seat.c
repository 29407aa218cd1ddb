// room_seat: who sits where, and computers that play among themselves; see docs/web-protocol.md.
#include "base/mem.h"
#include "server/room_inside.h"
#include "server/think.h"

#include <string.h>

// --- seats ---

static bool to_computer(Client *c, int64_t id, const cJSON *in, Seat *seat) {
    const char *player;
    Text why = {0};
    if (!in_text(c, id, in, "player", &player))
        return false;
    bool ok = strlen(player) <= ROOM_PLAYER && think_player(client_hub(c), player, NULL, &why);
    char *copy = ok ? mem_text(player) : NULL;
    if (!copy)
        client_error(c, id, ok ? "failed" : "bad", NULL, "%s",
                     why.n ? text_c(&why) : "there is no such player");
    text_free(&why);
    if (!copy)
        return false;
    mem_free(seat->player);
    seat->player = copy;
    seat->kind = SEAT_COMPUTER;
    seat->name[0] = '\0';
    return true;
}

// A person sits down again, or with a new key that nobody else has; or somebody is waited for.
static void to_person(Room *room, Client *c, int seat, bool here, const char *name) {
    Seat *s = &room->seats[seat];
    if (!here || !(room_keys_of(room, c) >> seat & 1))
        random_word(s->key, 20);
    s->kind = here ? SEAT_PERSON : SEAT_OPEN;
    mem_free(s->player);
    s->player = NULL;
    copy_name(s->name, ROOM_NAME, name);
    for (int i = 0; i < room->joined_count; i++) {
        bool me = room->joined[i].client == c;
        if (me && here)
            room->joined[i].seats |= (uint32_t)1 << seat;
        else
            room->joined[i].seats &= ~((uint32_t)1 << seat);
    }
}

// One's own seat; one that the computer has instead of oneself; or, for whoever opened the room,
// one that the computer always had.
static bool may_change_seat(Room *room, Client *c, int seat) {
    bool computer = room->seats[seat].kind == SEAT_COMPUTER;
    return (room_keys_of(room, c) >> seat & 1) ||
           (computer && (room_alone(room, c) || (room_owns(room, c) && !room->seats[seat].key[0])));
}

void hub_do_seat(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    int64_t seat;
    const char *kind;
    (void)hub;
    if (!in_turn(client, id, in, &room) ||
        !in_whole(client, id, in, "seat", 0, room->seat_count - 1, &seat) ||
        !in_text(client, id, in, "kind", &kind))
        return;
    if (!may_change_seat(room, client, (int)seat)) {
        reply_denied(client, id, "this seat is not yours");
        return;
    }
    Seat *s = &room->seats[seat];
    const ClientRooms *mine = client_rooms(client);
    bool person = strcmp(kind, "person") == 0, open = strcmp(kind, "open") == 0;
    if (strcmp(kind, "computer") == 0) {
        if (!to_computer(client, id, in, s))
            return;
    } else if (person || open) {
        to_person(room, client, (int)seat, person, person && mine ? mine->name : "");
    } else {
        client_error(client, id, "bad", NULL, "`kind` is person, computer or open");
        return;
    }
    room_stop_thinking(room);
    room_settle_clock(room);
    room->offer = OFFER_NONE;
    if (room_all_computers(room) && room->pace < 0)
        room->pace = ROOM_PACE;
    Text why = {0}, out = {0};
    bool kept = room_keep(room, &why) && note_visit(room, client, &why);
    if (kept) {
        room_go_on(room);
        room_tell(room);
        text_f(&out, "\"seq\":%lld", (long long)room->seq);
        if (person || open)
            text_f(&out, ",\"key\":\"%s\"", s->key);
        reply_text(client, id, &out);
    } else {
        client_error(client, id, "failed", NULL, "%s", text_c(&why));
    }
    text_free(&why);
}

// --- computers among themselves ---

static bool may_pace(Client *c, int64_t id, const cJSON *in, Room **room) {
    if (!in_loaded(c, id, in, room))
        return false;
    if (!room_all_computers(*room) || !room_owns(*room, c))
        return reply_denied(c, id, "only whoever opened a game of computers can do this");
    return true;
}

void hub_do_pace(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    double seconds = -1;
    (void)hub;
    if (!may_pace(client, id, in, &room))
        return;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(in, "seconds");
    if (!cJSON_IsNull(item) && !in_number(client, id, in, "seconds", 0, 3600, &seconds))
        return;
    Text why = {0};
    room->pace = seconds;
    room_stop_thinking(room);
    room_settle_clock(room);
    rooms_due(room, 0);
    bool kept = room_keep(room, &why);
    if (kept) {
        room_go_on(room);
        room_tell(room);
    }
    reply_kept(client, id, room, kept, &why);
}

void hub_do_step(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    (void)hub;
    if (!may_pace(client, id, in, &room))
        return;
    if (room->end != END_NONE || room->pace >= 0) {
        client_error(client, id, "illegal", NULL,
                     room->end ? "the game is over" : "the game is not paused");
        return;
    }
    room->stepping = true;
    room_go_on(room);
    room_tell(room);
    reply_seq(client, id, room);
}
