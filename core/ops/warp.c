/* warp.c: the needs and costs of a warp. */
#include "core/ops/warp.h"

#include "core/image/shape.h"
#include "core/stage/op.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const warp_kernels[WARP_KERNELS] = {"nearest", "linear", "cubic"};

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const WarpJob *warp = job;
    if (type != in[0].type)
        return fail(STATUS_USAGE, "warp: %s cannot be stored as %s", pixel_type_name(in[0].type),
                    pixel_type_name(type));
    *out = in[0];
    out->width = warp->width;
    out->height = warp->height;
    return shape_exists(*out);
}

static Origin origin(const void *job, const Shape in[STAGE_INPUTS], Homography *map) {
    const WarpJob *warp = job;
    (void)in;
    *map = homography_identity();
    if (warp->map.is_lens)
        return ORIGIN_BENT;
    memcpy(map->m, warp->map.matrix, sizeof map->m);
    return ORIGIN_EXACT;
}

/* A map may lead anywhere. */
static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    const double taps = warp_taps(warp_job(stage)->kernel);
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(out),
                  2 * (taps * taps + taps) * (double)out.width * (double)out.height * out.channels};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    const WarpJob *job = warp_job(stage);
    const double gain = 1.25 * 1.25; /* of cubic weights: their absolute values sum to at most 5/4 */
    double max = max_in;
    for (int c = 0; c < 4; c++) {
        const double outside = fabs((double)job->outside[c]);
        max = outside > max ? outside : max;
    }
    return verdict_of(want, got, job->kernel == WARP_NEAREST ? 0 : 2e-6 * gain * max);
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const WarpJob *warp = job;
    return (size_t)snprintf(buffer, size, "%s to %zux%zu, %s, border %s",
                            warp->map.is_radial ? "radial lens"
                            : warp->map.is_lens ? "lens"
                                                : "homography",
                            warp->width, warp->height, warp_kernels[warp->kernel], borders[warp->border].name);
}

/* bench times the first: turned by 10 degrees. */
enum { EXAMPLES = 10 };

static Status example(size_t index, Shape in, void *job) {
    WarpJob *warp = job;
    const double x = ((double)in.width - 1) / 2, y = ((double)in.height - 1) / 2;
    const double cosine = cos(index == 0 ? 0.1745 : 0.6), sine = sin(index == 0 ? 0.1745 : 0.6);
    *warp = (WarpJob){.width = in.width, .height = in.height, .kernel = (WarpKernel)((index + 1) % WARP_KERNELS)};
    warp->border = (BorderMode)(index % 5);
    for (int c = 0; c < 4; c++)
        warp->outside[c] = warp->border == BORDER_CONSTANT ? (float)(0.25 * c) : 0;
    if (index == 9) {
        warp->map = (WarpMap){.is_lens = true,
                              .is_radial = true,
                              .focal = hypot(x, y) / 1.8 + 1,
                              .centre_x = x,
                              .centre_y = y - 1,
                              .bend = {1.02, -0.03, 0.02, -0.01, 0.004},
                              .apart = {1.001, 0.002, -0.003},
                              .k1 = WARP_FAR};
    } else if (index >= 6) {
        warp->map = (WarpMap){.is_lens = true, .focal = hypot(x, y) + 1, .centre_x = x, .centre_y = y + 2};
        warp->map.k1 = index == 6 ? -0.3 : 0.2;
        warp->map.k2 = 0.05;
        warp->map.k3 = index == 8 ? -0.1 : 0;
        warp->map.p1 = 0.01;
        warp->map.p2 = index == 7 ? -0.02 : 0;
    } else if (index == 5) { /* twice as large: places fall between two pixels, exactly */
        warp->map = (WarpMap){.matrix = {0.5, 0, -0.5, 0, 0.5, 0.25, 0, 0, 1}};
        warp->width = 2 * in.width;
    } else {
        const double tilt = index < 3 ? 0 : 0.2 / (double)(in.width + in.height);
        warp->map = (WarpMap){.matrix = {cosine, sine, x - cosine * x - sine * y, -sine, cosine,
                                         y + sine * x - cosine * y, tilt, -tilt / 2, 1}};
        warp->height += index == 2 ? 9 : 0;
    }
    return STATUS_OK;
}

static void features(const Stage *stage, Features *features) {
    const Shape in = stage->in[0].shape;
    snprintf(features->kind, sizeof features->kind, "%sx%d %s", pixel_type_name(in.type), in.channels,
             warp_kernels[warp_job(stage)->kernel]);
}

const Op op_warp = {
    .name = "warp",
    .help = "each pixel is read where a map says, between the picture's pixels",
    .inputs = 1,
    .job_bytes = sizeof(WarpJob),
    .shape = shape,
    .needs = needs_whole,
    .origin = origin,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = EXAMPLES,
    .features = features,
};
