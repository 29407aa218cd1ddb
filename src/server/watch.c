// watch: which archives there are, when they are read, and who is told; see watch.h.
#include "server/watch.h"

#include "base/mem.h"
#include "base/now.h"
#include "server/parts.h"

#include <string.h>
#include <unistd.h>

#define LOOK_SECONDS 0.5  // between two looks at a file
#define IDLE_SECONDS 30.0 // nobody has asked for so long: no more looks
#define PATIENCE 4.0      // reading takes at most the fifth part of the time
#define RETRY_SECONDS 1.0 // before a file that could not be read is tried again
#define WAITING_MOST 64   // for the first reading

typedef struct WatchFile {
    char *path;
    WatchStamp stamp; // when it was read
    bool tried;       // read, or found to be unreadable
    bool running, reading;
    double next; // not before
    WatchRead read;
    int64_t version; // grows when there is something new
} WatchFile;

typedef struct Subscription {
    Client *client;
    char *title;
    int64_t version; // that was sent
    bool running;
} Subscription;

typedef struct Waiting { // `contests` before anything was read
    Client *client;
    int64_t id;
} Waiting;

typedef struct Watch {
    WatchFile file[WATCH_FILES];
    int files;
    Subscription *subscription;
    int subscriptions, cap;
    Waiting waiting[WAITING_MOST];
    int waitings;
    double asked; // when somebody asked last
    WatchOwned *owned;
    double looked;
} Watch;

static Watch *hub_watch(Hub *hub) {
    return *hub_slot(hub, PART_watch);
}

// --- files ---

bool watch_add(Hub *hub, const char *path, Text *why) {
    Watch *w = hub_watch(hub);
    for (int i = 0; i < w->files; i++)
        if (strcmp(w->file[i].path, path) == 0) {
            w->file[i].next = 0;
            return true;
        }
    size_t n = strlen(path) + 1;
    char *copy = w->files < WATCH_FILES ? mem_alloc(n) : NULL;
    if (!copy) {
        text_f(why, "at most %d archives can be watched", WATCH_FILES);
        return false;
    }
    memcpy(copy, path, n);
    w->file[w->files++] = (WatchFile){.path = copy};
    return true;
}

WatchOwned **watch_owned(Hub *hub) {
    return &hub_watch(hub)->owned;
}

// --- telling ---

// The contest with that title; the newest where there are several.
static const WatchContest *find(const Watch *w, const char *title, const WatchFile **file) {
    for (int i = w->files - 1; i >= 0; i--)
        for (int k = w->file[i].read.contests - 1; k >= 0; k--)
            if (strcmp(text_c(&w->file[i].read.contest[k].title), title) == 0) {
                *file = &w->file[i];
                return &w->file[i].read.contest[k];
            }
    return NULL;
}

static void add_contest(const WatchContest *c, const WatchFile *file, Text *out) {
    bool last = c == &file->read.contest[file->read.contests - 1];
    text_add(out, text_c(&c->json));
    text_f(out, ",\"running\":%s", last && file->running && !c->over ? "true" : "false");
}

static void push(const Watch *w, const Subscription *s, Text *out) {
    const WatchOwned *owned = watch_find_owned(w->owned, s->title);
    bool yours = owned && owned->task && watch_is_of(owned, s->client);
    text_f(out, ",\"yours\":%s", yours ? "true" : "false");
    if (!out->failed)
        client_push(s->client, "contest", text_c(out));
    text_free(out);
}

// What is told of a tournament that is in no archive: it waits, or has come to nothing.
static void push_bare(const Watch *w, const Subscription *s, const WatchOwned *owned) {
    Text out = {0};
    text_add(&out, "\"title\":");
    text_json(&out, s->title);
    text_f(&out, ",\"games\":0,\"of\":%lld,\"over\":false,\"running\":%s", (long long)owned->of,
           owned->why ? "false" : "true");
    if (owned->why) {
        text_add(&out, ",\"error\":");
        text_json(&out, owned->why);
    }
    push(w, s, &out);
}

#define BARE 0 // the version of what is in no archive: those that were read begin with 1

static void tell(const Watch *w, Subscription *s) {
    const WatchFile *file;
    const WatchContest *c = find(w, s->title, &file);
    const WatchOwned *owned = c ? NULL : watch_find_owned(w->owned, s->title);
    if (owned && s->version != BARE) {
        s->version = BARE;
        push_bare(w, s, owned);
    }
    if (!c || (s->version == file->version && s->running == file->running))
        return;
    Text out = {0};
    s->version = file->version;
    s->running = file->running;
    add_contest(c, file, &out);
    push(w, s, &out);
}

void watch_failed(Hub *hub, const char *title) {
    Watch *w = hub_watch(hub);
    const WatchFile *file;
    for (int i = 0; i < w->subscriptions && !find(w, title, &file); i++)
        if (strcmp(w->subscription[i].title, title) == 0) {
            w->subscription[i].version = -1;
            tell(w, &w->subscription[i]);
        }
}

static void tell_all(Watch *w) {
    for (int i = 0; i < w->subscriptions; i++)
        tell(w, &w->subscription[i]);
}

static bool all_tried(const Watch *w) {
    for (int i = 0; i < w->files; i++)
        if (!w->file[i].tried)
            return false;
    return true;
}

static void list_contests(const Watch *w, Client *c, int64_t id) {
    Text out = {0};
    int n = 0;
    text_add(&out, "\"contests\":[");
    for (int i = 0; i < w->files; i++)
        for (int k = 0; k < w->file[i].read.contests; k++) {
            const WatchContest *one = &w->file[i].read.contest[k];
            bool last = k == w->file[i].read.contests - 1;
            text_add(&out, n++ ? ",{\"title\":" : "{\"title\":");
            text_json(&out, text_c(&one->title));
            text_f(&out, ",\"games\":%lld,\"of\":", (long long)one->games);
            if (one->of)
                text_f(&out, "%lld", (long long)one->of);
            else
                text_add(&out, "null");
            text_f(&out, ",\"running\":%s}",
                   last && w->file[i].running && !one->over ? "true" : "false");
        }
    text_char(&out, ']');
    client_reply(c, id, text_c(&out));
    text_free(&out);
}

// --- reading ---

typedef struct ReadTask {
    int file; // they are never removed
    const char *path;
    WatchStamp stamp;
    const WatchRead *before; // stays as it is until the reading has ended
    WatchRead read;
    bool ok;
    double seconds;
    Text why;
} ReadTask;

static void run_read(Task *task, void *with) {
    ReadTask *r = with;
    (void)task;
    double began = now_seconds();
    r->ok = watch_read(r->path, r->before, &r->read, &r->why);
    r->seconds = now_seconds() - began;
}

// What cannot be read now stays as it was known before.
static void end_read(Hub *hub, Task *task, void *with) {
    ReadTask *r = with;
    Watch *w = hub_watch(hub);
    WatchFile *file = &w->file[r->file];
    (void)task;
    file->reading = false;
    file->tried = true;
    file->next = now_seconds() + PATIENCE * r->seconds;
    if (r->ok) {
        file->stamp = r->stamp;
        watch_read_free(&file->read);
        file->read = r->read;
        file->version++;
    } else {
        // The writer may just be closing it: without another try its last games would stay unseen.
        file->stamp = (WatchStamp){.size = -1};
        file->next += RETRY_SECONDS;
    }
    tell_all(w);
    for (int i = 0; all_tried(w) && i < w->waitings; i++)
        list_contests(w, w->waiting[i].client, w->waiting[i].id);
    w->waitings = all_tried(w) ? 0 : w->waitings;
    text_free(&r->why);
    mem_free(r);
}

static void begin_read(Hub *hub, Watch *w, int which, WatchStamp stamp) {
    WatchFile *file = &w->file[which];
    ReadTask *r = mem_alloc(sizeof *r);
    if (!r)
        return;
    *r = (ReadTask){.file = which, .path = file->path, .stamp = stamp, .before = &file->read};
    file->reading = task_begin(hub_think(hub), NULL, TASK_QUICK, run_read, end_read, r) != NULL;
    if (!file->reading)
        mem_free(r);
}

static void look(Hub *hub, Watch *w, double now) {
    bool running_changed = false;
    w->looked = now;
    for (int i = 0; i < w->files; i++) {
        WatchFile *file = &w->file[i];
        bool running = watch_running(file->path);
        WatchStamp stamp = watch_stamp(file->path);
        bool changed = !file->tried || memcmp(&stamp, &file->stamp, sizeof stamp) != 0;
        // The last games are read first: else it would be told that it was stopped before its end.
        running = running || (file->running && changed && file->stamp.size >= 0);
        running_changed |= running != file->running;
        file->running = running;
        if (changed && !file->reading && now >= file->next)
            begin_read(hub, w, i, stamp);
    }
    if (running_changed)
        tell_all(w);
}

int watch_tick(Hub *hub, double now) {
    Watch *w = hub_watch(hub);
    if (!w || !w->files || !hub_think(hub))
        return -1;
    bool looked_at = w->subscriptions || w->waitings || now - w->asked < IDLE_SECONDS;
    if (!looked_at && all_tried(w))
        return -1;
    if (now - w->looked >= LOOK_SECONDS)
        look(hub, w, now);
    return (int)(1000 * LOOK_SECONDS);
}

// --- what pages ask ---

void hub_do_contests(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Watch *w = hub_watch(hub);
    (void)in;
    w->asked = now_seconds();
    w->looked = 0;
    if (all_tried(w)) {
        list_contests(w, client, id);
    } else if (w->waitings == WAITING_MOST) {
        client_error(client, id, "busy", NULL, "the archives are still being read");
    } else {
        w->waiting[w->waitings++] = (Waiting){client, id};
        client_later(client, id);
    }
}

// Whether a contest that is not known may be known soon.
static bool may_come(const Watch *w, const char *title) {
    bool soon = watch_find_owned(w->owned, title) != NULL;
    for (int i = 0; i < w->files; i++)
        soon = soon || w->file[i].reading;
    return soon;
}

static bool subscribe(Watch *w, Client *c, const char *title) {
    int own = 0;
    for (int i = 0; i < w->subscriptions; i++) {
        own += w->subscription[i].client == c;
        if (w->subscription[i].client == c && strcmp(w->subscription[i].title, title) == 0) {
            w->subscription[i].version = -1; // sent anew
            return true;
        }
    }
    if (own >= WATCH_SUBSCRIBED)
        return false;
    if (w->subscriptions == w->cap) {
        int cap = w->cap ? 2 * w->cap : 16;
        Subscription *grown = mem_resize(w->subscription, sizeof *grown * (size_t)cap);
        if (!grown)
            return false;
        w->subscription = grown;
        w->cap = cap;
    }
    size_t n = strlen(title) + 1;
    char *copy = mem_alloc(n);
    if (!copy)
        return false;
    memcpy(copy, title, n);
    w->subscription[w->subscriptions++] = (Subscription){.client = c, .title = copy, .version = -1};
    return true;
}

static void unsubscribe(Watch *w, const Client *c, const char *title) {
    int n = 0;
    for (int i = 0; i < w->subscriptions; i++) {
        Subscription *s = &w->subscription[i];
        if (s->client == c && (!title || strcmp(s->title, title) == 0))
            mem_free(s->title);
        else
            w->subscription[n++] = *s;
    }
    w->subscriptions = n;
}

// `on` false ends the subscription.
void hub_do_contest(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Watch *w = hub_watch(hub);
    const char *title;
    const WatchFile *file;
    if (!in_text(client, id, in, "title", &title))
        return;
    if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(in, "on"))) {
        unsubscribe(w, client, title);
        client_reply(client, id, "");
        return;
    }
    w->asked = now_seconds();
    look(hub, w, w->asked);
    if (!find(w, title, &file) && !may_come(w, title)) {
        client_error(client, id, "gone", NULL, "there is no such tournament");
    } else if (!subscribe(w, client, title)) {
        client_error(client, id, "busy", NULL, "at most %d tournaments at a time",
                     WATCH_SUBSCRIBED);
    } else {
        client_reply(client, id, "");
        tell_all(w);
    }
}

bool watch_contest(Hub *hub, const char *title, Text *out, Text *why) {
    Watch *w = hub_watch(hub);
    const WatchFile *file;
    const WatchContest *c = find(w, title, &file);
    w->asked = now_seconds();
    w->looked = 0;
    if (!c) {
        text_add(why, all_tried(w) ? "there is no such tournament"
                                   : "the archives are still being read");
        return false;
    }
    text_char(out, '{');
    add_contest(c, file, out);
    text_char(out, '}');
    return !out->failed;
}

// --- the part ---

bool watch_begin(Hub *hub, Text *why) {
    const ServerOptions *o = hub_options(hub);
    Watch *w = *hub_slot(hub, PART_watch) = mem_alloc(sizeof *w);
    if (!w) {
        text_add(why, "out of memory");
        return false;
    }
    // Tournaments of earlier runs, before those that were named: of equal titles the later counts.
    for (int i = 0; i < WATCH_OWNS; i++) {
        Text own = {0}, ignored = {0};
        if (watch_own_path(hub, i, &own, &ignored) && access(text_c(&own), R_OK) == 0)
            watch_add(hub, text_c(&own), &ignored);
        text_free(&own);
        text_free(&ignored);
    }
    bool ok = true;
    for (int i = 0; ok && i < o->archive_count; i++)
        ok = watch_add(hub, o->archives[i], why);
    return ok;
}

void watch_end(Hub *hub) {
    Watch *w = hub_watch(hub);
    if (!w)
        return;
    for (int i = 0; i < w->files; i++) {
        mem_free(w->file[i].path);
        watch_read_free(&w->file[i].read);
    }
    for (int i = 0; i < w->subscriptions; i++)
        mem_free(w->subscription[i].title);
    mem_free(w->subscription);
    watch_owned_free(w->owned);
    mem_free(w);
    *hub_slot(hub, PART_watch) = NULL;
}

void watch_leave(Hub *hub, Client *c) {
    Watch *w = hub_watch(hub);
    int n = 0;
    if (!w)
        return;
    unsubscribe(w, c, NULL);
    for (int i = 0; i < w->waitings; i++)
        if (w->waiting[i].client != c)
            w->waiting[n++] = w->waiting[i];
    w->waitings = n;
}
