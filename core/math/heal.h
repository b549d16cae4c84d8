/* heal.h: a spot of a picture, filled in from its rim and from a patch elsewhere.
 * Owns the arithmetic for every backend, in double: P. Pérez, M. Gangnet and A. Blake, Poisson Image Editing, 2003.
 * Their membrane is Poisson's integral on a disk: for the place p within, q on the rim weighs 1 / |p - q|^2. */
#ifndef GLINT_CORE_MATH_HEAL_H
#define GLINT_CORE_MATH_HEAL_H

#include "core/math/host_device.h"

#include <math.h>
#include <stdbool.h>

#define HEAL_TURN 6.283185307179586
enum { HEAL_SPOTS_MAX = 32, HEAL_RADIUS_MAX = 512, HEAL_RIM_MIN = 16 };

/* In pixels, whose centres have whole coordinates. */
typedef struct HealSpot {
    double x, y, radius; /* radius: more than 0, to HEAL_RADIUS_MAX */
    int across, down;    /* how far away the patch lies; 0 and 0: there is none, and the rim alone tells */
} HealSpot;

typedef struct HealJob {
    int count; /* 1 to HEAL_SPOTS_MAX */
    HealSpot spots[HEAL_SPOTS_MAX];
} HealJob;

/* The first spot that covers a pixel, or -1. */
GLINT_HD int heal_spot(const HealJob *job, int x, int y) {
    for (int i = 0; i < job->count; i++) {
        const double across = x - job->spots[i].x, down = y - job->spots[i].y;
        if (across * across + down * down < job->spots[i].radius * job->spots[i].radius)
            return i;
    }
    return -1;
}

/* How many places on the rim count: about one a pixel. */
GLINT_HD int heal_rim(const HealSpot *spot) {
    const int count = (int)ceil(HEAL_TURN * spot->radius);
    return count > HEAL_RIM_MIN ? count : HEAL_RIM_MIN;
}

/* Place k of so many on the rim. */
GLINT_HD void heal_place(const HealSpot *spot, int k, int count, double *x, double *y) {
#if defined(GLINT_ON_DEVICE) /* without the reduction of large arguments, which takes most of the code there */
    double sine, cosine;
    sincospi(2.0 * k / count, &sine, &cosine);
#else
    const double turn = HEAL_TURN * k / count, sine = sin(turn), cosine = cos(turn);
#endif
    *x = spot->x + spot->radius * cosine;
    *y = spot->y + spot->radius * sine;
}

/* The weight of a place on the rim; a pixel on the rim itself is that place alone, nearly. */
GLINT_HD double heal_weight(double x, double y, double u, double v) {
    const double across = x - u, down = y - v, squared = across * across + down * down;
    return 1 / (squared > 1e-12 ? squared : 1e-12);
}

/* The nearest pixel's coordinate in a side of `count` pixels; of two that are as near, the second. */
GLINT_HD int heal_nearest(double at, int count) {
    const double near = floor(at + 0.5 + 1e-6);
    return near > 0 ? near < count - 1 ? (int)near : count - 1 : 0;
}

#endif
