/* levels.c: levels.def expanded to the table, and what the levels accept. */
#include "gpu/levels.h"

#include "core/ops/convolve.h"
#include "core/ops/point.h"
#include "core/ops/trace.h"
#include "core/scene.h"
#include "gpu/convolve/fft.h"
#include "gpu/convolve/whole.h"

#include <math.h>

static bool accepts_any(const Device *device, const Stage *stage, const char **why_not) {
    (void)device, (void)stage, (void)why_not;
    return true;
}

static bool accepts_constant(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the mask has more than 15360 weights, which is what constant memory holds";
    return convolve_job(stage)->mask->width * convolve_job(stage)->mask->height <= CONSTANT_WEIGHTS;
}

static bool accepts_parameter(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the mask has more than 8064 weights, which is what a kernel's parameters hold";
    return (convolve_job(stage)->mask->width + 3) / 4 * 4 * convolve_job(stage)->mask->height <= PARAMETER_WEIGHTS;
}

static bool accepts_halo(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_constant(device, stage, why_not))
        return false;
    *why_not = "its tile holds pixels, and the border's value is between two of them";
    if (stage->in[0].shape.type != PIXEL_F32 &&
        convolve_job(stage)->border.value != rintf(convolve_job(stage)->border.value))
        return false;
    *why_not = "the smallest tile with its halo exceeds the shared memory of a block";
    return halo_bytes(stage, 8) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static bool accepts_texture(const Device *device, const Stage *stage, const char **why_not) {
    const struct cudaDeviceProp *limits = &((const GpuDevice *)device)->limits;
    const Shape shape = stage->in[0].shape;
    const size_t texels = shape.width * (size_t)shape.channels / (size_t)texture_channels(shape.channels);
    if (!accepts_constant(device, stage, why_not))
        return false;
    *why_not = "the picture is larger than a texture can be";
    return texels <= (size_t)limits->maxTexture2DLinear[0] && shape.height <= (size_t)limits->maxTexture2DLinear[1] &&
           shape_row_bytes(shape) <= (size_t)limits->maxTexture2DLinear[2];
}

static bool accepts_separable(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the mask is no outer product of a row and a column";
    return mask_separable(convolve_job(stage)->mask);
}

static bool accepts_fused(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_separable(device, stage, why_not))
        return false;
    *why_not = "sums of u16 need double precision between the passes";
    if (stage->in[0].shape.type == PIXEL_U16)
        return false;
    *why_not = "a tile with its halo exceeds the shared memory of a block";
    return fused_bytes(stage, FUSED_ROWS) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

/* Of a normally distributed error, four fifths of its deviation are the share of values that round differently; the
 * rule allows one in a thousand. */
#define TENSOR_ERROR_MOST 7e-4

static bool accepts_fft(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "16-bit results would need transforms in double precision";
    if (stage->in[0].shape.type == PIXEL_U16)
        return false;
    *why_not = "the library libcufft is not installed here";
    return fft_is_there();
}

/* u8 in, u8 out, and a border's value that is a byte, too. */
static bool bytes_only(const Stage *stage, const char **why_not) {
    const float outside = convolve_job(stage)->border.value;
    *why_not = "it works on bytes: u8 in and u8 out";
    if (stage->in[0].shape.type != PIXEL_U8 || stage->out.shape.type != PIXEL_U8)
        return false;
    *why_not = "it works on bytes, and the border's value is none";
    return outside == rintf(outside) && outside >= 0 && outside <= 255;
}

/* Whether the tensor cores can take these pixels. */
static bool accepts_bytes(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "this GPU's tensor cores do not multiply bytes; they do from compute capability 8.0 on";
    return ((const GpuDevice *)device)->limits.major >= 8 && bytes_only(stage, why_not);
}

/* Whether they can take this mask as whole numbers. */
static bool accepts_whole(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_bytes(device, stage, why_not))
        return false;
    *why_not = "weights of 16 bits would round too many values differently";
    WholeMask whole;
    const bool exact =
        whole_mask(convolve_job(stage)->mask, true, &whole) == STATUS_OK && whole.error <= TENSOR_ERROR_MOST;
    whole_mask_free(&whole);
    return exact;
}

static bool accepts_tensor(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_whole(device, stage, why_not))
        return false;
    *why_not = "a tile with its halo exceeds the shared memory of a block";
    return tensor_bytes(stage) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static bool accepts_march(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "a strip's registers hold the columns of masks up to 9x9";
    return march_fits(convolve_job(stage)->mask) && accepts_whole(device, stage, why_not);
}

static bool accepts_outer(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_separable(device, stage, why_not) || !accepts_bytes(device, stage, why_not))
        return false;
    *why_not = "its matrices are made for four channels";
    if (stage->out.shape.channels != 4)
        return false;
    *why_not = "sums that are not exact leave no room for a bias";
    if (convolve_job(stage)->bias != 0 && convolve_job(stage)->mask->divisor == 1)
        return false;
    return outer_fits(convolve_job(stage)->mask, why_not);
}

static bool accepts_running(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    if (!bytes_only(stage, why_not))
        return false;
    *why_not = "its prefix sums are packed for four channels";
    if (stage->out.shape.channels != 4)
        return false;
    *why_not = "the weights differ, or the mask is more than 128 wide";
    return running_fits(convolve_job(stage)->mask);
}

/* Looks that show what each ray meets first, in scenes of spheres. */
static bool accepts_nearest(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it answers what a ray meets first, and knows nothing of light";
    if (!look_is_nearest(trace_job(stage)->look))
        return false;
    *why_not = "it knows only spheres";
    return trace_job(stage)->scene->triangle_count == 0;
}

/* Looks that do not ask what the level did, in scenes of spheres. */
static bool accepts_uncounted(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it knows only spheres";
    if (trace_job(stage)->scene->triangle_count > 0)
        return false;
    *why_not = "bvh counts the nodes";
    return trace_job(stage)->look != LOOK_NODES;
}

static bool accepts_constants(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_nearest(device, stage, why_not))
        return false;
    *why_not = "constant memory holds 2048 spheres, and the scene has more";
    return trace_job(stage)->scene->count <= CONSTANT_SPHERES;
}

static bool accepts_texels(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_nearest(device, stage, why_not))
        return false;
    *why_not = "the scene has more spheres than a texture over memory can have texels";
    return trace_job(stage)->scene->count <= TEXELS_MOST;
}

static bool accepts_together(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_nearest(device, stage, why_not))
        return false;
    *why_not = "the camera's rays have nothing in common";
    return trace_job(stage)->camera.kind != CAMERA_RANDOM;
}

const Level cuda_levels[] = {
#define LEVEL(operation, name, accepts, idea)                                                                          \
    {&op_##operation, #name, idea, accepts_##accepts, cuda_##operation##_##name},
#include "gpu/levels.def"
#undef LEVEL
};
