/* machine_page.c: opening the page, and measuring on. */
#include "app/view/tools/machine_page.h"

#include "app/view/session/viewer.h"
#include "core/base/timing.h"

#define PIECE_MS 100.0 /* of figures, before a draw shows them: drawing takes time from measurements */

void machine_page_toggle(Viewer *viewer) {
    viewer->tools->machine->open = !viewer->tools->machine->open;
    viewer->tools->machine->asked += viewer->tools->machine->open;
}

static const Curves *curves_of(const Session *session, unsigned asked) {
    const MachineCurves *machine = &session->machine;
    const bool current = machine->asked == asked && machine->curves.device == session->device;
    return current && asked > 0 ? &machine->curves : NULL;
}

const Curves *machine_page_curves(const Viewer *viewer) {
    return curves_of(viewer->session, viewer->tools->machine->asked);
}

static void wish(const Viewer *viewer, Wishes *wishes) {
    wishes->curves = viewer->tools->machine->open ? viewer->tools->machine->asked : 0;
}

static bool due(const Session *session) {
    const unsigned asked = session->wishes.curves;
    const Curves *curves = curves_of(session, asked);
    return asked > 0 && session->pipeline && (!curves || !curves_complete(curves));
}

/* The next figures. */
static Status measure(Session *session) {
    MachineCurves *machine = &session->machine;
    const unsigned asked = session->wishes.curves;
    const double start = clock_ms();
    if (!curves_of(session, asked)) {
        machine->asked = asked;
        curves_begin(&machine->curves, session->device, NULL);
    }
    while (!curves_complete(&machine->curves) && clock_ms() - start < PIECE_MS)
        TRY(curves_measure(&machine->curves, pipeline_queue(session->pipeline)));
    return STATUS_OK;
}

bool viewer_has_page(const Viewer *viewer) {
    return viewer->help || viewer->tools->machine->open;
}

const ToolKind machine_page_tool = {.name = "machine",
                                    .place = offsetof(Tools, machine),
                                    .size = sizeof(MachinePage),
                                    .wish = wish,
                                    .due = due,
                                    .measure = measure};
