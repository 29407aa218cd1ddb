// watch_own: tournaments of the server itself, from the moment they are asked for; see watch.h.
#include "server/watch.h"

#include "base/mem.h"
#include "server/room.h"

#include <string.h>

#define FAILED_MOST 16

static WatchOwned **find(WatchOwned **link, const char *title) {
    while (*link && strcmp((*link)->title, title) != 0)
        link = &(*link)->next;
    return link;
}

static void free_owned(WatchOwned *o) {
    mem_free(o->title);
    mem_free(o->page);
    mem_free(o->why);
    mem_free(o);
}

static void drop(WatchOwned **link) {
    WatchOwned *o = *link;
    *link = o->next;
    free_owned(o);
}

bool watch_began(Hub *hub, Client *c, Task *task, const char *title, int64_t of) {
    WatchOwned **all = watch_owned(hub), *o = mem_alloc(sizeof *o);
    if (!o)
        return false;
    *o = (WatchOwned){*all, task, mem_text(title), mem_text(client_page(c)), client_number(c),
                      of,   NULL};
    if (!o->title || !o->page) {
        free_owned(o);
        return false;
    }
    *all = o;
    return true;
}

// Of those that came to nothing the last ones are kept, for pages that only now ask for them.
static void thin_out(WatchOwned **link) {
    int failed = 0;
    while (*link)
        if (!(*link)->task && ++failed > FAILED_MOST)
            drop(link);
        else
            link = &(*link)->next;
}

void watch_ended(Hub *hub, const char *title, const char *why) {
    WatchOwned **link = find(watch_owned(hub), title), *o = *link;
    if (!o) // there was no memory for it
        return;
    o->task = NULL;
    o->why = why ? mem_text(why) : NULL;
    if (o->why)
        watch_failed(hub, title);
    else
        drop(link);
    thin_out(watch_owned(hub));
}

void watch_owned_free(WatchOwned *all) {
    while (all) {
        WatchOwned *next = all->next;
        free_owned(all);
        all = next;
    }
}

const WatchOwned *watch_find_owned(const WatchOwned *all, const char *title) {
    return *find((WatchOwned **)&all, title);
}

// Pages are known by their word, which outlives a line that broke and a page that was loaded again.
bool watch_is_of(const WatchOwned *o, Client *c) {
    return o->client == client_number(c) || (o->page[0] && strcmp(o->page, client_page(c)) == 0);
}

void watch_stop(Hub *hub, Client *c, int64_t id, const char *title) {
    const WatchOwned *o = *find(watch_owned(hub), title);
    if (!o || !o->task) {
        client_error(c, id, "gone", NULL, "there is no such tournament, or it is over");
    } else if (!watch_is_of(o, c)) {
        client_error(c, id, "denied", NULL, "only whoever began it can stop it");
    } else {
        task_cancel(o->task);
        client_reply(c, id, "");
    }
}
