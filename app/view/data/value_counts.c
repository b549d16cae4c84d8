/* value_counts.c: runs of the operation histogram, from the smallest to the largest value, and sums over its counts. */
#include "app/view/data/value_counts.h"

#include "core/device/backend.h"
#include "core/ops/histogram.h"
#include "core/run/totals.h"
#include "core/stage/op.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 65536 };
#define LARGEST 1e6 /* of floats; values beyond count as the ends */

static Status make_room(const ValueCounts *values, Device *device, Frame *room) {
    const Shape shape = {(size_t)values->bins.count, COUNT_ROWS, 1, PIXEL_U32};
    *room = (Frame){.stride = 0};
    return device->backend->frame_create(device, shape, room);
}

/* One run: `rows` of counts, of colours or of luma, by way of `room` on the device. */
static Status count_rows(Queue *queue, Frame picture, Bins bins, bool luma, int rows, Frame room, uint32_t *counts) {
    const Backend *backend = queue->device->backend;
    const HistogramJob job = {.bins = bins, .luma = luma};
    const Frame out = view_crop(room, 0, 0, (size_t)bins.count, (size_t)rows);
    const Stage stage = {.op = &op_histogram, .label = "histogram", .in = {picture}, .out = out, .job = &job};
    const Level *level = level_best(queue->device, &stage);
    Status status = level ? level_run(level, queue, &stage) : fail(STATUS_DEVICE, "no level counts such a picture");
    if (status == STATUS_OK)
        status = backend->download(queue, out, (ImageView){out.shape, shape_row_bytes(out.shape), counts});
    if (status == STATUS_OK)
        status = backend->sync(queue);
    if (status == STATUS_OK && queue_stops(queue))
        status = fail(STATUS_INTERRUPTED, "the count was stopped");
    return status;
}

static Status count_all(Queue *queue, Frame picture, const ValueCounts *values, uint32_t *counts) {
    const Bins bins = values->bins;
    const int colours = shape_colours(picture.shape);
    Frame room;
    TRY(make_room(values, queue->device, &room));
    Status status = count_rows(queue, picture, bins, false, colours, room, counts);
    if (status == STATUS_OK && colours == 3)
        status = count_rows(queue, picture, bins, true, 1, room, counts + 3 * (size_t)bins.count);
    queue->device->backend->frame_destroy(queue->device, &room);
    return status;
}

/* Bins from one value to another, both in the middle of one. */
static Bins bins_between(double low, double high) {
    const double scale = (STEPS - 1) / fmax(high - low, 1e-6);
    return (Bins){STEPS, (float)low, (float)scale};
}

/* Finds the range of the colours of f32; their luma lies within it, too. */
static Status find_bins(Queue *queue, Frame picture, Bins *bins) {
    Reduction ends[REDUCE_CHANNELS];
    double low = INFINITY, high = -INFINITY;
    *bins = bins_of(picture.shape.type, 1);
    if (picture.shape.type != PIXEL_F32)
        return STATUS_OK;
    TRY(totals_reduce(queue, picture, (Frame){.stride = 0}, (ReduceJob){.what = REDUCE_EXTREMA}, ends));
    for (int c = 0; c < shape_colours(picture.shape); c++) {
        low = fmin(low, ends[c].minimum);
        high = fmax(high, ends[c].maximum);
    }
    *bins = bins_between(fmin(fmax(low, -LARGEST), LARGEST), fmin(fmax(high, -LARGEST), LARGEST));
    return STATUS_OK;
}

Status value_counts_make(Queue *queue, Frame picture, ValueCounts *values) {
    const PixelType type = picture.shape.type;
    *values =
        (ValueCounts){.rows = shape_colours(picture.shape) == 3 ? COUNT_ROWS : 1, .white = pixel_type_white(type)};
    TRY(find_bins(queue, picture, &values->bins));
    values->counts = malloc((size_t)values->rows * (size_t)values->bins.count * sizeof *values->counts);
    if (!values->counts)
        return fail(STATUS_DEVICE, "no memory for a histogram");
    const Status status = count_all(queue, picture, values, values->counts);
    if (status != STATUS_OK)
        value_counts_free(values);
    return status;
}

void value_counts_free(ValueCounts *values) {
    free(values->counts);
    values->counts = NULL;
}

static const uint32_t *row_of(const ValueCounts *values, int row) {
    return values->counts + (size_t)row * (size_t)values->bins.count;
}

double value_counts_quantile(const ValueCounts *values, int row, double share) {
    const uint32_t *counts = row_of(values, row);
    double all = 0, before = 0;
    for (int i = 0; i < values->bins.count; i++)
        all += counts[i];
    for (int i = 0; i < values->bins.count; i++) {
        before += counts[i];
        if (counts[i] > 0 && before >= share * all)
            return bin_value(values->bins, i);
    }
    return NAN;
}

ValueStats value_counts_stats(const ValueCounts *values, int row) {
    const uint32_t *counts = row_of(values, row);
    const double half = 0.5 / (double)values->bins.scale;
    ValueStats stats = {.minimum = NAN, .maximum = NAN, .median = value_counts_quantile(values, row, 0.5)};
    double sum = 0, squares = 0;
    for (int i = 0; i < values->bins.count; i++) {
        const double value = bin_value(values->bins, i), count = counts[i];
        if (!(count > 0))
            continue;
        stats.minimum = stats.count > 0 ? stats.minimum : value;
        stats.maximum = value;
        stats.count += count;
        sum += count * value;
        stats.shadows += value < half ? count : 0;
        stats.lights += value > values->white - half ? count : 0;
    }
    stats.mean = sum / stats.count;
    for (int i = 0; i < values->bins.count; i++) {
        const double value = bin_value(values->bins, i), count = counts[i];
        squares += count * (value - stats.mean) * (value - stats.mean);
    }
    stats.deviation = sqrt(squares / stats.count);
    stats.shadows /= stats.count;
    stats.lights /= stats.count;
    return stats;
}

static int column_of(double value, double low, double high, double step) {
    const double at = (value - low) / (high - low + step) * COUNT_COLUMNS + 1e-9;
    return at > 0 ? (int)fmin(at, COUNT_COLUMNS - 1) : 0;
}

static void add_up(Bins bins, const uint32_t *counts, double low, double high, double *shares) {
    const double step = 1 / (double)bins.scale;
    double sum = 0;
    memset(shares, 0, COUNT_COLUMNS * sizeof *shares);
    for (int i = 0; i < bins.count; i++) {
        sum += counts[i];
        if (counts[i] > 0)
            shares[column_of(bin_value(bins, i), low, high, step)] += counts[i];
    }
    for (int i = 0; i < COUNT_COLUMNS && sum > 0; i++)
        shares[i] /= sum;
}

void value_counts_columns(const ValueCounts *values, int row, double low, double high, double shares[COUNT_COLUMNS]) {
    add_up(values->bins, row_of(values, row), low, high, shares);
}

Status value_counts_strips(Queue *queue, Frame picture, const ValueCounts *like, double low, double high,
                           size_t columns, double *shares) {
    ValueCounts strip = *like;
    if (picture.shape.type == PIXEL_F32) /* as fine as it is shown */
        strip.bins = (Bins){COUNT_COLUMNS, (float)low, (float)((COUNT_COLUMNS - 1) / (high - low))};
    const size_t bins = (size_t)strip.bins.count;
    const int rows = strip.rows == 1 ? 1 : 3;
    Frame room;
    strip.counts = malloc((size_t)rows * bins * sizeof *strip.counts);
    if (!strip.counts)
        return fail(STATUS_DEVICE, "no memory for a waveform");
    Status status = make_room(&strip, queue->device, &room);
    for (size_t i = 0; i < columns && status == STATUS_OK; i++) {
        const size_t from = i * picture.shape.width / columns, to = (i + 1) * picture.shape.width / columns;
        const Frame part = view_crop(picture, from, 0, to - from, picture.shape.height);
        status = count_rows(queue, part, strip.bins, false, rows, room, strip.counts);
        for (int row = 0; row < rows && status == STATUS_OK; row++)
            add_up(strip.bins, strip.counts + (size_t)row * bins, low, high,
                   shares + (i * (size_t)rows + (size_t)row) * COUNT_COLUMNS);
    }
    queue->device->backend->frame_destroy(queue->device, &room);
    free(strip.counts);
    return status;
}
