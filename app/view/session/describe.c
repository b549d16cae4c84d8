/* describe.c: words about the shown result. */
#include "app/view/session/near.h"
#include "app/view/session/structure.h"
#include "app/view/session/viewer.h"

#include "app/view/data/labels.h"
#include "app/view/session/preview.h"
#include "core/device/partial.h"
#include "core/scene/look.h"

#include <math.h>
#include <stdio.h>

bool viewer_awaits_result(const Viewer *viewer) {
    return viewer->session->stale && !viewer->session->has_result && viewer_picture(viewer) &&
           viewer_keeps_size(viewer);
}

size_t viewer_describe(const Viewer *viewer, bool all, char *buffer, size_t size) {
    unsigned serial;
    const double exposure = viewer_exposure(viewer), gain = exp2(viewer->gain), flip_gain = exp2(viewer->flip_gain);
    const bool exposed = fabs(exposure) > 1e-9, compares = viewer_source(viewer, &serial) != NULL;
    const Request *request = viewer->session->request;
    const Progressive *progressive = &viewer->session->progressive;
    size_t length = 0;
    if (size > 0)
        buffer[0] = '\0';
#define ADD(...)                                                                                                       \
    (length += (size_t)snprintf(length < size ? buffer + length : NULL, length < size ? size - length : 0, __VA_ARGS__))
    const Preview *preview = preview_shown(viewer->session);
    const bool parts = viewer->lent && partial_open(viewer->session->partial);
    const bool source = viewer_shows_source(viewer);
    char title[LABEL_MAX];
    if (parts && !source)
        ADD("%.0f %% done", 100 * partial_progress(viewer->session->partial));
    if (source) /* whatever is under way behind it */
        ADD("%s", viewer->session->wishes.kept ? "snapshot" : "original");
    else if (preview)
        ADD("%s%s%s", parts ? " · rest is a preview" : "preview", preview->without ? " without " : "",
            preview->without ? title_of_filter(preview->without, title) : "");
    else if (parts)
        ADD(" · rest is the result before");
    else if (near_shown(viewer->session))
        ADD("%s done · rest is the %s", structure_holds(viewer->session) ? "frame" : "middle",
            viewer_awaits_result(viewer) ? "original" : "result before");
    else if (compares && viewer_awaits_result(viewer))
        ADD("original, until there is a result");
    else if (viewer_shows_flip(viewer))
        ADD("FLIP × %.3g", flip_gain);
    else if (viewer_shows_difference(viewer))
        ADD("difference × %.3g", gain);
    if (request->set_aside > 0 && request->set_aside <= request->chain->count)
        ADD("%swithout %s", length > 0 ? ", " : "",
            title_of_filter(request->chain->links[request->set_aside - 1].filter->name, title));
    if (viewer->session->misfit > 0)
        ADD("%s%s does not fit", length > 0 ? ", " : "",
            title_of_filter(viewer->session->chain->links[viewer->session->misfit - 1].filter->name, title));
    if (all && viewer_scene(viewer))
        ADD("%s%s", length > 0 ? ", " : "", request_look(request));
    if (all && viewer_gathers(viewer) && request->look == LOOK_PATHS && progressive->done > 0)
        ADD(", %u sample%s%s", progressive->done, progressive->done == 1 ? "" : "s",
            viewer_denoises(viewer) ? ", denoised" : "");
    if (exposed && !viewer_shows_difference(viewer))
        ADD("%sexposure %+.1f", length > 0 ? ", " : "", exposure);
    char grade[96];
    if (grade_describe(viewer->grade, grade, sizeof grade) > 0)
        ADD("%s", grade + (length > 0 ? 0 : 2));
#undef ADD
    return length;
}

/* The next lower one of 10, 5, 2, 1, 0.5, ... */
static double rounder(double error) {
    double power = pow(10, floor(log10(error)));
    for (;; power /= 10)
        for (int k = 5; k > 0; k = k == 5 ? 2 : k - 1)
            if (k * power < error * 0.98)
                return k * power;
}

size_t viewer_describe_noise(const Viewer *viewer, char *buffer, size_t size) {
    const Session *session = viewer->session;
    const uint32_t done = session->progressive.done;
    const double error = viewer_gathers(viewer) && !session->stale ? noise_of(&session->noise, done) : -1;
    const double wanted = session->request->gathering.noise;
    if (size > 0)
        buffer[0] = '\0';
    if (!(error > 0) || !isfinite(error))
        return 0;
    const double goal = wanted > 0 ? wanted : rounder(error);
    const double seconds = noise_wait_ms(&session->noise, done, goal) / 1e3;
    if (error <= goal)
        return (size_t)snprintf(buffer, size, "noise %.2g %%", error);
    return (size_t)snprintf(buffer, size, "noise %.2g %%, %.*f %s to %.2g %%", error, seconds < 10 ? 1 : 0,
                            seconds < 120 ? seconds : seconds / 60, seconds < 120 ? "s" : "min", goal);
}
