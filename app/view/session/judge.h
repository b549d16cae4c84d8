/* judge.h: the results of a job's levels, held against the reference.
 * Owns the part of a job that both can afford: about square, from the middle of the picture, or a coarse view of a
 * scene. Results at the part's border count, too. */
#ifndef GLINT_APP_VIEW_SESSION_JUDGE_H
#define GLINT_APP_VIEW_SESSION_JUDGE_H

#include "app/view/session/yardsticks.h"
#include "core/stage/tolerance.h"

/* A part of a job, and the reference's result for it. */
typedef struct ReferencePart {
    unsigned of; /* the job's serial; 0: none */
    Shape shape; /* of the picture's part */
    Image *want;
} ReferencePart;
void reference_part_free(ReferencePart *part); /* accepts a zeroed one */

/* Runs the reference on about so many pixels of the job. Fails as pipeline_create and pipeline_run do. */
Status judge_reference(const Measurement *job, unsigned serial, double pixels, ReferencePart *part);
/* The error of a level (a name, or "best") on that part: the largest difference of two values. Fails as judge_reference
 * does. */
Status judge_error(const Measurement *job, const ReferencePart *part, const char *level, double *error);

/* Whether the levels of a job agree with the reference, by the rules of their operations (docs/architecture.md,
 * "Results"). */
typedef struct Judgement {
    const Level *level;   /* the main stage's; NULL: nothing was judged yet */
    bool known;           /* else neither of them could be afforded, or one failed */
    Verdict verdict;      /* of the first stage that does not agree, else of the one that is farthest off */
    const char *stage;    /* its label; borrowed of the operation */
    size_t stages;        /* that were judged */
    size_t width, height; /* of the part */
} Judgement;

/* Runs about so many pixels of a job and judges stage by stage: each gets the result of the stage before it. Fails as
 * pipeline_create and pipeline_run do. */
Status judge_job(const Measurement *job, const char *level, double pixels, Judgement *judgement);

#endif
