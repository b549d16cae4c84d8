/* measured.h: which level of the guided filter is the fastest on a GPU. */
#ifndef GLINT_GPU_GUIDED_MEASURED_H
#define GLINT_GPU_GUIDED_MEASURED_H

#include "core/device/backend.h"

extern const Predictor guided_measured;

#endif
