/* clahe.c: contrast limited adaptive histogram equalization. */
#include "core/chain/filters/filters.h"
#include "core/ops/tiles.h"

typedef struct Values {
    double clip, tiles, by, range;
} Values;

static const Param params[] = {
    {"clip", "contrast: how many times the mean count a value's count may be; 0: any", "", PARAM_NUMBER,
     offsetof(Values, clip), 0, 2, 1000, 0.25},
    {"tiles", "the number of tiles a side; each is equalized", "", PARAM_WHOLE, offsetof(Values, tiles), 1, 8,
     TILES_MAX, 1},
    {"by", "the counted values: each channel, for curves of its own, or luma, for one curve", "channel|luma",
     PARAM_CHOICE, offsetof(Values, by), BY_CHANNEL, BY_LUMA, BY_LUMA, 1},
    {"range", "f32: values from 0 to this are counted; larger ones with the largest", "times full intensity",
     PARAM_NUMBER, offsetof(Values, range), 0.001, 1, 65536, 0.1},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_value_shape(to, in);
    const bool luma = (StatisticsBy)v->by == BY_LUMA && shape_colours(shape) == 3;
    const double white = plan_value_white(to, in);
    TilesJob job = tiles_job(plan_whole_shape(to, in), (int)v->tiles, (int)v->tiles, luma, white * v->range);
    int counts, results;
    job.visible = shape_has_alpha(shape) && plan_options(to)->alpha != ALPHA_IGNORE;
    job.clip = v->clip;
    job.white = white;
    TRY(plan_append(to, &op_tile_histogram, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, PIXEL_U32,
                    &counts));
    TRY(plan_append(to, &op_tile_curve, &job, (const int[STAGE_INPUTS]){counts, PLAN_NONE, PLAN_NONE}, shape.type,
                    &results));
    return plan_append(to, &op_tile_lookup, &job, (const int[STAGE_INPUTS]){in, results, PLAN_NONE}, shape.type, out);
}

const Filter filter_clahe = {
    .name = "clahe",
    .category = FILTER_STATISTICS,
    .help = "Evens out the brightness tile by tile, without more contrast than a limit.",
    .definition =
        "K. Zuiderveld, Contrast Limited Adaptive Histogram Equalization (Graphics Gems IV, 1994). u8 is as "
        "cv::createCLAHE has it, except that tiles are no wider than they must be where they divide only one side of "
        "the picture. u16 and f32 are counted in 256 bins as well, with straight lines between them. There all bins "
        "share the counts beyond the limit evenly; in OpenCV the first bins get the rest, which brightens small tiles.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
