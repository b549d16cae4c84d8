/* stairs.h: the results as u8 of a function of f32 that never falls: 256 steps, looked up without computing it
 * again. */
#ifndef GLINT_CORE_STAGE_STAIRS_H
#define GLINT_CORE_STAGE_STAIRS_H

#include "core/base/status.h"
#include "core/math/host_device.h"

#include <stdint.h>
#include <string.h>

enum {
    STAIRS_KEPT = 16, /* lower bits of a float that its place does without: 7 of the fraction are left */
    STAIRS_PLACES = 32 << (23 - STAIRS_KEPT) /* of 32 powers of two */
};

typedef struct Stairs {
    float edges[256];             /* where steps begin: from edges[k] on, it is k + 1; the last is infinite */
    float foot;                   /* the largest number that comes to 0 */
    uint32_t first;               /* its place */
    uint8_t below[STAIRS_PLACES]; /* by places from the first on: the step that one begins on; it ends there or on the
                                     next */
} Stairs;

/* The steps of `value`, whose results for numbers from 0 on are 0 to 255, not yet rounded. STATUS_DEVICE if they are no
 * such stairs: three steps in one place, or not all 256. */
Status stairs_create(double (*value)(const void *context, double v), const void *context, Stairs *stairs);

/* NaN is 0. No branches: neighbours in a picture go up and down. */
GLINT_HD int stairs_step(const Stairs *stairs, float v) {
    const float top = stairs->edges[254], low = v > stairs->foot ? v : stairs->foot, clamped = low < top ? low : top;
    uint32_t bits;
    memcpy(&bits, &clamped, sizeof bits);
    const int step = stairs->below[(bits >> STAIRS_KEPT) - stairs->first];
    return step + (clamped >= stairs->edges[step]);
}

#endif
