/* bench_job.h: the job that one ladder runs.
 * Owns the job that bench's options describe, and its lowering to the stage that levels get. */
#ifndef GLINT_APP_BENCH_BENCH_JOB_H
#define GLINT_APP_BENCH_BENCH_JOB_H

#include "app/scene_options.h"
#include "core/plan/plan.h"

typedef struct BenchJob {
    const Op *op;
    Shape shape;
    PlanOptions plan;
    const char *filter; /* the chain whose first stage of the operation it is; or NULL */
    const char *
        mask; /* of a convolution without a filter: the size of a dense random mask, as bench_job_parse_mask reads it */
    size_t example;                    /* of an operation without any of these: which of its examples */
    Scene *scene;                      /* of a trace; borrowed */
    const char *name;                  /* of the scene, as it was asked for */
    const SceneOptions *scene_options; /* of a trace; borrowed */
} BenchJob;

/* The pictures, and the filter, of jobs that kernels of users can do (kernel/stages.h), where bench's own are others;
 * NULL where they are not. */
typedef struct BenchDefaults {
    const char *operation, *type, *filter;
} BenchDefaults;
BenchDefaults bench_job_of_kernels(const char *operation);

/* "K" or "KxK" with sides from 1 to MASK_MAX. */
bool bench_job_parse_mask(const char *text, int *width, int *height);
/* The plan of the job for a picture of `shape`, and its first stage of the operation, which lives as long.
 * STATUS_USAGE if the chain is wrong or has no such stage. */
Status bench_job_lower(const BenchJob *job, Shape shape, Plan **plan, const Stage **stage);
/* "convolve, dense 5x5, border clamp, u8x4, 3840x2160"; "trace, spheres, 20 spheres, orthographic, classic, u8x4, ..."
 */
void bench_job_describe(const BenchJob *job, const Stage *stage, char *text, size_t size);

#endif
