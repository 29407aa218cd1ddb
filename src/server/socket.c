// socket: WebSockets of pages. A message is put together from its pieces and given to the hub; what
// the hub has for the page is sent as fast as the page takes it.
#include "server/origin.h"
#include "server/server_inside.h"

#include <assert.h>
#include <string.h>

static void wake(void *with) {
    struct lws *wsi = with;
    Session *session = lws_wsi_user(wsi);
    if (session->client && client_failed(session->client))
        lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
    else
        lws_callback_on_writable(wsi);
}

static int refuse(struct lws *wsi, unsigned status) {
    return lws_return_http_status(wsi, status, NULL) < 0 ? -1 : 1;
}

static bool header(struct lws *wsi, enum lws_token_indexes token, char *out, int size) {
    *out = 0;
    return lws_hdr_total_length(wsi, token) == 0 || lws_hdr_copy(wsi, out, size, token) >= 0;
}

// Browsers let any page open a socket to any server and only tell where it came from.
static int confirm(Server *s, struct lws *wsi, const char *protocol) {
    char path[16], host[256], origin[256];
    if (!protocol || strcmp(protocol, "websocket") != 0)
        return refuse(wsi, 400);
    if (!header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) || strcmp(path, "/ws") != 0)
        return refuse(wsi, 404);
    if (!header(wsi, WSI_TOKEN_HOST, host, sizeof host) ||
        !header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) ||
        !origin_host_is_ours(host, s->local, s->own) || !origin_is_host(origin, host))
        return refuse(wsi, 403);
    return 0;
}

// At the socket's beginning, while the headers of the request are still there.
static Client *new_client(const Server *s, struct lws *wsi) {
    char host[256];
    Client *c = client_new(s->hub, listen_address(wsi), wake, wsi);
    if (c &&
        (!header(wsi, WSI_TOKEN_HOST, host, sizeof host) || !origin_host_is_ours(host, true, NULL)))
        client_set_far(c);
    return c;
}

static int close_with(struct lws *wsi, enum lws_close_status status) {
    lws_close_reason(wsi, status, NULL, 0);
    return -1;
}

static int receive(struct lws *wsi, Session *session, const char *in, size_t size) {
    if (lws_frame_is_binary(wsi))
        return close_with(wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE);
    if (lws_is_first_fragment(wsi))
        text_clear(&session->in);
    bool all = lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0;
    if (session->in.n + size > HUB_MESSAGE)
        return close_with(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
    if (all && session->in.n == 0) { // in one piece: as it is
        client_receive(session->client, in, size);
        return 0;
    }
    text_add_n(&session->in, in, size);
    if (session->in.failed)
        return -1;
    if (all) {
        client_receive(session->client, session->in.s, session->in.n);
        text_free(&session->in);
    }
    return 0;
}

static int send_waiting(struct lws *wsi, Session *session) {
    size_t size;
    char *message;
    if (client_failed(session->client))
        return close_with(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION);
    while ((message = client_next(session->client, &size))) {
        if (lws_send_pipe_choked(wsi)) {
            lws_callback_on_writable(wsi);
            return 0;
        }
        if (lws_write(wsi, (unsigned char *)message, size, LWS_WRITE_TEXT) < (int)size)
            return -1;
        client_sent(session->client);
    }
    return 0;
}

int socket_event(Server *s, struct lws *wsi, enum lws_callback_reasons reason, Session *session,
                 void *in, size_t size) {
    static_assert(LWS_PRE <= HUB_HEADROOM, "heads of frames are written in front of messages");
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirm(s, wsi, in);
    case LWS_CALLBACK_ESTABLISHED:
        session->client = new_client(s, wsi);
        return session->client ? 0 : -1;
    case LWS_CALLBACK_RECEIVE: return session->client ? receive(wsi, session, in, size) : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE: return session->client ? send_waiting(wsi, session) : -1;
    case LWS_CALLBACK_CLOSED:
        client_free(session->client);
        session->client = NULL;
        text_free(&session->in);
        return 0;
    default: return 0;
    }
}
