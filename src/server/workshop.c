// workshop: rules from pages.
#include "server/hub.h"

void hub_do_compile(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_format(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_perft(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_study(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_save(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}
