/* npy.h: arrays of NumPy, alone or as members of an archive. */
#ifndef GLINT_CORE_SCENE_PARTICLES_NPY_H
#define GLINT_CORE_SCENE_PARTICLES_NPY_H

#include "core/scene/particles/particles.h"

enum { NPY_HEAD = 1 << 16 /* bytes that tell what an array is; longer headers are refused */ };

/* Adds the columns of an array of `size` bytes, of which the first ones are `head`. Columns' `field` is the byte of row
 * 0 within the array. `member` is what they are called: NAME, NAME.1, NAME.2; NULL: they are x, y, z, 4, 5. Fields of a
 * structure have names of their own. An array of no dimensions, or more than two, has no columns, and *rows is 0.
 * STATUS_INPUT if it is no array, of other types than numbers and words, or larger than `size`. */
Status npy_columns(Particles *particles, const char *member, Bytes head, size_t size, size_t *rows);

#endif
