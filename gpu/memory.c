/* memory.c: what levels keep on the device between runs: scratch, the mask's weights, textures; and their launches. */
#include "gpu/gpu.h"

#include <nvtx3/nvToolsExt.h>
#include <string.h>

Status gpu_launch(Device *device, const char *where, const void *kernel, Launch launch, void **arguments) {
    GpuDevice *gpu = gpu_of(device);
    CUDA_TRY(cudaSetDevice(gpu->index));
    if (launch.shared > gpu->limits.sharedMemPerBlock)
        CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)launch.shared));
    nvtxRangePushA(where); /* for Nsight; free without it */
    const cudaError_t error =
        cudaLaunchKernel(kernel, launch.grid, launch.block, arguments, launch.shared, gpu->stream);
    nvtxRangePop();
    if (error != cudaSuccess)
        return gpu_fail(error, where);
    gpu->kernel = kernel;
    gpu->launch = (LaunchFacts){.threads = (int)(launch.block.x * launch.block.y * launch.block.z),
                                .shared_bytes = launch.shared};
    return STATUS_OK;
}

Status gpu_scratch(Device *device, GpuScratch *scratch, size_t bytes, void **memory) {
    GpuDevice *gpu = gpu_of(device);
    CUDA_TRY(cudaSetDevice(gpu->index));
    if (bytes > scratch->bytes) {
        CUDA_TRY(cudaStreamSynchronize(gpu->stream));
        CUDA_TRY(cudaFree(scratch->memory));
        *scratch = (GpuScratch){0};
        CUDA_TRY(cudaMalloc(&scratch->memory, bytes));
        scratch->bytes = bytes;
    }
    *memory = scratch->memory;
    return STATUS_OK;
}

static bool same_mask(const Mask *a, const Mask *b) {
    return a && a->width == b->width && a->height == b->height && a->divisor == b->divisor &&
           memcmp(a->weights, b->weights, (size_t)b->width * (size_t)b->height * sizeof *b->weights) == 0;
}

bool gpu_is_kept(const GpuKept *kept, const Mask *mask) {
    return same_mask(kept->mask, mask);
}

Status gpu_keep(Device *device, GpuKept *kept, const Mask *mask, const void *made, size_t bytes,
                const int facts[KEPT_FACTS]) {
    GpuDevice *gpu = gpu_of(device);
    void *memory = NULL;
    mask_destroy(&kept->mask);
    TRY(gpu_scratch(device, &kept->memory, bytes, &memory));
    if (made) {
        CUDA_TRY(cudaMemcpyAsync(memory, made, bytes, cudaMemcpyHostToDevice, gpu->stream));
        CUDA_TRY(cudaStreamSynchronize(gpu->stream)); /* what was made may go away before the stream gets to it */
    }
    memcpy(kept->facts, facts, sizeof kept->facts);
    return mask_clone(mask, &kept->mask);
}

Status gpu_mask(Device *device, const Mask *mask, const float **weights) {
    static const int none[KEPT_FACTS];
    GpuKept *kept = &gpu_of(device)->weights;
    if (!gpu_is_kept(kept, mask))
        TRY(gpu_keep(device, kept, mask, mask->weights,
                     (size_t)mask->width * (size_t)mask->height * sizeof *mask->weights, none));
    *weights = kept->memory.memory;
    return STATUS_OK;
}

static void *put_floats(void *to, const double *values, int count) {
    float *out = to;
    for (int i = 0; i < count; i++)
        out[i] = (float)values[i];
    return out + count;
}

static Status upload_terms(GpuDevice *gpu, const Mask *mask) {
    GpuTerms *terms = &gpu->terms;
    const size_t sides = (size_t)mask->width + (size_t)mask->height, width = (size_t)mask->width;
    double packed[3 * MASK_MOST]; /* the f64 halves begin behind the f32 ones, which take as much as half as many */
    double *wide = packed + (sides + 1) / 2;
    put_floats(put_floats(packed, terms->host.rows, mask->width), terms->host.columns, mask->height);
    memcpy(wide, terms->host.rows, width * sizeof *wide);
    memcpy(wide + width, terms->host.columns, (sides - width) * sizeof *wide);
    void *memory = NULL;
    TRY(gpu_scratch(&gpu->device, &terms->memory, sizeof packed, &memory));
    CUDA_TRY(cudaMemcpyAsync(memory, packed, ((sides + 1) / 2 + sides) * sizeof *packed, cudaMemcpyHostToDevice,
                             gpu->stream));
    CUDA_TRY(cudaStreamSynchronize(gpu->stream)); /* packed goes away */
    return STATUS_OK;
}

Status gpu_terms(Device *device, const Mask *mask, bool wide, const GpuTerms **terms, const void **row,
                 const void **column) {
    GpuDevice *gpu = gpu_of(device);
    GpuTerms *kept = &gpu->terms;
    if (!same_mask(kept->mask, mask)) {
        mask_destroy(&kept->mask);
        mask_terms_free(&kept->host);
        TRY(mask_factor(mask, 1, &kept->host));
        kept->row_sum = 0;
        for (int i = 0; i < mask->width; i++)
            kept->row_sum += kept->host.rows[i];
        TRY(upload_terms(gpu, mask));
        TRY(mask_clone(mask, &kept->mask));
    }
    const size_t sides = (size_t)mask->width + (size_t)mask->height;
    const double *wides = (const double *)kept->memory.memory + (sides + 1) / 2;
    const float *floats = kept->memory.memory;
    *terms = kept;
    *row = wide ? (const void *)wides : (const void *)floats;
    *column = wide ? (const void *)(wides + mask->width) : (const void *)(floats + mask->width);
    return STATUS_OK;
}

static bool same_frame(Frame a, Frame b) {
    return a.pixels == b.pixels && a.stride == b.stride && shape_equal(a.shape, b.shape);
}

Status gpu_texture(Device *device, Frame frame, int channels, enum cudaTextureAddressMode mode,
                   cudaTextureObject_t *texture) {
    GpuDevice *gpu = gpu_of(device);
    CUDA_TRY(cudaSetDevice(gpu->index));
    for (size_t i = 0; i < GPU_TEXTURES; i++) {
        const GpuTexture *known = &gpu->textures[i];
        *texture = known->object;
        if (known->object && same_frame(known->frame, frame) && known->channels == channels && known->mode == (int)mode)
            return STATUS_OK;
    }
    GpuTexture *slot = &gpu->textures[gpu->next_texture++ % GPU_TEXTURES];
    if (slot->object) {
        CUDA_TRY(cudaStreamSynchronize(gpu->stream));
        CUDA_TRY(cudaDestroyTextureObject(slot->object));
        *slot = (GpuTexture){0};
    }
    const int bits = 8 * (int)pixel_type_size(frame.shape.type);
    const struct cudaResourceDesc resource = {
        .resType = cudaResourceTypePitch2D,
        .res.pitch2D = {
            .devPtr = frame.pixels,
            .desc = {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0,
                     frame.shape.type == PIXEL_F32 ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned},
            .width = frame.shape.width * (size_t)frame.shape.channels / (size_t)channels,
            .height = frame.shape.height,
            .pitchInBytes = frame.stride}};
    const struct cudaTextureDesc reading = {
        .addressMode = {mode, mode, mode}, .filterMode = cudaFilterModePoint, .readMode = cudaReadModeElementType};
    CUDA_TRY(cudaCreateTextureObject(&slot->object, &resource, &reading, NULL));
    slot->frame = frame;
    slot->channels = channels;
    slot->mode = (int)mode;
    *texture = slot->object;
    return STATUS_OK;
}
