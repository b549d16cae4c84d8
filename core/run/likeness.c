/* likeness.c: sums of two pictures, and the likeness that follows from them. */
#include "core/run/likeness.h"

#include "core/base/memory.h"
#include "core/run/totals.h"

#include <math.h>

/* Sums over all channels. */
typedef struct Sums {
    Reduction a, b, away; /* away: of the differences, which have no count and no ends */
    double products;
} Sums;

static Reduction of_channels(const Reduction *channels, int count) {
    Reduction all = {.minimum = INFINITY, .maximum = -INFINITY};
    for (int c = 0; c < count; c++) {
        all.count += channels[c].count;
        all.sum += channels[c].sum;
        all.squares += channels[c].squares;
        all.minimum = fmin(all.minimum, channels[c].minimum);
        all.maximum = fmax(all.maximum, channels[c].maximum);
    }
    return all;
}

static Status reduce(Queue *queue, Frame a, Frame b, bool difference, Reduction *all) {
    const ReduceJob job = {.what = difference ? REDUCE_SUM | REDUCE_SQUARES : REDUCE_ALL, .difference = difference};
    Reduction channels[REDUCE_CHANNELS];
    TRY(totals_reduce(queue, a, b, job, channels));
    *all = of_channels(channels, a.shape.channels);
    return STATUS_OK;
}

static Status add_up(Queue *queue, Frame a, Frame b, Sums *sums) {
    double products[DOT_CHANNELS];
    TRY(reduce(queue, a, b, false, &sums->a));
    TRY(reduce(queue, b, a, false, &sums->b));
    TRY(reduce(queue, a, b, true, &sums->away));
    TRY(totals_dot(queue, a, b, products));
    sums->products = 0;
    for (int c = 0; c < a.shape.channels; c++)
        sums->products += products[c];
    return STATUS_OK;
}

/* Adds up pictures in host memory, which devices but the host cannot read. */
static Status add_up_host(Queue *queue, ImageView a, ImageView b, Sums *sums) {
    const Backend *backend = queue->device->backend;
    Frame frames[2] = {{.stride = 0}, {.stride = 0}};
    if (backend->host_frames)
        return add_up(queue, a, b, sums);
    Status status = backend->frame_create(queue->device, a.shape, &frames[0]);
    if (status == STATUS_OK)
        status = backend->frame_create(queue->device, b.shape, &frames[1]);
    if (status == STATUS_OK)
        status = backend->upload(queue, a, frames[0]);
    if (status == STATUS_OK)
        status = backend->upload(queue, b, frames[1]);
    if (status == STATUS_OK)
        status = add_up(queue, frames[0], frames[1], sums);
    backend->frame_destroy(queue->device, &frames[0]);
    backend->frame_destroy(queue->device, &frames[1]);
    return status;
}

static bool all_finite(const Reduction *reduction, double values) {
    return reduction->count >= values && isfinite(reduction->minimum) && isfinite(reduction->maximum);
}

/* Whether f32 values that are not both finite are as far apart as can be. */
static bool opposed(double p, double q) {
    return isnan(p) || isnan(q) ? !isnan(p) || !isnan(q) : p < q || p > q;
}

/* Where either value is not finite, makes both NaN, which sums pass over; tells how many pairs are left. */
static size_t blank(ImageView a, ImageView b, bool *apart) {
    const size_t values = a.shape.width * (size_t)a.shape.channels;
    size_t left = 0;
    for (size_t y = 0; y < a.shape.height; y++) {
        float *p = view_row(a, y), *q = view_row(b, y);
        for (size_t i = 0; i < values; i++) {
            if (isfinite(p[i]) && isfinite(q[i])) {
                left++;
                continue;
            }
            *apart |= opposed((double)p[i], (double)q[i]);
            p[i] = q[i] = NAN;
        }
    }
    return left;
}

static Status add_up_finite(Queue *queue, ImageView a, ImageView b, Sums *sums, bool *apart) {
    Image *copies[2] = {NULL, NULL};
    TRY(memory_fits(memory_product(4, shape_bytes(a.shape)), "comparing values that are not finite"));
    Status status = image_clone(a, &copies[0]);
    if (status == STATUS_OK)
        status = image_clone(b, &copies[1]);
    *sums = (Sums){.products = 0};
    if (status == STATUS_OK && blank(copies[0]->view, copies[1]->view, apart) > 0)
        status = add_up_host(queue, copies[0]->view, copies[1]->view, sums);
    image_destroy(&copies[0]);
    image_destroy(&copies[1]);
    return status;
}

/* Whether all values are equal, exactly: sums would differ by rounding. */
static bool flat(const Reduction *reduction) {
    return !(reduction->minimum < reduction->maximum);
}

static double correlation(const Sums *sums, bool alike) {
    const double n = fmax(sums->a.count, 1), a = sums->a.sum, b = sums->b.sum;
    const double aa = sums->a.squares - a * a / n, bb = sums->b.squares - b * b / n;
    if (alike || flat(&sums->a) || flat(&sums->b) || !(aa > 0 && bb > 0))
        return alike;
    return fmin(fmax((sums->products - a * b / n) / (sqrt(aa) * sqrt(bb)), -1), 1);
}

static Likeness conclude(const Sums *sums, bool apart, Shape shape) {
    const double white = pixel_type_white(shape.type), squares = apart ? INFINITY : sums->away.squares;
    const double values = (double)shape.width * (double)shape.height * shape.channels;
    return (Likeness){.psnr = squares > 0 ? 10 * log10(white * white * values / squares) : INFINITY,
                      .mean = (apart ? INFINITY : sums->away.sum) / values,
                      .ncc = correlation(sums, !(squares > 0))};
}

Status likeness_of(Queue *queue, ImageView a, ImageView b, Likeness *likeness) {
    const double values = (double)a.shape.width * (double)a.shape.height * a.shape.channels;
    bool apart = false;
    Sums sums;
    TRY(add_up_host(queue, a, b, &sums));
    if (!all_finite(&sums.a, values) || !all_finite(&sums.b, values))
        TRY(add_up_finite(queue, a, b, &sums, &apart));
    *likeness = conclude(&sums, apart, a.shape);
    return STATUS_OK;
}
