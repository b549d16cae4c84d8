/* outer_wide.h: `outer` for u16. */
#ifndef GLINT_GPU_CONVOLVE_OUTER_WIDE_H
#define GLINT_GPU_CONVOLVE_OUTER_WIDE_H

#include "core/device/backend.h"

/* As a level has them. */
bool outer_wide_accepts(const Device *device, const Stage *stage, const char **why_not);
Status outer_wide_run(Queue *queue, const Stage *stage);

#endif
