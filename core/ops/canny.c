/* canny.c: the needs and costs of edges; they agree everywhere. */
#include "core/ops/canny.h"

#include "core/image/border.h"
#include "core/stage/op_parts.h"
#include "core/stage/window.h"

#include <math.h>
#include <stdio.h>

static Shape classes_of(Shape picture) {
    return (Shape){picture.width, picture.height, 1, PIXEL_U8};
}

static Shape seams_of(Shape picture) {
    return (Shape){picture.width, CANNY_SEAMS, 1, PIXEL_U32};
}

static Status peaks_shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)type;
    if (((const CannyJob *)job)->alpha && !shape_has_alpha(in[0]))
        return fail(STATUS_USAGE, "canny_peaks: there is no alpha among %d channels", in[0].channels);
    *out = classes_of(in[0]);
    return STATUS_OK;
}

static Status seams_shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)job, (void)type;
    if (!shape_equal(in[0], classes_of(in[0])))
        return fail(STATUS_USAGE, "canny_seams: %sx%d, want classes, u8x1", pixel_type_name(in[0].type),
                    in[0].channels);
    *out = seams_of(in[0]);
    return STATUS_OK;
}

static Status edges_shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const CannyJob *canny = job;
    if (!shape_equal(in[0], classes_of(in[1])) || (canny->cut && !shape_equal(in[2], seams_of(in[1]))))
        return fail(STATUS_USAGE, "canny_edges: %zux%zu %sx%d classes for a picture of another size", in[0].width,
                    in[0].height, pixel_type_name(in[0].type), in[0].channels);
    if (type != in[1].type)
        return fail(STATUS_USAGE, "canny_edges: %s cannot be stored as %s", pixel_type_name(in[1].type),
                    pixel_type_name(type));
    if (canny->alpha && !shape_has_alpha(in[1]))
        return fail(STATUS_USAGE, "canny_edges: there is no alpha among %d channels", in[1].channels);
    *out = in[1];
    return STATUS_OK;
}

static int edges_inputs(const void *job) {
    return ((const CannyJob *)job)->cut ? 3 : 2;
}

/* A slope's three rows, of the pixel and of a neighbour. */
static Region peaks_needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    return window_needs(((const CannyJob *)job)->border.mode, out, in[k], 5, 5);
}

/* Parts overlap by a row at least, since those beyond are asked for. */
static Region edges_needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    if (k == 1)
        return out;
    return k == 0 && ((const CannyJob *)job)->cut ? window_needs(BORDER_CONSTANT, out, in[k], 3, 3)
                                                  : needs_whole(job, k, out, in);
}

/* ---- parts ---- */

static void place(void *job, const PartPlace *part) {
    CannyJob *canny = job;
    const bool first = part->before < 0, last = part->after < 0;
    const int rows = (int)part->rows, margin = (int)part->margin;
    canny->above = first ? 0 : margin;
    canny->below = last ? 0 : margin;
    canny->seams[0] = first ? -1 : margin;
    canny->seams[1] = first ? -1 : rows - 1 - margin - (int)((ptrdiff_t)part->top - part->before);
    canny->seams[2] = last ? -1 : margin + (int)(part->after - (ptrdiff_t)part->top);
    canny->seams[3] = last ? -1 : rows - 1 - margin;
}

/* A table of all seams: twice the number (1 + row * width + x) of a pixel's parent, and 1 more if it is strong. */
static uint32_t *link_of(ImageView table, size_t pixel) {
    return (uint32_t *)view_row(table, pixel / table.shape.width) + pixel % table.shape.width;
}

static size_t root_of(ImageView table, size_t pixel) {
    uint32_t *link = link_of(table, pixel);
    if (*link == 0)
        *link = (uint32_t)(2 * (pixel + 1));
    for (size_t parent; (parent = *link / 2 - 1) != pixel; pixel = parent) {
        uint32_t *next = link_of(table, parent);
        *link = *next / 2 * 2 + *link % 2; /* half as far next time */
        link = next;
    }
    return pixel;
}

static void unite(ImageView table, size_t a, size_t b, uint32_t strong) {
    const size_t first = root_of(table, a), second = root_of(table, b), root = first < second ? first : second;
    const uint32_t both = (*link_of(table, first) | *link_of(table, second) | strong) % 2;
    *link_of(table, first) = *link_of(table, second) = (uint32_t)(2 * (root + 1)) + both;
}

/* The last two rows of a part are the first two of the next. */
static void stitch(ImageView table, size_t part, ImageView seams) {
    const size_t width = seams.shape.width, begin = part * CANNY_SEAMS / 2 * width;
    for (size_t y = 0; y < CANNY_SEAMS; y++) {
        const uint32_t *row = view_row(seams, y);
        for (size_t x = 0; x < width; x++)
            if (row[x] > 0)
                unite(table, begin + y * width + x, begin + row[x] / 2 - 1, row[x] % 2);
    }
}

/* Parents come before their children. */
static void settle(ImageView table) {
    const size_t width = table.shape.width;
    for (size_t pixel = 0; pixel < width * table.shape.height; pixel++) {
        uint32_t *link = link_of(table, pixel);
        const size_t parent = *link / 2;
        if (parent > 0)
            *link = parent - 1 == pixel ? *link % 2 : *link_of(table, parent - 1);
    }
}

/* ---- descriptors ---- */

static Cost peaks_cost(const Stage *stage) {
    const Shape in = stage->in[0].shape;
    return (Cost){(double)shape_bytes(in) + (double)shape_bytes(stage->out.shape),
                  (14.0 * in.channels + 10) * (double)in.width * (double)in.height};
}

static Cost edges_cost(const Stage *stage) {
    const Shape in = stage->in[0].shape;
    const double alpha = canny_job(stage)->alpha ? (double)shape_bytes(stage->in[1].shape) : 0;
    return (Cost){(double)shape_bytes(in) + alpha + (double)shape_bytes(stage->out.shape),
                  8.0 * (double)in.width * (double)in.height};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)stage, (void)max_in;
    Verdict verdict = verdict_count(want, got);
    verdict.agrees = verdict.differing == 0;
    return verdict;
}

static size_t peaks_describe(const void *job, char *buffer, size_t size) {
    const CannyJob *canny = job;
    char border[32];
    return (size_t)snprintf(buffer, size, "low %g, high %g, border %s", canny->low, canny->high,
                            border_format(canny->border, border, sizeof border));
}

static size_t edges_describe(const void *job, char *buffer, size_t size) {
    const CannyJob *canny = job;
    return (size_t)snprintf(buffer, size, "%s%s", canny->cut ? "of a part" : "of all", canny->alpha ? ", alpha" : "");
}

/* Thresholds by white; noise has many peaks, of which the second leaves long chains. */
static const struct {
    double low, high;
    Border border;
    bool alike;
} examples[] = {
    {1.5, 2.5, {BORDER_CLAMP, 0}, false},
    {0.5, 4.5, {BORDER_MIRROR, 0}, true},
    {3, 3, {BORDER_CONSTANT, 0.5F}, false},
    {1, 4, {BORDER_WRAP, 0}, false},
};

static Status peaks_example(size_t index, Shape in, void *job) {
    const double white = pixel_type_white(in.type);
    *(CannyJob *)job = (CannyJob){.low = examples[index].low * white,
                                  .high = examples[index].high * white,
                                  .white = white,
                                  .alpha = shape_has_alpha(in) && !examples[index].alike,
                                  .border = examples[index].border};
    return STATUS_OK;
}

/* In the middle, at both ends; one whose two seams with a neighbour are one row. */
static const PartPlace parts[] = {
    {20, 40, 20, 4, 30, 3}, {0, 40, 0, -1, 12, 5}, {12, 40, 12, 0, -1, 1}, {21, 40, 21, 3, 39, 11}};

static Status part_example(size_t index, Shape in, void *job) {
    PartPlace part = parts[index];
    if (in.height < part.rows)
        return fail(STATUS_USAGE, "canny: an example for %zu rows or more", part.rows);
    part.rows = in.height;
    *(CannyJob *)job = (CannyJob){.white = pixel_type_white(in.type), .cut = true, .alpha = shape_has_alpha(in)};
    place(job, &part);
    return STATUS_OK;
}

enum { WHOLE_EXAMPLES = 2, PART_EXAMPLES = sizeof parts / sizeof parts[0] };

static Status edges_example(size_t index, Shape in, void *job) {
    if (index >= WHOLE_EXAMPLES)
        return part_example(index - WHOLE_EXAMPLES, in, job);
    *(CannyJob *)job = (CannyJob){.white = pixel_type_white(in.type), .alpha = index > 0 && shape_has_alpha(in)};
    return STATUS_OK;
}

static Shape edges_input(size_t index, int k, Shape picture) {
    (void)index;
    return k == 0 ? classes_of(picture) : k == 1 ? picture : seams_of(picture);
}

const Op op_canny_peaks = {
    .name = "canny_peaks",
    .help = "tells pixels with the greatest slope across an edge from all others",
    .inputs = 1,
    .job_bytes = sizeof(CannyJob),
    .shape = peaks_shape,
    .needs = peaks_needs,
    .cost = peaks_cost,
    .compare = compare,
    .describe = peaks_describe,
    .example = peaks_example,
    .example_count = sizeof examples / sizeof examples[0],
};

static const OpParts seams_parts = {.stitch = stitch, .settle = settle, .place = place};

const Op op_canny_seams = {
    .name = "canny_seams",
    .help = "finds connected peaks in the rows that a part of a picture shares with its neighbours",
    .inputs = 1,
    .job_bytes = sizeof(CannyJob),
    .shape = seams_shape,
    .parts = &seams_parts,
    .needs = needs_whole,
    .cost = edges_cost,
    .compare = compare,
    .describe = edges_describe,
    .example = part_example,
    .example_count = PART_EXAMPLES,
    .example_input = edges_input,
};

static const OpParts edges_parts = {.place = place};

const Op op_canny_edges = {
    .name = "canny_edges",
    .help = "peaks on edges become white, all other pixels black",
    .inputs = 3,
    .of_counts = 1 << 2,
    .inputs_of = edges_inputs,
    .job_bytes = sizeof(CannyJob),
    .shape = edges_shape,
    .parts = &edges_parts,
    .needs = edges_needs,
    .cost = edges_cost,
    .compare = compare,
    .describe = edges_describe,
    .example = edges_example,
    .example_count = WHOLE_EXAMPLES + PART_EXAMPLES,
    .example_input = edges_input,
};
