/* tally.c: runs of the operation histogram, and sums over its counts. */
#include "app/view/tally.h"

#include "core/op.h"
#include "core/ops/histogram.h"
#include "core/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 65536, NARROWINGS = 2 };
#define LARGEST 1e6 /* of floats; what is beyond counts as that */

static Status make_room(const Tally *tally, Device *device, Frame *room) {
    const Shape shape = {(size_t)tally->bins.count, TALLY_ROWS, 1, PIXEL_U32};
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

static Status count_all(Queue *queue, Frame picture, const Tally *tally, uint32_t *counts) {
    const Bins bins = tally->bins;
    const int colours = shape_colours(picture.shape);
    Frame room;
    TRY(make_room(tally, queue->device, &room));
    Status status = count_rows(queue, picture, bins, false, colours, room, counts);
    if (status == STATUS_OK && colours == 3)
        status = count_rows(queue, picture, bins, true, 1, room, counts + 3 * (size_t)bins.count);
    queue->device->backend->frame_destroy(queue->device, &room);
    return status;
}

/* The first and last bin of any row that has values. */
static bool occupied(const Tally *tally, int *first, int *last) {
    *first = tally->bins.count;
    *last = -1;
    for (int row = 0; row < tally->rows; row++)
        for (int i = 0; i < tally->bins.count; i++)
            if (tally->counts[(size_t)row * (size_t)tally->bins.count + (size_t)i] > 0) {
                *first = i < *first ? i : *first;
                *last = i > *last ? i : *last;
            }
    return *last >= 0;
}

/* Bins from one value to another, both in the middle of one. */
static Bins bins_between(double low, double high) {
    const double scale = (STEPS - 1) / fmax(high - low, 1e-6);
    return (Bins){STEPS, (float)low, (float)scale};
}

Status tally_count(Queue *queue, Frame picture, Tally *tally) {
    const PixelType type = picture.shape.type;
    *tally = (Tally){.rows = shape_colours(picture.shape) == 3 ? TALLY_ROWS : 1,
                     .bins = type == PIXEL_F32 ? bins_between(-LARGEST, LARGEST) : bins_of(type, 1),
                     .white = pixel_type_white(type)};
    tally->counts = malloc((size_t)tally->rows * (size_t)tally->bins.count * sizeof *tally->counts);
    Status status = tally->counts ? count_all(queue, picture, tally, tally->counts)
                                  : fail(STATUS_DEVICE, "no memory for a histogram");
    int first, last;
    for (int i = 0; i < NARROWINGS && type == PIXEL_F32 && status == STATUS_OK && occupied(tally, &first, &last); i++) {
        const double half = 0.5 / (double)tally->bins.scale; /* of a bin: only the last time is exact enough without */
        tally->bins = bins_between(bin_value(tally->bins, first) - half, bin_value(tally->bins, last) + half);
        status = count_all(queue, picture, tally, tally->counts);
    }
    if (status != STATUS_OK)
        tally_free(tally);
    return status;
}

void tally_free(Tally *tally) {
    free(tally->counts);
    tally->counts = NULL;
}

static const uint32_t *row_of(const Tally *tally, int row) {
    return tally->counts + (size_t)row * (size_t)tally->bins.count;
}

double tally_quantile(const Tally *tally, int row, double share) {
    const uint32_t *counts = row_of(tally, row);
    double all = 0, before = 0;
    for (int i = 0; i < tally->bins.count; i++)
        all += counts[i];
    for (int i = 0; i < tally->bins.count; i++) {
        before += counts[i];
        if (counts[i] > 0 && before >= share * all)
            return bin_value(tally->bins, i);
    }
    return NAN;
}

TallyStats tally_stats(const Tally *tally, int row) {
    const uint32_t *counts = row_of(tally, row);
    const double half = 0.5 / (double)tally->bins.scale;
    TallyStats stats = {.minimum = NAN, .maximum = NAN, .median = tally_quantile(tally, row, 0.5)};
    double sum = 0, squares = 0;
    for (int i = 0; i < tally->bins.count; i++) {
        const double value = bin_value(tally->bins, i), count = counts[i];
        if (!(count > 0))
            continue;
        stats.minimum = stats.count > 0 ? stats.minimum : value;
        stats.maximum = value;
        stats.count += count;
        sum += count * value;
        stats.shadows += value < half ? count : 0;
        stats.lights += value > tally->white - half ? count : 0;
    }
    stats.mean = sum / stats.count;
    for (int i = 0; i < tally->bins.count; i++) {
        const double value = bin_value(tally->bins, i), count = counts[i];
        squares += count * (value - stats.mean) * (value - stats.mean);
    }
    stats.deviation = sqrt(squares / stats.count);
    stats.shadows /= stats.count;
    stats.lights /= stats.count;
    return stats;
}

static int column_of(double value, double low, double high, double step) {
    const double at = (value - low) / (high - low + step) * TALLY_COLUMNS + 1e-9;
    return at > 0 ? (int)fmin(at, TALLY_COLUMNS - 1) : 0;
}

static void add_up(Bins bins, const uint32_t *counts, double low, double high, double *shares) {
    const double step = 1 / (double)bins.scale;
    double sum = 0;
    memset(shares, 0, TALLY_COLUMNS * sizeof *shares);
    for (int i = 0; i < bins.count; i++) {
        sum += counts[i];
        if (counts[i] > 0)
            shares[column_of(bin_value(bins, i), low, high, step)] += counts[i];
    }
    for (int i = 0; i < TALLY_COLUMNS && sum > 0; i++)
        shares[i] /= sum;
}

void tally_columns(const Tally *tally, int row, double low, double high, double shares[TALLY_COLUMNS]) {
    add_up(tally->bins, row_of(tally, row), low, high, shares);
}

Status tally_strips(Queue *queue, Frame picture, const Tally *like, double low, double high, size_t columns,
                    double *shares) {
    Tally strip = *like;
    if (picture.shape.type == PIXEL_F32) /* as fine as it is shown */
        strip.bins = (Bins){TALLY_COLUMNS, (float)low, (float)((TALLY_COLUMNS - 1) / (high - low))};
    const size_t bins = (size_t)strip.bins.count;
    const int rows = strip.rows == 1 ? 1 : 3;
    Frame room;
    TRY(make_room(&strip, queue->device, &room));
    strip.counts = malloc((size_t)rows * bins * sizeof *strip.counts);
    Status status = strip.counts ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a waveform");
    for (size_t i = 0; i < columns && status == STATUS_OK; i++) {
        const size_t from = i * picture.shape.width / columns, to = (i + 1) * picture.shape.width / columns;
        const Frame part = view_crop(picture, from, 0, to - from, picture.shape.height);
        status = count_rows(queue, part, strip.bins, false, rows, room, strip.counts);
        for (int row = 0; row < rows && status == STATUS_OK; row++)
            add_up(strip.bins, strip.counts + (size_t)row * bins, low, high,
                   shares + (i * (size_t)rows + (size_t)row) * TALLY_COLUMNS);
    }
    free(strip.counts);
    queue->device->backend->frame_destroy(queue->device, &room);
    return status;
}
