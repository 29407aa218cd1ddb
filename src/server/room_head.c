// room_head: what of a room is in the store besides its moves, as JSON; see room_inside.h.
#include "base/mem.h"
#include "server/room_inside.h"

#include <stdio.h>
#include <string.h>

static const char *const seat_words[] = {"person", "open", "computer"};
static const char *const end_words[] = {"", "rules", "resign", "agreement", "time", "failed"};

// --- writing ---

static void seat_json(const Seat *seat, Text *out) {
    text_f(out, "{\"kind\":\"%s\",\"name\":", seat_words[seat->kind]);
    text_json(out, seat->name);
    if (seat->player) {
        text_add(out, ",\"player\":");
        text_json(out, seat->player);
    }
    if (seat->key[0])
        text_f(out, ",\"key\":\"%s\"", seat->key);
    text_char(out, '}');
}

void room_head(const Room *room, Text *out) {
    text_add(out, "{\"game\":");
    text_json(out, room->game);
    text_add(out, ",\"title\":");
    text_json(out, room->title ? room->title : "");
    text_add(out, ",\"params\":[");
    for (int i = 0; i < room->param_count; i++) {
        text_add(out, i ? "," : "");
        text_json(out, room->params[i]);
    }
    text_add(out, "],\"seats\":[");
    for (int i = 0; i < room->seat_count; i++) {
        text_add(out, i ? "," : "");
        seat_json(&room->seats[i], out);
    }
    text_add(out, "],\"start\":");
    text_json(out, room->start ? room->start : "");
    text_add(out, ",\"owner\":");
    text_json(out, room->owner);
    text_f(out, ",\"pace\":%.3f", room->pace);
    for (int i = 0; room->clocked && i < room->seat_count; i++)
        text_f(out, "%s%.0f", i ? "," : ",\"left\":[", room->left[i]);
    if (room->clocked)
        text_f(out, "],\"increment\":%.0f,\"whole\":%.0f", room->increment, room->whole);
    if (room->end != END_NONE && room->end != END_RULES && room->end != END_FAILED) {
        text_f(out, ",\"end\":\"%s\",\"winners\":%u,\"text\":", end_words[room->end],
               (unsigned)room->winners);
        text_json(out, room->end_text ? room->end_text : "");
    }
    text_char(out, '}');
}

bool room_keep(Room *room, Text *why) {
    Text head = {0};
    rooms_touch(room);
    room_head(room, &head);
    StoredRoom stored = {.seq = ++room->seq, .ply = room->ply, .head = text_c(&head)};
    stored.used = room->used = wall_clock();
    stored.rules = room->game[0] == '@' ? room->game + 1 : NULL;
    memcpy(stored.name, room->name, sizeof stored.name);
    bool ok = !head.failed && store_room(hub_rooms(room->hub)->store, &stored, why);
    hub_rooms(room->hub)->broken |= !ok;
    text_free(&head);
    return ok;
}

// --- reading ---

static const char *text_of(const cJSON *in, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(in, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static double number_in(const cJSON *in, const char *name, double otherwise) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(in, name);
    return cJSON_IsNumber(item) ? item->valuedouble : otherwise;
}

static int word_index(const char *const *words, int count, const char *word) {
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static bool read_seat(const cJSON *in, Seat *seat) {
    int kind = word_index(seat_words, 3, text_of(in, "kind"));
    const char *player = text_of(in, "player");
    if (kind < 0)
        return false;
    seat->kind = (SeatKind)kind;
    snprintf(seat->name, sizeof seat->name, "%s", text_of(in, "name"));
    snprintf(seat->key, sizeof seat->key, "%s", text_of(in, "key"));
    seat->player = player[0] ? mem_text(player) : NULL;
    return seat->player || (!player[0] && seat->kind != SEAT_COMPUTER);
}

static bool read_seats(Room *room, const cJSON *in) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(in, "seats"), *item;
    int count = cJSON_GetArraySize(list);
    if (count < 1 || count > IR_MAX_PLAYERS)
        return false;
    cJSON_ArrayForEach(item, list) {
        if (!read_seat(item, &room->seats[room->seat_count++]))
            return false;
    }
    return true;
}

static bool read_list(Room *room, const cJSON *in) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(in, "params"), *item;
    int count = cJSON_GetArraySize(list);
    if (count > ROOM_PARAMS)
        return false;
    room->params = mem_alloc(sizeof *room->params * (size_t)(count + 1));
    if (!room->params)
        return false;
    cJSON_ArrayForEach(item, list) {
        char *copy = cJSON_IsString(item) ? mem_text(item->valuestring) : NULL;
        if (!copy)
            return false;
        room->params[room->param_count++] = copy;
    }
    return true;
}

static void read_clock(Room *room, const cJSON *in) {
    const cJSON *left = cJSON_GetObjectItemCaseSensitive(in, "left"), *item;
    int n = 0;
    room->clocked = cJSON_GetArraySize(left) == room->seat_count;
    cJSON_ArrayForEach(item, left) {
        if (room->clocked)
            room->left[n++] = cJSON_IsNumber(item) ? item->valuedouble : 0;
    }
    room->increment = number_in(in, "increment", 0);
    room->whole = number_in(in, "whole", 0);
}

static void read_end(Room *room, const cJSON *in) {
    int end = word_index(end_words, 6, text_of(in, "end"));
    room->end = end > 0 ? (RoomEnd)end : END_NONE;
    room->winners = (uint32_t)number_in(in, "winners", 0);
    room->end_text = mem_text(text_of(in, "text"));
}

bool room_read_head(Room *room, const char *head, Text *why) {
    cJSON *in = cJSON_Parse(head);
    room->game = mem_text(text_of(in, "game"));
    room->title = mem_text(text_of(in, "title"));
    room->start = mem_text(text_of(in, "start"));
    snprintf(room->owner, sizeof room->owner, "%s", text_of(in, "owner"));
    room->pace = number_in(in, "pace", -1);
    bool ok = in && room->game && room->game[0] && room->title && room->start &&
              read_list(room, in) && read_seats(room, in);
    if (ok) {
        read_clock(room, in);
        read_end(room, in);
    } else {
        text_f(why, "room %s is damaged", room->name);
    }
    cJSON_Delete(in);
    return ok;
}
