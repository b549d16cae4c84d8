/* measured.h: the predicted costs of the levels of warp on a GPU. */
#ifndef GLINT_GPU_WARP_MEASURED_H
#define GLINT_GPU_WARP_MEASURED_H

#include "core/device/backend.h"

extern const Predictor warp_measured;

#endif
