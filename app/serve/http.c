/* http.c: libmicrohttpd, as glint calls it: the module glint-http.so. A connection has a thread of its own. */
#include "app/serve/http.h"

#include <microhttpd.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct Server {
    const HttpRules *rules;
    struct MHD_Daemon *daemon;
    atomic_int active;    /* requests under way */
    atomic_size_t bodies; /* bytes of theirs */
} Server;

/* A request on its way in. */
typedef struct Upload {
    unsigned char *data;
    size_t size, capacity;
    bool too_large, busy; /* refused, once all has come */
} Upload;

static const char *argument(void *of, const char *name) {
    return MHD_lookup_connection_value(of, MHD_GET_ARGUMENT_KIND, name);
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, HttpAnswer *answer) {
    struct MHD_Response *response = MHD_create_response_from_buffer(answer->size, answer->body, MHD_RESPMEM_MUST_FREE);
    if (!response) {
        free(answer->body);
        return MHD_NO;
    }
    if (answer->type)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->type);
    if (answer->note[0])
        (void)MHD_add_response_header(response, "Glint-Times", answer->note);
    if (answer->status == MHD_HTTP_SERVICE_UNAVAILABLE)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, "1");
    if (answer->status == MHD_HTTP_METHOD_NOT_ALLOWED)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, POST");
    const enum MHD_Result result = MHD_queue_response(connection, (unsigned)answer->status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(const Server *server, struct MHD_Connection *connection, bool busy) {
    HttpAnswer answer = {0};
    server->rules->refuse(server->rules->context, busy, &answer);
    return send_answer(connection, &answer);
}

/* Whether the header says that the body is too large. */
static bool says_too_large(const Server *server, struct MHD_Connection *connection) {
    const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length && strtoull(length, NULL, 10) > server->rules->body_max;
}

static void append(Server *server, Upload *upload, const char *data, size_t size) {
    enum { FIRST = 1 << 18 };
    upload->too_large |= size > server->rules->body_max - upload->size;
    if (upload->too_large || upload->busy)
        return;
    size_t capacity = upload->capacity ? upload->capacity : FIRST;
    while (capacity < upload->size + size)
        capacity *= 2;
    const size_t more = capacity - upload->capacity;
    const bool room = more == 0 || atomic_fetch_add(&server->bodies, more) + more <= server->rules->bodies_max;
    unsigned char *grown = room && more > 0 ? realloc(upload->data, capacity) : upload->data;
    upload->capacity = capacity; /* as it is counted */
    upload->busy = !room || !grown;
    if (upload->busy)
        return;
    upload->data = grown;
    memcpy(grown + upload->size, data, size);
    upload->size += size;
}

/* libmicrohttpd calls it first with the header, then with each piece of the body, then without a piece. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *data, size_t *size, void **state) {
    Server *server = context;
    Upload *upload = *state;
    (void)version;
    if (!upload) {
        *state = upload = calloc(1, sizeof *upload);
        if (!upload)
            return MHD_NO;
        atomic_fetch_add(&server->active, 1);
        return says_too_large(server, connection) ? refuse(server, connection, false) : MHD_YES;
    }
    if (*size > 0) {
        append(server, upload, data, *size);
        *size = 0;
        return MHD_YES;
    }
    if (upload->too_large || upload->busy)
        return refuse(server, connection, !upload->too_large);
    HttpRequest request = {method, path, argument, connection, upload->data, upload->size};
    HttpAnswer answer = {0};
    server->rules->answer(server->rules->context, &request, &answer);
    upload->data = request.body;
    return send_answer(connection, &answer);
}

static void end(void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code) {
    Server *server = context;
    Upload *upload = *state;
    (void)connection, (void)code;
    *state = NULL;
    if (!upload)
        return;
    atomic_fetch_sub(&server->bodies, upload->capacity);
    free(upload->data);
    free(upload);
    atomic_fetch_sub(&server->active, 1);
}

static void *start(const HttpRules *rules) {
    Server *server = calloc(1, sizeof *server);
    if (!server)
        return NULL;
    server->rules = rules;
    server->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC, 0, NULL, NULL,
        handle, server, MHD_OPTION_LISTEN_SOCKET, rules->listening, MHD_OPTION_CONNECTION_LIMIT, rules->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, rules->timeout, MHD_OPTION_NOTIFY_COMPLETED, end, server, MHD_OPTION_END);
    if (server->daemon)
        return server;
    free(server);
    return NULL;
}

static void stop(void *of) {
    Server *server = of;
    const MHD_socket listening = MHD_quiesce_daemon(server->daemon);
    if (listening != MHD_INVALID_SOCKET)
        close(listening);
    const time_t last = time(NULL) + server->rules->timeout;
    while (atomic_load(&server->active) > 0 && time(NULL) <= last)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    MHD_stop_daemon(server->daemon);
    free(server);
}

const HttpLibrary glint_http = {start, stop};
