// room_do: what pages ask of rooms without changing the game; see docs/web-protocol.md.
#include "base/mem.h"
#include "server/room_inside.h"

#include <stdio.h>
#include <string.h>

#define HELLO_ROOMS 50 // of a page, the newest

// --- members of messages ---

bool in_values(Client *c, int64_t id, const cJSON *in, int64_t *values, int *count) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(in, "values"), *item;
    *count = 0;
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > ROOM_VALUES) {
        client_error(c, id, "bad", NULL, "`values` is a list of at most %d numbers", ROOM_VALUES);
        return false;
    }
    cJSON_ArrayForEach(item, list) {
        double v = cJSON_IsNumber(item) ? item->valuedouble : 0.5;
        if (!(v >= -9e15 && v <= 9e15) || v != (double)(int64_t)v) {
            client_error(c, id, "bad", NULL, "`values` are whole numbers");
            return false;
        }
        values[(*count)++] = (int64_t)v;
    }
    return true;
}

bool in_loaded(Client *c, int64_t id, const cJSON *in, Room **room) {
    if (!in_room(c, id, in, room))
        return false;
    Text why = {0};
    bool ok = room_load(*room, &why);
    if (!ok)
        client_error(c, id, "failed", NULL, "%s", text_c(&why));
    text_free(&why);
    return ok;
}

void reply_text(Client *c, int64_t id, Text *members) {
    if (members->failed)
        client_error(c, id, "failed", NULL, "out of memory");
    else
        client_reply(c, id, text_c(members));
    text_free(members);
}

// As much of a name as fits, without half characters and what a screen cannot show.
void copy_name(char *to, size_t size, const char *from) {
    size_t n = 0;
    while (*from) {
        int length = text_utf8(from, strlen(from));
        if (length == 0 || n + (size_t)length >= size)
            break;
        if (length > 1 || (unsigned char)*from >= ' ')
            memcpy(to + n, from, (size_t)length), n += (size_t)length;
        from += length;
    }
    to[n] = '\0';
}

static const char *optional_text(const cJSON *in, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(in, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

// --- hello ---

static bool add_visit(void *with, const char *room, const char *title, int64_t seq) {
    Text *out = with;
    text_add(out, out->n && out->s[out->n - 1] != '[' ? ",{\"room\":" : "{\"room\":");
    text_json(out, room);
    text_add(out, ",\"title\":");
    text_json(out, title);
    text_f(out, ",\"seq\":%lld}", (long long)seq);
    return !out->failed;
}

void hub_do_hello(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    const ServerOptions *options = hub_options(hub);
    const char *page = optional_text(in, "page");
    ClientRooms *mine = client_rooms(client);
    if (strlen(page) > ROOM_PAGE) {
        client_error(client, id, "bad", NULL, "`page` is a word of at most %d letters", ROOM_PAGE);
        return;
    }
    if (!mine) {
        client_error(client, id, "failed", NULL, "out of memory");
        return;
    }
    // A short word could be somebody else's: it is nobody's.
    snprintf(mine->page, sizeof mine->page, "%s", strlen(page) >= 8 ? page : "");
    copy_name(mine->name, sizeof mine->name, optional_text(in, "name"));
    Text out = {0}, why = {0};
    text_f(&out,
           "\"version\":\"%s\",\"limits\":{\"message\":%zu,\"rate\":%d,\"rooms\":%d,\"plies\":%d},"
           "\"allows\":{\"native\":%s,\"bots\":%s,\"save\":%s,\"robot\":false},\"rooms\":[",
           LUDENS_VERSION, HUB_MESSAGE, HUB_RATE, ROOM_OF_CLIENT, ROOM_PLIES,
           options->native ? "true" : "false", options->bots ? "true" : "false",
           options->save ? "true" : "false");
    bool ok = !mine->page[0] ||
              store_visits(hub_rooms(hub)->store, mine->page, HELLO_ROOMS, add_visit, &out, &why);
    text_char(&out, ']');
    if (ok)
        reply_text(client, id, &out);
    else
        client_error(client, id, "failed", NULL, "%s", text_c(&why));
    text_free(&out);
    text_free(&why);
}

// --- coming and going ---

// The seat with this key; -1: none. Takes as long for any key: nobody learns by the time.
static int seat_with_key(const Room *room, const char *key) {
    int found = -1;
    for (int i = 0; i < room->seat_count; i++) {
        const char *own = room->seats[i].key;
        size_t n = strlen(own);
        unsigned char differs = n == 0 || strlen(key) != n;
        for (size_t k = 0; k < n && !differs; k++)
            differs |= (unsigned char)(own[k] ^ key[k]);
        if (!differs)
            found = i;
    }
    return found;
}

// Somebody has come whom an open seat was kept for.
static bool take_open_seat(Room *room, Client *c, int seat, Text *why) {
    const ClientRooms *mine = client_rooms(c);
    room->seats[seat].kind = SEAT_PERSON;
    if (mine && mine->name[0])
        copy_name(room->seats[seat].name, sizeof room->seats[seat].name, mine->name);
    return room_keep(room, why);
}

bool note_visit(Room *room, Client *c, Text *why) {
    const ClientRooms *mine = client_rooms(c);
    if (!mine || !mine->page[0])
        return true;
    rooms_touch(room);
    bool ok = store_visit(hub_rooms(room->hub)->store, mine->page, room->name, room->title, why);
    hub_rooms(room->hub)->broken |= !ok;
    return ok;
}

void hub_do_join(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    const char *name, *key = optional_text(in, "key");
    if (!in_text(client, id, in, "room", &name))
        return;
    Room *room = room_find(hub, name);
    int seat = room && key[0] ? seat_with_key(room, key) : -1;
    if (!room || (key[0] && seat < 0)) {
        client_error(client, id, room ? "denied" : "gone", NULL,
                     room ? "this key is not of the room" : "there is no such room");
        return;
    }
    Text why = {0}, out = {0};
    bool before = room_joined(room, client);
    Joined *joined = room_join(room, client);
    bool ok = joined != NULL;
    if (!ok)
        text_add(&why, "the room is full, or you are in too many rooms");
    if (ok && seat >= 0) {
        joined->seats |= (uint32_t)1 << seat;
        ok = note_visit(room, client, &why);
        if (ok && room->seats[seat].kind == SEAT_OPEN)
            ok = take_open_seat(room, client, seat, &why);
    }
    if (!ok) {
        client_error(client, id, "busy", NULL, "%s", text_c(&why));
    } else {
        room_go_on(room);
        if (!before || seat >= 0)
            room_tell(room);
        room_members(room, client, &out);
        reply_text(client, id, &out);
    }
    text_free(&why);
}

void hub_do_leave(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    (void)hub;
    if (!in_room(client, id, in, &room))
        return;
    room_part(room, client);
    room_tell(room);
    client_reply(client, id, "");
}

void hub_do_rename(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    const char *name;
    (void)hub;
    if (!in_room(client, id, in, &room) || !in_text(client, id, in, "name", &name))
        return;
    uint32_t mine = room_seats_of(room, client);
    if (cJSON_HasObjectItem(in, "seat")) {
        int64_t seat;
        if (!in_whole(client, id, in, "seat", 0, room->seat_count - 1, &seat))
            return;
        mine &= 1u << seat;
    }
    if (!mine) {
        client_error(client, id, "denied", NULL, "you have no seat here");
        return;
    }
    Text why = {0};
    // Without a seat, all seats of the page.
    for (int i = 0; i < room->seat_count; i++)
        if (mine >> i & 1)
            copy_name(room->seats[i].name, ROOM_NAME, name);
    room_stop_thinking(room);
    if (room_keep(room, &why)) {
        room_go_on(room);
        room_tell(room);
        client_reply(client, id, "");
    } else {
        client_error(client, id, "failed", NULL, "%s", text_c(&why));
    }
    text_free(&why);
}

// --- looking ---

void hub_do_options(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    int64_t values[ROOM_VALUES];
    int count;
    if (!in_loaded(client, id, in, &room) || !in_seq(client, id, in, room) ||
        !in_values(client, id, in, values, &count))
        return;
    if (!room_sits(room, client, room_turn(room))) {
        client_error(client, id, "denied", NULL, "it is not your turn");
        return;
    }
    Text out = {0}, why = {0};
    Runner *r = games_runner(hub, room->loaded, GAMES_SECONDS);
    if (describe_options(r, record_now(room->record), values, count, &out, &why)) {
        text_char(&out, '\0');
        out.s[out.n - 2] = '\0'; // the braces are the answer's
        out.n -= 2;
        client_reply(client, id, out.s + 1);
    } else {
        client_error(client, id, "illegal", NULL, "%s", text_c(&why));
    }
    text_free(&out);
    text_free(&why);
}

void hub_do_goto(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    int64_t ply;
    if (!in_loaded(client, id, in, &room) || !in_whole(client, id, in, "ply", 0, room->ply, &ply))
        return;
    Text out = {0};
    Runner *r = games_runner(hub, room->loaded, GAMES_SECONDS);
    text_add(&out, "\"position\":");
    if (ply == room->ply)
        describe_record_position(room->record, r, &out);
    else
        describe_position(r, record_state(room->record, (int)ply), &out);
    text_add(&out, ",\"cells\":");
    if (ply > 0)
        describe_changed(room->loaded, record_state(room->record, (int)ply - 1),
                         record_state(room->record, (int)ply), &out);
    else
        text_add(&out, "[]");
    reply_text(client, id, &out);
}

void hub_do_why(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    int64_t values[ROOM_VALUES];
    int count;
    if (!in_loaded(client, id, in, &room) || !in_seq(client, id, in, room) ||
        !in_values(client, id, in, values, &count))
        return;
    Text out = {0}, why = {0};
    Runner *r = games_runner(hub, room->loaded, GAMES_SECONDS);
    if (room->end != END_NONE)
        text_add(&why, "the game is over");
    else
        move_why(r, record_now(room->record), values, count, &why);
    text_add(&out, "\"why\":");
    text_json(&out, text_c(&why));
    text_free(&why);
    reply_text(client, id, &out);
}

void hub_do_captures(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    if (!in_loaded(client, id, in, &room) || !in_seq(client, id, in, room))
        return;
    Text out = {0};
    Runner *r = games_runner(hub, room->loaded, GAMES_SECONDS);
    text_add(&out, "\"cells\":");
    if (room->end != END_NONE)
        text_add(&out, "[]");
    else if (!describe_captures(r, record_now(room->record), &out))
        text_clear(&out), text_add(&out, "\"cells\":[]");
    reply_text(client, id, &out);
}
