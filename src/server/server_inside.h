// server_inside: what server.c, listen.c, socket.c and http.c share. Only these four know
// libwebsockets.
#ifndef LUDENS_SERVER_INSIDE_H
#define LUDENS_SERVER_INSIDE_H

#include "server/pages.h"

#include <libwebsockets.h>

#define SERVER_FILES 8192  // open files, sockets among them, if the system allows as many
#define SERVER_SPARE 64    // of these, not for sockets: databases, compilers, files
#define SERVER_ADDRESS 256 // sockets of one address: a class behind one router
#define SERVER_LISTEN 4    // addresses that are listened at
#define SERVER_SECONDS 10  // for a request to arrive, for an answer to be taken
#define SERVER_PING 20     // seconds without a word until a socket is asked whether it is there
#define SERVER_HANG_UP 45  // and until it is closed

// Sockets of one address are counted.
typedef struct Peer {
    struct Peer *next;
    char address[64];
    int sockets;
} Peer;

typedef struct Server {
    const ServerOptions *options;
    Hub *hub;
    struct lws_context *context;
    struct lws_vhost *vhost;
    lws_sorted_usec_list_t timer;
    int listening[SERVER_LISTEN];
    int listening_count;
    int port;
    bool local;    // only this machine is served
    char own[256]; // the name of this machine, or the one it was told to listen at
    Peer *peers;
    int sockets, most;
} Server;

typedef struct Asked Asked; // http.c: a request

// What libwebsockets keeps for each connection; all zero at first.
typedef struct Session {
    Client *client; // a socket of a page
    Text in;        // of a message that comes in pieces
    Answer answer;  // to a request
    Asked *asked;   //   that waits until it can be answered
    size_t sent;
    bool answering;
    bool last; // the connection ends with this answer
} Session;

// listen.c: opens the listening sockets; false with the reason. listen_accept takes all who wait.
bool listen_open(Server *s, Text *why);
bool listen_start(Server *s); // in libwebsockets' loop
void listen_close(Server *s);
bool listen_shown_address(char *out, size_t size);
void listen_accept(Server *s, int fd);
void listen_gone(Server *s, struct lws *wsi); // a connection was closed
const char *listen_address(struct lws *wsi);  // of the other side

// Both are called back by libwebsockets; a value other than 0 closes the connection.
int socket_event(Server *s, struct lws *wsi, enum lws_callback_reasons reason, Session *session,
                 void *in, size_t size);
int http_event(Server *s, struct lws *wsi, enum lws_callback_reasons reason, Session *session,
               void *in, size_t size);

#endif
