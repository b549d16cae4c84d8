/* texture.c: texture objects over frames, kept because making one costs more than a small convolution. */
#include "gpu/texture.h"

#include "core/device/cache.h"

enum { TEXTURES = 8, ROW_ALIGNMENT = 32 /* texturePitchAlignment of every device */ };

/* The frame that a texture reads, and how it does so. */
typedef struct View {
    Frame frame;
    int channels, mode;
} View;

typedef struct Texture {
    cudaTextureObject_t object;
    View view;
} Texture;

static void drop(Device *device, void *entry) {
    Texture *texture = entry;
    if (!texture->object)
        return;
    cudaSetDevice(gpu_of(device)->index);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture->object);
    texture->object = 0;
}

static Status make(Queue *queue, const void *from, void *entry) {
    const View *view = from;
    const Shape shape = view->frame.shape;
    Texture *texture = entry;
    const int bits = 8 * (int)pixel_type_size(shape.type), channels = view->channels;
    const enum cudaTextureAddressMode mode = (enum cudaTextureAddressMode)view->mode;
    const struct cudaResourceDesc resource = {
        .resType = cudaResourceTypePitch2D,
        .res.pitch2D = {.devPtr = view->frame.pixels,
                        .desc = {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0,
                                 shape.type == PIXEL_F32 ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned},
                        .width = shape.width * (size_t)shape.channels / (size_t)channels,
                        .height = shape.height,
                        .pitchInBytes = view->frame.stride}};
    const struct cudaTextureDesc reading = {
        .addressMode = {mode, mode, mode}, .filterMode = cudaFilterModePoint, .readMode = cudaReadModeElementType};
    drop(queue->device, texture);
    CUDA_TRY(cudaCreateTextureObject(&texture->object, &resource, &reading, NULL));
    texture->view = *view;
    return STATUS_OK;
}

static bool same(const void *entry, const void *from) {
    const View *a = &((const Texture *)entry)->view, *b = from;
    return a->frame.pixels == b->frame.pixels && a->frame.stride == b->frame.stride &&
           shape_equal(a->frame.shape, b->frame.shape) && a->channels == b->channels && a->mode == b->mode;
}

static const CacheKind kind = {.bytes = sizeof(Texture), .max = TEXTURES, .make = make, .same = same, .drop = drop};

/* Textures begin where the backend's frames do, and so do their rows. Callers' frames of other places are copied. */
static Status put_right(Queue *queue, Frame *frame) {
    if ((uintptr_t)frame->pixels % GPU_ALIGNMENT == 0 && frame->stride % ROW_ALIGNMENT == 0)
        return STATUS_OK;
    const Backend *backend = queue->device->backend;
    Frame copy = {frame->shape, backend->frame_stride(frame->shape), NULL};
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, copy.stride * copy.shape.height, &copy.pixels));
    TRY(backend->copy(queue, *frame, copy));
    *frame = copy;
    return STATUS_OK;
}

Status gpu_texture(Queue *queue, Frame frame, int channels, enum cudaTextureAddressMode mode,
                   cudaTextureObject_t *texture) {
    void *found;
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    TRY(put_right(queue, &frame));
    const View view = {frame, channels, (int)mode};
    TRY(cache_get(queue, &kind, 0, &view, &found));
    *texture = ((const Texture *)found)->object;
    return STATUS_OK;
}

static bool looks_at(const void *entry, const void *context) {
    const Frame *frame = context;
    const char *pixels = ((const Texture *)entry)->view.frame.pixels, *begin = frame->pixels;
    return begin && pixels >= begin && pixels < begin + frame->stride * frame->shape.height;
}

void gpu_forget_textures(Device *device, Frame frame) {
    cache_forget(device, &kind, looks_at, &frame);
}
