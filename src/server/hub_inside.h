// hub_inside: what hub.c, client.c and incoming.c share.
#ifndef LUDENS_HUB_INSIDE_H
#define LUDENS_HUB_INSIDE_H

#include "server/games_wait.h"
#include "server/parts.h"
#include "server/rates.h"

#include <pthread.h>

#define HUB_DEPTH 8                // of objects and lists in a message; the protocol needs 4
#define HUB_ITEMS 20000            // values in a message: what is parsed takes 64 bytes for each
#define HUB_PAUSE 500              // milliseconds between ticks at most
#define HUB_HELD ((size_t)1 << 20) // bytes of messages that wait with a client; more: it is dropped

typedef struct Message {
    struct Message *next;
    size_t size;
    char bytes[]; // HUB_HEADROOM, then `size`
} Message;

// A message that was taken in, but has to wait until a game is loaded.
typedef struct Held {
    struct Held *next;
    size_t size;
    bool allowed; // by the rates
    char bytes[]; // `size`
} Held;

struct Client {
    Hub *hub;
    int64_t number;
    Address *address;
    void (*wake)(void *with);
    void *with;
    void *slot[PART_COUNT];
    Client *next, *before; // of all clients
    Client *next_news, *before_news;
    bool has_news; // it is in the hub's list of those to be woken
    Message *first, *last;
    int waiting; // messages
    int ready;   // of these, how many are of rounds that are on the disk
    size_t bytes;
    bool failed;
    bool far; // client_set_far
    Bucket bucket;
    GamesWait *wait; // what its messages wait for: they are answered in order
    Held *held;
    size_t held_bytes;
    int64_t asked; // the message being worked on
    bool answered;
};

typedef struct Post {
    struct Post *next;
    void (*run)(Hub *hub, void *with);
    void *with;
} Post;

struct Hub {
    const ServerOptions *options;
    void *slot[PART_COUNT];
    int begun; // parts that are to be ended
    Client *clients;
    Client *news; // those who are to be woken at the end of the round
    int64_t numbers;
    Address *addresses;
    pthread_mutex_t lock; // of what follows
    Post *first_post, *last_post;
    void (*wake)(void *with);
    void *with;
};

// client.c
void client_news(Client *c);              // wakes it at the end of the round
void client_fail(Client *c);              // it is to be closed; nothing more is taken up or sent
void client_settle(Client *c, bool kept); // the round is on the disk, or will never be

// incoming.c: the message as JSON, or NULL with what is wrong with it. cJSON_Delete frees it. `id`
// is the message's number, as far as it can be read, also of what is refused; else HUB_NO_ID.
cJSON *incoming_parse(const char *message, size_t size, int64_t *id, Text *why);

#endif
