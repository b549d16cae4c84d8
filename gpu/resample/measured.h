/* measured.h: the predicted costs of the levels of resample on a GPU. */
#ifndef GLINT_GPU_RESAMPLE_MEASURED_H
#define GLINT_GPU_RESAMPLE_MEASURED_H

#include "core/device/backend.h"

extern const Predictor resample_measured;

#endif
