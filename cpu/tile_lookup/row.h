/* row.h: one row through the curves of the tiles around it, value by value: reference and threads share it. */
#ifndef GLINT_CPU_TILE_LOOKUP_ROW_H
#define GLINT_CPU_TILE_LOOKUP_ROW_H

#include "core/device/backend.h"

void tile_lookup_row(const Stage *stage, size_t y);

#endif
