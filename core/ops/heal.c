/* heal.c: the needs and costs of filling in spots. */
#include "core/ops/heal.h"

#include "core/stage/op.h"

#include <math.h>
#include <stdio.h>

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const HealJob *heal = job;
    if (heal->count < 1 || heal->count > HEAL_SPOTS_MAX)
        return fail(STATUS_USAGE, "heal: %d spots, want 1 to %d", heal->count, HEAL_SPOTS_MAX);
    for (int i = 0; i < heal->count; i++)
        if (!(heal->spots[i].radius > 0 && heal->spots[i].radius <= HEAL_RADIUS_MAX))
            return fail(STATUS_USAGE, "heal: spot %d has a radius of %g pixels, want more than 0, at most %d", i + 1,
                        heal->spots[i].radius, HEAL_RADIUS_MAX);
    if (type != in[0].type)
        return fail(STATUS_USAGE, "heal: %s cannot be stored as %s", pixel_type_name(in[0].type),
                    pixel_type_name(type));
    *out = in[0];
    return STATUS_OK;
}

/* Each pixel of a spot takes a weight, and a multiply-add a channel, of each place on the rim. */
static Cost cost(const Stage *stage) {
    const HealJob *heal = heal_job(stage);
    double flops = 0;
    for (int i = 0; i < heal->count; i++) {
        const HealSpot *spot = &heal->spots[i];
        flops += M_PI * spot->radius * spot->radius * heal_rim(spot) * (6 + 2 * stage->out.shape.channels);
    }
    return (Cost){2 * (double)shape_bytes(stage->out.shape), flops};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)stage;
    return verdict_of(want, got, 6e-6 * max_in);
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const int count = ((const HealJob *)job)->count;
    return (size_t)snprintf(buffer, size, "%d spot%s", count, count == 1 ? "" : "s");
}

/* One, with a patch; without; two that overlap, and reach beyond the edges; one of less than a pixel. */
static Status example(size_t index, Shape in, void *job) {
    const double width = (double)in.width, height = (double)in.height, side = fmin(width, height);
    const HealSpot patched = {0.4 * width, 0.5 * height, fmin(fmax(side / 6, 1), 40), (int)in.width / 4, -2};
    const HealSpot rim = {0.7 * width, 0.3 * height, fmin(fmax(side / 9, 0.6), 20), 0, 0};
    const HealSpot corner = {-0.5, height - 1, fmin(fmax(side / 5, 1), 30), 7, 300};
    const HealJob jobs[] = {{1, {patched}}, {1, {rim}}, {3, {corner, patched, rim}}, {1, {{width / 2, 0, 0.3, 1, 0}}}};
    *(HealJob *)job = jobs[index];
    return STATUS_OK;
}

const Op op_heal = {
    .name = "heal",
    .help = "spots filled in from their rims and from patches elsewhere",
    .inputs = 1,
    .job_bytes = sizeof(HealJob),
    .shape = shape,
    .needs = needs_whole,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = 4,
};
