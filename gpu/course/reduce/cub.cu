/* cub.cu: CUB's reduction, to race. */
#include "gpu/course/reduce/sums.cuh"

extern "C" {
#include "gpu/note.h"
}

#include <cub/device/device_reduce.cuh>

/* Pixels as they lie in memory. One channel is plain values, which CUB loads 16 bytes at a time. */
template <typename T, int C> struct Source {
    typedef struct {
        T v[C];
    } Pixel;
    typedef Sums<typename Summed<T>::Type, C> Sum;
};
template <typename T> struct Source<T, 1> {
    typedef T Pixel;
    typedef typename Summed<T>::Type Sum;
};

template <typename T, int C> struct MakeSum {
    __device__ __forceinline__ typename Source<T, C>::Sum operator()(const typename Source<T, C>::Pixel &pixel) const {
        if constexpr (C == 1)
            return not_nan(pixel);
        else {
            typename Source<T, C>::Sum sum;
#pragma unroll
            for (int c = 0; c < C; c++)
                sum.v[c] = not_nan(pixel.v[c]);
            return sum;
        }
    }
};

template <typename Sum> struct AddSums {
    __device__ __forceinline__ Sum operator()(Sum a, const Sum &b) const {
        a += b;
        return a;
    }
};

enum { RESULT_BYTES = 256, ROOM_EACH = 256 /* sums a multiprocessor that CUB may keep */ };

static size_t cub_room(const Device *device, const Stage *stage) {
    const int processors = ((const GpuDevice *)device)->limits.multiProcessorCount;
    return RESULT_BYTES + (size_t)processors * ROOM_EACH * (size_t)stage->in[0].shape.channels * sizeof(double);
}

/* Rows with gaps between them are packed first. */
static size_t workspace(const Device *device, const Stage *stage) {
    return cub_room(device, stage) + (stage->in[0].shape.height > 1 ? shape_bytes(stage->in[0].shape) : 0);
}

static Status pack(Queue *queue, Frame in, void *to) {
    CUDA_TRY(cudaMemcpy2DAsync(to, shape_row_bytes(in.shape), in.pixels, in.stride, shape_row_bytes(in.shape),
                               in.shape.height, cudaMemcpyDeviceToDevice, gpu_queue(queue)->stream));
    return STATUS_OK;
}

/* A request to CUB; without memory CUB tells how much it wants. */
template <typename T, int C> struct Request {
    void *memory;
    size_t bytes;
    const typename Source<T, C>::Pixel *pixels;
    typename Source<T, C>::Sum *to;
    int64_t count;
};

template <typename T, int C> static Status enqueue(cudaStream_t stream, void *job) {
    typedef typename Source<T, C>::Sum Sum;
    Request<T, C> *request = (Request<T, C> *)job;
    CUDA_TRY(cub::DeviceReduce::TransformReduce(request->memory, request->bytes, request->pixels, request->to,
                                                request->count, AddSums<Sum>(), MakeSum<T, C>(), Sum(), stream));
    return STATUS_OK;
}

template <typename T, int C> static Status add_pixels(Queue *queue, const Stage *stage) {
    typedef typename Source<T, C>::Pixel Pixel;
    typedef typename Source<T, C>::Sum Sum;
    const Frame in = stage->in[0];
    const size_t own = cub_room(queue->device, stage);
    const bool packed = in.shape.height == 1 || in.stride == shape_row_bytes(in.shape);
    const cudaStream_t stream = gpu_queue(queue)->stream;
    void *room;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, own + (packed ? 0 : shape_bytes(in.shape)), &room));
    if (!packed)
        TRY(pack(queue, in, (char *)room + own));
    const Pixel *pixels = packed ? (const Pixel *)in.pixels : (const Pixel *)((char *)room + own);
    Request<T, C> request = {NULL, 0, pixels, (Sum *)room, (int64_t)pixel_count(stage)};
    TRY((enqueue<T, C>(stream, &request)));
    if (RESULT_BYTES + request.bytes > own)
        return fail(STATUS_DEVICE, "cub wants %zu bytes", request.bytes);
    request.memory = (char *)room + RESULT_BYTES;
    gpu_note_library(queue, enqueue<T, C>, &request);
    TRY((enqueue<T, C>(stream, &request)));
    Plane out = plane_of(stage->out);
    void *arguments[] = {&room, &out};
    return gpu_launch(queue, "reduce, store", (const void *)reduce_store<typename Summed<T>::Type, C>,
                      Launch{dim3(1), dim3(C), 0}, arguments);
}

template <typename T> static Status add_channels(Queue *queue, const Stage *stage) {
    static Status (*const runs[])(Queue *, const Stage *) = {add_pixels<T, 1>, add_pixels<T, 2>, add_pixels<T, 3>,
                                                             add_pixels<T, 4>};
    return runs[stage->in[0].shape.channels - 1](queue, stage);
}

static Status run(Queue *queue, const Stage *stage) {
    static Status (*const runs[])(Queue *, const Stage *) = {add_channels<uint8_t>, add_channels<uint16_t>,
                                                             add_channels<float>, add_channels<uint32_t>};
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    return runs[stage->in[0].shape.type](queue, stage);
}

extern "C" const Level cuda_reduce_cub = {
    .op = &op_reduce,
    .name = "cub",
    .idea = "NVIDIA's own, to race: cub::DeviceReduce",
    .accepts = course_accepts,
    .workspace = workspace,
    .raced = true,
    .run = run,
};
