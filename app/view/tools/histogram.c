/* histogram.c: the pixels that are counted, when, and how the histogram is drawn. */
#include "app/view/tools/histogram.h"

#include "app/view/session/viewer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUICK_MS      8.0
#define HAIR          1e-6  /* of a pixel, that maps are off by */
#define LOG_FLOOR     1e-6  /* the share that a logarithmic scale begins with */
#define OUTLIERS      0.005 /* the share of floats at each end that may lie beyond the curves */
#define WAVE_EXPOSURE 14.0  /* of a waveform: even columns are half bright */

typedef struct Histogram {
    HistogramChoices choices;
    bool marks;            /* a drag marks the part */
    double from_x, from_y; /* where it began, in pixels of the result, which may move in the window meanwhile */
} Histogram;

static Histogram *histogram_of(const Viewer *viewer) {
    return tool_of(viewer, &histogram_tool);
}

static HistogramChoices *choices_of(const Viewer *viewer) {
    return &histogram_of(viewer)->choices;
}

const HistogramChoices *histogram_choices(const Viewer *viewer) {
    return choices_of(viewer);
}

void histogram_choose(Viewer *viewer, HistogramChoices choices) {
    *choices_of(viewer) = choices;
}

void histogram_toggle(Viewer *viewer, HistogramForm form) {
    HistogramChoices *histogram = choices_of(viewer);
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
    choices_of(viewer)->part =
        moved && right > left && bottom > top ? (Marked){left, top, right - left, bottom - top} : (Marked){0};
}

static bool marks(Marked part, const Session *session) {
    const Shape shown = session_shown_shape(session);
    return session_picture(session) && part.width > 0 && part.x + part.width <= shown.width &&
           part.y + part.height <= shown.height;
}

bool histogram_marked(const Viewer *viewer) {
    return marks(choices_of(viewer)->part, viewer->session);
}

/* The smallest rectangle of the source, of this shape, around the pixels that the part shows; width 0 if it shows none.
 */
static Marked part_of_source(Marked part, const Homography *to_source, Shape shape) {
    const double x[2] = {(double)part.x - 0.5, (double)(part.x + part.width) - 0.5};
    const double y[2] = {(double)part.y - 0.5, (double)(part.y + part.height) - 0.5};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        double at[2];
        homography_apply(to_source, x[i % 2], y[i / 2], &at[0], &at[1]);
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[k] + 0.5);
            high[k] = fmax(high[k], at[k] + 0.5);
        }
    }
    const size_t left = viewport_bound(floor(low[0] + HAIR), shape.width),
                 top = viewport_bound(floor(low[1] + HAIR), shape.height);
    const size_t right = viewport_bound(ceil(high[0] - HAIR), shape.width),
                 bottom = viewport_bound(ceil(high[1] - HAIR), shape.height);
    return right > left && bottom > top ? (Marked){left, top, right - left, bottom - top} : (Marked){0};
}

/* The part within a picture of this shape: through the chain's geometry if it has one, else in proportion. */
static Marked part_within(const Session *session, Shape shape) {
    const Marked part = session->wishes.counted.part;
    const Shape shown = session_shown_shape(session);
    const Marked all = {0, 0, shape.width, shape.height};
    if (!marks(part, session))
        return all;
    const Geometry *place = &session->place.geometry;
    const bool of_source = session->wishes.counted.before && place->origin != ORIGIN_NONE;
    const Marked placed = of_source ? part_of_source(part, &place->to_picture, shape) : (Marked){0};
    if (placed.width > 0)
        return placed;
    const size_t left = part.x * shape.width / shown.width, top = part.y * shape.height / shown.height;
    const size_t right = (part.x + part.width) * shape.width / shown.width;
    const size_t bottom = (part.y + part.height) * shape.height / shown.height;
    return (Marked){left, top, right > left ? right - left : 1, bottom > top ? bottom - top : 1};
}

/* ---- counts ---- */

static void wish(const Viewer *viewer, Wishes *wishes) {
    const HistogramChoices *histogram = choices_of(viewer);
    wishes->counts = histogram->open;
    wishes->counted = (HistogramOf){.before = histogram->before, .part = histogram->part, .form = histogram->form};
}

static HistogramOf wanted(const Session *session) {
    HistogramOf of = session->wishes.counted;
    of.serial = of.before && session_picture(session) ? session->subject->serial : session->result_serial;
    if (of.before && session_picture(session))
        of.part = part_within(session, session_picture(session)->view.shape); /* the chain may move it */
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

/* Ctrl and a drag mark a part, in place of an earlier one. */
static bool take_press(Viewer *viewer, const ToolEvent *event) {
    Histogram *histogram = histogram_of(viewer);
    const Viewport at = viewer_viewport(viewer);
    if (!viewer_picture(viewer) || event->button != MOUSE_LEFT || !event->ctrl)
        return false;
    histogram->marks = true;
    histogram->from_x = (event->result_x - at.x) / at.scale;
    histogram->from_y = (event->y - at.y) / at.scale;
    histogram->choices.part = (Marked){0};
    return true;
}

static bool take_event(Viewer *viewer, const ToolEvent *event) {
    Histogram *histogram = histogram_of(viewer);
    const Viewport at = viewer_viewport(viewer);
    switch (event->kind) {
    case TOOL_PRESS:
        return take_press(viewer, event);
    case TOOL_MOVE:
        histogram_mark(viewer, at.x + histogram->from_x * at.scale, at.y + histogram->from_y * at.scale,
                       event->result_x, event->y);
        return true;
    case TOOL_RELEASE: /* not before: the picture would make room for it in midst of the drag */
        histogram->choices.open |= histogram->marks;
        histogram->marks = false;
        return false;
    case TOOL_DOWN:
        histogram->marks = false;
        return false;
    default:
        return false;
    }
}

/* The part that was marked goes once the histogram has. */
static bool close_histogram(Viewer *viewer) {
    HistogramChoices *choices = choices_of(viewer);
    const bool open = choices->open, marked = histogram_marked(viewer);
    choices->open = false;
    if (!open)
        choices->part = (Marked){0};
    return open || marked;
}

const ToolKind histogram_tool = {.name = "histogram",
                                 .size = sizeof(Histogram),
                                 .wish = wish,
                                 .due = due,
                                 .soon = soon,
                                 .measure = measure,
                                 .event = take_event,
                                 .close = close_histogram};

double histogram_height(HistogramScale scale, double share, double most) {
    if (!(share > 0) || !(most > 0))
        return 0;
    if (scale != SCALE_LOG)
        return fmin(share / most, 1);
    return fmin(fmax(log(share / LOG_FLOOR) / log(most / LOG_FLOOR), 0), 1);
}
