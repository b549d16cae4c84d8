/* heal.c: spots that should not be there. */
#include "core/ops/heal.h"
#include "core/chain/filters/filters.h"

typedef struct Values {
    char *spots;
    double nearby;
} Values;

static const Param params[] = {
    {.name = "spots",
     .help = "spots, ';' between them: the middle's x and y, the radius (of the longer side), where a patch lies, "
             "across and down (0 0: none)",
     .unit = "percent",
     .kind = PARAM_TEXT,
     .offset = offsetof(Values, spots)},
    {"nearby", "spots with a patch at 0 0 take the one nearby that fits best around them", "no|yes", PARAM_CHOICE,
     offsetof(Values, nearby), 0, 0, 1, 1},
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

/* ---- patches found nearby ---- */

enum { RIM = 48, RINGS = 3, WAYS = 32, FAR = 4 };

/* How far each ring around a spot is from its middle, in radii; and how far patches are. */
static const double rings[RINGS] = {1, 1.2, 1.5}, ways[FAR] = {2.6, 3.2, 4.2, 5.5};

static bool lies_within(ImageView picture, const HealSpot *spot, double x, double y) {
    const double beyond = spot->radius * rings[RINGS - 1];
    return x - beyond >= 0 && y - beyond >= 0 && x + beyond <= (double)picture.shape.width - 1 &&
           y + beyond <= (double)picture.shape.height - 1;
}

/* Whether a patch would show any spot. */
static bool shows_spot(const HealJob *job, const HealSpot *spot, double x, double y) {
    bool shows = false;
    for (int i = 0; i < job->count; i++)
        shows |=
            hypot(x - job->spots[i].x, y - job->spots[i].y) < job->spots[i].radius + spot->radius * rings[RINGS - 1];
    return shows;
}

/* How the rings around the spot and the patch differ, but for their means, which healing takes from the spot's rim. */
static double misfit(ImageView picture, const HealSpot *spot, int across, int down) {
    const int width = (int)picture.shape.width, height = (int)picture.shape.height;
    const int colours = shape_colours(picture.shape);
    double sums[3] = {0}, squares = 0;
    for (int i = 0; i < RIM * RINGS; i++) {
        const HealSpot ring = {spot->x, spot->y, spot->radius * rings[i / RIM], 0, 0};
        double x, y;
        heal_place(&ring, i % RIM, RIM, &x, &y);
        const int u = heal_nearest(x, width), v = heal_nearest(y, height);
        const size_t from_u = (size_t)heal_nearest(u + across, width), from_v = (size_t)heal_nearest(v + down, height);
        for (int c = 0; c < colours; c++) {
            const double less = view_value(picture, (size_t)u, (size_t)v, c) - view_value(picture, from_u, from_v, c);
            sums[c] += less;
            squares += less * less;
        }
    }
    for (int c = 0; c < colours; c++)
        squares -= sums[c] * sums[c] / (RIM * RINGS);
    return squares;
}

/* The nearest of the patches that fit best; none where there is no room for any. */
static void find_patch(ImageView picture, const HealJob *job, HealSpot *spot) {
    double least = INFINITY;
    for (int i = 0; i < FAR * WAYS; i++) {
        const double turn = HEAL_TURN * (i % WAYS) / WAYS, far = spot->radius * ways[i / WAYS];
        const int across = (int)lrint(far * cos(turn)), down = (int)lrint(far * sin(turn));
        const double x = spot->x + across, y = spot->y + down;
        if (!lies_within(picture, spot, x, y) || shows_spot(job, spot, x, y))
            continue;
        const double fits = misfit(picture, spot, across, down);
        if (fits < least) { /* NaN is never less */
            least = fits;
            spot->across = across;
            spot->down = down;
        }
    }
}

/* Patches for the job's spots without one, found in the picture, which may be larger than the one that is healed. */
static Status find_patches(const Values *v, const Plan *to, Shape shape, HealJob *job) {
    ImageView picture;
    HealJob whole = {0};
    bool there;
    TRY(plan_look(to, &filter_heal, &picture, &there));
    if (!there)
        return STATUS_OK;
    TRY(read_spots(v->spots, picture.shape, &whole));
    for (int i = 0; i < job->count; i++) {
        HealSpot *spot = &whole.spots[i];
        if (spot->across == 0 && spot->down == 0 && spot->radius <= HEAL_RADIUS_MAX)
            find_patch(picture, &whole, spot);
        job->spots[i].across = (int)lrint(spot->across * (double)shape.width / (double)picture.shape.width);
        job->spots[i].down = (int)lrint(spot->down * (double)shape.height / (double)picture.shape.height);
    }
    return STATUS_OK;
}

static bool looks_nearby(const void *values) {
    return ((const Values *)values)->nearby > 0;
}

static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    return plan_append(to, &op_heal, context, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    HealJob job = {0};
    TRY(read_spots(((const Values *)values)->spots, plan_value_shape(to, in), &job));
    if (looks_nearby(values))
        TRY(find_patches(values, to, plan_value_shape(to, in), &job));
    return plan_premultiplied(to, in, plan_value_shape(to, in).type, (PlanInner){append, &job, 1, false}, out);
}

const Filter filter_heal = {
    .name = "heal",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Removes spots: each becomes a patch from nearby in the colours of its rim, or smooth.",
    .definition =
        "P. Pérez, M. Gangnet and A. Blake, Poisson Image Editing, 2003, equations 6 and 7, on disks. Poisson's "
        "integral solves them: a mean of the rim's pixels, weighted by the inverse of the squared distance. nearby: of "
        "128 "
        "patches around a spot, the one whose rings differ least from the spot's, their means aside.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .reads_picture = looks_nearby,
    .example = "'50 50 4 12 0'",
};
