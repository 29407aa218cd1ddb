// insight: what pages ask of a position.
#include "server/hub.h"

void hub_do_hint(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_analyse(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_explain(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_facts(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_tree(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_branch(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_graph(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_stop(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}
