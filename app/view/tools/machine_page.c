/* machine_page.c: opening the page, and measuring on. */
#include "app/view/tools/machine_page.h"

#include "app/view/session/viewer.h"
#include "core/base/timing.h"

#define PIECE_MS 100.0 /* of figures, before a draw shows them: drawing takes time from what is measured */

void machine_page_toggle(Viewer *viewer) {
    viewer->machine.open = !viewer->machine.open;
    viewer->machine.asked += viewer->machine.open;
}

const Curves *machine_page_curves(const Viewer *viewer) {
    const MachineCurves *machine = &viewer->session.machine;
    const bool current = machine->asked == viewer->machine.asked && machine->curves.device == viewer->session.device;
    return current && machine->asked > 0 ? &machine->curves : NULL;
}

bool machine_page_due(const Viewer *viewer) {
    const Curves *curves = machine_page_curves(viewer);
    return viewer->machine.open && viewer->session.pipeline && (!curves || !curves_complete(curves));
}

Status machine_page_measure(Viewer *viewer) {
    MachineCurves *machine = &viewer->session.machine;
    const double start = clock_ms();
    if (!machine_page_curves(viewer)) {
        machine->asked = viewer->machine.asked;
        curves_begin(&machine->curves, viewer->session.device, NULL);
    }
    while (!curves_complete(&machine->curves) && clock_ms() - start < PIECE_MS)
        TRY(curves_measure(&machine->curves, pipeline_queue(viewer->session.pipeline)));
    return STATUS_OK;
}
