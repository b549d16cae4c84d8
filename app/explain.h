/* explain.h: how a pipeline carries out its plan, in words, for --explain. */
#ifndef GLINT_APP_EXPLAIN_H
#define GLINT_APP_EXPLAIN_H

#include "core/plan/pipeline.h"

#include <stdio.h>

/* Writes the plan's sources, stages with their levels, frames and bytes. The copies are the fewest that memory allows:
 * the bytes that a stage must move, by those of a plain copy of the picture. `apart` is the same plan without fusing,
 * or NULL: then nothing is compared. */
void explain(FILE *to, const char *title, const Pipeline *pipeline, const Plan *apart);
/* Explains a chain on pictures of this shape, compared with the chain unfused. Fails as plans and pipelines do. */
Status explain_chain(FILE *to, Device *device, const char *text, Shape shape, PlanOptions options, const char *level);

#endif
