// listen: sockets that people connect to. Connections are accepted here and handed on: so the
// number of those of one address, and of all, is limited before anything is spent on them.
#define _GNU_SOURCE // accept4
#include "base/mem.h"
#include "server/server_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int open_at(const struct addrinfo *at, int port, Text *why) {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } where = {0};
    if (at->ai_addrlen > sizeof where)
        return -1;
    memcpy(&where, at->ai_addr, at->ai_addrlen);
    if (at->ai_family == AF_INET6)
        where.six.sin6_port = htons((uint16_t)port);
    else
        where.four.sin_port = htons((uint16_t)port);
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int yes = 1;
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (at->ai_family == AF_INET6) // IPv4 has a socket of its own
            setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
        if (bind(fd, &where.any, at->ai_addrlen) == 0 && listen(fd, 256) == 0)
            return fd;
    }
    text_clear(why);
    text_f(why, "cannot listen at port %d: %s", port, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

static int port_of(int fd) {
    struct sockaddr_storage where;
    socklen_t size = sizeof where;
    if (getsockname(fd, (struct sockaddr *)&where, &size) != 0)
        return 0;
    return ntohs(where.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&where)->sin6_port
                                             : ((struct sockaddr_in *)&where)->sin_port);
}

// A machine may have no IPv6, or none for localhost: the first address must do, others may fail.
// With port 0 the first gets any free one, and the others the same.
bool listen_open(Server *s, Text *why) {
    const char *host = s->options->host ? s->options->host : "127.0.0.1";
    struct addrinfo wish = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found = NULL;
    int wrong = getaddrinfo(host, NULL, &wish, &found);
    if (wrong) {
        text_f(why, "cannot listen at `%s`: %s", host, gai_strerror(wrong));
        return false;
    }
    s->port = s->options->port;
    for (const struct addrinfo *at = found; at && s->listening_count < SERVER_LISTEN;
         at = at->ai_next) {
        int fd = open_at(at, s->port, why);
        if (fd >= 0) {
            s->listening[s->listening_count++] = fd;
            s->port = port_of(fd);
        } else if (errno == EADDRINUSE) {
            break; // part of it would be answered by another program
        }
    }
    freeaddrinfo(found);
    if (s->listening_count > 0)
        text_clear(why);
    return s->listening_count > 0;
}

void listen_close(Server *s) {
    for (int i = 0; i < s->listening_count; i++)
        close(s->listening[i]);
    s->listening_count = 0;
    while (s->peers) {
        Peer *next = s->peers->next;
        mem_free(s->peers);
        s->peers = next;
    }
}

bool listen_start(Server *s) {
    for (; s->listening_count > 0; s->listening_count--) {
        lws_sock_file_fd_type fd = {.filefd = s->listening[s->listening_count - 1]};
        if (!lws_adopt_descriptor_vhost(s->vhost, LWS_ADOPT_RAW_FILE_DESC, fd, "listen", NULL))
            return false;
    }
    return true; // libwebsockets closes them
}

// An address under which others in the network find this machine; false if there is none.
bool listen_shown_address(char *out, size_t size) {
    struct ifaddrs *all = NULL;
    bool found = false;
    if (getifaddrs(&all) != 0)
        return false;
    for (const struct ifaddrs *i = all; i && !found; i = i->ifa_next)
        found = i->ifa_addr && i->ifa_addr->sa_family == AF_INET && (i->ifa_flags & IFF_UP) &&
                !(i->ifa_flags & IFF_LOOPBACK) &&
                getnameinfo(i->ifa_addr, sizeof(struct sockaddr_in), out, (socklen_t)size, NULL, 0,
                            NI_NUMERICHOST) == 0;
    freeifaddrs(all);
    return found;
}

// --- those who connect ---

static Peer *find_peer(Server *s, const char *address) {
    for (Peer *p = s->peers; p; p = p->next)
        if (strcmp(p->address, address) == 0)
            return p;
    Peer *p = mem_alloc(sizeof *p);
    if (!p)
        return NULL;
    snprintf(p->address, sizeof p->address, "%s", address);
    p->next = s->peers;
    s->peers = p;
    return p;
}

static void drop_peer(Server *s, Peer *peer) {
    if (peer->sockets > 0)
        return;
    Peer **link = &s->peers;
    while (*link != peer)
        link = &(*link)->next;
    *link = peer->next;
    mem_free(peer);
}

// An answer that needs nothing to be read first.
static void refuse(int fd) {
    static const char busy[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
                               "Retry-After: 5\r\nConnection: close\r\n\r\n";
    if (send(fd, busy, sizeof busy - 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
        // then it is closed without a word
    }
    close(fd);
}

static void take(Server *s, int fd, const char *address) {
    Peer *peer = find_peer(s, address);
    if (!peer) {
        close(fd);
        return;
    }
    if (peer->sockets >= SERVER_ADDRESS || s->sockets >= s->most) {
        refuse(fd);
        drop_peer(s, peer);
        return;
    }
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct lws *wsi = lws_adopt_socket_vhost(s->vhost, fd);
    if (!wsi) { // it has closed the socket
        drop_peer(s, peer);
        return;
    }
    peer->sockets++;
    s->sockets++;
    lws_set_opaque_user_data(wsi, peer);
}

void listen_accept(Server *s, int fd) {
    for (int i = 0; i < 64; i++) { // then those who are here already have their turn
        struct sockaddr_storage from;
        socklen_t size = sizeof from;
        char address[64] = "?";
        int taken = accept4(fd, (struct sockaddr *)&from, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (taken < 0)
            return;
        getnameinfo((struct sockaddr *)&from, size, address, sizeof address, NULL, 0,
                    NI_NUMERICHOST);
        take(s, taken, address);
    }
}

void listen_gone(Server *s, struct lws *wsi) {
    Peer *peer = lws_get_opaque_user_data(wsi);
    if (!peer)
        return;
    lws_set_opaque_user_data(wsi, NULL);
    peer->sockets--;
    s->sockets--;
    drop_peer(s, peer);
}

const char *listen_address(struct lws *wsi) {
    const Peer *peer = lws_get_opaque_user_data(wsi);
    return peer ? peer->address : "?";
}
