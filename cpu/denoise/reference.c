/* reference.c: the definition of denoising in double precision. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/denoise.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <math.h>

/* A pixel with all that it is smoothed by. */
typedef struct Pixel {
    bool absent;
    double light[3], variance; /* of the irradiance; variance: less than 0 where it is not known */
    double samples;            /* of the film */
    double guess[3], doubt;    /* the light by which it is compared, and its variance */
    double normal[3], near, albedo[3];
} Pixel;

typedef struct Work {
    const Stage *stage;
    DenoiseViews views;
    const Pixel *from;
    Pixel *to;
    int step;
} Work;

static double divisor(double albedo) {
    return fmax(albedo, (double)DENOISE_DARK);
}
static double square(double value) {
    return value * value;
}
static double distance(const double a[3], const double b[3]) {
    return 0.2126 * square(a[0] - b[0]) + 0.7152 * square(a[1] - b[1]) + 0.0722 * square(a[2] - b[2]);
}

/* ---- before ---- */

static void read_film(const DenoiseViews *views, size_t x, size_t y, Pixel *pixel) {
    const double samples = view_value(views->light, x, y, 3), fewer = view_value(views->less, x, y, 3);
    const double rest = samples - fewer;
    double first[3], second[3]; /* means */
    for (int c = 0; c < 3; c++) {
        const double all = view_value(views->light, x, y, c) / divisor(pixel->albedo[c]);
        const double part = view_value(views->less, x, y, c) / divisor(pixel->albedo[c]);
        first[c] = part / fewer;
        second[c] = (all - part) / rest;
        pixel->light[c] = samples >= (double)DENOISE_FEWEST ? all / samples : NAN;
    }
    /* Two means whose difference has the variance of a sample times (1 / fewer + 1 / rest). */
    pixel->variance =
        fewer >= 0.25 * samples && rest > 0 ? distance(first, second) / (1 / fewer + 1 / rest) / samples : -1;
    pixel->samples = samples;
}

static void read_picture(const DenoiseViews *views, size_t x, size_t y, Pixel *pixel) {
    const int channels = views->light.shape.channels;
    for (int c = 0; c < 3; c++)
        pixel->light[c] = view_value(views->light, x, y, channels < 3 ? 0 : c) / divisor(pixel->albedo[c]);
    pixel->variance = -1;
    pixel->samples = 1;
}

static void read_pixel(const Work *work, size_t column, size_t row, Pixel *pixel) {
    const DenoiseViews *views = &work->views;
    const DenoiseJob *job = denoise_job(work->stage);
    const size_t x = column * views->step, y = row * views->step;
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        pixel->normal[c] = views->normals.pixels ? view_value(views->normals, x, y, c) * job->normal_scale : 0;
        pixel->albedo[c] = views->albedo.pixels ? view_value(views->albedo, x, y, c) * job->albedo_scale : 1;
    }
    pixel->near = views->normals.pixels && views->normals.shape.channels > 3 ? view_value(views->normals, x, y, 3) : 1;
    if (job->film)
        read_film(views, x, y, pixel);
    else
        read_picture(views, x, y, pixel);
    for (int c = 0; c < 3; c++)
        sum += 0 * pixel->light[c] + 0 * pixel->normal[c] + 0 * pixel->albedo[c];
    pixel->absent = !isfinite(sum + pixel->near + pixel->variance);
}

/* ---- weights ---- */

static const Pixel *within(const Work *work, ptrdiff_t x, ptrdiff_t y) {
    return &work->from[(size_t)y * work->views.width + (size_t)x];
}

/* NULL: none that takes part. */
static const Pixel *pixel_at(const Work *work, ptrdiff_t x, ptrdiff_t y) {
    if (x < 0 || y < 0 || x >= (ptrdiff_t)work->views.width || y >= (ptrdiff_t)work->views.height)
        return NULL;
    return within(work, x, y)->absent ? NULL : within(work, x, y);
}

/* How nearness changes along (dx, dy): to either side, where there is one, and of both the smaller. */
static double slope(const Work *work, ptrdiff_t x, ptrdiff_t y, int dx, int dy) {
    const Pixel *here = within(work, x, y), *before = pixel_at(work, x - dx, y - dy),
                *behind = pixel_at(work, x + dx, y + dy);
    const double back = before ? here->near - before->near : INFINITY;
    const double ahead = behind ? behind->near - here->near : INFINITY;
    return !before && !behind ? 0 : fabs(ahead) < fabs(back) ? ahead : back;
}

/* The exponent of the guides' part of the weight. */
static double surfaces_apart(const Work *work, ptrdiff_t x, ptrdiff_t y, int i, int j) {
    const DenoiseJob *job = denoise_job(work->stage);
    const Pixel *p = within(work, x, y), *q = within(work, x + i, y + j);
    const double across = slope(work, x, y, 1, 0), down = slope(work, x, y, 0, 1);
    double turned = 0;
    for (int c = 0; c < 3; c++)
        turned += square(q->normal[c] - p->normal[c]);
    return turned / square(job->normal) +
           square(q->near - p->near - i * across - j * down) /
               (square(job->depth * p->near) + square(across) + square(down) + (double)DENOISE_NOTHING);
}

/* ---- steps ---- */

static void estimate(const Work *work, ptrdiff_t x, ptrdiff_t y, Pixel *to) {
    const Pixel *p = within(work, x, y);
    const double pi = 3.141592653589793, none[3] = {0};
    double weights = 0, both = 0, roots = 0, said = 0, mean[3] = {0}, squares = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            const Pixel *q = pixel_at(work, x + i, y + j);
            if (!q)
                continue;
            const double weight = exp(-surfaces_apart(work, x, y, i, j));
            weights += weight;
            both += square(weight);
            roots += weight * sqrt(sqrt(fmax(q->variance, 0)));
            said += weight * fmax(q->variance, 0);
            squares += weight * distance(q->light, p->light);
            for (int c = 0; c < 3; c++)
                mean[c] += weight * (q->light[c] - p->light[c]);
        }
    for (int c = 0; c < 3; c++)
        mean[c] /= weights;
    const double around = fmax(squares / weights - distance(mean, none), 0);
    const bool known = p->variance >= 0;
    const double typical = square(pi / square(tgamma(0.75)) * square(roots / weights)) / 2;
    const double variance =
        known ? fmax(typical, p->variance) * sqrt(fmin((double)DENOISE_SCATTERED / p->samples, 1)) : around;
    const double noise = variance / (fmax(variance, around) + (double)DENOISE_NOTHING);
    to->variance = known ? variance * fmin(said / weights / (around + (double)DENOISE_NOTHING), 1) : around;
    for (int c = 0; c < 3; c++)
        to->guess[c] = p->light[c] + noise * mean[c];
    to->doubt = variance * (square(1 - noise) + 2 * (1 - square(1 - noise)) * both / square(weights));
}

static void smooth(const Work *work, ptrdiff_t x, ptrdiff_t y, Pixel *to) {
    static const double spline[5] = {0.0625, 0.25, 0.375, 0.25, 0.0625};
    const DenoiseJob *job = denoise_job(work->stage);
    const Pixel *p = within(work, x, y);
    const double none[3] = {0}, own = distance(p->guess, none);
    const double allowed = square(job->light) * p->doubt + (double)DENOISE_EQUAL * own + (double)DENOISE_NOTHING;
    double weights = 0, light[3] = {0}, variance = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            const Pixel *q = pixel_at(work, x + i * work->step, y + j * work->step);
            if (!q)
                continue;
            const double weight = spline[i + 2] * spline[j + 2] *
                                  exp(-surfaces_apart(work, x, y, i * work->step, j * work->step) -
                                      distance(q->guess, p->guess) / allowed);
            weights += weight;
            variance += square(weight) * q->variance;
            for (int c = 0; c < 3; c++)
                light[c] += weight * q->light[c];
        }
    for (int c = 0; c < 3; c++)
        to->guess[c] = to->light[c] = light[c] / weights;
    to->doubt = to->variance = variance / square(weights);
}

static void read_row(const void *job, size_t y) {
    const Work *work = job;
    for (size_t x = 0; x < work->views.width; x++)
        read_pixel(work, x, y, &work->to[y * work->views.width + x]);
}

static void step_row(const void *job, size_t y) {
    const Work *work = job;
    for (size_t x = 0; x < work->views.width; x++) {
        const size_t at = y * work->views.width + x;
        work->to[at] = work->from[at];
        if (work->from[at].absent)
            continue;
        if (work->step == 0)
            estimate(work, (ptrdiff_t)x, (ptrdiff_t)y, &work->to[at]);
        else
            smooth(work, (ptrdiff_t)x, (ptrdiff_t)y, &work->to[at]);
    }
}

static void write_row(const void *job, size_t y) {
    const Work *work = job;
    const ImageView in = work->stage->in[0], out = work->stage->out;
    const size_t step = work->views.step;
    for (size_t x = 0; x < out.shape.width; x++) {
        const size_t first_x = x / step * step, first_y = y / step * step;
        const Pixel *pixel = &work->from[y / step * work->views.width + x / step];
        for (int c = 0; c < out.shape.channels; c++) {
            const bool colour = c < (out.shape.channels < 3 ? 1 : 3);
            const double value = view_value(in, first_x, first_y, c);
            view_set_value(out, x, y, c,
                           pixel->absent                    ? value
                           : colour                         ? pixel->light[c] * divisor(pixel->albedo[c])
                           : denoise_job(work->stage)->film ? 1
                                                            : value);
        }
    }
}

static size_t workspace(const Device *device, const Stage *stage) {
    const DenoiseViews views = denoise_views(stage);
    (void)device;
    return 2 * views.width * views.height * sizeof(Pixel);
}

static Status run(Queue *queue, const Stage *stage) {
    Work work = {.stage = stage, .views = denoise_views(stage)};
    const size_t rows = work.views.height, pixels = work.views.width * rows;
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    Pixel *from = scratch, *to = from + pixels;
    work.to = from;
    cpu_share_rows(queue, rows, read_row, &work);
    for (int i = 0; i <= denoise_job(stage)->iterations; i++) {
        work.from = from;
        work.to = to;
        work.step = i == 0 ? 0 : 1 << (i - 1);
        cpu_share_rows(queue, rows, step_row, &work);
        to = from;
        from = work.to;
    }
    work.from = from;
    cpu_share_rows(queue, stage->out.shape.height, write_row, &work);
    return STATUS_OK;
}

const Level cpu_denoise_reference = {
    .op = &op_denoise,
    .name = "reference",
    .idea = "weights from their definition in double precision, 25 for each pixel and iteration; every other level is "
            "checked against it",
    .workspace = workspace,
    .run = run,
};
