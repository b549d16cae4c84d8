/* web.c: libwebsockets, as glint calls it: the module glint-web.so. One thread has all connections. */
#include "app/view/window/web.h"

#include <libwebsockets.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { HEADERS_MAX = 1024, TOKEN_MAX = 128, CHUNK = 4096 };

_Static_assert(WEB_LEAD >= LWS_PRE, "libwebsockets writes its header there");

typedef struct Server {
    const WebRules *rules;
    struct lws_context *context;
    struct lws_vhost *host;
    struct lws **clients; /* by their number; NULL: it is free */
    pthread_t thread;
    atomic_bool stops;
} Server;

/* A connection. libwebsockets makes it, zeroed. */
typedef struct Connection {
    unsigned number; /* from 1 on; 0: it is no client yet */
    char *bytes;     /* of a message that has come in part */
    size_t size, capacity;
    bool page; /* the page is to be written */
} Connection;

/* ---- requests ---- */

/* Takes as long for each wrong token. */
static bool has_token(struct lws *wsi, const char *token) {
    char given[TOKEN_MAX] = "";
    unsigned char differs = 0;
    const size_t length = strlen(token);
    const char *value = lws_get_urlarg_by_name(wsi, "token=", given, sizeof given);
    if (!value || strlen(value) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        differs |= (unsigned char)(value[i] ^ token[i]);
    return differs == 0;
}

/* Nothing but the page's own script runs in it. */
static int send_header(struct lws *wsi, size_t size) {
    static const char *const headers[][2] = {
        {"cache-control:", "no-store"},
        {"referrer-policy:", "no-referrer"},
        {"x-content-type-options:", "nosniff"},
        {"content-security-policy:", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                                     "img-src blob:; connect-src 'self' ws: wss:"}};
    unsigned char buffer[LWS_PRE + HEADERS_MAX], *start = buffer + LWS_PRE, *at = start, *end = buffer + sizeof buffer;
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, "text/html; charset=utf-8", size, &at, end))
        return 1;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        if (lws_add_http_header_by_name(wsi, (const unsigned char *)headers[i][0], (const unsigned char *)headers[i][1],
                                        (int)strlen(headers[i][1]), &at, end))
            return 1;
    return lws_finalize_write_http_header(wsi, start, &at, end);
}

static int refuse(struct lws *wsi, unsigned status, const char *why) {
    return lws_return_http_status(wsi, status, why) || lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int answer_get(const Server *server, Connection *connection, struct lws *wsi, const char *path) {
    if (!has_token(wsi, server->rules->token))
        return refuse(wsi, HTTP_STATUS_FORBIDDEN,
                      "This address has no token, or a wrong one: open the one that glint "
                      "printed.");
    if (strcmp(path, "/") != 0)
        return refuse(wsi, HTTP_STATUS_NOT_FOUND, "There is nothing here.");
    if (send_header(wsi, strlen(server->rules->page)))
        return -1;
    connection->page = true;
    lws_callback_on_writable(wsi);
    return 0;
}

static int write_page(const Server *server, Connection *connection, struct lws *wsi) {
    const size_t size = strlen(server->rules->page);
    unsigned char *copy = connection->page ? malloc(LWS_PRE + size) : NULL;
    if (!connection->page)
        return 0;
    connection->page = false;
    if (!copy)
        return -1;
    memcpy(copy + LWS_PRE, server->rules->page, size);
    const int written = lws_write(wsi, copy + LWS_PRE, size, LWS_WRITE_HTTP_FINAL);
    free(copy);
    return written < 0 || lws_http_transaction_completed(wsi) ? -1 : 0;
}

/* ---- clients ---- */

static int welcome(Server *server, Connection *connection, struct lws *wsi) {
    for (unsigned i = 0; i < server->rules->clients_max; i++)
        if (!server->clients[i]) {
            server->clients[i] = wsi;
            connection->number = i + 1;
            server->rules->joined(server->rules->context, i);
            lws_callback_on_writable(wsi);
            return 0;
        }
    return -1;
}

static void say_goodbye(Server *server, Connection *connection) {
    free(connection->bytes);
    connection->bytes = NULL;
    if (connection->number == 0)
        return;
    server->clients[connection->number - 1] = NULL;
    server->rules->left(server->rules->context, connection->number - 1);
    connection->number = 0;
}

static int hear(Server *server, Connection *connection, struct lws *wsi, const char *bytes, size_t size) {
    const bool ends = lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0;
    if (lws_frame_is_binary(wsi))
        return server->rules->came(server->rules->context, connection->number - 1, bytes, size, ends) ? 0 : -1;
    if (size > server->rules->message_max - connection->size)
        return -1;
    if (connection->size + size >= connection->capacity) { /* an empty message has an address, too */
        const size_t capacity = connection->size + size + CHUNK;
        char *grown = realloc(connection->bytes, capacity);
        if (!grown)
            return -1;
        connection->bytes = grown;
        connection->capacity = capacity;
    }
    if (size > 0)
        memcpy(connection->bytes + connection->size, bytes, size);
    connection->size += size;
    if (!ends)
        return 0;
    server->rules->heard(server->rules->context, connection->number - 1, connection->bytes, connection->size);
    connection->size = 0;
    lws_callback_on_writable(wsi);
    return 0;
}

static int write_next(const Server *server, const Connection *connection, struct lws *wsi) {
    WebMessage message;
    if (!server->rules->next(server->rules->context, connection->number - 1, &message)) {
        if (message.again_ms > 0)
            lws_set_timer_usecs(wsi, (lws_usec_t)(message.again_ms * 1e3));
        return 0;
    }
    lws_callback_on_writable(wsi);
    return lws_write(wsi, message.data + WEB_LEAD, message.size, message.binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT) < 0
               ? -1
               : 0;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *data, size_t size) {
    Server *server = lws_context_user(lws_get_context(wsi));
    Connection *connection = user;
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP:
        return answer_get(server, connection, wsi, data);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return write_page(server, connection, wsi);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return has_token(wsi, server->rules->token) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED:
        return welcome(server, connection, wsi);
    case LWS_CALLBACK_CLOSED:
        say_goodbye(server, connection);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return hear(server, connection, wsi, data, size);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return write_next(server, connection, wsi);
    case LWS_CALLBACK_TIMER:
        lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        for (unsigned i = 0; server && server->clients && i < server->rules->clients_max; i++)
            if (server->clients[i])
                lws_callback_on_writable(server->clients[i]);
        return 0;
    default:
        return lws_callback_http_dummy(wsi, reason, user, data, size);
    }
}

/* ---- the server ---- */

static void *work(void *of) {
    Server *server = of;
    while (!atomic_load(&server->stops) && lws_service(server->context, 0) >= 0)
        continue;
    return NULL;
}

static void destroy(Server *server) {
    if (server->context)
        lws_context_destroy(server->context);
    free(server->clients);
    free(server);
}

static void *start(const WebRules *rules, int *port) {
    static const struct lws_protocols protocols[] = {
        {"glint", on_event, sizeof(Connection), CHUNK, 0, NULL, 0},
        {NULL, NULL, 0, 0, 0, NULL, 0},
    };
    Server *server = calloc(1, sizeof *server);
    if (!server)
        return NULL;
    const struct lws_context_creation_info info = {
        .port = rules->port,
        .iface = "127.0.0.1",
        .protocols = protocols,
        .user = server,
        .fd_limit_per_thread = 2 * rules->clients_max + 8,
        .timeout_secs = 10,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_VALIDATE_UTF8,
    };
    lws_set_log_level(0, NULL);
    server->rules = rules;
    server->clients = calloc(rules->clients_max, sizeof(struct lws *));
    server->context = server->clients ? lws_create_context(&info) : NULL;
    server->host = server->context ? lws_create_vhost(server->context, &info) : NULL;
    *port = server->host ? lws_get_vhost_listen_port(server->host) : 0;
    if (*port > 0 && pthread_create(&server->thread, NULL, work, server) == 0)
        return server;
    destroy(server);
    return NULL;
}

static void rouse(void *server) {
    lws_cancel_service(((Server *)server)->context);
}

static void stop(void *of) {
    Server *server = of;
    atomic_store(&server->stops, true);
    rouse(server);
    pthread_join(server->thread, NULL);
    destroy(server);
}

const WebLibrary glint_web = {start, rouse, stop};
