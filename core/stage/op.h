/* op.h: an operation, as a descriptor in core/ops/NAME.c; core/ops/ops.def has the order of all. An op states its job's
 * meaning and cost; the backends' levels carry it out. Plans, pipelines, bench, lists and tests know operations only
 * through this table. */
#ifndef GLINT_CORE_STAGE_OP_H
#define GLINT_CORE_STAGE_OP_H

#include "core/param/homography.h"
#include "core/stage/stage.h"
#include "core/stage/tolerance.h"

/* A rectangle of an image, in pixels. It may reach beyond the image only where that is continued periodically. */
typedef struct Region {
    ptrdiff_t left, top;
    size_t width, height;
} Region;

/* How far the places of a result's pixels in a picture are known. */
typedef enum Origin {
    ORIGIN_EXACT, /* a homography leads there */
    ORIGIN_BENT,  /* no homography does, as through a lens; the one at hand is right to about the bend */
    ORIGIN_NONE,  /* the result does not show the picture pixel by pixel */
} Origin;

typedef struct OpParts OpParts;   /* core/stage/op_parts.h */
typedef struct OpReport OpReport; /* core/stage/op_report.h */

/* The cost of the job itself, at any level: the fewest bytes that must move and the arithmetic it states. */
typedef struct Cost {
    double bytes;
    double flops; /* a multiply-add counts as two */
} Cost;

/* The choice of a level depends on these: jobs of one kind differ along the axes, which are logarithms to base 2. */
enum { FEATURE_AXES = 2 };
typedef struct Features {
    char kind[48];             /* "u8x3 product" */
    double axes[FEATURE_AXES]; /* half of that of a picture's side; that of the job's other size: the mask's side,
                                  spheres */
} Features;

struct Op {
    const char *name;
    const char *help;   /* one sentence */
    int inputs;         /* the maximum that it takes: 0 to STAGE_INPUTS */
    size_t job_bytes;   /* of its job, which is copied bit by bit */
    unsigned of_counts; /* which inputs are PIXEL_U32, bit k for input k; all others are pictures */
    bool of_host;       /* its frames lie in host memory, whatever the device (core/device/op_frame.h); it is
                           no stage of a pipeline */
    bool of_points;   /* its job is a PointJob (core/stage/point.h): plans join such stages that follow one another, and
                         levels carry them out together with the stage next to them */
    bool chooses;     /* each value of its result is one of its inputs' values, or one beyond the border */
    bool accumulates; /* runs add to `out`, so that its frame is never lent to another value */
    int (*inputs_of)(const void *job); /* how many this job takes; NULL: all have `inputs` */
    /* Frees what a job owns; NULL if it owns nothing. Accepts a zeroed job. */
    void (*job_free)(void *job);
    /* The shape of the result for inputs of these shapes, stored as `type`. STATUS_USAGE if the job makes no sense,
     * STATUS_INPUT if only these shapes do not fit. */
    Status (*shape)(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out);
    /* The map from the result's pixels to those of in[0] that they show; pixels' centres have whole coordinates. NULL:
     * each pixel shows the one at its own place. */
    Origin (*origin)(const void *job, const Shape in[STAGE_INPUTS], Homography *map);
    /* The part of input `k` that this part of the output needs. NULL for operations without inputs. */
    Region (*needs)(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]);
    Cost (*cost)(const Stage *stage);
    /* Whether a run takes arithmetic beyond `cost` that shows only as it goes, as where paths of light lead. NULL: no.
     */
    bool (*cost_is_open)(const Stage *stage);
    /* Compares `got` with the reference's `want` by the rules of docs/architecture.md, "Results". `max_in` is
     * the largest absolute value of the stage's inputs. */
    Verdict (*compare)(const Stage *stage, double max_in, ImageView want, ImageView got);
    /* The job in words, "5x5, border clamp"; returns the length as snprintf does. */
    size_t (*describe)(const void *job, char *buffer, size_t size);
    /* Jobs that every level is tested with; bench times the first. Fills *job with number `index` for inputs of
     * `shape`. The caller frees it with op_job_free. STATUS_USAGE if that job makes no sense for the shape. */
    Status (*example)(size_t index, Shape shape, void *job);
    size_t example_count;
    /* The shape of input `k` of example `index` for pictures of this shape; NULL: a picture like any other. */
    Shape (*example_input)(size_t index, int k, Shape picture);
    /* Names the kind, and sets axis 1 where there is such a thing. NULL: the type of the pixels is all that matters. */
    void (*features)(const Stage *stage, Features *features);
    const OpParts *parts;   /* of pictures that pass in strips; NULL: strips need to know no more than `needs` */
    const OpReport *report; /* bench's report on it besides times; NULL: none */
    const char *pixels;     /* of the pictures that bench takes if it is not told: "f32x1"; NULL: u8x4 */
};

/* Frees what the job owns and zeroes it. */
void op_job_free(const Op *op, void *job);

static inline int op_inputs(const Op *op, const void *job) {
    return op->inputs_of ? op->inputs_of(job) : op->inputs;
}
Region needs_whole(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]); /* Op.needs: all of each input */
Region needs_same(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]);  /* Op.needs: its own pixels */
Features stage_features(const Stage *stage);

/* Points that go along cost the inputs that they read besides. */
static inline Cost stage_cost(const Stage *stage) {
    Cost cost = stage->op->cost(stage);
    for (int k = 1; k < STAGE_INPUTS && stage->points; k++)
        cost.bytes += (double)shape_bytes(stage->in[k].shape);
    return cost;
}
static inline bool stage_cost_is_open(const Stage *stage) {
    return stage->op->cost_is_open && stage->op->cost_is_open(stage);
}
static inline Verdict stage_compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return stage->op->compare(stage, max_in, want, got);
}

#endif
