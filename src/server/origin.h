// origin: whether a request may come from where it comes from.
//
// A page of another site can make a browser ask this server. It cannot change two headers: `Host`,
// the name under which the browser knows the server, and `Origin`, the site that asks.
#ifndef LUDENS_ORIGIN_H
#define LUDENS_ORIGIN_H

#include <stdbool.h>

// Whether `host`, as a browser sends it ("localhost:8080", "[::1]:80"), is a name of this server:
// localhost, an address in numbers (unless only this machine is served: then one of loopback),
// `own` or `own.local`. A foreign name that somebody's DNS leads here is none.
bool origin_host_is_ours(const char *host, bool local, const char *own);
// Whether an address in numbers is this machine's own, which no other machine has.
bool origin_is_loopback(const char *address);
// Whether the origin is "http://HOST" (or https, by way of a proxy); NULL or "": not a browser,
// which always sends one.
bool origin_is_host(const char *origin, const char *host);

#endif
