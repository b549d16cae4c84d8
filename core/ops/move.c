/* move.c: the needs and costs of moving pixels. */
#include "core/ops/move.h"

#include "core/image/shape.h"
#include "core/stage/op_parts.h"

#include <stdint.h>
#include <stdio.h>

size_t move_outside(const MoveJob *job, Shape shape, unsigned char pixel[MOVE_PIXEL_MAX]) {
    _Alignas(16) unsigned char stored[MOVE_PIXEL_MAX] = {0};
    shape.width = shape.height = 1;
    const ImageView view = {shape, sizeof stored, stored};
    for (int c = 0; c < shape.channels; c++)
        view_set_value(view, 0, 0, c, (double)job->outside[c]);
    const size_t bytes = shape_row_bytes(shape);
    for (size_t i = 0; i < bytes; i++)
        pixel[i] = stored[i];
    return bytes;
}

MoveJob move_upright(Shape shape, int orientation) {
    const unsigned turn = orientation_turn(orientation);
    const bool swaps = turn & TURN_SWAP;
    return (MoveJob){.width = swaps ? shape.height : shape.width,
                     .height = swaps ? shape.width : shape.height,
                     .transpose = swaps,
                     .mirror_x = turn & (swaps ? TURN_MIRROR_Y : TURN_MIRROR_X),
                     .mirror_y = turn & (swaps ? TURN_MIRROR_X : TURN_MIRROR_Y),
                     .border = BORDER_CLAMP};
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const MoveJob *move = job;
    if (type != in[0].type)
        return fail(STATUS_USAGE, "move: %s cannot be stored as %s", pixel_type_name(in[0].type),
                    pixel_type_name(type));
    *out = in[0];
    out->width = move->width;
    out->height = move->height;
    return shape_exists(*out);
}

/* One row of the matrix: the coordinate of the transposed picture, of `n` pixels, that `along` of the result shows. */
static void origin_of_axis(double row[3], int along, bool mirrored, ptrdiff_t first, size_t n) {
    row[along] = mirrored ? -1 : 1;
    row[1 - along] = 0;
    row[2] = mirrored ? (double)n - 1 - (double)first : (double)first;
}

/* A column of the transposed picture is a row of the picture. */
static Origin origin(const void *job, const Shape in[STAGE_INPUTS], Homography *map) {
    const MoveJob *move = job;
    const int x = move->transpose ? 1 : 0, y = 1 - x;
    origin_of_axis(map->m + (ptrdiff_t)3 * x, 0, move->mirror_x, move->left, x ? in[0].height : in[0].width);
    origin_of_axis(map->m + (ptrdiff_t)3 * y, 1, move->mirror_y, move->top, x ? in[0].width : in[0].height);
    map->m[6] = map->m[7] = 0;
    map->m[8] = 1;
    return ORIGIN_EXACT;
}

/* The columns (or rows), of `n`, that `count` results from `first` on need. */
static void reach(BorderMode border, bool mirrored, size_t n, ptrdiff_t first, size_t count, ptrdiff_t *low,
                  size_t *size) {
    const ptrdiff_t end = (ptrdiff_t)n - 1;
    ptrdiff_t last = first + (ptrdiff_t)count - 1;
    const bool beyond = first < 0 || last > end;
    if (beyond && (border == BORDER_MIRROR || border == BORDER_WRAP)) {
        first = 0;
        last = end;
    }
    first = first < 0 ? 0 : first > end ? end : first;
    last = last < 0 ? 0 : last > end ? end : last;
    *low = mirrored ? end - last : first;
    *size = (size_t)(last - first + 1);
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    const MoveJob *move = job;
    const size_t columns = move->transpose ? in[k].height : in[k].width;
    const size_t rows = move->transpose ? in[k].width : in[k].height;
    Region region;
    reach(move->border, move->mirror_x, columns, out.left + move->left, out.width, &region.left, &region.width);
    reach(move->border, move->mirror_y, rows, out.top + move->top, out.height, &region.top, &region.height);
    return move->transpose ? (Region){region.top, region.left, region.height, region.width} : region;
}

static void cut(void *job, Shape picture, size_t rows) {
    MoveJob *move = job;
    (void)picture;
    move->height = rows;
}

/* A part that shows an edge has it, too (needs): the border's rule is right there. */
static void place(void *job, const PartPlace *part) {
    MoveJob *move = job;
    const ptrdiff_t by = (ptrdiff_t)part->top - (ptrdiff_t)part->from;
    move->top += by - move->part;
    move->part = by;
}

/* Counts the bytes of the picture that are shown, and those of the result. */
static Cost cost(const Stage *stage) {
    const Shape in[STAGE_INPUTS] = {stage->in[0].shape}, out = stage->out.shape;
    const Region read = needs(stage->job, 0, (Region){0, 0, out.width, out.height}, in);
    return (Cost){((double)read.width * (double)read.height + (double)out.width * (double)out.height) *
                      (double)out.channels * (double)pixel_type_size(out.type),
                  0};
}

/* Exactly, NaN as NaN. */
static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)stage, (void)max_in;
    Verdict verdict = verdict_count(want, got);
    verdict.agrees = verdict.differing == 0;
    return verdict;
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const MoveJob *move = job;
    return (size_t)snprintf(buffer, size, "%zux%zu from (%td, %td)%s%s%s", move->width, move->height, move->left,
                            move->top, move->transpose ? ", transposed" : "",
                            move->mirror_x ? ", columns reversed" : "", move->mirror_y ? ", rows reversed" : "");
}

/* bench times the first: a quarter turn. */
enum { EXAMPLES = 12 };

static Status example(size_t index, Shape in, void *job) {
    MoveJob *move = job;
    *move = (MoveJob){.width = in.width,
                      .height = in.height,
                      .transpose = index % 2 == 0,
                      .mirror_x = index % 4 < 2,
                      .mirror_y = index / 2 % 2 == 1,
                      .border = BORDER_CLAMP};
    if (move->transpose) {
        move->width = in.height;
        move->height = in.width;
    }
    if (index >= 4) { /* every border in turn, on all sides or cut on some */
        move->border = (BorderMode)(index % 5);
        move->width += index % 3 ? 37 : 3;
        move->height += 5;
        move->left = index % 3 ? -17 : 1;
        move->top = index % 2 ? -2 : 3;
        for (int c = 0; c < 4; c++)
            move->outside[c] = move->border == BORDER_CONSTANT ? (float)(0.2 * (c + 1)) : 0;
    }
    if (index == 11) { /* a part of it */
        move->left = (ptrdiff_t)in.width / 3;
        move->top = (ptrdiff_t)in.height / 2;
        move->width = move->height = 1 + in.width / 4;
    }
    return STATUS_OK;
}

static void features(const Stage *stage, Features *features) {
    const MoveJob *job = move_job(stage);
    const Shape in = stage->in[0].shape;
    snprintf(features->kind, sizeof features->kind, "%zu bytes %s", (size_t)in.channels * pixel_type_size(in.type),
             job->transpose  ? "turned"
             : job->mirror_x ? "reversed"
                             : "straight");
}

static const OpParts parts = {.cut = cut, .place = place};

const Op op_move = {
    .name = "move",
    .help = "pixels change their places, and keep their values: cut, surrounded, mirrored, turned by quarters",
    .inputs = 1,
    .chooses = true,
    .job_bytes = sizeof(MoveJob),
    .shape = shape,
    .parts = &parts,
    .needs = needs,
    .origin = origin,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = EXAMPLES,
    .features = features,
};
