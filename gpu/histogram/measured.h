/* measured.h: the predicted costs of the levels of histogram on a GPU. */
#ifndef GLINT_GPU_HISTOGRAM_MEASURED_H
#define GLINT_GPU_HISTOGRAM_MEASURED_H

#include "core/device/backend.h"

extern const Predictor histogram_measured;

#endif
