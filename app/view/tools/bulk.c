/* bulk.c: the list, its turns, and the end. */
#include "app/view/tools/bulk.h"

#include "app/tev/live.h"
#include "app/view/session/sidecar_file.h"
#include "app/view/session/strip.h"
#include "app/view/session/viewer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN_MS 20.0 /* of a pass of the window's loop */

typedef struct Bulk {
    const BulkKind *kind; /* NULL: none goes on */
    void *what;
    char **paths;
    size_t count, at, done;
    SidecarGroup *group;
    Status worst;
    char why[TOAST_MAX]; /* of the first failure */
} Bulk;

static Bulk *bulk_of(const Viewer *viewer) {
    return tool_of(viewer, &bulk_tool);
}

static void reset(Bulk *bulk) {
    for (size_t i = 0; i < bulk->count; i++)
        free(bulk->paths[i]);
    free(bulk->paths);
    if (bulk->kind && bulk->kind->destroy)
        bulk->kind->destroy(bulk->what);
    sidecar_group_destroy(&bulk->group);
    *bulk = (Bulk){0};
}

/* ---- turns ---- */

static void note(void *context, size_t number, Status status) {
    Viewer *viewer = context;
    Bulk *bulk = bulk_of(viewer);
    bulk->done += status == STATUS_OK;
    if (status == STATUS_OK && bulk->kind->changed)
        bulk->kind->changed(viewer, bulk->what, bulk->paths[number]);
    if (status != STATUS_OK && bulk->worst == STATUS_OK) {
        bulk->worst = status;
        snprintf(bulk->why, sizeof bulk->why, "%s", status_message());
    }
}

/* At least one picture. */
static void turn(Viewer *viewer, double ms) {
    Bulk *bulk = bulk_of(viewer);
    const double until = clock_ms() + ms;
    do {
        while (bulk->at < bulk->count && !sidecar_group_full(bulk->group)) {
            bool waits = false;
            const size_t number = bulk->at++;
            const Status status =
                bulk->kind->change(viewer, bulk->what, bulk->paths[number], bulk->group, number, &waits);
            if (status != STATUS_OK || !waits)
                note(viewer, number, status);
            if (clock_ms() >= until)
                break;
        }
        sidecar_group_finish(bulk->group, note, viewer);
    } while (bulk->at < bulk->count && clock_ms() < until);
}

/* ---- the end ---- */

static Status conclude(Viewer *viewer) {
    Bulk ended = *bulk_of(viewer);
    *bulk_of(viewer) = (Bulk){0};
    const Status status =
        ended.worst == STATUS_OK ? STATUS_OK : fail(ended.worst, "%s: %s", ended.kind->failed, ended.why);
    if (status == STATUS_OK)
        ended.kind->say(viewer, ended.what, ended.done, ended.count);
    reset(&ended);
    return status;
}

Status bulk_await(Viewer *viewer) {
    if (!bulk_of(viewer)->kind)
        return STATUS_OK;
    turn(viewer, INFINITY);
    return conclude(viewer);
}

static void go_on(Viewer *viewer, double now) {
    const Bulk *bulk = bulk_of(viewer);
    (void)now;
    if (!bulk->kind)
        return;
    turn(viewer, TURN_MS);
    if (bulk->at == bulk->count)
        viewer_answer(viewer, TOAST_WORK, conclude(viewer));
}

static bool stop(Viewer *viewer) {
    if (!bulk_of(viewer)->kind)
        return false;
    viewer_answer(viewer, TOAST_WORK, conclude(viewer));
    return true;
}

bool bulk_goes_on(const Viewer *viewer, const char **doing, size_t *done, size_t *count) {
    const Bulk *bulk = bulk_of(viewer);
    if (!bulk->kind)
        return false;
    *doing = bulk->kind->doing;
    *done = bulk->at;
    *count = bulk->count;
    return true;
}

/* ---- the beginning ---- */

/* Lists the files of the selection: other programs' pictures have no sidecar. */
static Status list(const Viewer *viewer, Bulk *bulk) {
    const FileList *open = &viewer->pictures;
    size_t live = 0;
    bulk->paths = calloc(open->count + 1, sizeof *bulk->paths);
    for (size_t i = 0; bulk->paths && i < open->count; i++)
        if (strip_selected(viewer, i) && live_changes(open->paths[i]) > 0)
            live++;
        else if (strip_selected(viewer, i) && (bulk->paths[bulk->count] = strdup(open->paths[i])))
            bulk->count++;
    if (live > 0 && bulk->count == 0)
        return fail(STATUS_USAGE,
                    "%s: edits and ratings are kept next to files, and pictures of other programs have none",
                    bulk->kind->failed);
    return bulk->paths ? sidecar_group_create(&bulk->group) : fail(STATUS_DEVICE, "no memory for a list of pictures");
}

Status bulk_begin(Viewer *viewer, const BulkKind *kind, void *what) {
    Bulk *bulk = bulk_of(viewer), made = {.kind = kind, .what = what};
    const Status status =
        bulk->kind ? fail(STATUS_USAGE, "%s of %zu pictures goes on; Esc stops it", bulk->kind->doing, bulk->count)
                   : list(viewer, &made);
    if (status != STATUS_OK) {
        reset(&made);
        return status;
    }
    *bulk = made;
    turn(viewer, TURN_MS);
    return bulk->at == bulk->count ? conclude(viewer) : STATUS_OK;
}

static void end(void *tool) {
    reset(tool);
}

const ToolKind bulk_tool = {.name = "bulk", .size = sizeof(Bulk), .end = end, .go_on = go_on, .close = stop};
