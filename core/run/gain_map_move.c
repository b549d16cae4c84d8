/* gain_map_move.c: gain maps after geometry. Each pixel of the new map is looked up in the old one, at its place in the
 * picture as it was. All stages that move pixels, from the last to the first, lead there. */
#include "core/run/gain_map_move.h"

#include "core/base/share.h"
#include "core/ops/move.h"
#include "core/ops/warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 128, SAMPLES_MAX = 64 /* of the old map for a pixel, each way */ };

/* A stage that moves pixels: from a place in its result to one in its input. */
typedef struct Step {
    WarpMap map;
    Shape in;
    BorderMode border;
} Step;

typedef struct Path {
    Step steps[STEPS_MAX]; /* from the last of the chain to the first */
    size_t count;
    bool lost; /* the result does not show the picture pixel by pixel */
    Shape result;
} Path;

/* ---- the stages that move pixels ---- */

static bool step_of(const Stage *stage, Step *step) {
    const Shape in[STAGE_INPUTS] = {stage->in[0].shape, stage->in[1].shape, stage->in[2].shape}, out = stage->out.shape;
    Homography map = homography_identity();
    *step = (Step){.in = in[0], .border = BORDER_CLAMP};
    const Origin origin = stage->op->origin ? stage->op->origin(stage->job, in, &map)
                          : in[0].width == out.width && in[0].height == out.height ? ORIGIN_EXACT
                                                                                   : ORIGIN_NONE;
    memcpy(step->map.matrix, map.m, sizeof map.m);
    if (stage->op == &op_warp) {
        step->map = warp_job(stage)->map; /* a lens, too */
        step->border = warp_job(stage)->border;
    } else if (stage->op == &op_move) {
        step->border = move_job(stage)->border;
    }
    return origin != ORIGIN_NONE;
}

/* The steps of a plan of one link, before those that are there. */
static void add_plan(const Plan *plan, Path *path) {
    Step steps[STEPS_MAX];
    size_t count = 0;
    int value = plan_result(plan);
    while (value != PLAN_NONE && value != plan_unfiltered(plan) && !path->lost) {
        const int number = plan_value_stage(plan, value);
        if (number == PLAN_NONE)
            break;
        const PlanStage *stage = plan_stage(plan, (size_t)number);
        path->lost = count + path->count == STEPS_MAX || !step_of(&stage->stage, &steps[count]);
        count += stage->stage.op->origin ? 1 : 0;
        value = stage->from[0];
    }
    path->lost = path->lost || value == PLAN_NONE || value != plan_unfiltered(plan);
    if (path->lost)
        return;
    memmove(path->steps + count, path->steps, path->count * sizeof *path->steps);
    memcpy(path->steps, steps, count * sizeof *steps);
    path->count += count;
}

/* A link that is off, or confined, leaves each pixel at its place. */
static Status find_path(const Chain *chain, Shape picture, PlanOptions options, Path *path) {
    path->count = 0;
    path->lost = false;
    path->result = picture;
    for (size_t i = 0; i < chain->count && !path->lost; i++) {
        Chain alone = *chain;
        Plan *plan;
        if (chain->links[i].off || chain_within(&chain->links[i]))
            continue;
        alone.links[0] = chain->links[i];
        alone.count = 1;
        TRY(chain_plan(&alone, path->result, options, &plan));
        add_plan(plan, path);
        path->result = plan_value_shape(plan, plan_result(plan));
        plan_destroy(&plan);
    }
    return STATUS_OK;
}

/* ---- places ---- */

/* Back into the picture, up to half a pixel beyond its outer pixels' centres; false where the border has a value. */
static bool fold(BorderMode mode, double *at, size_t n) {
    const double size = (double)n, last = size - 1;
    if (*at >= -0.5 && *at <= last + 0.5)
        return true;
    switch (mode) {
    case BORDER_CLAMP:
        *at = *at < 0 ? 0 : last;
        return true;
    case BORDER_WRAP:
        *at -= size * floor((*at + 0.5) / size);
        return true;
    case BORDER_MIRROR:
        *at = last > 0 ? fabs(*at - 2 * last * nearbyint(*at / (2 * last))) : 0;
        return true;
    default:
        return false;
    }
}

/* From a place in the result to that in the picture; false where no pixel of the picture is seen. */
static bool lead_back(const Path *path, bool folds, double *x, double *y) {
    for (size_t i = 0; i < path->count; i++) {
        const Step *step = &path->steps[i];
        double u, v;
        warp_place(&step->map, *x, *y, &u, &v);
        if (folds && (!fold(step->border, &u, step->in.width) || !fold(step->border, &v, step->in.height)))
            return false;
        *x = u;
        *y = v;
    }
    return true;
}

/* Pixels of the old map that a line through the middle of the result passes. */
static double density(const Path *path, Shape picture, Shape map, bool down) {
    const double width = (double)path->result.width, height = (double)path->result.height;
    const double middle_x = (width - 1) / 2, middle_y = (height - 1) / 2;
    double x[2] = {down ? middle_x : -0.5, down ? middle_x : width - 0.5};
    double y[2] = {down ? -0.5 : middle_y, down ? height - 0.5 : middle_y};
    for (int end = 0; end < 2; end++)
        (void)lead_back(path, false, &x[end], &y[end]);
    return hypot((x[1] - x[0]) * (double)map.width / (double)picture.width,
                 (y[1] - y[0]) * (double)map.height / (double)picture.height);
}

static size_t side_of(double wanted, size_t most) {
    const double hair = 1e-6;
    return !(wanted > 1) ? 1 : wanted < (double)most ? (size_t)ceil(wanted - hair) : most;
}

static Shape moved_shape(const Path *path, Shape picture, Shape map) {
    const Shape none = {0};
    return path->lost
               ? none
               : (Shape){side_of(density(path, picture, map, false), path->result.width),
                         side_of(density(path, picture, map, true), path->result.height), map.channels, PIXEL_F32};
}

Status gain_map_moved_shape(const Chain *chain, Shape picture, PlanOptions options, Shape map, Shape *moved) {
    Path path;
    TRY(find_path(chain, picture, options, &path));
    *moved = moved_shape(&path, picture, map);
    return STATUS_OK;
}

/* ---- values ---- */

typedef struct Job {
    const Path *path;
    Shape picture;
    ImageView from, to;
    int samples;                   /* of a pixel, each way */
    double unmoved[GAIN_CHANNELS]; /* the value of a gain of 1 */
} Job;

static void moved_row(const void *data, size_t row) {
    const Job *job = data;
    const int n = job->samples, channels = job->to.shape.channels;
    const double across = (double)job->path->result.width / (double)job->to.shape.width;
    const double down = (double)job->path->result.height / (double)job->to.shape.height;
    const double map_across = (double)job->from.shape.width / (double)job->picture.width;
    const double map_down = (double)job->from.shape.height / (double)job->picture.height;
    float *pixel = view_row(job->to, row);
    for (size_t column = 0; column < job->to.shape.width; column++, pixel += channels) {
        double sums[GAIN_CHANNELS] = {0};
        for (int i = 0; i < n * n; i++) {
            double x = ((double)column + (i % n + 0.5) / n) * across - 0.5;
            double y = ((double)row + (i / n + 0.5) / n) * down - 0.5;
            const bool seen = lead_back(job->path, true, &x, &y);
            for (int c = 0; c < channels; c++)
                sums[c] += seen ? gain_map_value(job->from, (x + 0.5) * map_across - 0.5, (y + 0.5) * map_down - 0.5, c)
                                : job->unmoved[c];
        }
        for (int c = 0; c < channels; c++)
            pixel[c] = (float)(sums[c] / (n * n));
    }
}

/* A pixel of the new map may show several of the old one, where the result has fewer pixels than that. */
static int samples_of(const Path *path, Shape picture, Shape map, Shape moved) {
    const double across = density(path, picture, map, false) / (double)moved.width;
    const double down = density(path, picture, map, true) / (double)moved.height;
    return (int)fmin(fmax(ceil(fmax(across, down) - 0.01), 1), SAMPLES_MAX);
}

static Status move(const Path *path, Shape picture, const Image *old, Image **moved) {
    const ImageView from = old->gain_map->view;
    const Shape shape = moved_shape(path, picture, from.shape);
    const GainCurve *curve = &old->gain_curve;
    TRY(image_create_unfilled(shape, moved));
    Job job = {path, picture, from, (*moved)->view, samples_of(path, picture, from.shape, shape), {0}};
    for (int c = 0; c < GAIN_CHANNELS; c++) {
        const double range = curve->max[c] - curve->min[c], share = range > 0 ? -curve->min[c] / range : 0;
        job.unmoved[c] = share > 0 ? pow(fmin(share, 1), curve->gamma[c]) : 0;
    }
    share_pieces(shape.height, moved_row, &job);
    return STATUS_OK;
}

Status gain_map_move(const Chain *chain, Shape picture, PlanOptions options, Image *made) {
    Path path;
    Image *moved = NULL;
    if (!made->gain_map)
        return STATUS_OK;
    TRY(find_path(chain, picture, options, &path));
    if (!path.lost && path.count == 0) /* it may be shared, and stays */
        return STATUS_OK;
    if (!path.lost)
        TRY(move(&path, picture, made, &moved));
    made->extras |= path.lost ? EXTRA_GAIN_MAP : 0u;
    image_destroy(&made->gain_map);
    made->gain_map = moved;
    return STATUS_OK;
}
