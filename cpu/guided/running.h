/* running.h: a tile of the guided filter by running sums of double, whatever its values are. */
#ifndef GLINT_CPU_GUIDED_RUNNING_H
#define GLINT_CPU_GUIDED_RUNNING_H

#include "core/stage/stage.h"

size_t guided_running_bytes(const Stage *stage);

/* The columns by rows pixels from (left, top) on: as many as the picture has, or multiples of 256 and 64. `scratch` has
 * guided_running_bytes, 64-byte aligned. */
void guided_running(const Stage *stage, size_t left, size_t top, size_t columns, size_t rows, void *scratch);

#endif
