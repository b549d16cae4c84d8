/* viewer_present.c: the way of results into the window. */
#include "app/view/session/viewer.h"

#include <stdio.h>

bool viewer_pixels(const Viewer *viewer, size_t x, size_t y, ImageView part) {
    const Session *session = viewer->session;
    if (!session->on_device || viewer->lent)
        return false;
    const Frame frame = pipeline_result(session->pipeline);
    const size_t width = part.shape.width, height = part.shape.height;
    return x + width <= frame.shape.width && y + height <= frame.shape.height &&
           session->device->backend->download(pipeline_queue(session->pipeline), view_crop(frame, x, y, width, height),
                                              part) == STATUS_OK;
}

Status viewer_send(Viewer *viewer, unsigned object) {
    const Session *session = viewer->session;
    if (!session->on_device)
        return fail(STATUS_USAGE, "there is no result to send yet");
    return present_send(viewer->present, pipeline_queue(session->pipeline), object, pipeline_result(session->pipeline));
}

Status viewer_await_sent(Viewer *viewer, double *ms) {
    Session *session = viewer->session;
    Spans spans = {.profile_trace = viewer->profile_trace};
    *ms = 0;
    const Status ran = session_end_run(viewer_session(viewer));
    if (ran != STATUS_OK) {
        char why[TOAST_MAX];
        snprintf(why, sizeof why, "%s", status_message());
        (void)present_wait(viewer->present, pipeline_queue(session->pipeline), &spans);
        return fail(ran, "%s", why);
    }
    if (!viewer->present->sent)
        return STATUS_OK;
    TRY(present_wait(viewer->present, pipeline_queue(session->pipeline), &spans));
    for (size_t i = 0; i < spans.count; i++)
        session_record_span(session, spans.spans[i].name, spans.spans[i].ms, false);
    *ms = spans_total(&spans);
    return STATUS_OK;
}

void viewer_release(Viewer *viewer) {
    viewer_release_left(viewer);
    present_close(viewer->present, viewer->session->device);
}

void viewer_release_left(Viewer *viewer) {
    if (!viewer->left)
        return;
    present_close(viewer->left_present, viewer->left);
    device_close(&viewer->left);
}

void viewer_route_trouble(const Viewer *viewer, char *buffer, size_t size) {
    const Backend *backend = viewer->session->device->backend;
    const char *trouble = present_trouble(viewer->present, backend);
    snprintf(buffer, size, "%s%s%s%s%s", trouble ? present_route(viewer->present, backend)->name : "",
             trouble ? ", since OpenGL is " : "", trouble ? viewer->renderer : "", trouble ? ": " : "",
             trouble ? trouble : "");
}
