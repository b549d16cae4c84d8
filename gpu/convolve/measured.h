/* measured.h: how long the levels of the convolution take on a GPU. */
#ifndef GLINT_GPU_CONVOLVE_MEASURED_H
#define GLINT_GPU_CONVOLVE_MEASURED_H

#include "core/device/backend.h"

extern const Predictor convolve_measured;

/* Level.points_ms, as measured with the chains of tools/chains. Negative where gpu_takes_points is false. */
double convolve_points_ms(const Level *level, const Stage *stage);

#endif
