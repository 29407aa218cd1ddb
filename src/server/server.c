// server: the event loop; see server.h.
#include "base/now.h"
#include "server/parts.h"
#include "server/server_inside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t size) {
    Server *s = lws_context_user(lws_get_context(wsi));
    switch ((int)reason) {
    case LWS_CALLBACK_RAW_RX_FILE: listen_accept(s, lws_get_socket_fd(wsi)); return 0;
    case LWS_CALLBACK_WSI_DESTROY: listen_gone(s, wsi); return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
    case LWS_CALLBACK_ESTABLISHED:
    case LWS_CALLBACK_RECEIVE:
    case LWS_CALLBACK_SERVER_WRITEABLE:
    case LWS_CALLBACK_CLOSED: return socket_event(s, wsi, reason, user, in, size);
    case LWS_CALLBACK_HTTP:
    case LWS_CALLBACK_HTTP_BODY:
    case LWS_CALLBACK_HTTP_WRITEABLE:
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL: return http_event(s, wsi, reason, user, in, size);
    default: return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {.name = "ludens",
     .callback = on_event,
     .per_session_data_size = sizeof(Session),
     .rx_buffer_size = 4096},
    {.name = "listen", .callback = on_event},
    {0},
};

static const lws_retry_bo_t patience = {
    .secs_since_valid_ping = SERVER_PING,
    .secs_since_valid_hangup = SERVER_HANG_UP,
};

static void silent(int level, const char *line) {
    (void)level, (void)line;
}

// Tables of libwebsockets are as large as the number of files may become.
static int limit_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 1024;
    rlim_t wanted = SERVER_FILES;
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < wanted)
        wanted = limit.rlim_max;
    limit.rlim_cur = wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
    return (int)wanted;
}

static void tick_is_due(lws_sorted_usec_list_t *timer) {
    (void)timer; // that the loop goes round is all it is for
}

static void wake_loop(void *with) {
    lws_cancel_service(with);
}

static bool is_local(const char *host) {
    return !host || strcasecmp(host, "localhost") == 0 || strcmp(host, "::1") == 0 ||
           strncmp(host, "127.", 4) == 0;
}

static bool start(Server *s, Text *why) {
    int files = limit_files();
    s->most = files - SERVER_SPARE;
    lws_set_log_level(0, silent);
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .user = s,
        .server_string = "ludens",
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_DISABLE_IPV6,
        .timeout_secs = SERVER_SECONDS,
        .timeout_secs_ah_idle = SERVER_SECONDS,
        .keepalive_timeout = SERVER_SECONDS,
        .max_http_header_pool = (unsigned short)files, // else some who are slow stop all others
        .max_http_header_data = 4096,
        .retry_and_idle_policy = &patience,
        .gid = -1,
        .uid = -1,
    };
    s->context = lws_create_context(&info);
    s->vhost = s->context ? lws_create_vhost(s->context, &info) : NULL;
    if (s->vhost && listen_start(s))
        return true;
    text_add(why, "libwebsockets cannot be started");
    return false;
}

static bool is_all(const char *host) {
    return host && (strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0);
}

// Others may not know this machine by its name, so its address is shown if there is one.
static void tell_address(const Server *s) {
    const char *host = s->options->host;
    char name[256], address[400];
    if (!is_all(host))
        snprintf(name, sizeof name, "%s", host ? host : "localhost");
    else if (!listen_shown_address(name, sizeof name))
        snprintf(name, sizeof name, "%s", s->own);
    snprintf(address, sizeof address, strchr(name, ':') ? "http://[%s]:%d/" : "http://%s:%d/", name,
             s->port);
    if (s->options->ready)
        s->options->ready(s->options->with, address);
}

// The list of games with the server's own is made while the browser is still on its way.
static void prepare_library(Hub *hub, void *with) {
    (void)with;
    Text out = {0}, why = {0};
    games_library(hub, &out, &why);
    text_free(&out);
    text_free(&why);
}

static void serve(Server *s, const atomic_bool *stop) {
    hub_on_post(s->hub, wake_loop, s->context);
    tell_address(s);
    if (s->options->game_count > 0)
        hub_post(s->hub, prepare_library, NULL);
    while (!atomic_load(stop)) {
        int pause = hub_tick(s->hub, now_seconds());
        lws_sul_schedule(s->context, 0, &s->timer, tick_is_due, (lws_usec_t)(pause + 1) * 1000);
        if (lws_service(s->context, 0) < 0)
            break;
    }
    hub_on_post(s->hub, NULL, NULL);
}

bool server_run(const ServerOptions *options, const atomic_bool *stop, Text *why) {
    Server s = {.options = options, .local = is_local(options->host)};
    if (!options->host || is_all(options->host))
        gethostname(s.own, sizeof s.own - 1);
    else
        snprintf(s.own, sizeof s.own, "%s", options->host);
    bool ok = listen_open(&s, why);
    if (ok) {
        s.hub = hub_new(options, why);
        ok = s.hub && start(&s, why);
    }
    if (ok)
        serve(&s, stop);
    if (s.context)
        lws_context_destroy(s.context); // clients go, while the hub is still there
    hub_free(s.hub);
    listen_close(&s);
    return ok;
}
