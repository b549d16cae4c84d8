/* reverse.h: a row of pixels from its last to its first, by pixels' bytes. */
#ifndef GLINT_CPU_MOVE_REVERSE_H
#define GLINT_CPU_MOVE_REVERSE_H

#include "core/ops/move.h"

/* Writes `count` pixels, of which the first lies at `last`, and each next one before it. */
typedef void MoveReverse(const void *last, void *to, size_t count);

extern MoveReverse *const reverse_portable[MOVE_PIXEL_MAX + 1], *const reverse_avx2[MOVE_PIXEL_MAX + 1],
                                                                    *const reverse_avx512[MOVE_PIXEL_MAX + 1];

#endif
