/* row.h: one row through a point program, value by value as double: reference and threads share it. */
#ifndef GLINT_CPU_POINT_ROW_H
#define GLINT_CPU_POINT_ROW_H

#include "core/ops/point.h"

void point_row(const Stage *stage, size_t y);

#endif
