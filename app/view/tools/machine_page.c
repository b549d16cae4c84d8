/* machine_page.c: opening the page, and measuring on. */
#include "app/view/tools/machine_page.h"

#include "app/view/data/shared.h"
#include "app/view/session/viewer.h"
#include "core/base/timing.h"

#define PIECE_MS 100.0 /* of figures, before a draw shows them: drawing takes time from measurements */

/* The window's part of the page; the session has the curves. */
typedef struct MachinePage {
    bool open;
    unsigned asked; /* how often it was opened: each time it measures again */
} MachinePage;

static MachinePage *page_of(const Viewer *viewer) {
    return tool_of(viewer, &machine_page_tool);
}

void machine_page_toggle(Viewer *viewer) {
    page_of(viewer)->open = !page_of(viewer)->open;
    page_of(viewer)->asked += page_of(viewer)->open;
}

bool machine_page_open(const Viewer *viewer) {
    return page_of(viewer)->open;
}

static bool close_page(Viewer *viewer) {
    const bool open = page_of(viewer)->open;
    page_of(viewer)->open = false;
    return open;
}

static const Curves *curves_of(const Session *session, unsigned asked) {
    const MachineCurves *machine = session->machine;
    const bool current = machine->asked == asked && machine->curves.device == session->device;
    return current && asked > 0 ? &machine->curves : NULL;
}

const Curves *machine_page_curves(const Viewer *viewer) {
    return curves_of(viewer->session, page_of(viewer)->asked);
}

static void wish(const Viewer *viewer, Wishes *wishes) {
    wishes->curves = page_of(viewer)->open ? page_of(viewer)->asked : 0;
}

static bool due(const Session *session) {
    const unsigned asked = session->wishes.curves;
    const Curves *curves = curves_of(session, asked);
    return asked > 0 && session->pipeline && (!curves || !curves_complete(curves));
}

/* The next figures. */
static Status measure(Session *session) {
    MachineCurves *machine = shared_own(session->machine, sizeof *machine);
    const unsigned asked = session->wishes.curves;
    const double start = clock_ms();
    if (!machine)
        return fail(STATUS_DEVICE, "no memory for the machine's curves");
    session->machine = machine;
    if (!curves_of(session, asked)) {
        machine->asked = asked;
        curves_begin(&machine->curves, session->device, NULL);
    }
    while (!curves_complete(&machine->curves) && clock_ms() - start < PIECE_MS)
        TRY(curves_measure(&machine->curves, pipeline_queue(session->pipeline)));
    return STATUS_OK;
}

bool viewer_has_page(const Viewer *viewer) {
    return viewer->help || page_of(viewer)->open;
}

const ToolKind machine_page_tool = {.name = "machine",
                                    .size = sizeof(MachinePage),
                                    .wish = wish,
                                    .due = due,
                                    .measure = measure,
                                    .close = close_page,
                                    .page = true};
