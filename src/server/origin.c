// origin: whether a request may come from where it comes from; see origin.h.
#include "server/origin.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

// The host without its port and, of IPv6, its brackets; false if it is not written as one.
static bool host_name(const char *host, char *out, size_t size, bool *v6) {
    *v6 = *host == '[';
    const char *begin = host + *v6;
    const char *end = *v6 ? strchr(begin, ']') : begin + strcspn(begin, ":");
    if (!end)
        return false;
    const char *rest = end + *v6;
    if (*rest && (*rest != ':' || strspn(rest + 1, "0123456789") != strlen(rest + 1)))
        return false;
    size_t n = (size_t)(end - begin);
    if (n == 0 || n >= size)
        return false;
    memcpy(out, begin, n);
    out[n] = 0;
    return true;
}

static bool is_own(const char *name, const char *own) {
    size_t n = own ? strlen(own) : 0;
    return n > 0 && strncasecmp(name, own, n) == 0 &&
           (!name[n] || strcasecmp(name + n, ".local") == 0);
}

bool origin_host_is_ours(const char *host, bool local, const char *own) {
    char name[256];
    bool v6;
    if (!host || !host_name(host, name, sizeof name, &v6))
        return false;
    struct in_addr four;
    struct in6_addr six;
    if (v6)
        return inet_pton(AF_INET6, name, &six) == 1 && (!local || IN6_IS_ADDR_LOOPBACK(&six));
    if (inet_pton(AF_INET, name, &four) == 1)
        return !local || ntohl(four.s_addr) >> 24 == 127;
    return strcasecmp(name, "localhost") == 0 || (!local && is_own(name, own));
}

bool origin_is_loopback(const char *address) {
    struct in_addr four;
    struct in6_addr six;
    if (strncmp(address, "::ffff:", 7) == 0) // IPv4 by way of IPv6
        address += 7;
    if (inet_pton(AF_INET, address, &four) == 1)
        return ntohl(four.s_addr) >> 24 == 127;
    return inet_pton(AF_INET6, address, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

bool origin_is_host(const char *origin, const char *host) {
    if (!origin || !*origin)
        return true;
    const char *behind = strstr(origin, "://");
    bool web = strncasecmp(origin, "http://", 7) == 0 || strncasecmp(origin, "https://", 8) == 0;
    return host && web && strcasecmp(behind + 3, host) == 0;
}
