/* op.h: what an operation is: a descriptor in core/ops/NAME.c, the order of all in core/ops/ops.def.
 * An op says what its job means and costs; how it is carried out is the business of the backends' levels. Plans,
 * pipelines, bench, lists and tests know operations only through this table. */
#ifndef GLINT_CORE_STAGE_OP_H
#define GLINT_CORE_STAGE_OP_H

#include "core/stage/stage.h"
#include "core/stage/tolerance.h"

/* A rectangle of an image, in pixels. It may reach beyond the image only where that is continued periodically. */
typedef struct Region {
    ptrdiff_t left, top;
    size_t width, height;
} Region;

/* Rows of a picture that pass by themselves; they overlap those of their neighbours. */
typedef struct PartPlace {
    size_t top, rows; /* the first in the picture, how many */
    size_t from;      /* the first of an operation's input, in the picture that this is: `top` if it has as many */
    ptrdiff_t before, after; /* where the neighbours begin, which have as many; negative: there is none */
    size_t margin;           /* rows next to a neighbour that are wrong: others, beyond, would have told them */
} PartPlace;

#define STITCH_MAX ((size_t)INT32_MAX)

/* What the job itself asks for, whatever the level: the fewest bytes that must move and the arithmetic it states. */
typedef struct Cost {
    double bytes;
    double flops; /* a multiply-add counts as two */
} Cost;

/* What the choice of a level depends on: jobs of one kind differ along the axes, which are logarithms to base 2. */
enum { FEATURE_AXES = 2 };
typedef struct Features {
    char kind[48];             /* "u8x3 product" */
    double axes[FEATURE_AXES]; /* half of that of a picture's side; what else makes a job large: the mask's side,
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
    bool accumulates;   /* runs add to `out`, so that its frame is never lent to another value */
    int (*inputs_of)(const void *job); /* how many this job takes; NULL: all have `inputs` */
    /* Frees what a job owns; NULL if it owns nothing. Accepts a zeroed job. */
    void (*job_free)(void *job);
    /* What comes out of inputs of these shapes, stored as `type`. STATUS_USAGE if it makes no sense, STATUS_INPUT if
     * only these shapes do not fit. */
    Status (*shape)(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out);
    /* Adds to the result of some of a picture that of another part, to the same bits as of both at once, if `joins`
     * (NULL: always) does not say otherwise. NULL: a part tells nothing of the whole. */
    void (*join)(ImageView result, ImageView part);
    bool (*joins)(const Stage *stage);
    /* Instead of `join`: adds the result of part number `part`, from 0, to a table, at first 0, of the results of all,
     * of which neighbours have half of the rows in common. */
    void (*stitch)(ImageView table, size_t part, ImageView result); /* of a table of up to STITCH_MAX pixels */
    void (*settle)(ImageView table); /* all parts were added; each then gets its rows for its result */
    /* Makes of a job for all of a picture, whose result may have more or fewer rows, one for a part: `rows` of the
     * result; the picture has this shape. place says which, unless the result has as many rows: then the part is a
     * picture by itself. NULL: parts have as many rows as their results, or there are none. */
    void (*cut)(void *job, Shape picture, size_t rows);
    /* Tells the job of a picture's part, made for the whole (plan_whole_shape), where it lies. NULL: that makes no
     * difference. */
    void (*place)(void *job, const PartPlace *part);
    /* Which part of input `k` this part of the output needs. NULL for operations without inputs. */
    Region (*needs)(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]);
    /* A level may make so many rows of results at once, from the first row on, so that the last bits of one depend on
     * what the others need. NULL: on no other's. */
    size_t (*rows_together)(const void *job);
    Cost (*cost)(const Stage *stage);
    /* Compares `got` with the reference's `want` by the rules of docs/architecture.md, "Results". `max_in` is
     * the largest absolute value of the stage's inputs. */
    Verdict (*compare)(const Stage *stage, double max_in, ImageView want, ImageView got);
    /* The job in words, "5x5, border clamp"; returns the length as snprintf does. */
    size_t (*describe)(const void *job, char *buffer, size_t size);
    /* Jobs that every level is tested with, the first also timed by bench: fills *job with number `index` for inputs of
     * `shape`; the caller frees it with op_job_free. STATUS_USAGE if that job makes no sense for the shape. */
    Status (*example)(size_t index, Shape shape, void *job);
    size_t example_count;
    /* What input `k` of example `index` is for pictures of this shape; NULL: a picture like any other. */
    Shape (*example_input)(size_t index, int k, Shape picture);
    /* Names the kind, and sets axis 1 where there is such a thing. NULL: the type of the pixels is all that matters. */
    void (*features)(const Stage *stage, Features *features);
    const char *pixels; /* of the pictures that bench takes if it is not told: "f32x1"; NULL: u8x4 */
};

/* Frees what the job owns and zeroes it. */
void op_job_free(const Op *op, void *job);

static inline int op_inputs(const Op *op, const void *job) {
    return op->inputs_of ? op->inputs_of(job) : op->inputs;
}
/* Whether the results of a picture's parts come to that of the picture. */
static inline bool stage_gathers(const Stage *stage) {
    return stage->op->stitch || (stage->op->join && (!stage->op->joins || stage->op->joins(stage)));
}
void counts_join(ImageView result, ImageView part); /* Op.join: counts, PIXEL_U32, added up */
Region needs_whole(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]); /* Op.needs: all of each input */
Features stage_features(const Stage *stage);

/* Points that go along cost the inputs that they read besides. */
static inline Cost stage_cost(const Stage *stage) {
    Cost cost = stage->op->cost(stage);
    for (int k = 1; k < STAGE_INPUTS && stage->points; k++)
        cost.bytes += (double)shape_bytes(stage->in[k].shape);
    return cost;
}
static inline Verdict stage_compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return stage->op->compare(stage, max_in, want, got);
}

#endif
