/* job.h: the job that glint explain runs: a level, or a kernel of a file, on a small picture of noise. */
#ifndef GLINT_APP_EXPLAIN_JOB_H
#define GLINT_APP_EXPLAIN_JOB_H

#include "app/common_options.h"
#include "app/listing/listing.h"

typedef struct ExplainJob {
    const char *target; /* "convolve/shared", "swizzled", "mine.cu" */
    const char *kernel; /* of a file with several; NULL: the first */
    const char *mask, *filter, *scene;
    Shape shape; /* width 0: the operation's own size */
    bool typed;  /* `shape` has a type that was asked for */
    PlanOptions plan;
    double seconds; /* that a kernel file may run */
    EmulatorWatch watch;
    const Backend *backend; /* NULL: the emulated GPU. Another one counts nothing: a profiler looks on from outside */
    void (*counted)(void);  /* by that profiler: called ahead of the run that it shall count; or NULL */
} ExplainJob;

/* The level that was explained; `name` may lie in the level. */
typedef struct Explained {
    const Level *level;
    const char *path; /* of a kernel file; NULL: a level of glint's own */
    Listing *listing; /* with its title; NULL where nothing counts */
} Explained;

/* Runs it twice: the first run fills caches, the second one is counted. STATUS_USAGE for a target or an option that
 * makes no sense, or that the level does not take. STATUS_INPUT for a kernel file that does not compile, or that fails.
 * STATUS_DEVICE without the emulated GPU. Free the listing. */
Status explain_run(const ExplainJob *job, Explained *explained);

#endif
