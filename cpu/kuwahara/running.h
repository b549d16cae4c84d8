/* running.h: a tile of Kuwahara's filter by running sums of luma, whatever its values are. */
#ifndef GLINT_CPU_KUWAHARA_RUNNING_H
#define GLINT_CPU_KUWAHARA_RUNNING_H

#include "core/stage/stage.h"

size_t kuwahara_running_bytes(void);

/* The columns by rows pixels from (left, top) on: as many as the picture has, or multiples of 256 and 32. `scratch` has
 * kuwahara_running_bytes, 64-byte aligned. */
void kuwahara_running(const Stage *stage, size_t left, size_t top, size_t columns, size_t rows, void *scratch);

#endif
