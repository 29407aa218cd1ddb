// watch: tournaments to look at.
#include "server/hub.h"

void hub_do_contests(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_contest(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_tournament(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}
