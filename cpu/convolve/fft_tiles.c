/* fft_tiles.c: a stage cut into tiles that overlap by the mask (overlap-save: Oppenheim and Schafer, Discrete-Time
 * Signal Processing, section 8.7.3). */
#include "cpu/convolve/fft_tiles.h"

#include "core/ops/convolve.h"

#include <math.h>

enum {
    CACHE_BYTES = 512 << 10,
    SLOW_BYTES = 4 << 20, /* beyond that make a plane twice as slow */
    ROWS_COUNTED = 4 /* of tiles: of more, neither the last one's share nor the mask's spectrum matters, so that strips
                        and the whole picture take the same level */
};

static const FftLength lengths[] = {
    {32, 2, {8, 4}},           {48, 3, {3, 4, 4}},         {64, 3, {4, 4, 4}},     {80, 3, {5, 4, 4}},
    {96, 3, {3, 8, 4}},        {128, 3, {8, 4, 4}},        {144, 4, {3, 3, 4, 4}}, {160, 3, {5, 8, 4}},
    {192, 4, {3, 4, 4, 4}},    {240, 4, {3, 5, 4, 4}},     {256, 4, {4, 4, 4, 4}}, {320, 4, {5, 4, 4, 4}},
    {384, 4, {3, 8, 4, 4}},    {480, 4, {3, 5, 8, 4}},     {512, 4, {8, 4, 4, 4}}, {640, 4, {5, 8, 4, 4}},
    {768, 5, {3, 4, 4, 4, 4}}, {1024, 5, {4, 4, 4, 4, 4}},
};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

/* The errors of sums, in shares of the largest that sums can be. They are standard deviations, twice as large as
 * measured. The measured values are all as far from the centre as can be; the rules allow a part of the errors. A
 * deviation of d makes 0.8 d of all results round differently. */
#define ERROR_F32        3e-7
#define ERROR_F64        6e-16
#define DEVIATION_MAX    3e-4 /* in whole values of u8 and u16 */
#define DEVIATIONS_WHOLE 12   /* between half a unit and an error that never comes up */
#define TIES_MIN         1e-4 /* results that are so wide apart lie halfway between two values often enough to matter */
#define GAIN_MAX         1e18 /* of a mask, and its reciprocal the minimum: f32 can transform masks between them */

/* The least that `values` fit into. */
static const FftLength *length_for(size_t values) {
    size_t i = 0;
    while (i + 1 < LENGTHS && (size_t)lengths[i].length < values)
        i++;
    return &lengths[i];
}

static double real_bytes(bool wide) {
    return wide ? sizeof(double) : sizeof(float);
}

/* The work of a transform of a plane and back, in units of measured.c. A plane that outgrows the second cache costs
 * more. */
static double plane_work(const FftLength *x, const FftLength *y, bool wide) {
    const double count = (double)x->length * y->length, bytes = 2 * count * real_bytes(wide);
    return count * log2(count) * (1 + fmax(0, bytes - CACHE_BYTES) / SLOW_BYTES);
}

/* Planes that a row of the picture's tiles takes. */
static size_t planes_across(size_t width, size_t tile_width, int channels) {
    const size_t tiles = (width + tile_width - 1) / tile_width;
    return channels % 2 ? (tiles + 1) / 2 * (size_t)channels : tiles * (size_t)channels / 2;
}

/* The length for which the picture's width takes the minimum of work; all tiles of it are as wide. */
static void choose_width(const Stage *stage, FftJob *job) {
    const size_t width = stage->out.shape.width, mask = (size_t)convolve_job(stage)->mask->width;
    double min = INFINITY;
    for (size_t i = 0; i < LENGTHS; i++) {
        if ((size_t)lengths[i].length < mask)
            continue;
        const size_t fits = (size_t)lengths[i].length - mask + 1;
        const double work =
            (double)planes_across(width, fits, stage->out.shape.channels) * plane_work(&lengths[i], job->y, job->wide);
        if (work < min) {
            const size_t tiles = (width + fits - 1) / fits;
            min = work;
            job->x = &lengths[i];
            job->width = (width + tiles - 1) / tiles;
        }
    }
}

/* How exact sums must be: in which precision, and whether they are made whole. False if no precision is enough. */
static bool choose_precision(const Stage *stage, FftJob *job) {
    const ConvolveJob *convolve = convolve_job(stage);
    const PixelType type = stage->in[0].shape.type;
    const double gain = mask_absolute_sum(convolve->mask), unit = mask_unit(convolve->mask);
    const double step = unit / fabs((double)convolve->mask->divisor), outside = (double)convolve->border.value;
    if (gain > GAIN_MAX || (gain > 0 && gain < 1 / GAIN_MAX))
        return false;
    if (type == PIXEL_F32)
        return isfinite(outside) && fabs(outside) < FFT_VALUE_MAX;
    job->centre = type == PIXEL_U8 ? 128 : 32768;
    const double range = fmax(job->centre, fabs(outside - job->centre));
    if (stage->out.shape.type == PIXEL_F32)
        return range < FFT_VALUE_MAX;
    job->whole = outside == rint(outside) && step >= TIES_MIN;
    const double error = job->whole ? DEVIATIONS_WHOLE * gain / step * range : gain * range / DEVIATION_MAX;
    job->wide = error * ERROR_F32 > 1;
    return error * ERROR_F64 <= 1;
}

bool fft_job(const Stage *stage, FftJob *job) {
    const ConvolveJob *convolve = convolve_job(stage);
    const Mask *mask = convolve->mask;
    const size_t height = stage->out.shape.height, rows = convolve_rows_together(convolve);
    *job = (FftJob){.stage = stage, .pairs = stage->out.shape.channels % 2 > 0};
    const bool exact = choose_precision(stage, job);
    job->height = rows < height ? rows : height;
    job->y = length_for(job->height + (size_t)mask->height - 1);
    choose_width(stage, job);
    job->unit = job->whole ? mask_unit(mask) : (double)mask->divisor;
    job->divisor = job->whole ? (double)mask->divisor / job->unit : 1;
    job->bias = (double)convolve->bias;
    job->back = job->centre * mask_sum(mask);
    job->back = job->whole ? rint(job->back * job->divisor) : job->back + job->bias;
    return exact;
}

double fft_work(const Stage *stage) {
    FftJob job;
    fft_job(stage, &job);
    const double planes = (double)planes_across(stage->out.shape.width, job.width, stage->out.shape.channels);
    const double rows = (double)stage->out.shape.height / (double)job.height;
    const double counted = rows < ROWS_COUNTED ? ceil(rows) + 1 / planes : rows;
    return planes * counted * plane_work(job.x, job.y, job.wide);
}
