/* op_report.h: figures that bench tells of an operation besides times.
 * Owns the questions; every answer may be NULL. */
#ifndef GLINT_CORE_STAGE_OP_REPORT_H
#define GLINT_CORE_STAGE_OP_REPORT_H

#include "core/stage/op.h"

typedef struct Timeline Timeline; /* core/ops/transfer.h */

typedef struct OpReport {
    /* A run moves bodies: pairs of them that it meets if all meet all, and steps that it takes them on. */
    double (*pairs)(const Stage *stage);
    double (*steps)(const Stage *stage);
    /* Has runs of the job note their steps in `timeline`, which is borrowed. */
    void (*note)(void *job, Timeline *timeline);
} OpReport;

/* The operation's; with all members NULL if it tells nothing. */
static inline const OpReport *op_report(const Op *op) {
    static const OpReport none;
    return op->report ? op->report : &none;
}

#endif
