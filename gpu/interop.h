/* interop.h: frames written into OpenGL's textures and buffers, and the peak of the arithmetic units.
 * Owns the functions that gpu/backend.c takes from interop.c, present.cu and peak.cu. */
#ifndef GLINT_GPU_INTEROP_H
#define GLINT_GPU_INTEROP_H

#include "gpu/gpu.h"

enum { CUDA_ROUTES = 2 };
extern const Route cuda_routes[CUDA_ROUTES];

/* Enqueues the kernel that copies a frame into a surface of texels (core/math/texel.h). */
Status gpu_present(Queue *queue, Frame frame, cudaSurfaceObject_t surface);
/* Telemetry.peak */
Status cuda_peak(Queue *queue, double *flops);

#endif
