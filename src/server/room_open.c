// room_open: new rooms, and rules files from pages; see docs/web-protocol.md.
#include "base/mem.h"
#include "base/now.h"
#include "game/statetext.h"
#include "server/room_inside.h"
#include "server/rules_text.h"
#include "server/think.h"

#include <stdio.h>
#include <string.h>

#define UPLOADS 100       // of one client
#define UPLOAD_TITLE 100  // bytes
#define MOVES_SECONDS 0.3 // for the moves of a game that is continued

// --- parameters ---

void free_params(char **params, int count) {
    for (int i = 0; i < count; i++)
        mem_free(params[i]);
    mem_free(params);
}

bool read_params(Client *c, int64_t id, const cJSON *in, char ***params, int *count) {
    _Static_assert(ROOM_PARAMS == RULES_PARAMS, "what a message may have is what a room keeps");
    *count = 0;
    *params = mem_alloc(sizeof **params * ROOM_PARAMS);
    if (!*params)
        client_error(c, id, "failed", NULL, "out of memory");
    else if (rules_params(c, in, id, *params, count))
        return true;
    free_params(*params, *count);
    *params = NULL;
    *count = 0;
    return false;
}

// --- seats ---

static const char *member_text(const cJSON *in, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(in, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static bool take_player(Client *c, int64_t id, const char *text, Seat *seat) {
    Text why = {0};
    bool ok = strlen(text) <= ROOM_PLAYER && think_player(client_hub(c), text, NULL, &why);
    if (ok)
        seat->player = mem_text(text);
    else
        client_error(c, id, "bad", NULL, "%s", why.n ? text_c(&why) : "there is no such player");
    if (ok && !seat->player)
        client_error(c, id, "failed", NULL, "out of memory");
    text_free(&why);
    return ok && seat->player;
}

// A seat that is not said is a person here.
static bool read_seat(Client *c, int64_t id, const cJSON *in, Seat *seat) {
    const char *kind = in ? member_text(in, "kind") : "person", *name = member_text(in, "name");
    const ClientRooms *mine = client_rooms(c);
    if (strcmp(kind, "computer") == 0 || strcmp(kind, "bot") == 0) {
        seat->kind = SEAT_COMPUTER;
        copy_name(seat->name, ROOM_NAME, name);
        return take_player(c, id, member_text(in, "player"), seat);
    }
    bool person = strcmp(kind, "person") == 0;
    if (!person && strcmp(kind, "open") != 0) {
        client_error(c, id, "bad", NULL, "`kind` of a seat is person, open or computer");
        return false;
    }
    seat->kind = person ? SEAT_PERSON : SEAT_OPEN;
    copy_name(seat->name, ROOM_NAME, name[0] || !person || !mine ? name : mine->name);
    random_word(seat->key, 20);
    return true;
}

static bool read_seats(Client *c, int64_t id, const cJSON *in, Room *room, int players) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(in, "seats");
    if (list && (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > players)) {
        client_error(c, id, "bad", NULL, "`seats` is a list of %d", players);
        return false;
    }
    for (int i = 0; i < players; i++) {
        const cJSON *item = list ? cJSON_GetArrayItem(list, i) : NULL;
        room->seat_count++;
        if (!read_seat(c, id, item, &room->seats[i]))
            return false;
    }
    return true;
}

// --- position, clock, moves ---

static bool read_start(Client *c, int64_t id, const cJSON *in, Room *room, const Game *g) {
    const char *start = member_text(in, "start");
    uint8_t *state = mem_alloc((size_t)game_state_size(g));
    Text why = {0}, usual = {0};
    bool ok =
        state && (!start[0] || (strlen(start) <= ROOM_START && state_read(g, start, state, &why)));
    if (!ok)
        client_error(c, id, state ? "bad" : "failed", NULL, "%s",
                     state ? (why.n ? text_c(&why) : "the position is too long") : "out of memory");
    state_text(g, g->start, &usual);
    bool other = ok && start[0] && strcmp(start, text_c(&usual)) != 0;
    if (ok)
        room->start = mem_text(other ? start : "");
    mem_free(state);
    text_free(&why);
    text_free(&usual);
    return ok && room->start;
}

static bool read_clock(Client *c, int64_t id, const cJSON *in, Room *room) {
    const cJSON *clock = cJSON_GetObjectItemCaseSensitive(in, "clock");
    double minutes, increment = 0;
    if (!clock || cJSON_IsNull(clock))
        return true;
    if (!in_number(c, id, clock, "minutes", 0.01, 600, &minutes) ||
        (cJSON_GetObjectItemCaseSensitive(clock, "increment") &&
         !in_number(c, id, clock, "increment", 0, 600, &increment)))
        return false;
    room->clocked = true;
    room->whole = minutes * 60000;
    room->increment = increment * 1000;
    for (int i = 0; i < room->seat_count; i++)
        room->left[i] = room->whole;
    return true;
}

// Moves to go on from: played and stored like any others, but nobody's clock runs.
static bool read_moves(Client *c, int64_t id, const cJSON *in, Room *room) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(in, "moves"), *item;
    Text why = {0};
    bool ok = (!list || (cJSON_IsArray(list) && cJSON_GetArraySize(list) < ROOM_PLIES)) &&
              room_load(room, &why);
    int n = 0;
    double until = now_seconds() + MOVES_SECONDS;
    cJSON_ArrayForEach(item, list) {
        Move move;
        n++;
        if (now_seconds() > until) {
            client_error(c, id, "busy", NULL, "these are too many moves: begin with the position");
            text_free(&why);
            return false;
        }
        Runner *r = games_runner(room->hub, room->loaded, GAMES_SECONDS);
        ok = ok && cJSON_IsString(item) &&
             move_read(r, record_now(room->record), item->valuestring, &move, &why) &&
             room_play_past(room, move, &why);
        if (!ok)
            break;
    }
    if (!ok && n)
        client_error(c, id, "illegal", NULL, "move %d: %s", n,
                     why.n ? text_c(&why) : "a move is a text");
    else if (!ok)
        client_error(c, id, "bad", NULL, "%s", why.n ? text_c(&why) : "`moves` is a list of texts");
    text_free(&why);
    return ok;
}

// --- open ---

static bool fill_room(Client *c, int64_t id, const cJSON *in, Room *room, const Game *g) {
    const ClientRooms *mine = client_rooms(c);
    room->title = mem_text(g->ir->title ? g->ir->title : g->name);
    room->opener = client_number(c);
    snprintf(room->owner, sizeof room->owner, "%s", mine ? mine->page : "");
    if (!room->title) {
        client_error(c, id, "failed", NULL, "out of memory");
        return false;
    }
    if (!read_seats(c, id, in, room, g->ir->players) || !read_start(c, id, in, room, g) ||
        !read_clock(c, id, in, room))
        return false;
    room->pace = room_all_computers(room) ? ROOM_PACE : -1;
    Text why = {0};
    bool ok = room_keep(room, &why);
    if (!ok)
        client_error(c, id, "failed", NULL, "%s", text_c(&why));
    text_free(&why);
    return ok && read_moves(c, id, in, room);
}

static void reply_opened(Client *c, int64_t id, Room *room) {
    Text out = {0};
    int n = 0;
    text_f(&out, "\"room\":\"%s\",\"seq\":%lld,\"keys\":{", room->name, (long long)room->seq);
    for (int i = 0; i < room->seat_count; i++)
        if (room->seats[i].key[0])
            text_f(&out, "%s\"%d\":\"%s\"", n++ ? "," : "", i, room->seats[i].key);
    text_char(&out, '}');
    reply_text(c, id, &out);
}

// The room is new and stored; whoever made it sits on all seats of persons here.
static bool sit_down(Client *c, int64_t id, Room *room) {
    Joined *joined = room_join(room, c);
    Text why = {0};
    bool ok = joined && note_visit(room, c, &why);
    if (!ok)
        client_error(c, id, joined ? "failed" : "busy", NULL, "%s",
                     joined ? text_c(&why) : "you are in too many rooms");
    for (int i = 0; ok && i < room->seat_count; i++)
        if (room->seats[i].kind == SEAT_PERSON)
            joined->seats |= (uint32_t)1 << i;
    text_free(&why);
    return ok;
}

// A room that came to nothing: the store has it already, in a round that is not over.
static void forget_room(Room *room) {
    Rooms *rooms = hub_rooms(room->hub);
    Text why = {0};
    if (room->seq > 0)
        rooms->broken |= !store_forget(rooms->store, room->name, &why);
    text_free(&why);
    rooms_remove(room);
}

void hub_do_open(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    const char *name;
    char **params;
    int count;
    ClientRooms *mine = client_rooms(client);
    if (!mine || mine->opened >= ROOM_OPENED || mine->count >= ROOM_OF_CLIENT) {
        client_error(client, id, "busy", NULL, "that are too many games: leave some first");
        return;
    }
    if (!in_text(client, id, in, "game", &name) || !read_params(client, id, in, &params, &count))
        return;
    Text why = {0};
    const Game *g = games_take_list(hub, name, params, count, &why);
    Room *room = g ? rooms_add(hub) : NULL;
    if (!room) {
        client_error(client, id, g ? "busy" : "bad", NULL, "%s",
                     g ? "there are too many games at the moment" : text_c(&why));
        free_params(params, count);
    } else {
        room->params = params;
        room->param_count = count;
        room->game = mem_text(name);
        if (room->game && fill_room(client, id, in, room, g) && sit_down(client, id, room)) {
            mine->opened++;
            reply_opened(client, id, room);
            room_go_on(room);
            room_tell(room);
        } else {
            forget_room(room);
        }
    }
    games_drop(hub, g);
    text_free(&why);
}

// --- upload ---

static void diagnostics_json(const Diags *diags, Text *out) {
    text_add(out, "\"diagnostics\":[");
    for (int i = 0; i < diags->count; i++) {
        const Diag *d = &diags->items[i];
        text_f(out, "%s{\"severity\":\"%s\",\"line\":%d,\"column\":%d,\"length\":%d,\"message\":",
               i ? "," : "", d->severity == SEV_ERROR ? "error" : "warning", d->span.line,
               d->span.column, d->span.length);
        text_json(out, d->message);
        text_add(out, ",\"help\":");
        if (d->help)
            text_json(out, d->help);
        else
            text_add(out, "null");
        text_char(out, '}');
    }
    text_char(out, ']');
}

// Only the name of a file, whatever folders a page puts before it.
static void plain_title(const char *title, char *out) {
    const char *slash = strrchr(title, '/');
    copy_name(out, UPLOAD_TITLE, slash ? slash + 1 : title);
    if (!out[0])
        snprintf(out, UPLOAD_TITLE, "rules.game");
}

typedef struct Upload {
    int64_t id;
    char title[UPLOAD_TITLE];
    char *text;
    char **params;
    int count;
    bool good;
    Text diagnostics;
} Upload;

static void free_upload(Upload *u) {
    mem_free(u->text);
    free_params(u->params, u->count);
    text_free(&u->diagnostics);
    mem_free(u);
}

// In a thread: others do not wait for a large file.
static void run_upload(Task *task, void *with) {
    Upload *u = with;
    Diags diags = {0};
    (void)task;
    Game *g = game_compile_within(GAMES_SETUP, u->title, u->text, strlen(u->text),
                                  (const char *const *)u->params, u->count, &diags);
    u->good = g != NULL;
    diagnostics_json(&diags, &u->diagnostics);
    game_free(g);
    diag_free(&diags);
}

static void end_upload(Hub *hub, Task *task, void *with) {
    Upload *u = with;
    Client *c = task_client(task);
    char name[40];
    Text out = {0}, why = {0};
    bool good = c && u->good;
    if (c && u->diagnostics.n == 0) {
        client_error(c, u->id, "busy", NULL, "there is too much to do at the moment");
    } else if (good && !games_keep(hub, u->title, u->text, name, &why)) {
        client_error(c, u->id, "failed", NULL, "%s", text_c(&why));
    } else if (c) {
        if (good)
            text_f(&out, "\"game\":\"%s\",", name);
        text_add(&out, text_c(&u->diagnostics));
        reply_text(c, u->id, &out);
    }
    text_free(&why);
    free_upload(u);
}

void hub_do_upload(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    const char *title, *text;
    ClientRooms *mine = client_rooms(client);
    if (!mine || mine->uploads >= UPLOADS) {
        client_error(client, id, "busy", NULL, "that are too many files");
        return;
    }
    Upload *u = mem_alloc(sizeof *u);
    if (!u) {
        client_error(client, id, "failed", NULL, "out of memory");
        return;
    }
    u->id = id;
    if (!in_text(client, id, in, "title", &title) || !in_text(client, id, in, "text", &text) ||
        !read_params(client, id, in, &u->params, &u->count)) {
        free_upload(u);
        return;
    }
    plain_title(title, u->title);
    u->text = mem_text(text);
    Think *think = hub_think(hub);
    if (u->text && think && task_begin(think, client, TASK_QUICK, run_upload, end_upload, u)) {
        mine->uploads++;
        client_later(client, id);
        return;
    }
    free_upload(u);
    client_error(client, id, "busy", NULL, "there is too much to do at the moment");
}
