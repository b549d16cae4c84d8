/* kernel_case.h: a job that kernels of users are held against: a picture, a border, and what is done with it. */
#ifndef GLINT_APP_KERNEL_CASE_H
#define GLINT_APP_KERNEL_CASE_H

#include "core/plan/plan.h"
#include "core/run/verify.h"

/* A scene of which a small picture shows some spheres, one in front of another, and gaps. */
#define CASE_SPHERES "spheres=count=300:minimum=10:maximum=60"

typedef struct KernelCase {
    const char *operation, *type;
    size_t width, height;
    Border border;
    const char *mask, *filter, *scene; /* or NULL, as BenchJob has them */
    size_t example;
} KernelCase;

/* Its stage, which lives as long as the plan and the scene. */
typedef struct CaseStage {
    Plan *plan;
    Scene *scene;
    const Stage *stage;
} CaseStage;

Status kernel_case_open(const KernelCase *row, CaseStage *opened);
void kernel_case_close(CaseStage *opened); /* also after a failure */

/* Runs a kernel's level on the stage, and compares its result with that of the reference, on the CPU. `how` gets the
 * first value that differs. Fails as verify_level does: STATUS_INPUT if the kernel is at fault. */
Status kernel_case_judge(const Stage *stage, const Level *level, Queue *queue, Queue *reference, Verdict *verdict,
                         char *how, size_t size);

#endif
