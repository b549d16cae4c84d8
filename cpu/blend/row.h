/* row.h: one row blended, pixel by pixel in double: reference and threads share it. */
#ifndef GLINT_CPU_BLEND_ROW_H
#define GLINT_CPU_BLEND_ROW_H

#include "core/device/backend.h"
#include "core/ops/blend.h"

void blend_row(const Stage *stage, size_t y);

#endif
