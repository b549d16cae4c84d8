/* heal.c: spots that should not be there. */
#include "core/ops/heal.h"
#include "core/chain/filters/filters.h"

typedef struct Values {
    char *spots;
} Values;

static const Param params[] = {
    {.name = "spots",
     .help = "spots, ';' between them: the middle's x and y, the radius (of the longer side), where a patch lies, "
             "across and down (0 0: none)",
     .unit = "percent",
     .kind = PARAM_TEXT,
     .offset = offsetof(Values, spots)},
};

enum { NUMBERS = 5 /* of a spot */ };

static Status read_spots(const char *text, Shape shape, HealJob *job) {
    const double width = (double)shape.width, height = (double)shape.height;
    double numbers[NUMBERS * HEAL_SPOTS_MAX];
    const int count = text ? filter_numbers(text, numbers, NUMBERS * HEAL_SPOTS_MAX) : 0;
    if (count < 1 || count % NUMBERS)
        return fail(STATUS_USAGE,
                    "heal: the spots are \"%s\", want 5 numbers each, for at most %d spots, as in '30 40 2 5 0'",
                    text ? text : "", HEAL_SPOTS_MAX);
    for (const double *at = numbers; at < numbers + count; at += NUMBERS) {
        const double radius = at[2] / 100 * fmax(width, height), across = at[3] / 100 * width;
        const double down = at[4] / 100 * height;
        if (!(fabs(at[0]) <= 1000 && fabs(at[1]) <= 1000 && fabs(at[3]) <= 100 && fabs(at[4]) <= 100))
            return fail(STATUS_USAGE,
                        "heal: a spot at %g %g with a patch %g %g away; want them in the picture, in percent", at[0],
                        at[1], at[3], at[4]);
        job->spots[job->count++] = (HealSpot){at[0] / 100 * width - 0.5, at[1] / 100 * height - 0.5, radius,
                                              (int)round(across), (int)round(down)};
    }
    return STATUS_OK;
}

static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    return plan_append(to, &op_heal, context, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    HealJob job = {0};
    TRY(read_spots(((const Values *)values)->spots, plan_value_shape(to, in), &job));
    return plan_premultiplied(to, in, plan_value_shape(to, in).type, (PlanInner){append, &job, 1, false}, out);
}

const Filter filter_heal = {
    .name = "heal",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Removes spots: each becomes a patch from nearby in the colours of its rim, or smooth.",
    .definition =
        "P. Pérez, M. Gangnet and A. Blake, Poisson Image Editing, 2003, equations 6 and 7, on disks. Poisson's "
        "integral solves them: a mean of the rim's pixels, weighted by the inverse of the squared distance.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "'50 50 4 12 0'",
};
