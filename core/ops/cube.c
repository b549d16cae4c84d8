/* cube.c: the needs and costs of a table of colours. */
#include "core/ops/cube.h"

#include "core/codec/cube.h"
#include "core/stage/op.h"

#include <stdio.h>

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const CubeJob *cube = job;
    int side, dimensions;
    if (!cube_of_shape(in[1], &side, &dimensions) || side != cube->side || dimensions != cube->dimensions)
        return fail(STATUS_USAGE, "cube: %zux%zu values of %s are no table of colours", in[1].width, in[1].height,
                    pixel_type_name(in[1].type));
    if (type != in[0].type)
        return fail(STATUS_USAGE, "cube: %s cannot be stored as %s", pixel_type_name(in[0].type),
                    pixel_type_name(type));
    *out = in[0];
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    (void)job;
    return k == 0 ? out : (Region){0, 0, in[k].width, in[k].height};
}

static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    return (Cost){2 * (double)shape_bytes(out) + (double)shape_bytes(stage->in[1].shape),
                  24 * (double)out.width * (double)out.height};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)max_in;
    return verdict_of(want, got, 4e-6 * cube_job(stage)->white);
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const CubeJob *cube = job;
    return (size_t)snprintf(buffer, size, cube->dimensions == 3 ? "%d a side" : "%d in a line", cube->side);
}

static const CubeJob examples[] = {{33, 3, 1}, {2, 3, 1}, {1024, 1, 1}, {5, 3, 1}};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static Status example(size_t index, Shape in, void *job) {
    *(CubeJob *)job = examples[index];
    ((CubeJob *)job)->white = pixel_type_white(in.type);
    return STATUS_OK;
}

static Shape example_input(size_t index, int k, Shape picture) {
    const size_t side = (size_t)examples[index].side;
    return k == 0 ? picture : (Shape){side, examples[index].dimensions == 3 ? 1 + side * side : 2, 3, PIXEL_F32};
}

static void features(const Stage *stage, Features *features) {
    snprintf(features->kind, sizeof features->kind, "%sx%d", pixel_type_name(stage->out.shape.type),
             stage->out.shape.channels);
}

const Op op_cube = {
    .name = "cube",
    .help = "each colour becomes its entry in a table of colours",
    .inputs = 2,
    .job_bytes = sizeof(CubeJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = EXAMPLES,
    .example_input = example_input,
    .features = features,
};
