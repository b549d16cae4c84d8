/* histogram.c: the pixels that are counted, when, and how the histogram is drawn. */
#include "app/view/tools/histogram.h"

#include "app/view/session/viewer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUICK_MS      8.0
#define LOG_FLOOR     1e-6  /* the share that a logarithmic scale begins with */
#define OUTLIERS      0.005 /* the share of floats at each end that may lie beyond the curves */
#define WAVE_EXPOSURE 14.0  /* of a waveform: even columns are half bright */

void histogram_toggle(Viewer *viewer, HistogramForm form) {
    Histogram *histogram = viewer->tools->histogram;
    histogram->open = !(histogram->open && histogram->form == form);
    histogram->form = form;
}

/* ---- the part ---- */

void histogram_mark(Viewer *viewer, double from_x, double from_y, double x, double y) {
    const Shape shape = viewer_shown_shape(viewer);
    const Viewport at = viewer_viewport(viewer);
    const size_t left = viewport_bound(floor((fmin(from_x, x) - at.x) / at.scale), shape.width);
    const size_t top = viewport_bound(floor((fmin(from_y, y) - at.y) / at.scale), shape.height);
    const size_t right = viewport_bound(ceil((fmax(from_x, x) - at.x) / at.scale), shape.width);
    const size_t bottom = viewport_bound(ceil((fmax(from_y, y) - at.y) / at.scale), shape.height);
    const bool moved = fabs(x - from_x) + fabs(y - from_y) > 2;
    viewer->tools->histogram->part =
        moved && right > left && bottom > top ? (Marked){left, top, right - left, bottom - top} : (Marked){0};
}

static bool marks(Marked part, const Session *session) {
    const Shape shown = session_shown_shape(session);
    return session_picture(session) && part.width > 0 && part.x + part.width <= shown.width &&
           part.y + part.height <= shown.height;
}

bool histogram_marked(const Viewer *viewer) {
    return marks(viewer->tools->histogram->part, viewer->session);
}

/* The part within a picture of this shape, which the result may be larger or smaller than. */
static Marked part_within(const Session *session, Shape shape) {
    const Marked part = session->wishes.counted.part;
    const Shape shown = session_shown_shape(session);
    const Marked all = {0, 0, shape.width, shape.height};
    if (!marks(part, session))
        return all;
    const size_t left = part.x * shape.width / shown.width, top = part.y * shape.height / shown.height;
    const size_t right = (part.x + part.width) * shape.width / shown.width;
    const size_t bottom = (part.y + part.height) * shape.height / shown.height;
    return (Marked){left, top, right > left ? right - left : 1, bottom > top ? bottom - top : 1};
}

/* ---- counts ---- */

static void wish(const Viewer *viewer, Wishes *wishes) {
    const Histogram *histogram = viewer->tools->histogram;
    wishes->counts = histogram->open;
    wishes->counted = (HistogramOf){.before = histogram->before, .part = histogram->part, .form = histogram->form};
}

static HistogramOf wanted(const Session *session) {
    HistogramOf of = session->wishes.counted;
    of.serial = of.before && session_picture(session) ? session->request.subject->serial : session->result_serial;
    return of;
}

static bool same(const HistogramOf *a, const HistogramOf *b) {
    return a->serial == b->serial && a->before == b->before && a->form == b->form && a->part.x == b->part.x &&
           a->part.y == b->part.y && a->part.width == b->part.width && a->part.height == b->part.height;
}

static bool due(const Session *session) {
    const Counted *counted = &session->counted;
    const HistogramOf want = wanted(session);
    return session->wishes.counts && session->on_device && !(counted->known && same(&counted->of, &want));
}

/* Counting that takes so little time need not wait. */
static bool soon(const Session *session) {
    return session->counted.ms < QUICK_MS && due(session);
}

/* Brighter where more of a column's values are; colours add up to white. */
static void paint(const Counted *counted, const double *shares) {
    const ImageView wave = counted->waveform->view;
    for (size_t x = 0; x < wave.shape.width; x++)
        for (size_t y = 0; y < COUNT_COLUMNS; y++)
            for (int c = 0; c < 3; c++) {
                const size_t row = counted->rows == 1 ? x : 3 * x + (size_t)c;
                const double share = shares[row * COUNT_COLUMNS + COUNT_COLUMNS - 1 - y];
                view_set_value(wave, x, y, c, 255 * (1 - exp(-WAVE_EXPOSURE * sqrt(share))));
            }
}

static Status make_waveform(Counted *counted, Queue *queue, Frame frame, const ValueCounts *values) {
    const size_t width = frame.shape.width < WAVEFORM_COLUMNS ? frame.shape.width : WAVEFORM_COLUMNS;
    double *shares = calloc(width * (size_t)values->rows * COUNT_COLUMNS, sizeof *shares);
    image_destroy(&counted->waveform);
    if (!shares)
        return fail(STATUS_DEVICE, "no memory for a waveform");
    Status status = image_create((Shape){width, COUNT_COLUMNS, 3, PIXEL_U8}, &counted->waveform);
    if (status == STATUS_OK)
        status = value_counts_strips(queue, frame, values, counted->low, counted->high, width, shares);
    if (status == STATUS_OK) {
        paint(counted, shares);
        counted->wave_serial++;
    }
    free(shares);
    return status;
}

static Status count(Counted *counted, HistogramForm form, Queue *queue, Frame frame) {
    ValueCounts values;
    TRY(value_counts_make(queue, frame, &values));
    counted->rows = values.rows;
    counted->shape = frame.shape;
    counted->low = 0;
    counted->high = values.white;
    for (int row = 0; row < values.rows; row++) {
        counted->stats[row] = value_counts_stats(&values, row);
        counted->low = fmin(counted->low, value_counts_quantile(&values, row, OUTLIERS));
        counted->high = fmax(counted->high, value_counts_quantile(&values, row, 1 - OUTLIERS));
    }
    for (int row = 0; row < values.rows; row++)
        value_counts_columns(&values, row, counted->low, counted->high, counted->shares[row]);
    const Status status = form == FORM_WAVEFORM ? make_waveform(counted, queue, frame, &values) : STATUS_OK;
    value_counts_free(&values);
    return status;
}

/* The picture lies in host memory: where the device's is another one, it is copied. */
static Status count_picture(Session *session, Queue *queue) {
    const Backend *backend = session->device->backend;
    const Marked part = part_within(session, session_picture(session)->view.shape);
    const ImageView view = view_crop(session_picture(session)->view, part.x, part.y, part.width, part.height);
    Frame frame;
    if (backend->host_frames)
        return count(&session->counted, session->wishes.counted.form, queue, view);
    TRY(backend->frame_create(session->device, view.shape, &frame));
    Status status = backend->upload(queue, view, frame);
    if (status == STATUS_OK)
        status = count(&session->counted, session->wishes.counted.form, queue, frame);
    backend->frame_destroy(session->device, &frame);
    return status;
}

/* Counts a frame of the device: a result, or a scene's picture before filtering. */
static Status count_frame(Session *session, Queue *queue, Frame frame) {
    const Marked part = part_within(session, frame.shape);
    return count(&session->counted, session->wishes.counted.form, queue,
                 view_crop(frame, part.x, part.y, part.width, part.height));
}

static Status measure(Session *session) {
    Counted *counted = &session->counted;
    const HistogramOf want = wanted(session);
    Queue *queue = pipeline_queue(session->pipeline);
    const double start = clock_ms();
    const Pipeline *pipeline = session->pipeline;
    const Status status =
        want.before && session_picture(session)
            ? count_picture(session, queue)
            : count_frame(session, queue, want.before ? pipeline_unfiltered(pipeline) : pipeline_result(pipeline));
    if (status == STATUS_INTERRUPTED)
        return status;
    counted->known = true;
    counted->ms = clock_ms() - start;
    counted->of = want;
    snprintf(counted->trouble, sizeof counted->trouble, "%s", status == STATUS_OK ? "" : status_message());
    return STATUS_OK;
}

const ToolKind histogram_tool = {.name = "histogram",
                                 .place = offsetof(Tools, histogram),
                                 .size = sizeof(Histogram),
                                 .wish = wish,
                                 .due = due,
                                 .soon = soon,
                                 .measure = measure};

double histogram_height(HistogramScale scale, double share, double most) {
    if (!(share > 0) || !(most > 0))
        return 0;
    if (scale != SCALE_LOG)
        return fmin(share / most, 1);
    return fmin(fmax(log(share / LOG_FLOOR) / log(most / LOG_FLOOR), 0), 1);
}
