/* tiles.c: the needs and costs of an equalization by tiles. Counts are exact. */
#include "core/ops/tiles.h"

#include "core/ops/histogram.h"
#include "core/stage/op_parts.h"

#include <stdio.h>

TilesJob tiles_job(Shape picture, int across, int down, bool luma, double high) {
    const double most = picture.type == PIXEL_F32 ? high : pixel_type_white(picture.type);
    const Bins bins = {TILE_BINS, 0, (float)((TILE_BINS - 1) / most)};
    const int colours = shape_colours(picture);
    return (TilesJob){.type = picture.type,
                      .colours = luma ? 1 : colours,
                      .tiles = tiles_of(across, down, (int)picture.width, (int)picture.height),
                      .bins = bins,
                      .luma = luma && colours == 3,
                      .white = pixel_type_white(picture.type),
                      .rows = (int)picture.height};
}

/* A row of the counts and of the curves is one of a tile. */
static Shape rows_of(const TilesJob *job, PixelType type) {
    return (Shape){(size_t)job->bins.count, (size_t)job->tiles.across * (size_t)job->tiles.down * (size_t)job->colours,
                   1, type};
}

static PixelType curve_type(const TilesJob *job) {
    return job->type == PIXEL_U8 ? PIXEL_U8 : PIXEL_F32;
}

static Status check_picture(const TilesJob *job, Shape picture, const char *operation) {
    const Tiles want = tiles_of(job->tiles.across, job->tiles.down, (int)picture.width, job->rows);
    if (picture.type != job->type || want.width != job->tiles.width || want.height != job->tiles.height ||
        (size_t)job->top + picture.height > (size_t)job->rows ||
        job->colours != (job->luma ? 1 : shape_colours(picture)))
        return fail(STATUS_USAGE, "%s: a picture of %zux%zu pixels, %sx%d, for tiles of another", operation,
                    picture.width, picture.height, pixel_type_name(picture.type), picture.channels);
    return STATUS_OK;
}

static Status histogram_shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const TilesJob *tiles = job;
    (void)type;
    if (tiles->tiles.across < 1 || tiles->tiles.across > TILES_MAX || tiles->tiles.down < 1 ||
        tiles->tiles.down > TILES_MAX)
        return fail(STATUS_USAGE, "tile_histogram: %dx%d tiles, want 1 to %d a side", tiles->tiles.across,
                    tiles->tiles.down, TILES_MAX);
    TRY(check_picture(tiles, in[0], "tile_histogram"));
    if (tiles->tiles.width > TILE_SIDE_MAX || tiles->tiles.height > TILE_SIDE_MAX)
        return fail(STATUS_USAGE, "tile_histogram: tiles of %dx%d pixels, want up to %d a side", tiles->tiles.width,
                    tiles->tiles.height, TILE_SIDE_MAX);
    if ((uint64_t)tiles->tiles.width * (uint64_t)tiles->tiles.height > UINT32_MAX)
        return fail(STATUS_USAGE, "tile_histogram: tiles of %dx%d have more pixels than can be counted, %u",
                    tiles->tiles.width, tiles->tiles.height, UINT32_MAX);
    *out = rows_of(tiles, PIXEL_U32);
    return STATUS_OK;
}

static Status curve_shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)type;
    if (!shape_equal(in[0], rows_of(job, PIXEL_U32)))
        return fail(STATUS_USAGE, "tile_curve: %zux%zu counts for other tiles", in[0].width, in[0].height);
    *out = rows_of(job, curve_type(job));
    return STATUS_OK;
}

static Status lookup_shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    TRY(check_picture(job, in[0], "tile_lookup"));
    if (!shape_equal(in[1], rows_of(job, curve_type(job))) || type != in[0].type)
        return fail(STATUS_USAGE, "tile_lookup: %zux%zu results for other tiles", in[1].width, in[1].height);
    *out = in[0];
    return STATUS_OK;
}

static void place(void *job, const PartPlace *part) {
    ((TilesJob *)job)->top = (int)part->top;
}

static Region lookup_needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    return k == 0 ? out : needs_whole(job, k, out, in);
}

static Cost cost(const Stage *stage) {
    const Shape in = stage->in[0].shape;
    return (Cost){(double)shape_bytes(in) + (double)shape_bytes(stage->in[1].shape) +
                      (double)shape_bytes(stage->out.shape),
                  (double)in.width * (double)in.height * in.channels * (stage->op == &op_tile_lookup ? 6 : 1)};
}

static Verdict compare_counts(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)stage, (void)max_in;
    Verdict verdict = verdict_count(want, got);
    verdict.agrees = verdict.differing == 0;
    return verdict;
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return verdict_of(want, got, 2e-6 * fmax(max_in, tiles_job_of(stage)->white));
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const TilesJob *tiles = job;
    return (size_t)snprintf(buffer, size, "%dx%d tiles, %d bins, clip %g%s", tiles->tiles.across, tiles->tiles.down,
                            tiles->bins.count, tiles->clip, tiles->luma ? ", luma" : "");
}

/* Tiles that divide the picture and that do not, more tiles than pixels; luma; clipped and not. Also the last rows of a
 * picture, some of which are counted again where tiles reach beyond it, and rows of its middle. */
enum { EXAMPLES = 5, ROWS_ABOVE = 29, ROWS_BELOW = 60 };

static Status example(size_t index, Shape in, void *job) {
    static const int sides[EXAMPLES][2] = {{8, 8}, {3, 2}, {1, 13}, {2, 5}, {3, 4}};
    const size_t above = index >= 3 ? ROWS_ABOVE : 0, below = index == 4 ? ROWS_BELOW : 0;
    if (in.width * in.height > 1 << 20 && index > 0)
        return fail(STATUS_USAGE, "tiles: an example for small pictures");
    TilesJob *tiles = job;
    in.height += above + below;
    *tiles = tiles_job(in, sides[index][0], sides[index][1], index == 1, 1);
    tiles->clip = index == 2 ? 0 : 2;
    tiles->visible = index == 1;
    tiles->top = (int)above;
    return STATUS_OK;
}

static Shape curve_input(size_t index, int k, Shape picture) {
    TilesJob job = {0};
    (void)k;
    return example(index, picture, &job) == STATUS_OK ? rows_of(&job, PIXEL_U32) : picture;
}

static Shape lookup_input(size_t index, int k, Shape picture) {
    TilesJob job = {0};
    return k > 0 && example(index, picture, &job) == STATUS_OK ? rows_of(&job, curve_type(&job)) : picture;
}

#define TILES_COMMON                                                                                                   \
    .job_bytes = sizeof(TilesJob), .cost = cost, .describe = describe, .example = example, .example_count = EXAMPLES

static const OpParts histogram_parts = {.join = counts_join, .place = place};

const Op op_tile_histogram = {
    .name = "tile_histogram",
    .help = "counts the values of each tile of a picture",
    .inputs = 1,
    .shape = histogram_shape,
    .parts = &histogram_parts,
    .needs = needs_whole,
    .compare = compare_counts,
    TILES_COMMON,
};

const Op op_tile_curve = {
    .name = "tile_curve",
    .help = "finds a curve for the values of each tile, by its clipped histogram",
    .inputs = 1,
    .of_counts = 1,
    .shape = curve_shape,
    .needs = needs_whole,
    .compare = compare,
    .example_input = curve_input,
    TILES_COMMON,
};

static const OpParts lookup_parts = {.place = place};

const Op op_tile_lookup = {
    .name = "tile_lookup",
    .help = "each value becomes a weighted mean of the curves of the tiles around it",
    .inputs = 2,
    .shape = lookup_shape,
    .parts = &lookup_parts,
    .needs = lookup_needs,
    .compare = compare,
    .example_input = lookup_input,
    TILES_COMMON,
};
