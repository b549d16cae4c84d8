/* backend.h: CUDA as a backend, and the choice of its fastest level. */
#ifndef GLINT_GPU_BACKEND_H
#define GLINT_GPU_BACKEND_H

#include "core/backend.h"

extern const Backend cuda_backend;

/* The level that measurements say is fastest for this stage, or NULL where there are none. */
const Level *choose_level(const Device *device, const Stage *stage);

#endif
