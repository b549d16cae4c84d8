/* measured.h: how long the levels of the convolution take on a GPU. */
#ifndef GLINT_GPU_CONVOLVE_MEASURED_H
#define GLINT_GPU_CONVOLVE_MEASURED_H

#include "core/device/backend.h"

extern const Predictor convolve_measured;

#endif
