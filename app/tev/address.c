/* address.c: names and ports by the system's resolver. */
#include "app/tev/address.h"

#include "app/tev/packet.h"
#include "core/base/interrupt.h"
#include "core/base/timing.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HOST_MAX = 256, PORT_MAX = 6, WAITING_MAX = 16 /* connections that are not accepted yet */, CONNECT_MS = 5000 };

typedef struct Address {
    char host[HOST_MAX], port[PORT_MAX];
} Address;

static bool take(char *to, size_t size, const char *from, size_t length) {
    if (length >= size)
        return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

static bool is_port(const char *text) {
    const size_t length = strlen(text);
    return length > 0 && length < PORT_MAX && strspn(text, "0123456789") == length &&
           strtoul(text, NULL, 10) <= UINT16_MAX;
}

static Status parse(const char *option, const char *text, Address *address) {
    const char *bracket = text[0] == '[' ? strchr(text, ']') : NULL, *host = bracket ? text + 1 : text;
    const char *colon = strchr(bracket ? bracket : text, ':');
    const size_t length = bracket ? (size_t)(bracket - host) : colon ? (size_t)(colon - host) : strlen(text);
    const bool alone = !bracket && !colon && is_port(text);
    *address = (Address){"127.0.0.1", TEV_PORT};
    bool fine = !bracket || !bracket[1] || bracket + 1 == colon;
    if (!alone && length > 0)
        fine &= take(address->host, sizeof address->host, host, length);
    if (alone || colon)
        fine &= is_port(alone ? text : colon + 1) &&
                take(address->port, sizeof address->port, alone ? text : colon + 1, strlen(alone ? text : colon + 1));
    return fine ? STATUS_OK
                : fail(STATUS_USAGE, "--%s %s: want HOST:PORT, as in 127.0.0.1:%s or [::1]:%s", option, text, TEV_PORT,
                       TEV_PORT);
}

static Status resolve(const char *option, const char *text, int flags, struct addrinfo **found) {
    Address address;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV | flags};
    TRY(parse(option, text, &address));
    const int error = getaddrinfo(address.host, address.port, &hints, found);
    return error == 0 ? STATUS_OK : fail(STATUS_USAGE, "--%s %s: %s", option, text, gai_strerror(error));
}

static bool is_loopback(const struct sockaddr *address) {
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 == 127;
    return address->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

static void spell(int descriptor, char *name, size_t size) {
    struct sockaddr_storage bound;
    socklen_t length = sizeof bound;
    char host[HOST_MAX] = "?", port[PORT_MAX] = "?";
    if (getsockname(descriptor, (struct sockaddr *)&bound, &length) == 0)
        (void)getnameinfo((struct sockaddr *)&bound, length, host, sizeof host, port, sizeof port,
                          NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(name, size, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
}

static Status listen_on(const char *option, const char *text, const struct addrinfo *at, int *descriptor) {
    const int one = 1;
    *descriptor = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*descriptor >= 0 && setsockopt(*descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
        bind(*descriptor, at->ai_addr, at->ai_addrlen) == 0 && listen(*descriptor, WAITING_MAX) == 0)
        return STATUS_OK;
    const Status status = fail(STATUS_DEVICE, "--%s %s: cannot be listened on: %m", option, text);
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
    return status;
}

Status address_listen(const char *option, const char *text, bool guarded, char *name, size_t size, int *descriptor) {
    struct addrinfo *found;
    *descriptor = -1;
    TRY(resolve(option, text, AI_PASSIVE, &found));
    Status status = STATUS_DEVICE;
    for (const struct addrinfo *at = found; at && status == STATUS_DEVICE; at = at->ai_next) {
        if (guarded || is_loopback(at->ai_addr))
            status = listen_on(option, text, at, descriptor);
        else
            status = fail(STATUS_USAGE,
                          "--%s %s: other machines reach this address, and could have any file shown; want a token, as "
                          "in --%s-token TEXT, or 127.0.0.1",
                          option, text, option);
    }
    freeaddrinfo(found);
    if (status == STATUS_OK)
        spell(*descriptor, name, size);
    return status;
}

/* Sets errno where it fails. */
static bool connected(int descriptor, const struct addrinfo *at) {
    struct pollfd waits = {descriptor, POLLOUT, 0};
    const double end = clock_ms() + CONNECT_MS;
    int error = 0, ready;
    socklen_t size = sizeof error;
    if (connect(descriptor, at->ai_addr, at->ai_addrlen) == 0)
        return true;
    if (errno != EINPROGRESS)
        return false;
    do
        ready = poll(&waits, 1, (int)fmax(end - clock_ms(), 0));
    while (ready < 0 && errno == EINTR && !interrupted());
    if (ready != 1)
        error = ready < 0 ? errno : ETIMEDOUT;
    else if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        error = errno;
    errno = error;
    return error == 0;
}

Status address_connect(const char *option, const char *text, int *descriptor) {
    struct addrinfo *found;
    const int one = 1;
    int error = 0;
    *descriptor = -1;
    TRY(resolve(option, text, 0, &found));
    for (const struct addrinfo *at = found; at && *descriptor < 0 && !interrupted(); at = at->ai_next) {
        const int made = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (made >= 0 && connected(made, at)) {
            *descriptor = made;
            (void)setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            continue;
        }
        error = errno;
        if (made >= 0)
            close(made);
    }
    freeaddrinfo(found);
    if (*descriptor < 0 && interrupted())
        return STATUS_INTERRUPTED;
    errno = error;
    return *descriptor >= 0
               ? STATUS_OK
               : fail(STATUS_DEVICE, "--%s %s: %m; want a tev, or a glint view --listen, there", option, text);
}
