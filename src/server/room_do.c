// room_do: what pages ask of rooms.
#include "server/hub.h"

void hub_do_hello(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_upload(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_open(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_join(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_leave(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_options(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_move(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_undo(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_redo(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_restart(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_goto(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_takeback(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_draw(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_answer(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_resign(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_seat(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_rename(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_why(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_captures(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_edit(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_pace(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}

void hub_do_step(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    (void)hub, (void)in;
    client_error(client, id, "failed", NULL, "this is not built yet");
}
