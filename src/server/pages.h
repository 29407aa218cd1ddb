// pages: what is answered to a request over HTTP, apart from how it is sent.
//
// An Answer owns its text; answer_free releases it. Data of the program is only pointed to.
#ifndef LUDENS_PAGES_H
#define LUDENS_PAGES_H

#include "server/games_wait.h"

typedef struct Answer {
    int status;
    const char *type; // of the content
    Text text;        // the content, unless `data` is set
    const char *data;
    size_t size;
    bool packed;  // `data` is compressed by gzip
    bool private; // depends on who asks or on what is going on: never kept
    char tag[40]; // the same tag, the same content; "" without
} Answer;

typedef struct Request {
    const char *path;         // behind the host, decoded, without the query
    const char *const *query; // "name=value", decoded
    int query_count;
    bool packed;         // compressed content is understood
    const char *address; // of who asks
} Request;

const char *answer_data(const Answer *a, size_t *size);
void answer_free(Answer *a);
// {"error":"…"} with a status.
void answer_error(Answer *a, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Everything there is below `/`, but the socket.
// What the request is about may have to be loaded first: then it is answered after `then` was
// called. NULL: there is nothing to wait for.
GamesWait *pages_wait(Hub *hub, const Request *request, GamesThen *then, void *with);
void pages_answer(Hub *hub, const Request *request, Answer *out);

#endif
