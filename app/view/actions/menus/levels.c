/* levels.c: levels, backends, devices and routes, and measuring them; the rows are at the bottom. */
#include "app/view/actions/menus/menus.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/menus/choosing.h"
#include "app/view/tools/machine_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MAX = 1024 };

/* By its name, or by the digit that the ladder shows. */
static Status set_level(Viewer *viewer, const char *text) {
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    const bool digit = text[0] >= '0' && text[0] <= '9' && text[1] == '\0';
    for (size_t i = 0; digit && i < count; i++)
        if (rungs[i].number == text[0] - '0')
            return viewer_set_level(viewer, rungs[i].level->name);
    return digit ? fail(STATUS_USAGE, "there is no level %s here", text) : viewer_set_level(viewer, text);
}

static Status climb(Viewer *viewer, Call call) {
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    for (size_t i = 0; i < count; i++)
        if (rungs[i].current) {
            if ((call.step < 0 && i == 0) || (call.step > 0 && i + 1 == count))
                return fail(STATUS_USAGE, "%s is the %s rung", rungs[i].level->name,
                            call.step < 0 ? "lowest" : "highest");
            return viewer_set_level(viewer, rungs[call.step < 0 ? i - 1 : i + 1].level->name);
        }
    return fail(STATUS_USAGE, "nothing here has levels: pick a filter");
}

static Status best_level(Viewer *viewer) {
    return viewer_set_level(viewer, "best");
}

/* Each race is run again. */
static Status forget_race(Viewer *viewer) {
    viewer->session->measured.race.count = 0;
    return STATUS_OK;
}

static Status toggle_machine(Viewer *viewer) {
    machine_page_toggle(viewer);
    return STATUS_OK;
}

/* A backend without devices here is passed over. */
static bool is_here(const Backend *backend) {
    int count = 0;
    return backend->device_count(&count) == STATUS_OK && count > 0;
}

static Status next_backend(Viewer *viewer) {
    const char *name = viewer->session->device->backend->name;
    size_t now = 0;
    while (now < backend_count() && strcmp(backend_at(now)->name, name) != 0)
        now++;
    for (size_t i = 1; i < backend_count(); i++) {
        const Backend *next = backend_at((now + i) % backend_count());
        if (is_here(next))
            return viewer_set_backend(viewer, next->name);
    }
    if (backend_count() > 1)
        return fail(STATUS_DEVICE, "%s", status_message()); /* of the last that was passed over */
    viewer_say(viewer, false, "This glint has one backend: %s", name);
    return STATUS_OK;
}

static Status set_device(Viewer *viewer, const char *text) {
    char *end;
    const long number = strtol(text, &end, 10);
    if (text[0] == '\0' || *end || number < 0 || number > DEVICES_MAX)
        return fail(STATUS_USAGE, "device \"%s\", want a number, counted from 0", text);
    return viewer_set_device(viewer, (int)number);
}

static Status next_device(Viewer *viewer) {
    const Backend *backend = viewer->session->device->backend;
    int count = 1;
    if (!backend->host_frames)
        TRY(backend->device_count(&count));
    if (count < 2)
        return fail(STATUS_USAGE, "%s has one device", backend->name);
    return viewer_set_device(viewer, (viewer->request->device + 1) % count);
}

static Status next_route(Viewer *viewer) {
    RouteRung rungs[ROUTES_MAX];
    const size_t count = present_rungs(viewer->present, viewer->session->device->backend, rungs);
    size_t next = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rungs[i].route->name, viewer->present->wanted) == 0 ||
            (rungs[i].current && strcmp(viewer->present->wanted, "best") == 0))
            next = (i + 1) % count;
    TRY(viewer_set_route(viewer, rungs[next].route->name));
    viewer_say(viewer, false, "Route %s: %s", rungs[next].route->name, rungs[next].route->idea);
    return STATUS_OK;
}

/* ---- what can be done now ---- */

static bool has_level(const Viewer *viewer) {
    return viewer_level(viewer);
}

static bool has_backends(const Viewer *viewer) {
    (void)viewer;
    return backend_count() > 1;
}

static bool has_devices(const Viewer *viewer) {
    const Backend *backend = viewer->session->device->backend;
    int count = 1;
    return !backend->host_frames && backend->device_count(&count) == STATUS_OK && count > 1;
}

/* ---- arguments ---- */

static Status choose_level(const Viewer *viewer, const char *text, Choices *choices) {
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    choices->wanted = text;
    TRY(choose_word(choices, "best", (Choice){.help = choice_borrows("the fastest one that can do the job")}));
    for (size_t i = 0; i < count; i++) {
        Choice choice = {.help = choice_borrows(rungs[i].level->idea),
                         .why_not = choice_borrows(rungs[i].why_not),
                         .current = rungs[i].current};
        char digit[16];
        snprintf(digit, sizeof digit, "%d", rungs[i].number);
        action_key_of_text(viewer, action_by_name("level"), digit, choice.keys);
        TRY(choose_word(choices, rungs[i].level->name, choice));
    }
    return STATUS_OK;
}

static Status choose_backend(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (size_t i = 0; i < backend_count(); i++)
        TRY(choose_word(choices, backend_at(i)->name,
                        (Choice){.current = backend_at(i) == viewer->session->device->backend}));
    return STATUS_OK;
}

static Status choose_device(const Viewer *viewer, const char *text, Choices *choices) {
    const Backend *backend = viewer->session->device->backend;
    int count = 1;
    choices->wanted = text;
    if (!backend->host_frames && backend->device_count(&count) != STATUS_OK)
        return STATUS_OK;
    for (int i = 0; i < count; i++) {
        char number[16], label[64];
        const bool current = backend->host_frames || i == viewer->request->device;
        snprintf(number, sizeof number, "%d", i);
        snprintf(label, sizeof label, "%s %d", backend->name, i);
        TRY(choices_add(choices, (Choice){.text = number,
                                          .label = label,
                                          .help = current ? choice_borrows(viewer->session->device->name) : NULL,
                                          .current = current}));
    }
    return STATUS_OK;
}

static Status choose_route(const Viewer *viewer, const char *text, Choices *choices) {
    RouteRung rungs[ROUTES_MAX];
    const size_t count = present_rungs(viewer->present, viewer->session->device->backend, rungs);
    choices->wanted = text;
    TRY(choose_word(choices, "best", (Choice){.help = choice_borrows("the fastest one that works")}));
    for (size_t i = 0; i < count; i++)
        TRY(choose_word(choices, rungs[i].route->name,
                        (Choice){.help = choice_borrows(rungs[i].route->idea),
                                 .why_not = choice_borrows(rungs[i].why_not),
                                 .current = rungs[i].current}));
    return STATUS_OK;
}

static const Argument argument_level = {
    .name = "NAME", .words = "a level, its digit, or best", .choose = choose_level, .listed = true};
static const Argument argument_backend = {
    .name = "NAME", .words = "a backend", .choose = choose_backend, .listed = true};
static const Argument argument_device = {
    .name = "NUMBER", .words = "a device of this backend", .choose = choose_device, .listed = true};
static const Argument argument_route = {
    .name = "NAME", .words = "a route into the window", .choose = choose_route, .listed = true};

static const Action rows[] = {
    {"level", "1 2 3 4 5 6 7 8 9 0", "picks a rung of the ladder by its digit; 0 is the reference", .take = set_level,
     .argument = &argument_level, .texts = "1 2 3 4 5 6 7 8 9 0", .flags = ACTION_OF_SPEED | ACTION_CONTEXT,
     .can = has_level},
    {"next-level", "Up", "climbs one rung: the next idea", .run = climb, .step = 1, .can = has_level,
     .flags = ACTION_OF_SPEED},
    {"previous-level", "Down", "goes one rung down", .run = climb, .step = -1, .can = has_level,
     .flags = ACTION_OF_SPEED},
    {"best-level", "End", "picks the fastest rung that can do the job", .act = best_level, .can = has_level,
     .flags = ACTION_OF_SPEED},
    {"race", "l", "times every rung on this job", .act = forget_race, .toggle = OF_VIEWER(racing),
     .flags = ACTION_OF_SPEED | ACTION_RULE | ACTION_CONTEXT, .reveals = OVERLAY_FULL, .can = has_level},
    {"measure", "m", "runs the job again and again, for steady figures", .label = "run without end",
     .toggle = OF_VIEWER(measuring), .says = {"Running without end", "Running only after changes"}, .can = has_level,
     .flags = ACTION_OF_SPEED},
    {"forget-latency", "Ctrl+L", "forgets the times from input to swap so far", .asks = OF_REQUESTS(forget_latency),
     .says = {"Cleared the times from input to swap"}, .flags = ACTION_OF_SPEED | ACTION_RARE},
    {"machine", "F2", "measures the costs of this device: strides, caches, branches, atomics, launches, as curves",
     .act = toggle_machine, .on = machine_page_open, .flags = ACTION_OF_SPEED},
    {"backend", "G", "picks a backend by its name", .take = viewer_set_backend, .argument = &argument_backend,
     .flags = ACTION_OF_SPEED | ACTION_RULE, .can = has_backends},
    {"next-backend", "g", "goes to the next backend, on the same job", .act = next_backend,
     .flags = ACTION_OF_SPEED | ACTION_RARE, .can = has_backends},
    {"device", "Ctrl+B", "picks one of several devices of this backend, by its number from 0", .take = set_device,
     .argument = &argument_device, .flags = ACTION_OF_SPEED | ACTION_RARE, .can = has_devices},
    {"next-device", "Ctrl+Shift+B", "goes to the next device of this backend, on the same job", .act = next_device,
     .flags = ACTION_OF_SPEED | ACTION_RARE, .can = has_devices},
    {"route", "O", "sets how results reach the window: copy, pbo, surface or best", .take = viewer_set_route,
     .argument = &argument_route, .flags = ACTION_OF_SPEED | ACTION_RARE},
    {"next-route", "o", "goes to the next way of results into the window", .act = next_route,
     .flags = ACTION_OF_SPEED | ACTION_RARE},
};

const Menu levels_menu = {"Levels", rows, sizeof rows / sizeof rows[0]};
