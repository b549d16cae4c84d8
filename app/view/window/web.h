/* web.h: a page and its WebSocket (RFC 6455), as the window needs them. The window knows libwebsockets by this table
 * only. web.c, which fills it in, is a module of its own (glint-web.so), compiled where libwebsockets's development
 * files are. */
#ifndef GLINT_APP_VIEW_WINDOW_WEB_H
#define GLINT_APP_VIEW_WINDOW_WEB_H

#include <stdbool.h>
#include <stddef.h>

enum { WEB_LEAD = 32 /* bytes in front of a message that the module writes */ };

typedef struct WebMessage {
    unsigned char *data; /* WEB_LEAD bytes, then the message; borrowed until the next call of `next` */
    size_t size;         /* of the message */
    bool binary;         /* else it is text in UTF-8 */
    double again_ms;     /* without a message: when to ask for one again; 0: when roused */
} WebMessage;

/* All functions are called by the module's thread. A client is a number from 0 to clients_max - 1. */
typedef struct WebRules {
    int port;             /* of the loopback interface; 0: one that is free */
    const char *token;    /* an argument of each request; those without it are refused */
    const char *page;     /* HTML, for GET / */
    unsigned clients_max; /* more are refused */
    size_t message_max;   /* bytes of a text; whoever sends more is cut off */
    void (*joined)(void *context, unsigned client);
    void (*left)(void *context, unsigned client);
    void (*heard)(void *context, unsigned client, const char *bytes, size_t size); /* a text as a whole */
    /* A part of a binary message, as it comes; `ends` with the last one. False: the client is cut off. */
    bool (*came)(void *context, unsigned client, const char *bytes, size_t size, bool ends);
    bool (*next)(void *context, unsigned client, WebMessage *message); /* for the client; false: nothing */
    void *context;
} WebRules;

typedef struct WebLibrary {
    /* Listens from now on; the rules are borrowed until `stop`. *port is the one that is listened on. NULL: it cannot.
     */
    void *(*start)(const WebRules *rules, int *port);
    void (*rouse)(void *server); /* `next` has something, maybe; by any thread */
    void (*stop)(void *server);
} WebLibrary;

extern const WebLibrary glint_web; /* of the module */

#endif
