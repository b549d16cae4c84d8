/* counted.h: the predicted costs of the levels of nbody on a GPU. */
#ifndef GLINT_GPU_COURSE_NBODY_COUNTED_H
#define GLINT_GPU_COURSE_NBODY_COUNTED_H

#include "core/device/backend.h"

extern const Predictor nbody_counted;

#endif
