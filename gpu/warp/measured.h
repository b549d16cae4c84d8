/* measured.h: the predicted costs of the levels of warp on a GPU. */
#ifndef GLINT_GPU_WARP_MEASURED_H
#define GLINT_GPU_WARP_MEASURED_H

#include "core/device/backend.h"

extern const Predictor warp_measured;

/* Level.points_ms: levels take in colours of bytes times alpha before a linear warp, and by alpha after it. */
double warp_points_ms(const Stage *stage);

#endif
