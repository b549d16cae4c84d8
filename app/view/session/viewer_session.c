/* viewer_session.c: the session of a viewer: it gets the wishes, is lent to a worker, is asked and run here. */
#include "app/view/session/viewer.h"

#include "app/view/session/aligned.h"
#include "app/view/session/flip_errors.h"
#include "app/view/session/snapshot.h"
#include "app/view/session/tool.h"

#include <stdio.h>
#include <string.h>

#define POWER_MS   100.0 /* asking takes up to a millisecond */
#define STOPPED_MS 500.0 /* shorter runs end before a hand knows that they had begun */

/* ---- wishes ---- */

static Wishes wishes_of(const Viewer *viewer) {
    const bool compares = viewer->compare != COMPARE_NONE;
    Wishes wishes = {.width = viewer->width,
                     .height = viewer->height,
                     .comparison_ms = viewer->comparison_ms,
                     .profile_trace = viewer->profile_trace,
                     .through_host = present_route(viewer->present, viewer->session->device->backend) == &route_copy,
                     .held = viewer->held,
                     .measuring = viewer->measuring,
                     .racing = viewer->racing,
                     .compares = compares,
                     .difference = viewer->compare == COMPARE_DIFFERENCE,
                     .flip = viewer->compare == COMPARE_DIFFERENCE && viewer->difference_view == DIFFERENCE_FLIP,
                     .other_side = compares || viewer->unfiltered,
                     .unfiltered = viewer->typing && viewer->ui->previews,
                     .since = viewer->ui->looks_since,
                     .selected = viewer->selected};
    for (size_t i = 0; i < tool_count; i++)
        if (tool_kinds[i]->wish)
            tool_kinds[i]->wish(viewer, &wishes);
    return wishes;
}

Session *viewer_session(const Viewer *viewer) {
    viewer->session->wishes = wishes_of(viewer);
    return viewer->session;
}

/* ---- work ---- */

Status viewer_run(Viewer *viewer) {
    return session_run(viewer_session(viewer));
}

bool viewer_start_run(Viewer *viewer) {
    Session *session = viewer_session(viewer);
    return present_route(viewer->present, session->device->backend)->target == ROUTE_TEXTURE && session_start(session);
}

Status viewer_fetch(Viewer *viewer) {
    return session_fetch(viewer_session(viewer));
}

bool viewer_work(Viewer *viewer) {
    bool worked;
    const Status status = session_work(viewer_session(viewer), &worked);
    viewer_note_work(viewer, worked, status);
    return worked;
}

void viewer_note_work(Viewer *viewer, bool worked, Status status) {
    if (status == STATUS_INTERRUPTED)
        return;
    if (worked)
        viewer_answer(viewer, TOAST_WORK, status);
    viewer->measuring &= status == STATUS_OK;
}

bool viewer_stop_run(Viewer *viewer, char *words, size_t size) {
    Session *session = viewer->session;
    const Progressive *progressive = &session->progressive;
    const Level *level = session_level(session);
    const bool gathers = session_gathers(session) && !session_moves(session) && !progressive_complete(progressive);
    if (session->halted || !level || !(gathers || session->stale))
        return false;
    const Timing time = session_level_time(session, level);
    if (!gathers && !session->interrupted && !(time.known && time.ms > STOPPED_MS))
        return false;
    session->halted = true;
    if (gathers)
        snprintf(words, size, "stopped at %u of %u samples: any change goes on", (unsigned)progressive->done,
                 (unsigned)session->samples);
    else if (time.known)
        snprintf(words, size, "stopped %s, which takes about %.*f s: any change runs it", level->name,
                 time.ms < 1e4 ? 1 : 0, time.ms / 1e3);
    else
        snprintf(words, size, "stopped %s: any change runs it", level->name);
    return true;
}

Status viewer_finish(Viewer *viewer) {
    const Status status = tools_await(viewer);
    if (status != STATUS_OK)
        viewer_answer(viewer, TOAST_WORK, status);
    return session_finish(viewer_session(viewer));
}

double viewer_expected_ms(Viewer *viewer) {
    return session_expected_ms(viewer_session(viewer));
}

void viewer_delay_measurements(Viewer *viewer, double ms) {
    session_delay(viewer->session, ms);
}

double viewer_waits_ms(const Viewer *viewer) {
    return session_waits_ms(viewer_session(viewer));
}

void viewer_record(Viewer *viewer, const char *name, double ms) {
    session_record(viewer_session(viewer), name, ms);
}

/* ---- lending ---- */

Session *viewer_lend(Viewer *viewer) {
    Session *lent = viewer_session(viewer), *known = viewer->other;
    snapshot_take(lent, known);
    viewer->session = known;
    viewer->other = lent;
    viewer->lent = true;
    return lent;
}

void viewer_take_back(Viewer *viewer) {
    Session *known = viewer->session;
    snapshot_drop(known);
    viewer->session = viewer->other;
    viewer->other = known;
    viewer->lent = false;
}

/* ---- the shown result ---- */

const Image *viewer_picture(const Viewer *viewer) {
    return session_picture(viewer->session);
}

const Scene *viewer_scene(const Viewer *viewer) {
    return session_scene(viewer->session);
}

Shape viewer_shape(const Viewer *viewer) {
    const Subject *subject = viewer->session->subject;
    return subject ? subject->kind->shape(subject, viewer->width, viewer->height) : (Shape){0};
}

Shape viewer_shown_shape(const Viewer *viewer) {
    const Pipeline *pipeline = viewer->session->pipeline;
    return pipeline ? pipeline_result_shape(pipeline) : viewer_shape(viewer);
}

double viewer_exposure(const Viewer *viewer) {
    return session_exposure(viewer->session);
}

bool viewer_gathers(const Viewer *viewer) {
    return session_gathers(viewer->session);
}

double viewer_light_ms(const Viewer *viewer) {
    return session_light_ms(viewer->session);
}

bool viewer_moves(const Viewer *viewer) {
    return session_moves(viewer->session);
}

Image *viewer_unfiltered(const Viewer *viewer, unsigned *serial) {
    return session_unfiltered(viewer_session(viewer), serial);
}

const Image *viewer_source(const Viewer *viewer, unsigned *serial) {
    return session_source(viewer_session(viewer), serial);
}

SideFit viewer_fit_of_sides(const Viewer *viewer, Homography *to_source) {
    return session_fit(viewer_session(viewer), to_source);
}

Homography viewer_beside(const Viewer *viewer) {
    return session_beside(viewer_session(viewer));
}

const Image *viewer_aligned(const Viewer *viewer, unsigned *serial) {
    PlacedPart part;
    return aligned_source(viewer_session(viewer), serial, &part);
}

const FlipErrors *viewer_flip(const Viewer *viewer) {
    return flip_errors_known(viewer_session(viewer));
}

double viewer_flip_progress(const Viewer *viewer) {
    return flip_errors_progress(viewer_session(viewer));
}

const char *viewer_why_no_figures(const Viewer *viewer, char *buffer, size_t size) {
    return aligned_why_not(viewer_session(viewer), buffer, size);
}

bool viewer_worst(const Viewer *viewer, size_t *x, size_t *y) {
    const Difference *difference = viewer_difference(viewer);
    if (viewer_shows_flip(viewer)) {
        const FlipErrors *errors = viewer_flip(viewer);
        *x = errors->of.part.x + errors->figures.x;
        *y = errors->of.part.y + errors->figures.y;
        return errors->figures.max > 0;
    }
    if (!difference || !(difference->max > 0))
        return false;
    *x = viewer->session->compared.x + difference->x;
    *y = viewer->session->compared.y + difference->y;
    return true;
}

const Difference *viewer_difference(const Viewer *viewer) {
    return session_difference(viewer_session(viewer));
}

/* ---- figures ---- */

const Level *viewer_level(const Viewer *viewer) {
    return session_level(viewer->session);
}

Timing viewer_level_time(const Viewer *viewer, const Level *level) {
    return session_level_time(viewer->session, level);
}

Timing viewer_lowest_time(const Viewer *viewer) {
    return session_lowest_time(viewer->session);
}

Figures viewer_figures(const Viewer *viewer) {
    return session_figures(viewer->session);
}

const SpanHistory *viewer_span(const Viewer *viewer, const char *name) {
    const Session *session = viewer->session;
    for (size_t i = 0; i < session->span_count; i++)
        if (strcmp(session->spans[i].name, name) == 0)
            return &session->spans[i];
    return NULL;
}

void viewer_ask_power(Viewer *viewer) {
    const Telemetry *telemetry = backend_telemetry(viewer->session->device->backend);
    const double now = clock_ms();
    if (viewer->power_time > 0 && now - viewer->power_time < POWER_MS)
        return;
    viewer->power_time = now;
    viewer->power = telemetry->power ? telemetry->power(viewer->session->device) : (Power){-1, -1};
}
