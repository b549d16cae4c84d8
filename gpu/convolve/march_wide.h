/* march_wide.h: `march` for u16. */
#ifndef GLINT_GPU_CONVOLVE_MARCH_WIDE_H
#define GLINT_GPU_CONVOLVE_MARCH_WIDE_H

#include "core/device/backend.h"

/* As a level has them. */
bool march_wide_accepts(const Stage *stage, const char **why_not);
size_t march_wide_workspace(const Stage *stage);
Status march_wide_run(Queue *queue, const Stage *stage);

#endif
