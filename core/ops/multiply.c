/* multiply.c: the needs, costs and tolerances of a product of matrices. */
#include "core/ops/multiply.h"

#include "core/stage/op.h"

#include <math.h>
#include <stdio.h>

const char *const precision_names[PRECISIONS] = {"f32", "tf32", "bf16"};

static bool is_matrix(Shape shape) {
    return shape.channels == 1 && shape.type == PIXEL_F32;
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)job;
    for (int k = 0; k < 2; k++)
        if (!is_matrix(in[k]))
            return fail(STATUS_USAGE, "multiply: matrix %c is %sx%d, want f32x1", 'A' + k, pixel_type_name(in[k].type),
                        in[k].channels);
    if (in[0].width != in[1].height)
        return fail(STATUS_INPUT, "multiply: matrix A has %zu columns and B %zu rows, want as many", in[0].width,
                    in[1].height);
    if (type != PIXEL_F32)
        return fail(STATUS_USAGE, "multiply: a product cannot be stored as %s, only as f32", pixel_type_name(type));
    *out = (Shape){in[1].width, in[0].height, 1, PIXEL_F32};
    return STATUS_OK;
}

/* Rows of A, columns of B. */
static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    (void)job;
    return k == 0 ? (Region){0, out.top, in[0].width, out.height} : (Region){out.left, 0, out.width, in[1].height};
}

static Cost cost(const Stage *stage) {
    const MultiplySize size = multiply_size(stage);
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(stage->in[1].shape) +
                      (double)shape_bytes(stage->out.shape),
                  2.0 * (double)size.rows * (double)size.columns * (double)size.terms};
}

/* Rounding errors are as good as random: they grow as the root of how many there are (Higham and Mary, A new approach
 * to probabilistic rounding error analysis, 2019). */
double multiply_error(size_t terms) {
    return (double)terms * 0x1p-24 * (2 * sqrt((double)terms) + 4);
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return verdict_of_sums(want, got, multiply_error(multiply_size(stage).terms) * max_in * max_in);
}

static size_t describe(const void *job, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "values of %s", precision_names[((const MultiplyJob *)job)->precision]);
}

/* Every precision; with a picture of W x H as A, first square results, then wide ones. */
static Status example(size_t index, Shape in, void *job) {
    *(MultiplyJob *)job = (MultiplyJob){(Precision)(index % PRECISIONS)};
    return is_matrix(in) ? STATUS_OK : fail(STATUS_USAGE, "multiply: want a picture of f32x1 as a matrix");
}

static Shape example_input(size_t index, int k, Shape picture) {
    const size_t columns = index < PRECISIONS ? picture.height : 2 * picture.height + 3;
    return k == 1 ? (Shape){columns, picture.width, 1, PIXEL_F32} : picture;
}

static void features(const Stage *stage, Features *features) {
    snprintf(features->kind, sizeof features->kind, "%s", precision_names[multiply_job(stage)->precision]);
    features->axes[1] = log2((double)multiply_size(stage).terms);
}

const Op op_multiply = {
    .name = "multiply",
    .help = "a product of two matrices",
    .inputs = 2,
    .job_bytes = sizeof(MultiplyJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = 2 * PRECISIONS,
    .example_input = example_input,
    .features = features,
    .pixels = "f32x1",
};
