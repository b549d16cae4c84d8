/* measured.h: how long point programs take on a GPU. */
#ifndef GLINT_GPU_POINT_MEASURED_H
#define GLINT_GPU_POINT_MEASURED_H

#include "core/device/backend.h"

extern const Predictor point_measured; /* for every level */

#endif
