// client: a page that is connected: its messages in, and a bounded queue of messages out.
#include "base/mem.h"
#include "server/hub_inside.h"
#include "server/origin.h"

#include <inttypes.h>
#include <string.h>

static const struct CommandRow {
    const char *name;
    HubCommand *run;
} commands[] = {
#define X(name, function) {name, hub_do_##function},
    HUB_COMMANDS(X)
#undef X
};

Client *client_new(Hub *hub, const char *address, void (*wake)(void *with), void *with) {
    Client *c = mem_alloc(sizeof *c);
    if (!c)
        return NULL;
    c->hub = hub;
    c->number = ++hub->numbers;
    c->address = rates_use(&hub->addresses, address);
    if (!c->address) {
        mem_free(c);
        return NULL;
    }
    c->wake = wake;
    c->with = with;
    c->bucket = rates_full(1);
    c->next = hub->clients;
    if (c->next)
        c->next->before = c;
    hub->clients = c;
    return c;
}

static void forget_news(Client *c) {
    if (!c->has_news)
        return;
    if (c->before_news)
        c->before_news->next_news = c->next_news;
    else
        c->hub->news = c->next_news;
    if (c->next_news)
        c->next_news->before_news = c->before_news;
    c->next_news = c->before_news = NULL;
    c->has_news = false;
}

// Drops messages from the end of the queue, so that `count` are left.
static void cut_queue(Client *c, int count) {
    Message **link = &c->first;
    Message *last = NULL;
    for (int i = 0; i < count && *link; i++) {
        last = *link;
        link = &last->next;
    }
    Message *m = *link;
    *link = NULL;
    c->last = last;
    while (m) {
        Message *next = m->next;
        c->bytes -= m->size;
        c->waiting--;
        mem_free(m);
        m = next;
    }
    if (c->ready > c->waiting)
        c->ready = c->waiting;
}

static void drop_held(Client *c) {
    while (c->held) {
        Held *next = c->held->next;
        mem_free(c->held);
        c->held = next;
    }
    c->held_bytes = 0;
}

void client_free(Client *c) {
    if (!c)
        return;
#define X(name) name##_leave(c->hub, c);
    HUB_PARTS(X)
#undef X
    games_wait_forget(c->wait);
    drop_held(c);
    cut_queue(c, 0);
    forget_news(c);
    if (c->before)
        c->before->next = c->next;
    else
        c->hub->clients = c->next;
    if (c->next)
        c->next->before = c->before;
    rates_release(c->address);
    mem_free(c);
}

Hub *client_hub(const Client *c) {
    return c->hub;
}

const char *client_address(const Client *c) {
    return c->address->name;
}

int64_t client_number(const Client *c) {
    return c->number;
}

bool client_near(const Client *c) {
    return !c->far && origin_is_loopback(c->address->name);
}

void client_set_far(Client *c) {
    c->far = true;
}

void **client_slot(Client *c, HubPart part) {
    return &c->slot[part];
}

bool client_failed(const Client *c) {
    return c->failed;
}

// --- out ---

void client_news(Client *c) {
    if (c->has_news)
        return;
    c->next_news = c->hub->news;
    if (c->next_news)
        c->next_news->before_news = c;
    c->hub->news = c;
    c->has_news = true;
}

void client_fail(Client *c) {
    c->failed = true;
    cut_queue(c, 0);
    client_news(c);
}

void client_settle(Client *c, bool kept) {
    forget_news(c);
    if (kept)
        c->ready = c->waiting;
    else
        client_fail(c), forget_news(c);
    if (c->wake && (c->ready > 0 || c->failed))
        c->wake(c->with);
}

static void put(Client *c, const Text *text) {
    if (c->failed)
        return;
    size_t size = text->n;
    bool fits = !text->failed && size <= HUB_QUEUE - c->bytes;
    Message *m = fits ? mem_alloc(sizeof *m + HUB_HEADROOM + size) : NULL;
    if (!m) { // it would never hear of this, and know that it missed nothing
        client_fail(c);
        return;
    }
    m->size = size;
    memcpy(m->bytes + HUB_HEADROOM, text->s, size);
    if (c->last)
        c->last->next = m;
    else
        c->first = m;
    c->last = m;
    c->waiting++;
    c->bytes += size;
    client_news(c);
}

char *client_next(Client *c, size_t *size) {
    if (c->ready == 0)
        return NULL;
    *size = c->first->size;
    return c->first->bytes + HUB_HEADROOM;
}

void client_sent(Client *c) {
    Message *m = c->first;
    if (!m || c->ready == 0)
        return;
    c->first = m->next;
    if (!c->first)
        c->last = NULL;
    c->waiting--;
    c->ready--;
    c->bytes -= m->size;
    mem_free(m);
}

static void begin_answer(Client *c, int64_t id, Text *out) {
    if (id == HUB_NO_ID)
        text_add(out, "{\"re\":null");
    else
        text_f(out, "{\"re\":%" PRId64, id);
    if (id == c->asked)
        c->answered = true;
}

static void end_object(Client *c, const char *members, Text *out) {
    if (members && *members)
        text_f(out, ",%s", members);
    text_char(out, '}');
    put(c, out);
    text_free(out);
}

void client_reply(Client *c, int64_t id, const char *members) {
    Text out = {0};
    begin_answer(c, id, &out);
    end_object(c, members, &out);
}

void client_error(Client *c, int64_t id, const char *code, const char *members, const char *format,
                  ...) {
    Text out = {0}, sentence = {0};
    va_list args;
    va_start(args, format);
    text_vf(&sentence, format, args);
    va_end(args);
    begin_answer(c, id, &out);
    text_add(&out, ",\"error\":");
    text_json(&out, text_c(&sentence));
    text_f(&out, ",\"code\":\"%s\"", code);
    out.failed |= sentence.failed;
    end_object(c, members, &out);
    text_free(&sentence);
}

void client_later(Client *c, int64_t id) {
    if (id == c->asked)
        c->answered = true;
}

void client_push(Client *c, const char *on, const char *members) {
    Text out = {0};
    text_f(&out, "{\"on\":\"%s\"", on);
    end_object(c, members, &out);
}

// --- in ---

// Who sends too much gets `busy`, who does not stop is dropped.
static bool may_send(Client *c, size_t size) {
    double tokens = 1 + (double)size / RATES_BYTES;
    bool own = rates_take(&c->bucket, 1, tokens);
    if (c->bucket.tokens < -RATES_BURST)
        client_fail(c);
    return rates_take(&c->address->bucket, RATES_ADDRESS, tokens) && own;
}

static void dispatch(Client *c, const cJSON *in, int64_t id) {
    const char *name;
    if (!in_text(c, id, in, "do", &name))
        return;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            commands[i].run(c->hub, c, in, id);
            return;
        }
    }
    client_error(c, id, "bad", NULL, "nothing is known about `%.40s`", name);
}

static void answer(Client *c, const cJSON *in, int64_t id, bool allowed, const char *why) {
    c->asked = id;
    c->answered = false;
    if (!in)
        client_error(c, id, "bad", NULL, "%s", why);
    else if (id == HUB_NO_ID)
        client_error(c, id, "bad", NULL, "`id` is a whole number of at least 0");
    else if (!allowed)
        client_error(c, id, "busy", NULL, "that is more than can be taken up at once");
    else
        dispatch(c, in, id);
    if (!c->answered)
        client_error(c, id, "failed", NULL, "out of memory");
}

// --- messages that wait ---

// In front of the others, or behind them.
static void hold(Client *c, const char *message, size_t size, bool allowed, bool first) {
    Held *h = c->held_bytes + size <= HUB_HELD ? mem_alloc(sizeof *h + size) : NULL;
    Held **link = &c->held;
    if (!h) {
        client_fail(c);
        return;
    }
    while (!first && *link)
        link = &(*link)->next;
    h->next = *link;
    h->size = size;
    h->allowed = allowed;
    memcpy(h->bytes, message, size);
    *link = h;
    c->held_bytes += size;
}

static void go_on(Hub *hub, void *with);

// `waited`: for the game that it is about, if it is about one.
static void take_up(Client *c, const char *message, size_t size, bool allowed, bool waited) {
    double begin = rates_work();
    Text why = {0};
    int64_t id;
    cJSON *in = incoming_parse(message, size, &id, &why);
    if (in && allowed && !waited)
        c->wait = games_wait_message(c, in, go_on, c);
    if (c->wait)
        hold(c, message, size, allowed, true);
    else
        answer(c, in, id, allowed, text_c(&why));
    cJSON_Delete(in);
    text_free(&why);
    double work = rates_work() - begin;
    rates_charge(&c->bucket, 1, work);
    rates_charge(&c->address->bucket, RATES_ADDRESS, work);
}

static void go_on(Hub *hub, void *with) {
    Client *c = with;
    bool waited = true; // the first one
    (void)hub;
    c->wait = NULL;
    while (c->held && !c->wait && !c->failed) {
        Held *h = c->held;
        c->held = h->next;
        c->held_bytes -= h->size;
        take_up(c, h->bytes, h->size, h->allowed, waited);
        mem_free(h);
        waited = false;
    }
}

void client_receive(Client *c, const char *message, size_t size) {
    if (c->failed)
        return;
    if (size > HUB_MESSAGE) {
        client_fail(c);
        return;
    }
    bool allowed = may_send(c, size);
    if (c->failed)
        return;
    if (c->wait)
        hold(c, message, size, allowed, false);
    else
        take_up(c, message, size, allowed, false);
}
