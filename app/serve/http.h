/* http.h: the HTTP/1.1 that `glint serve` speaks. The program knows libmicrohttpd by this table only. http.c, which
 * fills it in, is a module of its own (glint-http.so), compiled where libmicrohttpd's development files are. The
 * program starts without it. */
#ifndef GLINT_APP_SERVE_HTTP_H
#define GLINT_APP_SERVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

/* A request whose body has come as a whole. All is borrowed until the answer. */
typedef struct HttpRequest {
    const char *method, *path;
    const char *(*argument)(void *of, const char *name); /* of the query, decoded; NULL: it is not there */
    void *of;
    unsigned char *body; /* `answer` may take it over, and sets it to NULL then; else the module frees it */
    size_t size;
} HttpRequest;

typedef struct HttpAnswer {
    int status;       /* 200 */
    const char *type; /* "image/png" */
    char note[128];   /* the value of the header Glint-Times, or "" */
    void *body;       /* of malloc; the module frees it */
    size_t size;
} HttpAnswer;

typedef struct HttpRules {
    int listening;        /* a socket that listens; the module closes it */
    size_t body_max;      /* bytes; larger ones are refused before they come, or as soon as they are too large */
    unsigned timeout;     /* seconds for which a connection may be silent */
    unsigned connections; /* at once; more are closed */
    size_t bodies_max;    /* bytes of all bodies at once; more are refused as long as others are here */
    void (*answer)(void *context, HttpRequest *request, HttpAnswer *answer); /* by several threads */
    void (*refuse)(void *context, bool busy, HttpAnswer *answer); /* a body: too large, or no room for it now */
    void *context;
} HttpRules;

typedef struct HttpLibrary {
    void *(*start)(const HttpRules *rules); /* borrowed until `stop`; NULL: it cannot */
    void (*stop)(void *server); /* takes no more connections, and waits for the requests under way, a timeout at most */
} HttpLibrary;

extern const HttpLibrary glint_http; /* of the module */

#endif
