/* row.h: one row through a table of colours, in double: reference and threads share it. */
#ifndef GLINT_CPU_CUBE_ROW_H
#define GLINT_CPU_CUBE_ROW_H

#include "core/device/backend.h"
#include "core/ops/cube.h"

void cube_row(const Stage *stage, size_t y);

#endif
