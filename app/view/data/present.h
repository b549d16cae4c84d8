/* present.h: the routes by which results reach the window, without the window.
 * Owns the choice of a route, the port that is open, the reasons why routes were refused, and the cost of each. */
#ifndef GLINT_APP_VIEW_DATA_PRESENT_H
#define GLINT_APP_VIEW_DATA_PRESENT_H

#include "core/base/timing.h"
#include "core/device/backend.h"

enum { ROUTES_MAX = 4, WHY_MAX = 320 };

/* Through the host; the route of every backend, and the lowest rung. It opens nothing. */
extern const Route route_copy;

/* The facts about a route, by its place in the ladder. */
typedef struct RouteRecord {
    bool refused;
    char why_not[WHY_MAX];
    History cost; /* ms a frame, from the result to the finished texture */
} RouteRecord;

typedef struct Present {
    char wanted[16]; /* a name; else, as for one that this backend lacks, the highest that is not refused */
    RouteRecord records[ROUTES_MAX];
    Port *port;
    const Route *port_route;
    Shape port_shape;
    unsigned port_object;
    bool sent; /* a frame is on its way through the port */
} Present;

/* A port that the window's thread may map while others have the viewer. */
typedef struct PortAhead {
    const Route *route; /* NULL: there is none */
    Port *port;
} PortAhead;

/* A route as the overlay and the keys see it. */
typedef struct RouteRung {
    const Route *route;
    const char *why_not; /* NULL if it was not refused */
    double ms;           /* the median cost of a frame; 0: not known */
    bool current;
} RouteRung;

/* The backend's ladder of routes, slowest first. */
size_t present_rungs(const Present *present, const Backend *backend, RouteRung rungs[ROUTES_MAX]);
/* The one that the next frame takes. */
const Route *present_route(const Present *present, const Backend *backend);
/* Why frames do not take the route that was asked for, or NULL. */
const char *present_trouble(const Present *present, const Backend *backend);
/* A name or "best"; a route that was refused is tried again. A port of another route stays open until the next frame is
 * sent. STATUS_USAGE for a name that the backend does not have. */
Status present_choose(Present *present, const Backend *backend, const char *name);

/* Sends the frame into OpenGL's object, which is registered first if that is new. If it fails, the route is refused,
 * with the recorded sentence, and the next frame takes another. STATUS_USAGE where the route is the copy. */
Status present_send(Present *present, Queue *queue, unsigned object, Frame frame);
/* Waits until the result on its way, if any, is there, before the frame changes; spans get its parts. Fails as
 * present_send does. */
Status present_wait(Present *present, Queue *queue, Spans *spans);
void present_close(Present *present, Device *device); /* the port, if one is open */

/* The port that can be mapped ahead: the open one, unless a frame is on its way. */
PortAhead present_ahead(const Present *present);
/* Until present_send or present_release OpenGL must not use the object. A failure is told by present_send, which maps
 * again. Both calls accept none. */
void present_map(PortAhead ahead);
void present_release(PortAhead ahead); /* if it is mapped */

/* Notes the time that the route in effect took for one frame. */
void present_took(Present *present, const Backend *backend, double ms);
void present_forget_costs(Present *present); /* they were of another job */
void present_forget(Present *present);       /* everything but the choice: it was of another device */

#endif
