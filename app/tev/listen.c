/* listen.c: one thread that polls all connections. It may wait for the window, and then all who send do. */
#include "app/tev/listen.h"

#include "app/tev/address.h"
#include "app/tev/live.h"
#include "core/base/memory.h"
#include "core/base/thread.h"
#include "core/base/timing.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    PIECE = 1 << 18,         /* bytes of one read */
    KEPT = 1 << 22,          /* of a buffer without a packet */
    STRANGER_BYTES = 1 << 12 /* of a packet before the token */
};
#define STRANGER_MS 10e3 /* within which the token has to be there */
#define SILENCE_MS  60e3 /* without a byte, within a packet */
#define PAUSE_MS    1e3  /* without descriptors, until connections are taken again */

typedef struct Connection {
    int descriptor;
    bool known;      /* no token is asked for, or it was there */
    double since;    /* clock_ms when it came; once it is known, of its last bytes */
    Bytes got;       /* a packet's beginning; size: of the memory */
    size_t received; /* bytes of it */
} Connection;

struct Listener {
    int descriptor, stop; /* stop: an eventfd */
    char *token;          /* or NULL */
    pthread_t thread;
    size_t room; /* bytes for all packets under way */
    Connection connections[LISTEN_CONNECTIONS];
    size_t count;
    double paused; /* clock_ms until which nobody is taken in */
};

/* ---- one connection ---- */

/* In a time that does not tell how many characters are right. */
static bool same_text(const char *a, const char *b) {
    const size_t length = strlen(a);
    unsigned char differs = 0;
    if (strlen(b) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        differs |= (unsigned char)(a[i] ^ b[i]);
    return differs == 0;
}

static bool brings_token(const TevPacket *packet, const char *token) {
    static const char word[] = "token:";
    if (packet->kind != TEV_OPEN)
        return false;
    if (strcmp(packet->name, "token") == 0)
        return same_text(packet->selector, token);
    return strncmp(packet->name, word, sizeof word - 1) == 0 && same_text(packet->name + sizeof word - 1, token);
}

/* A packet that makes no sense to the table is told; one that cannot be read ends the connection. */
static Status take_packet(const Listener *listener, Connection *connection, Bytes bytes) {
    TevPacket packet;
    TRY(tev_read(bytes, &packet));
    if (!connection->known) {
        connection->known = brings_token(&packet, listener->token);
        return connection->known ? STATUS_OK
                                 : fail(STATUS_INPUT, "a program without the token wanted to show pictures");
    }
    const Status status = live_apply(&packet);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        live_say(status_message());
    return status == STATUS_INTERRUPTED ? status : STATUS_OK;
}

/* Takes all packets that are whole. *wanted: bytes of the one that is not, as far as its head tells. */
static Status take_packets(const Listener *listener, Connection *connection, size_t *wanted) {
    size_t at = 0;
    *wanted = 0;
    while (connection->received - at >= TEV_HEAD) {
        size_t length;
        TRY(tev_length(connection->got.data + at, &length));
        if (connection->received - at > TEV_HEAD)
            TRY(tev_check_type(connection->got.data[at + TEV_HEAD]));
        if (!connection->known && length > STRANGER_BYTES)
            return fail(STATUS_INPUT, "a program without the token wanted to show pictures");
        *wanted = length;
        if (connection->received - at < length)
            break;
        TRY(take_packet(listener, connection, (Bytes){connection->got.data + at, length}));
        at += length;
        *wanted = 0;
    }
    memmove(connection->got.data, connection->got.data + at, connection->received - at);
    connection->received -= at;
    return STATUS_OK;
}

static size_t room_taken(const Listener *listener) {
    size_t bytes = 0;
    for (size_t i = 0; i < listener->count; i++)
        bytes += listener->connections[i].got.size;
    return bytes;
}

/* Memory grows with what has come, not with what a packet claims. */
static Status make_room(const Listener *listener, Connection *connection, size_t wanted) {
    const size_t least = connection->received + PIECE, before = connection->got.size;
    size_t size = before > KEPT && wanted == 0 && connection->received < KEPT ? KEPT + PIECE : before;
    if (size < least)
        size = least + connection->received / 2;
    if (size == before)
        return STATUS_OK;
    if (size > before && size - before > listener->room - room_taken(listener))
        return fail(STATUS_INPUT, "a packet needs more memory than the %zu bytes for packets under way",
                    listener->room);
    unsigned char *data = realloc(connection->got.data, size);
    if (!data)
        return fail(STATUS_DEVICE, "no memory for a packet");
    connection->got = (Bytes){data, size};
    return STATUS_OK;
}

static Status end_of_stream(const Connection *connection) {
    return connection->received == 0 ? STATUS_INTERRUPTED : fail(STATUS_INPUT, "a connection ends within a packet");
}

/* STATUS_INTERRUPTED: its end; other failures are told. */
static Status serve(const Listener *listener, Connection *connection) {
    size_t wanted = 0;
    TRY(make_room(listener, connection, connection->received > 0));
    const ssize_t got = recv(connection->descriptor, connection->got.data + connection->received,
                             connection->got.size - connection->received, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return STATUS_OK;
    if (got <= 0)
        return end_of_stream(connection);
    connection->received += (size_t)got;
    if (connection->known)
        connection->since = clock_ms();
    TRY(take_packets(listener, connection, &wanted));
    return make_room(listener, connection, wanted);
}

/* ---- all of them ---- */

static void leave(Listener *listener, size_t index, Status status) {
    Connection *connection = &listener->connections[index];
    if (status != STATUS_INTERRUPTED)
        live_say(status_message());
    close(connection->descriptor);
    free(connection->got.data);
    *connection = listener->connections[--listener->count];
}

/* The place of one more: the longest waiting stranger makes room for it, so that none keeps friends out. */
static bool has_place(Listener *listener) {
    size_t oldest = listener->count;
    for (size_t i = 0; i < listener->count; i++)
        if (!listener->connections[i].known &&
            (oldest == listener->count || listener->connections[i].since < listener->connections[oldest].since))
            oldest = i;
    if (listener->count == LISTEN_CONNECTIONS && oldest < listener->count)
        leave(listener, oldest, STATUS_INTERRUPTED);
    return listener->count < LISTEN_CONNECTIONS;
}

/* Without a descriptor for it, a connection would wait at once again. */
static void take_in(Listener *listener) {
    const int descriptor = accept4(listener->descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0) {
        const bool gone = errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
        listener->paused = gone ? 0 : clock_ms() + PAUSE_MS;
        return;
    }
    if (!has_place(listener)) {
        live_say("more programs want to show pictures than there may be at once: 16");
        close(descriptor);
        return;
    }
    listener->connections[listener->count++] =
        (Connection){.descriptor = descriptor, .known = !listener->token, .since = clock_ms()};
}

/* clock_ms by which something has to come. */
static double due(const Connection *connection) {
    if (!connection->known)
        return connection->since + STRANGER_MS;
    return connection->received > 0 ? connection->since + SILENCE_MS : INFINITY;
}

/* The ms that poll may wait. */
static int patience(const Listener *listener) {
    double first = listener->paused > clock_ms() ? listener->paused : INFINITY;
    for (size_t i = 0; i < listener->count; i++)
        first = fmin(first, due(&listener->connections[i]));
    return isinf(first) ? -1 : (int)fmax(first - clock_ms(), 0) + 1;
}

/* Bytes that came while the window held this thread up are in time. */
static void attend(Listener *listener, size_t index, bool came, double now) {
    Connection *connection = &listener->connections[index];
    Status status = came ? serve(listener, connection) : STATUS_OK;
    if (status == STATUS_OK && due(connection) <= now)
        status = connection->known ? fail(STATUS_INPUT, "a connection is silent within a packet") : STATUS_INTERRUPTED;
    if (status != STATUS_OK)
        leave(listener, index, status);
}

static void *work(void *argument) {
    Listener *listener = argument;
    for (;;) {
        struct pollfd waits[LISTEN_CONNECTIONS + 2] = {{listener->stop, POLLIN, 0}, {listener->descriptor, POLLIN, 0}};
        const size_t count = listener->count;
        if (listener->paused > clock_ms())
            waits[1].fd = -1;
        for (size_t i = 0; i < count; i++)
            waits[2 + i] = (struct pollfd){listener->connections[i].descriptor, POLLIN, 0};
        if (poll(waits, 2 + count, patience(listener)) < 0) {
            if (errno == EINTR)
                continue;
            live_say("pictures of other programs cannot be waited for any more");
            break;
        }
        if (waits[0].revents)
            break;
        const double now = clock_ms();
        for (size_t i = count; i-- > 0;) /* the last one takes the place of one that leaves */
            attend(listener, i, waits[2 + i].revents, now);
        if (waits[1].revents)
            take_in(listener);
    }
    while (listener->count > 0)
        leave(listener, 0, STATUS_INTERRUPTED);
    return NULL;
}

/* ---- begin and end ---- */

static Status begin(Listener *made, const char *address, const char *token, char *name, size_t size) {
    *made = (Listener){.descriptor = -1, .stop = -1, .token = token ? strdup(token) : NULL};
    if (token && strlen(token) < LISTEN_TOKEN_MIN)
        return fail(STATUS_USAGE, "--listen-token: want at least %d characters", LISTEN_TOKEN_MIN);
    if (token && !made->token)
        return fail(STATUS_DEVICE, "no memory for a token");
    made->room = memory_budget() / 4;
    TRY(address_listen("listen", address, token, name, size, &made->descriptor));
    made->stop = eventfd(0, EFD_CLOEXEC);
    if (made->stop < 0)
        return fail(STATUS_DEVICE, "--listen: no descriptor left: %m");
    TRY(live_begin());
    const bool runs = thread_begin(&made->thread, NULL, work, made);
    if (!runs)
        live_end();
    return runs ? STATUS_OK : fail(STATUS_DEVICE, "--listen: no thread left");
}

static void free_listener(Listener *listener) {
    if (listener->descriptor >= 0)
        close(listener->descriptor);
    if (listener->stop >= 0)
        close(listener->stop);
    free(listener->token);
    free(listener);
}

Status listener_begin(const char *address, const char *token, char *name, size_t size, Listener **listener) {
    Listener *made = malloc(sizeof *made);
    *listener = NULL;
    if (!made)
        return fail(STATUS_DEVICE, "--listen: no memory");
    const Status status = begin(made, address, token, name, size);
    if (status == STATUS_OK)
        *listener = made;
    else
        free_listener(made);
    return status;
}

void listener_end(Listener **listener) {
    const uint64_t one = 1;
    Listener *old = *listener;
    if (!old)
        return;
    live_end(); /* it may wait for the window */
    while (write(old->stop, &one, sizeof one) < 0 && errno == EINTR)
        continue;
    pthread_join(old->thread, NULL);
    free_listener(old);
    *listener = NULL;
}
