// http: requests and answers over HTTP. What is answered is decided in pages.c; here are the
// headers and the sending, piece by piece as the other side takes it.
#include "base/mem.h"
#include "server/origin.h"
#include "server/server_inside.h"

#include <stdio.h>
#include <string.h>

#define HTTP_QUERY 64     // parts of a query; games have far fewer parameters
#define HTTP_PIECE 16384  // bytes that are written at a time
#define HTTP_HEADERS 2048 // bytes of all headers of an answer

// Scripts and styles are the server's own files only, and nobody may show the page in a frame.
static const char *const safety[][2] = {
    {"content-security-policy:",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
     "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
     "form-action 'none'; frame-ancestors 'none'"},
    {"x-content-type-options:", "nosniff"},
    {"x-frame-options:", "DENY"},
    {"referrer-policy:", "no-referrer"},
    {"cross-origin-opener-policy:", "same-origin"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"permissions-policy:", "camera=(), microphone=(), geolocation=()"},
};

// What is needed of a request, for its headers are gone when it has to wait.
struct Asked {
    Text texts; // path and query, each with its NUL
    size_t at[HTTP_QUERY];
    int count;
    char address[64], match[512]; // If-None-Match
    bool packed, body;
    struct lws *wsi;
    GamesWait *wait;
};

typedef struct Head {
    struct lws *wsi;
    unsigned char *at, *end;
    bool ok;
} Head;

static void add_header(Head *h, const char *name, const char *value) {
    h->ok = h->ok && lws_add_http_header_by_name(h->wsi, (const unsigned char *)name,
                                                 (const unsigned char *)value, (int)strlen(value),
                                                 &h->at, h->end) == 0;
}

static int send_head(struct lws *wsi, Session *session) {
    unsigned char buffer[LWS_PRE + HTTP_HEADERS];
    const Answer *a = &session->answer;
    size_t size;
    answer_data(a, &size);
    bool same = a->status == 304;
    Head h = {wsi, buffer + LWS_PRE, buffer + sizeof buffer, true};
    h.ok =
        lws_add_http_common_headers(wsi, (unsigned)a->status, same ? NULL : a->type,
                                    same ? LWS_ILLEGAL_HTTP_CONTENT_LEN : size, &h.at, h.end) == 0;
    for (size_t i = 0; i < sizeof safety / sizeof *safety; i++)
        add_header(&h, safety[i][0], safety[i][1]);
    // Kept, but asked for every time: the tag tells whether it is still the same.
    add_header(&h, "cache-control:", a->private ? "no-store" : "no-cache");
    add_header(&h, "vary:", "accept-encoding");
    if (a->tag[0]) {
        char tag[64];
        snprintf(tag, sizeof tag, "\"%s\"", a->tag);
        add_header(&h, "etag:", tag);
    }
    if (a->packed && !same)
        add_header(&h, "content-encoding:", "gzip");
    if (a->status == 405)
        add_header(&h, "allow:", "GET, HEAD");
    if (!h.ok || lws_finalize_write_http_header(wsi, buffer + LWS_PRE, &h.at, h.end))
        return -1;
    return 0;
}

static int finish(struct lws *wsi, Session *session) {
    bool last = session->last;
    answer_free(&session->answer);
    session->answering = false;
    session->sent = 0;
    return last || lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int send_piece(struct lws *wsi, Session *session) {
    unsigned char buffer[LWS_PRE + HTTP_PIECE];
    size_t size;
    const char *data = answer_data(&session->answer, &size);
    size_t n = size - session->sent;
    if (n > HTTP_PIECE)
        n = HTTP_PIECE;
    memcpy(buffer + LWS_PRE, data + session->sent, n);
    bool all = session->sent + n == size;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, SERVER_SECONDS);
    if (lws_write(wsi, buffer + LWS_PRE, n, all ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)n)
        return -1;
    session->sent += n;
    if (all)
        return finish(wsi, session);
    lws_callback_on_writable(wsi);
    return 0;
}

static int answer(struct lws *wsi, Session *session, bool body) {
    size_t size;
    answer_data(&session->answer, &size);
    if (send_head(wsi, session) != 0)
        return -1;
    if (!body || size == 0 || session->answer.status == 304)
        return finish(wsi, session);
    session->answering = true;
    lws_callback_on_writable(wsi);
    return 0;
}

static bool has_token(struct lws *wsi, enum lws_token_indexes token, const char *word) {
    char value[512];
    return lws_hdr_total_length(wsi, token) > 0 &&
           lws_hdr_copy(wsi, value, sizeof value, token) > 0 && strstr(value, word);
}

// The parts of the query, "name=value"; false if they are too many or too long.
static bool read_query(struct lws *wsi, Asked *q) {
    char part[1024];
    int n;
    while ((n = lws_hdr_copy_fragment(wsi, part, sizeof part, WSI_TOKEN_HTTP_URI_ARGS, q->count)) >=
           0) {
        if (q->count == HTTP_QUERY)
            return false;
        q->at[q->count++] = q->texts.n;
        text_add_n(&q->texts, part, strnlen(part, (size_t)n));
        text_char(&q->texts, 0);
    }
    int all = lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_URI_ARGS);
    return !q->texts.failed && (all == 0 || q->count > 0);
}

// False: the answer is a mistake.
static bool is_allowed(Server *s, struct lws *wsi, Session *session) {
    char host[256] = "";
    bool known = lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0 ||
                 lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    if (!known) {
        session->last = true; // whatever it wanted to send is not read
        answer_error(&session->answer, 405, "only GET and HEAD are understood");
        return false;
    }
    if (lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0 ||
        !origin_host_is_ours(host, s->local, s->own)) {
        session->last = true;
        answer_error(&session->answer, 403, "this server does not go by the name `%.80s`", host);
        return false;
    }
    return true;
}

static bool read_asked(struct lws *wsi, const char *path, Asked *q) {
    q->wsi = wsi;
    q->body = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) == 0;
    q->packed = has_token(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, "gzip");
    if (lws_hdr_copy(wsi, q->match, sizeof q->match, WSI_TOKEN_HTTP_IF_NONE_MATCH) < 0)
        q->match[0] = '\0';
    snprintf(q->address, sizeof q->address, "%s", listen_address(wsi));
    text_add_n(&q->texts, path, strlen(path) + 1);
    return read_query(wsi, q);
}

static void free_asked(Session *session) {
    Asked *q = session->asked;
    session->asked = NULL;
    if (!q)
        return;
    games_wait_forget(q->wait);
    text_free(&q->texts);
    mem_free(q);
}

static void go_on(Hub *hub, void *with) {
    Asked *q = with;
    (void)hub;
    q->wait = NULL;
    lws_callback_on_writable(q->wsi);
}

// Answers, or waits until that can be done.
static int answer_asked(Server *s, struct lws *wsi, Session *session, bool may_wait) {
    Asked *q = session->asked;
    const char *query[HTTP_QUERY];
    for (int i = 0; i < q->count; i++)
        query[i] = q->texts.s + q->at[i];
    Request request = {q->texts.s, query, q->count, q->packed, q->address};
    if (may_wait && (q->wait = pages_wait(s->hub, &request, go_on, q))) {
        lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, SERVER_HANG_UP);
        return 0;
    }
    pages_answer(s->hub, &request, &session->answer);
    const char *tag = session->answer.tag;
    if (tag[0] && strstr(q->match, tag))
        session->answer.status = 304;
    bool body = q->body;
    free_asked(session);
    return answer(wsi, session, body);
}

static int begin(Server *s, struct lws *wsi, Session *session, const char *path) {
    answer_free(&session->answer);
    free_asked(session);
    session->last = false;
    if (!is_allowed(s, wsi, session))
        return answer(wsi, session, lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) == 0);
    Asked *q = session->asked = mem_alloc(sizeof *q);
    if (!q)
        return -1;
    if (read_asked(wsi, path, q))
        return answer_asked(s, wsi, session, true);
    bool body = q->body;
    free_asked(session);
    answer_error(&session->answer, 414, "the address is too long");
    return answer(wsi, session, body);
}

static int writable(Server *s, struct lws *wsi, Session *session) {
    if (session->answering)
        return send_piece(wsi, session);
    if (session->asked && !session->asked->wait)
        return answer_asked(s, wsi, session, false);
    return 0;
}

int http_event(Server *s, struct lws *wsi, enum lws_callback_reasons reason, Session *session,
               void *in, size_t size) {
    (void)size; // `in` ends with a NUL
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP: return begin(s, wsi, session, in);
    case LWS_CALLBACK_HTTP_WRITEABLE: return writable(s, wsi, session);
    case LWS_CALLBACK_HTTP_BODY: return -1;
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        if (session) {
            answer_free(&session->answer);
            free_asked(session);
        }
        return 0;
    default: return 0;
    }
}
