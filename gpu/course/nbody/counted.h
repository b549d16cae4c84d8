/* counted.h: what the levels of nbody take on a GPU. */
#ifndef GLINT_GPU_COURSE_NBODY_COUNTED_H
#define GLINT_GPU_COURSE_NBODY_COUNTED_H

#include "core/device/backend.h"

extern const Predictor nbody_counted;

#endif
