/* measured.h: which level of rank is the fastest on a GPU. */
#ifndef GLINT_GPU_RANK_MEASURED_H
#define GLINT_GPU_RANK_MEASURED_H

#include "core/device/backend.h"

extern const Predictor rank_measured;

#endif
