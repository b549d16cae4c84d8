/* tensor_map.h: matrices as the copy engine of Hopper takes them. */
#ifndef GLINT_GPU_COURSE_MULTIPLY_TENSOR_MAP_H
#define GLINT_GPU_COURSE_MULTIPLY_TENSOR_MAP_H

#include "core/base/status.h"

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether the driver makes them. */
bool tensor_maps_are_there(void);
/* Describes a matrix of bf16 or f32 (2 or 4 bytes a value), of width x height values, rows `pitch` of them apart. It is
 * copied in boxes of box_width x box_height. Rows of boxes are 128 bytes, whose pieces of 16 are exchanged by row, so
 * that columns lie in different banks. Parts of a box beyond the matrix are 0. STATUS_DEVICE if the driver cannot. */
Status tensor_map(void *values, size_t value_bytes, size_t width, size_t height, size_t pitch, unsigned box_width,
                  unsigned box_height, CUtensorMap *map);

#endif
