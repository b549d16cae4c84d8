/* levels.h: levels.def expanded to prototypes, so that a wrong signature does not compile. */
#ifndef GLINT_GPU_LEVELS_H
#define GLINT_GPU_LEVELS_H

#include "core/ops/convolve.h"
#include "core/ops/trace.h"
#include "gpu/gpu.h"

extern const Level cuda_levels[];
extern const Backend cuda_backend;

#define LEVEL(operation, name, accepts, idea) Status cuda_##operation##_##name(Device *device, const Stage *stage);
#include "gpu/levels.def"
#undef LEVEL

/* The level that measurements say is fastest for this stage, or NULL where there are none. */
const Level *choose_level(const Device *device, const Stage *stage);

enum {
    CONSTANT_WEIGHTS = 15360, /* 60 KiB of the 64 that constant memory has */
    TEXELS_MOST = 1 << 27,    /* CUDA C++ Programming Guide, technical specifications: 1D texture, linear memory */
    CONSTANT_SPHERES = 65536 / sizeof(Sphere),
    PARAMETER_WEIGHTS = 8064 /* of the 32764 bytes that a kernel's parameters have */
};

/* The bytes of shared memory that halo's smallest tile needs for this stage. */
size_t halo_bytes(const Stage *stage, int tile_height);
/* The bytes of shared memory that fused needs for tiles of so many rows. */
enum { FUSED_ROWS = 32 };
size_t fused_bytes(const Stage *stage, int tile_rows);
/* The bytes of shared memory that tensor's tile takes for this stage. */
size_t tensor_bytes(const Stage *stage);
/* Whether march has registers for the mask's columns. */
bool march_fits(const Mask *mask);
/* Whether outer's whole numbers are near enough to the mask's; if not, *why_not says what is wrong. */
bool outer_fits(const Mask *mask, const char **why_not);
/* Whether all weights are equal, and the mask no wider than running's sums of 16 bits allow. */
bool running_fits(const Mask *mask);
/* How many values a texel holds when a frame of `channels` is read as a texture: three become one. */
static inline int texture_channels(int channels) {
    return channels == 3 ? 1 : channels;
}

#endif
