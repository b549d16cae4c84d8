/* swap.c: the swap of buffers, its time and its answer to events. */
#include "app/view/window/swap.h"

#include "app/view/window/frame_log.h"

void swap_draw(Glut *glut, bool whole) {
    Viewer *viewer = glut->viewer;
    Pacing *pacing = viewer->pacing;
    const double start = clock_ms();
    glut->system->kind->swap(glut->system);
    const double end = clock_ms();
    if (whole)
        screen_await_sent(&glut->screen);
    const bool asks = whole && (viewer_asks(viewer) || viewer->ui->asked_count > 0);
    const bool awaits =
        !whole || (asks && !(pacing->later.at > 0)) || viewer->session->stale || screen_result_due(&glut->screen);
    pacing_swap(pacing, start, end, !awaits);
    if (whole && viewer->session->totals.count > 0)
        viewer_record(viewer, "swap", end - start);
    if (whole && viewer->frame_log)
        viewer_ask_power(viewer);
    frame_log_add(viewer->frame_log, viewer, whole);
}
