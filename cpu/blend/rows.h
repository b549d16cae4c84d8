/* rows.h: a row blended in runs of pixels, channel by channel, so that loops over them become vectors. */
#ifndef GLINT_CPU_BLEND_ROWS_H
#define GLINT_CPU_BLEND_ROWS_H

#include "core/device/backend.h"
#include "core/ops/blend.h"

typedef void BlendRow(const Stage *stage, size_t y);

extern BlendRow *const blend_row_portable, *const blend_row_avx2, *const blend_row_avx512;

/* All rows, by the widest instruction set. */
void blend_rows(Queue *queue, const Stage *stage);

#endif
