/* backend.h: CUDA as a backend. */
#ifndef GLINT_GPU_BACKEND_H
#define GLINT_GPU_BACKEND_H

#include "core/device/backend.h"

extern const Backend cuda_backend;

#endif
