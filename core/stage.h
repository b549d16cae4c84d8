/* stage.h: one operation with its inputs, parameters and cost, as a step of a pipeline.
 * Owns the operations and their jobs; levels take a stage and carry it out. */
#ifndef GLINT_CORE_STAGE_H
#define GLINT_CORE_STAGE_H

#include "core/border.h"
#include "core/camera.h"
#include "core/hd/point.h"
#include "core/hd/sampler.h"
#include "core/image.h"
#include "core/mask.h"
#include "core/scene.h"

typedef enum Operation { OPERATION_CONVOLVE, OPERATION_POINT, OPERATION_TRACE, OPERATIONS } Operation;

enum { STAGE_INPUTS = 2 };

/* The same pixels as an ImageView, held by a backend, where its kernels can reach them (host or device memory). */
typedef ImageView Frame;

/* in[0] -> out: equal width, height and channels; out.type equals in.type or is f32. */
typedef struct ConvolveJob {
    const Mask *mask;
    Border border;
    float bias; /* added after the division, in stored values */
} ConvolveJob;

/* PointJob: in[0] (and in[1] where the function has two inputs) -> out: equal width, height and channels, any types.
 * expose and tone take f32x4 and may leave out the alpha. */

/* A part of a picture, in pixels. */
typedef struct Part {
    size_t left, top, width, height;
    size_t coarseness; /* the side of blocks that are one pixel repeated: the first; 1, or 0 for 1: all are traced */
} Part;

/* No input. Looks of light gather it: out is f32x4, Gathered pixels, to those of `part` the samples are added. The
 * others draw: out is u8 with 3 or 4 channels. */
typedef struct TraceJob {
    const Scene *scene;
    Camera camera;
    Look look;
    Sampling sampling;
    Part part; /* width 0: the whole picture */
} TraceJob;

typedef struct Stage {
    Operation operation;
    const char *label; /* for spans and messages: "gaussian" */
    Frame in[STAGE_INPUTS];
    Frame out;
    union {
        ConvolveJob convolve;
        PointJob point;
        TraceJob trace;
    };
} Stage;

/* What the job itself asks for, whatever the level: the fewest bytes that must move and the arithmetic it states. */
typedef struct Cost {
    double bytes;
    double flops; /* a multiply-add counts as two */
} Cost;

/* How a result compares with the reference's. */
typedef struct Verdict {
    bool agrees;
    size_t values, differing; /* u8, u16: values that are not equal */
    double worst;             /* largest absolute difference, in stored values */
    double allowed;           /* the largest that the operation allows */
} Verdict;

typedef struct OperationInfo {
    const char *name;
    const char *help; /* one sentence */
    Cost (*cost)(const Stage *stage);
    /* Compares `got` with the reference's `want` by the rules of docs/architecture.md, "What results mean". `max_in` is
     * the largest absolute value of the stage's inputs. */
    Verdict (*compare)(const Stage *stage, double max_in, ImageView want, ImageView got);
} OperationInfo;

extern const OperationInfo operations[]; /* by Operation */

static inline Cost stage_cost(const Stage *stage) {
    return operations[stage->operation].cost(stage);
}
static inline Verdict stage_compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return operations[stage->operation].compare(stage, max_in, want, got);
}

/* The pixels that a trace is about; coarseness is 1 or more. */
Part trace_part(const Stage *stage);
/* Blocks one above the other that a part has. */
static inline size_t part_rows(Part part) {
    return (part.height + part.coarseness - 1) / part.coarseness;
}

#endif
