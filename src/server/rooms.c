// rooms: all rooms: finding them in memory or in the store, what is due, the end of a round; see
// room_inside.h.
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/now.h"
#include "server/room_inside.h"
#include "server/think.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#define BUCKETS 4096
#define TIDY_SECONDS 86400.0
#define WORD_LETTERS "23456789abcdefghjkmnpqrstuvwxyz" // none that look alike

Rooms *hub_rooms(const Hub *hub) {
    return *hub_slot((Hub *)hub, PART_rooms);
}

double wall_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void random_word(char *out, int length) {
    const unsigned letters = sizeof WORD_LETTERS - 1;
    for (int i = 0; i < length;) {
        unsigned char byte;
        if (getrandom(&byte, 1, 0) != 1)
            continue; // only interrupted: it never fails for so few bytes
        if (byte < 256 / letters * letters)
            out[i++] = WORD_LETTERS[byte % letters];
    }
    out[length] = '\0';
}

// --- the store ---

static bool make_folders(char *path, Text *why) {
    for (char *s = path + 1; *s; s++) {
        if (*s != '/')
            continue;
        *s = '\0';
        bool made = mkdir(path, 0700) == 0;
        struct stat info;
        bool there = made || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
        if (!there)
            text_f(why, "cannot make the folder `%s`", path);
        *s = '/';
        if (!there)
            return false;
    }
    return true;
}

// In the user's data folder: $XDG_DATA_HOME or ~/.local/share.
static bool usual_path(Text *path, Text *why) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/')
        text_f(path, "%s/ludens/rooms.db", data);
    else if (home && home[0] == '/')
        text_f(path, "%s/.local/share/ludens/rooms.db", home);
    else
        text_add(why, "there is no home folder to keep games in: say --store FILE");
    return path->n && make_folders(path->s, why);
}

static Store *open_store(const Hub *hub, Text *why) {
    const char *given = hub_options(hub)->store;
    Text path = {0};
    Store *store = NULL;
    if (given)
        store = store_open(given, why);
    else if (usual_path(&path, why))
        store = store_open(text_c(&path), why);
    text_free(&path);
    return store;
}

bool rooms_begin(Hub *hub, Text *why) {
    Rooms *rooms = mem_alloc(sizeof *rooms);
    *hub_slot(hub, PART_rooms) = rooms;
    if (!rooms || !(rooms->buckets = mem_alloc(sizeof *rooms->buckets * BUCKETS))) {
        text_add(why, "out of memory");
        return false;
    }
    rooms->bucket_count = BUCKETS;
    rooms->store = open_store(hub, why);
    if (!rooms->store || !games_begin(hub, why))
        return false;
    if (store_tidy(rooms->store, wall_clock(), why) && store_commit(rooms->store, why))
        return true;
    store_rollback(rooms->store);
    return false;
}

void rooms_end(Hub *hub) {
    Rooms *rooms = hub_rooms(hub);
    if (!rooms)
        return;
    for (int i = 0; i < rooms->bucket_count; i++)
        while (rooms->buckets[i])
            rooms_remove(rooms->buckets[i]);
    games_end(hub);
    store_close(rooms->store);
    mem_free(rooms->buckets);
    mem_free(rooms);
    *hub_slot(hub, PART_rooms) = NULL;
}

// --- the table ---

static Room **bucket_of(const Rooms *rooms, const char *name) {
    uint64_t h = hash_bytes(HASH_START, name, strlen(name));
    return &rooms->buckets[h % (uint64_t)rooms->bucket_count];
}

static Room *in_memory(const Rooms *rooms, const char *name) {
    Room *room = *bucket_of(rooms, name);
    while (room && strcmp(room->name, name) != 0)
        room = room->next;
    return room;
}

int rooms_in_memory(const Hub *hub) {
    return hub_rooms(hub)->count;
}

static Room *add_named(Hub *hub, const char *name) {
    Rooms *rooms = hub_rooms(hub);
    Room *room = rooms->count < ROOM_MEMORY ? mem_alloc(sizeof *room) : NULL;
    if (!room)
        return NULL;
    snprintf(room->name, sizeof room->name, "%s", name);
    room->hub = hub;
    room->thinking = -1;
    room->pace = -1;
    room->looked = room->turn_since = now_seconds();
    Room **bucket = bucket_of(rooms, name);
    room->next = *bucket;
    *bucket = room;
    rooms->count++;
    return room;
}

Room *rooms_add(Hub *hub) {
    char name[16];
    random_word(name, 8);
    Room *room = add_named(hub, name);
    if (room)
        rooms_touch(room);
    return room;
}

void rooms_remove(Room *room) {
    Rooms *rooms = hub_rooms(room->hub);
    while (room->joined_count)
        room_part(room, room->joined[0].client);
    room_stop_thinking(room);
    Room **link = bucket_of(rooms, room->name);
    while (*link != room)
        link = &(*link)->next;
    *link = room->next;
    for (link = &rooms->dirty; *link && *link != room;)
        link = &(*link)->next_dirty;
    if (*link)
        *link = room->next_dirty;
    rooms->count--;
    room_free(room);
}

// --- reading ---

static bool take_move(void *with, const char *text, double seconds) {
    Room *room = with;
    return room_add_move(room, room->known, text, seconds);
}

static bool read_room(Room *room, Text *why) {
    StoredRoom stored;
    room_clear(room);
    if (!store_read(hub_rooms(room->hub)->store, room->name, &stored, take_move, room, why))
        return false;
    room->seq = stored.seq;
    room->used = stored.used;
    room->ply = stored.ply < 0 ? 0 : stored.ply > room->known ? room->known : stored.ply;
    return room_read_head(room, stored.head, why);
}

// Only words that could be the name of a room are looked for.
static bool may_be_name(const char *name) {
    size_t n = strlen(name);
    return n >= 1 && n < sizeof((Room *)0)->name && strspn(name, WORD_LETTERS) == n;
}

Room *room_find(Hub *hub, const char *name) {
    Rooms *rooms = hub_rooms(hub);
    Room *room = may_be_name(name) ? in_memory(rooms, name) : NULL;
    if (room || !may_be_name(name))
        return room;
    Text why = {0};
    room = add_named(hub, name);
    if (room && !read_room(room, &why)) {
        rooms_remove(room);
        room = NULL;
    }
    text_free(&why);
    return room;
}

// --- rounds ---

void rooms_touch(Room *room) {
    Rooms *rooms = hub_rooms(room->hub);
    if (room->dirty)
        return;
    room->dirty = true;
    room->next_dirty = rooms->dirty;
    rooms->dirty = room;
}

// What was changed in a round that is given up is as it was before: as the store has it.
static void take_back(Hub *hub) {
    Rooms *rooms = hub_rooms(hub);
    while (rooms->dirty) {
        Room *room = rooms->dirty;
        Text why = {0};
        rooms->dirty = room->next_dirty;
        room->dirty = false;
        room->offer = OFFER_NONE;
        room_stop_thinking(room);
        if (!read_room(room, &why))
            rooms_remove(room);
        text_free(&why);
    }
}

bool rooms_settle(Hub *hub, Text *why) {
    Rooms *rooms = hub_rooms(hub);
    bool ok = !rooms->broken && store_commit(rooms->store, why);
    if (!ok) {
        store_rollback(rooms->store);
        take_back(hub);
    }
    for (Room *room = rooms->dirty; room; room = room->next_dirty)
        room->dirty = false;
    rooms->dirty = NULL;
    rooms->broken = false;
    return ok;
}

// --- what is due ---

void rooms_due(Room *room, double when) {
    Rooms *rooms = hub_rooms(room->hub);
    room->due = when;
    if (when > 0 && (rooms->due == 0 || when < rooms->due))
        rooms->due = when;
}

static bool is_idle(const Room *room, double now) {
    return room->joined_count == 0 && room->thinking < 0 && room->since == 0 && !room->dirty &&
           now - room->looked > ROOM_SWEEP;
}

// Rooms without anybody leave the memory; of others, the states that nobody asked for.
static void sweep(Hub *hub, double now) {
    Rooms *rooms = hub_rooms(hub);
    for (int i = 0; i < rooms->bucket_count; i++) {
        for (Room *room = rooms->buckets[i], *next; room; room = next) {
            next = room->next;
            if (is_idle(room, now))
                rooms_remove(room);
            else if (room->record && room->thinking < 0 && now - room->looked > ROOM_LOOKED)
                room_unload(room);
        }
    }
    games_sweep(hub);
}

static void wake_due(Hub *hub, double now) {
    Rooms *rooms = hub_rooms(hub);
    rooms->due = 0;
    for (int i = 0; i < rooms->bucket_count; i++)
        for (Room *room = rooms->buckets[i]; room; room = room->next) {
            if (room->due > 0 && room->due <= now) {
                room->due = 0;
                room_wake(room, now);
            }
            if (room->due > 0 && (rooms->due == 0 || room->due < rooms->due))
                rooms->due = room->due;
        }
}

int rooms_tick(Hub *hub, double now) {
    Rooms *rooms = hub_rooms(hub);
    if (rooms->due > 0 && rooms->due <= now)
        wake_due(hub, now);
    if (now - rooms->sweep > ROOM_SWEEP) {
        rooms->sweep = now;
        sweep(hub, now);
    }
    if (rooms->tidy == 0)
        rooms->tidy = now;
    if (now - rooms->tidy > TIDY_SECONDS) {
        Text why = {0};
        rooms->tidy = now;
        rooms->broken |= !store_tidy(rooms->store, wall_clock(), &why);
        text_free(&why);
    }
    double wait = rooms->due > 0 ? rooms->due - now : ROOM_SWEEP;
    wait = wait < 0 ? 0 : wait > ROOM_SWEEP ? ROOM_SWEEP : wait;
    return (int)(wait * 1000) + 1;
}

void rooms_leave(Hub *hub, Client *c) {
    (void)hub;
    ClientRooms *mine = *client_slot(c, PART_rooms);
    while (mine && mine->count > 0) {
        Room *room = mine->rooms[0];
        room_part(room, c);
        room_tell(room);
    }
    if (mine)
        mem_free(mine->rooms);
    mem_free(mine);
    *client_slot(c, PART_rooms) = NULL;
}
