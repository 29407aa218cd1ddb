// hub: its parts, its rounds, and what comes from other threads; see hub.h.
#include "base/mem.h"
#include "server/hub_inside.h"

static const struct PartRow {
    bool (*begin)(Hub *hub, Text *why);
    void (*end)(Hub *hub);
    int (*tick)(Hub *hub, double now);
} parts[] = {
#define X(name) {name##_begin, name##_end, name##_tick},
    HUB_PARTS(X)
#undef X
};

Hub *hub_new(const ServerOptions *options, Text *why) {
    Hub *hub = mem_alloc(sizeof *hub);
    if (!hub) {
        text_add(why, "out of memory");
        return NULL;
    }
    hub->options = options;
    pthread_mutex_init(&hub->lock, NULL);
    while (hub->begun < PART_COUNT) {
        if (!parts[hub->begun++].begin(hub, why)) {
            hub_free(hub);
            return NULL;
        }
    }
    return hub;
}

static Post *take_posts(Hub *hub) {
    pthread_mutex_lock(&hub->lock);
    Post *first = hub->first_post;
    hub->first_post = hub->last_post = NULL;
    pthread_mutex_unlock(&hub->lock);
    return first;
}

static bool run_posts(Hub *hub) {
    Post *post = take_posts(hub);
    bool any = post != NULL;
    while (post) {
        Post *next = post->next;
        post->run(hub, post->with);
        mem_free(post);
        post = next;
    }
    return any;
}

void hub_free(Hub *hub) {
    if (!hub)
        return;
    while (hub->clients)
        client_free(hub->clients);
    while (hub->begun > 0) {
        parts[--hub->begun].end(hub);
        while (run_posts(hub)) // what a part's threads have left behind frees what it holds
            ;
    }
    rates_free(&hub->addresses);
    pthread_mutex_destroy(&hub->lock);
    mem_free(hub);
}

const ServerOptions *hub_options(const Hub *hub) {
    return hub->options;
}

void **hub_slot(Hub *hub, HubPart part) {
    return &hub->slot[part];
}

void *hub_visit(Hub *hub, const char *address) {
    Address *a = rates_use(&hub->addresses, address);
    if (a && !rates_take(&a->bucket, RATES_ADDRESS, 1)) {
        rates_release(a);
        return NULL;
    }
    return a;
}

void hub_visited(void *visit, double seconds) {
    Address *a = visit;
    rates_charge(&a->bucket, RATES_ADDRESS, seconds);
    rates_release(a);
}

// --- rounds ---

// Nothing has been sent of a round that could not be kept. Who was to hear of it is cut off, comes
// back, and sees what there is.
static void settle(Hub *hub) {
    Text why = {0};
    bool kept = rooms_settle(hub, &why);
    while (hub->news)
        client_settle(hub->news, kept);
    text_free(&why);
}

int hub_tick(Hub *hub, double now) {
    run_posts(hub);
    int pause = HUB_PAUSE;
    for (int i = 0; i < PART_COUNT; i++) {
        int wish = parts[i].tick(hub, now);
        if (wish >= 0 && wish < pause)
            pause = wish;
    }
    settle(hub);
    return pause;
}

// --- other threads ---

bool hub_post(Hub *hub, void (*run)(Hub *hub, void *with), void *with) {
    Post *post = mem_alloc(sizeof *post);
    if (!post)
        return false;
    *post = (Post){NULL, run, with};
    pthread_mutex_lock(&hub->lock);
    bool first = !hub->first_post; // else the loop has been called already
    if (hub->last_post)
        hub->last_post->next = post;
    else
        hub->first_post = post;
    hub->last_post = post;
    if (first && hub->wake)
        hub->wake(hub->with); // under the lock: hub_on_post(NULL) ends these calls for good
    pthread_mutex_unlock(&hub->lock);
    return true;
}

void hub_on_post(Hub *hub, void (*wake)(void *with), void *with) {
    pthread_mutex_lock(&hub->lock);
    hub->wake = wake;
    hub->with = with;
    pthread_mutex_unlock(&hub->lock);
}
