/* present.c: the ladder of routes, and the port that frames go through. */
#include "app/view/data/present.h"

#include <stdio.h>
#include <string.h>

const Route route_copy = {
    .name = "copy",
    .idea = "the result is downloaded to the host, and OpenGL uploads it again: twice over the bus",
};

static size_t route_count(const Backend *backend) {
    const size_t count = (backend->gl ? backend->gl->route_count : 0) + 1;
    return count < ROUTES_MAX ? count : ROUTES_MAX;
}

static const Route *route_at(const Backend *backend, size_t index) {
    return index == 0 ? &route_copy : &backend->gl->routes[index - 1];
}

/* Where the route of this name stands, or route_count. */
static size_t route_named(const Backend *backend, const char *name) {
    size_t index = 0;
    while (index < route_count(backend) && strcmp(route_at(backend, index)->name, name) != 0)
        index++;
    return index;
}

/* Where the route in effect stands. */
static size_t current(const Present *present, const Backend *backend) {
    const size_t count = route_count(backend), named = route_named(backend, present->wanted);
    if (named < count)
        return present->records[named].refused ? 0 : named;
    size_t index = count - 1;
    while (index > 0 && present->records[index].refused)
        index--;
    return index;
}

size_t present_rungs(const Present *present, const Backend *backend, RouteRung rungs[ROUTES_MAX]) {
    const size_t count = route_count(backend), here = current(present, backend);
    for (size_t i = 0; i < count; i++) {
        const RouteRecord *record = &present->records[i];
        rungs[i] = (RouteRung){route_at(backend, i), record->refused ? record->why_not : NULL,
                               history_median(&record->cost), i == here};
    }
    return count;
}

const Route *present_route(const Present *present, const Backend *backend) {
    return route_at(backend, current(present, backend));
}

const char *present_trouble(const Present *present, const Backend *backend) {
    const size_t count = route_count(backend), named = route_named(backend, present->wanted);
    const RouteRecord *record = &present->records[named < count ? named : count - 1];
    return record->refused ? record->why_not : NULL;
}

/* "copy, pbo or surface" */
static void list_names(const Backend *backend, char *buffer, size_t size) {
    const size_t count = route_count(backend);
    size_t length = 0;
    for (size_t i = 0; i < count && length < size; i++)
        length += (size_t)snprintf(buffer + length, size - length, "%s%s",
                                   i == 0           ? ""
                                   : i + 1 == count ? " or "
                                                    : ", ",
                                   route_at(backend, i)->name);
}

Status present_choose(Present *present, const Backend *backend, const char *name) {
    const bool best = strcmp(name, "best") == 0;
    const size_t count = route_count(backend), named = route_named(backend, name);
    if (!best && named == count) {
        char names[64];
        list_names(backend, names, sizeof names);
        return fail(STATUS_USAGE, "route \"%s\": from the %s backend, want %s", name, backend->name, names);
    }
    for (size_t i = 0; i < count; i++)
        if (best || i == named)
            present->records[i].refused = false;
    snprintf(present->wanted, sizeof present->wanted, "%s", name);
    return STATUS_OK;
}

/* The port for this object and shape; an older one is closed first. */
static Status open_port(Present *present, Device *device, const Route *route, unsigned object, Shape shape) {
    if (present->port && present->port_route == route && present->port_object == object &&
        shape_equal(present->port_shape, shape))
        return STATUS_OK;
    present_close(present, device);
    TRY(route->open(device, object, shape, &present->port));
    present->port_route = route;
    present->port_object = object;
    present->port_shape = shape;
    return STATUS_OK;
}

static Status refuse(Present *present, RouteRecord *record, Device *device, Status status) {
    record->refused = true;
    snprintf(record->why_not, sizeof record->why_not, "%s", status_message());
    present_close(present, device);
    return fail(status, "%s", record->why_not);
}

Status present_send(Present *present, Queue *queue, unsigned object, Frame frame) {
    Spans unrecorded = {0};
    const size_t index = current(present, queue->device->backend);
    const Route *route = route_at(queue->device->backend, index);
    if (route == &route_copy || !route->open || !route->write)
        return fail(STATUS_USAGE, "results go through the host here");
    (void)present_wait(present, queue, &unrecorded); /* that route is refused; this one is another */
    Status status = open_port(present, queue->device, route, object, frame.shape);
    if (status == STATUS_OK)
        status = route->write(queue, present->port, frame);
    present->sent = status == STATUS_OK;
    return present->sent ? STATUS_OK : refuse(present, &present->records[index], queue->device, status);
}

Status present_wait(Present *present, Queue *queue, Spans *spans) {
    if (!present->sent)
        return STATUS_OK;
    present->sent = false;
    const Status status = present->port_route->wait(present->port, spans);
    const size_t index = route_named(queue->device->backend, present->port_route->name);
    return status == STATUS_OK ? STATUS_OK : refuse(present, &present->records[index], queue->device, status);
}

void present_close(Present *present, Device *device) {
    if (present->port)
        present->port_route->close(device, &present->port);
    present->port = NULL;
    present->sent = false;
}

PortAhead present_ahead(const Present *present) {
    const bool can = present->port && !present->sent && present->port_route->map;
    return can ? (PortAhead){present->port_route, present->port} : (PortAhead){0};
}

void present_map(PortAhead ahead) {
    if (ahead.route)
        (void)ahead.route->map(ahead.port);
}

void present_release(PortAhead ahead) {
    if (ahead.route)
        ahead.route->release(ahead.port);
}

void present_took(Present *present, const Backend *backend, double ms) {
    history_add(&present->records[current(present, backend)].cost, ms);
}

void present_forget_costs(Present *present) {
    for (size_t i = 0; i < ROUTES_MAX; i++)
        present->records[i].cost = (History){0};
}

void present_forget(Present *present) {
    for (size_t i = 0; i < ROUTES_MAX; i++)
        present->records[i] = (RouteRecord){0};
}
