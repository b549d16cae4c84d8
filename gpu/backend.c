/* backend.c: an NVIDIA GPU as a backend: frames are device memory, the queue is a stream. */
#include "gpu/backend.h"

#include "core/base/memory.h"
#include "core/device/cache.h"
#include "core/device/experiment.h"
#include "gpu/guests.h"
#include "gpu/interop.h"
#include "gpu/jpeg/codec.h"
#include "gpu/note.h"
#include "gpu/pinned.h"
#include "gpu/power.h"
#include "gpu/texture.h"

#include <nvtx3/nvToolsExt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Among pieces of 0.1 to 16 MiB these are the fastest: smaller ones wait for the driver's lock, larger ones leave the
 * processor's caches. */
enum { STAGING_BYTES = 2 << 20 };
enum { RESERVE_PERCENT = 3, CACHE_PERCENT = 75 };

/* The driver reads this when it begins (CUDA C++ Programming Guide, Environment Variables). It makes eight by default.
 */
static void prepare(int connections) {
    char text[16];
    snprintf(text, sizeof text, "%d", connections);
    (void)setenv("CUDA_DEVICE_MAX_CONNECTIONS", text, 0);
}

static Status count_devices(int *count) {
    const cudaError_t error = cudaGetDeviceCount(count);
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice || (error == cudaSuccess && *count == 0))
        return fail(STATUS_DEVICE, "no CUDA device here: %s",
                    error == cudaErrorInsufficientDriver ? "there is no NVIDIA driver, or one that is too old"
                                                         : "the driver finds no GPU");
    CUDA_TRY(error);
    return STATUS_OK;
}

/* By the device's UUID, and by the driver's own version where the kernel tells it, else by that of its CUDA. */
static void identify(GpuDevice *gpu) {
    char *end = gpu->device.id + snprintf(gpu->device.id, sizeof gpu->device.id, "GPU-");
    for (size_t i = 0; i < sizeof gpu->limits.uuid.bytes; i++)
        end += snprintf(end, 3, "%02x", (unsigned char)gpu->limits.uuid.bytes[i]);
    int cuda = 0;
    char version[32] = "";
    FILE *file = fopen("/sys/module/nvidia/version", "re");
    if (file && fgets(version, sizeof version, file))
        version[strcspn(version, "\n")] = '\0';
    if (file)
        fclose(file);
    (void)cudaDriverGetVersion(&cuda);
    snprintf(gpu->device.driver, sizeof gpu->device.driver, "%s%sCUDA %d", version, version[0] ? ", " : "", cuda);
}

static Status start(GpuDevice *gpu) {
    CUDA_TRY(cudaSetDevice(gpu->index));
    CUDA_TRY(cudaGetDeviceProperties(&gpu->limits, gpu->index));
    CUDA_TRY(cudaStreamCreateWithFlags(&gpu->zeroing, cudaStreamNonBlocking));
    const size_t limit = memory_of_device() / 8, kept = gpu->limits.totalGlobalMem / 100 * CACHE_PERCENT;
    gpu->device.cache.budget = kept < limit ? kept : limit;
    snprintf(gpu->device.name, sizeof gpu->device.name, "%.60s, %d multiprocessors, %zu GiB", gpu->limits.name,
             gpu->limits.multiProcessorCount, gpu->limits.totalGlobalMem >> 30);
    identify(gpu);
    return STATUS_OK;
}

static void close_gpu(Device **device) {
    GpuDevice *gpu = (GpuDevice *)*device;
    *device = NULL;
    if (!gpu)
        return;
    cudaSetDevice(gpu->index);
    jpeg_retire(gpu->index);
    if (gpu->zeroing)
        cudaStreamDestroy(gpu->zeroing);
    (void)cudaGetLastError();
    free(gpu);
}

static Status open_gpu(int index, int threads, Device **device) {
    int count;
    *device = NULL;
    (void)threads;
    TRY(count_devices(&count));
    if (index < 0 || index >= count)
        return fail(STATUS_DEVICE, "CUDA device %d: there %s 0 to %d", index, count == 1 ? "is only" : "are",
                    count - 1);
    GpuDevice *gpu = calloc(1, sizeof *gpu);
    if (!gpu)
        return fail(STATUS_DEVICE, "no memory for a device");
    *device = &gpu->device;
    device_init(&gpu->device, &cuda_backend);
    gpu->device.threads = 1;
    gpu->index = index;
    const Status status = start(gpu);
    if (status != STATUS_OK)
        close_gpu(device);
    return status;
}

/* By default they spin, which answers sooner, at the price of a core. */
static Status wait_asleep(Device *device) {
    CUDA_TRY(cudaSetDevice(gpu_of(device)->index));
    CUDA_TRY(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    return STATUS_OK;
}

static Status measure_memory(Device *device, size_t *available, size_t *total) {
    CUDA_TRY(cudaSetDevice(gpu_of(device)->index));
    CUDA_TRY(cudaMemGetInfo(available, total));
    const size_t limit = memory_of_device();
    *total = *total < limit ? *total : limit;
    *available = *available < limit ? *available : limit;
    return STATUS_OK;
}

static void queue_destroy(Queue **queue) {
    GpuQueue *gpu = gpu_queue(*queue);
    *queue = NULL;
    cudaSetDevice(gpu_of(gpu->queue.device)->index);
    if (gpu->own)
        cudaStreamSynchronize(gpu->own);
    for (size_t i = 0; i < STAGING_PIECES; i++)
        if (gpu->staged[i])
            cudaEventDestroy(gpu->staged[i]);
    pinned_destroy(gpu->staging[0], STAGING_PIECES * (size_t)STAGING_BYTES);
    if (gpu->left) {
        cudaEventSynchronize(gpu->left);
        cudaEventDestroy(gpu->left);
    }
    for (size_t i = 0; i < BACKEND_MARKS; i++)
        if (gpu->marks[i])
            cudaEventDestroy(gpu->marks[i]);
    gpu_free(gpu->queue.device, &gpu->scratch);
    if (gpu->own)
        cudaStreamDestroy(gpu->own);
    (void)cudaGetLastError();
    free(gpu);
}

static Status start_queue(GpuQueue *gpu) {
    CUDA_TRY(cudaSetDevice(gpu_of(gpu->queue.device)->index));
    CUDA_TRY(cudaStreamCreateWithFlags(&gpu->own, cudaStreamNonBlocking));
    gpu->stream = gpu->own;
    CUDA_TRY(cudaEventCreateWithFlags(&gpu->left, cudaEventDisableTiming));
    for (size_t i = 0; i < STAGING_PIECES; i++)
        CUDA_TRY(cudaEventCreateWithFlags(&gpu->staged[i], cudaEventDisableTiming));
    TRY(pinned_create(STAGING_PIECES * (size_t)STAGING_BYTES, &gpu->staging[0]));
    for (size_t i = 1; i < STAGING_PIECES; i++)
        gpu->staging[i] = (char *)gpu->staging[0] + i * STAGING_BYTES;
    return STATUS_OK;
}

static Status queue_create(Device *device, Queue **queue) {
    GpuQueue *gpu = calloc(1, sizeof *gpu);
    *queue = NULL;
    if (!gpu)
        return fail(STATUS_DEVICE, "no memory for a queue");
    gpu->queue.device = device;
    *queue = &gpu->queue;
    const Status status = start_queue(gpu);
    if (status != STATUS_OK)
        queue_destroy(queue);
    return status;
}

/* Room for other programs on the device: the driver and the display die ugly deaths without memory. */
static Status check_budget(const GpuDevice *gpu, size_t bytes) {
    size_t available, total;
    CUDA_TRY(cudaMemGetInfo(&available, &total));
    const size_t reserve = total / 100 * RESERVE_PERCENT;
    if (available > reserve && bytes <= available - reserve)
        return STATUS_OK;
    return fail(STATUS_DEVICE,
                "device %d has %zu MiB to spare, and %zu MiB are wanted; take a smaller picture or the cpu", gpu->index,
                (available > reserve ? available - reserve : 0) >> 20, bytes >> 20);
}

/* Entries that levels keep give way to a frame that needs their room. */
static Status make_room(GpuDevice *gpu, size_t bytes) {
    Status status;
    while ((status = check_budget(gpu, bytes)) != STATUS_OK && gpu_make_room(&gpu->device)) {
    }
    return status;
}

/* Rows begin on boundaries that textures and 16-byte loads need; their padding is zero, so that a load may run over a
 * row's end. Kernels count pixels in int. */
static size_t frame_stride(Shape shape) {
    return (shape_row_bytes(shape) + GPU_ALIGNMENT - 1) / GPU_ALIGNMENT * GPU_ALIGNMENT;
}

static Status check_sides(Shape shape) {
    if (shape.width <= INT32_MAX / 16 && shape.height <= INT32_MAX / 16)
        return STATUS_OK;
    return fail(STATUS_DEVICE, "%zu x %zu pixels are more a side than the cuda backend counts; use the cpu",
                shape.width, shape.height);
}

/* No queue waits for the stream of zeros. */
static Status frame_clear(Device *device, Frame frame) {
    GpuDevice *gpu = gpu_of(device);
    TRY(check_sides(frame.shape));
    CUDA_TRY(cudaSetDevice(gpu->index));
    CUDA_TRY(cudaMemsetAsync(frame.pixels, 0, frame.stride * frame.shape.height, gpu->zeroing));
    CUDA_TRY(cudaStreamSynchronize(gpu->zeroing));
    return STATUS_OK;
}

static void frame_destroy(Device *device, Frame *frame) {
    GpuDevice *gpu = gpu_of(device);
    cudaSetDevice(gpu->index);
    gpu_forget_textures(device, *frame);
    cudaFree(frame->pixels);
    *frame = (Frame){0};
}

static Status frame_create(Device *device, Shape shape, Frame *frame) {
    GpuDevice *gpu = gpu_of(device);
    *frame = (Frame){0};
    TRY(shape_check(shape));
    TRY(check_sides(shape));
    const size_t stride = frame_stride(shape);
    CUDA_TRY(cudaSetDevice(gpu->index));
    TRY(make_room(gpu, stride * shape.height));
    void *pixels;
    CUDA_TRY(cudaMalloc(&pixels, stride * shape.height));
    *frame = (Frame){shape, stride, pixels};
    const Status status = frame_clear(device, *frame);
    if (status != STATUS_OK)
        frame_destroy(device, frame);
    return status;
}

/* Whether the device reads and writes the view's memory by itself, so that it need not pass through pinned buffers. */
static bool is_pinned(ImageView view) {
    struct cudaPointerAttributes attributes;
    const bool known = cudaPointerGetAttributes(&attributes, view.pixels) == cudaSuccess;
    if (!known)
        (void)cudaGetLastError();
    return known && attributes.type == cudaMemoryTypeHost;
}

static Status take_staged(Queue *queue, int piece, void **memory) {
    CUDA_TRY(cudaEventSynchronize(gpu_queue(queue)->staged[piece]));
    *memory = gpu_queue(queue)->staging[piece];
    return STATUS_OK;
}

Status gpu_put(Queue *queue, void *to, const void *from, size_t bytes) {
    GpuQueue *gpu = gpu_queue(queue);
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    for (size_t done = 0, size; done < bytes; done += size) {
        const unsigned piece = gpu->puts++ % STAGING_PIECES;
        size = bytes - done < STAGING_BYTES ? bytes - done : STAGING_BYTES;
        CUDA_TRY(cudaEventSynchronize(gpu->staged[piece])); /* for its last use */
        memcpy(gpu->staging[piece], (const char *)from + done, size);
        CUDA_TRY(cudaMemcpyAsync((char *)to + done, gpu->staging[piece], size, cudaMemcpyHostToDevice, gpu->stream));
        CUDA_TRY(cudaEventRecord(gpu->staged[piece], gpu->stream));
    }
    return STATUS_OK;
}

static Status send_staged(Queue *queue, int piece, Frame to) {
    GpuQueue *gpu = gpu_queue(queue);
    const size_t row = shape_row_bytes(to.shape);
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    CUDA_TRY(cudaMemcpy2DAsync(to.pixels, to.stride, gpu->staging[piece], row, row, to.shape.height,
                               cudaMemcpyHostToDevice, gpu->stream));
    CUDA_TRY(cudaEventRecord(gpu->staged[piece], gpu->stream));
    return STATUS_OK;
}

static Status receive_staged(Queue *queue, Frame from, int piece) {
    GpuQueue *gpu = gpu_queue(queue);
    const size_t row = shape_row_bytes(from.shape);
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    CUDA_TRY(cudaMemcpy2DAsync(gpu->staging[piece], row, from.pixels, from.stride, row, from.shape.height,
                               cudaMemcpyDeviceToHost, gpu->stream));
    CUDA_TRY(cudaEventRecord(gpu->staged[piece], gpu->stream));
    return STATUS_OK;
}

static const Staging staging = {STAGING_BYTES, take_staged, send_staged, receive_staged};

/* The next rows that fit into a piece, from row `y` on. */
static Frame piece_of(Frame frame, size_t y) {
    const size_t most = STAGING_BYTES / shape_row_bytes(frame.shape), left = frame.shape.height - y;
    return view_crop(frame, 0, y, frame.shape.width, left < most ? left : most);
}

static Status upload_rows(Queue *queue, ImageView from, Frame to) {
    GpuQueue *gpu = gpu_queue(queue);
    const size_t row = shape_row_bytes(from.shape);
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    if (row > STAGING_BYTES || is_pinned(from)) {
        CUDA_TRY(cudaMemcpy2DAsync(to.pixels, to.stride, from.pixels, from.stride, row, from.shape.height,
                                   cudaMemcpyHostToDevice, gpu->stream));
        CUDA_TRY(cudaStreamSynchronize(gpu->stream));
        return STATUS_OK;
    }
    int turn = 0;
    for (size_t y = 0; y < from.shape.height; turn ^= 1) {
        const Frame piece = piece_of(to, y);
        void *memory = NULL;
        TRY(take_staged(queue, turn, &memory));
        for (size_t i = 0; i < piece.shape.height; i++)
            memcpy((char *)memory + i * row, view_row(from, y + i), row);
        TRY(send_staged(queue, turn, piece));
        y += piece.shape.height;
    }
    return STATUS_OK;
}

static Status download_rows(Queue *queue, Frame from, ImageView to) {
    GpuQueue *gpu = gpu_queue(queue);
    const size_t row = shape_row_bytes(from.shape), height = from.shape.height;
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    if (row > STAGING_BYTES || is_pinned(to)) {
        CUDA_TRY(cudaMemcpy2DAsync(to.pixels, to.stride, from.pixels, from.stride, row, height, cudaMemcpyDeviceToHost,
                                   gpu->stream));
        CUDA_TRY(cudaStreamSynchronize(gpu->stream));
        return STATUS_OK;
    }
    int turn = 0;
    Frame piece = piece_of(from, 0), next;
    TRY(receive_staged(queue, piece, turn));
    for (size_t y = 0; y < height; turn ^= 1, piece = next) {
        const size_t end = y + piece.shape.height;
        void *memory = NULL;
        next = end < height ? piece_of(from, end) : piece;
        if (end < height)
            TRY(receive_staged(queue, next, turn ^ 1));
        TRY(take_staged(queue, turn, &memory));
        for (size_t i = 0; y < end; i++, y++)
            memcpy(view_row(to, y), (const char *)memory + i * row, row);
    }
    return STATUS_OK;
}

static Status upload(Queue *queue, ImageView from, Frame to) {
    nvtxRangePushA("upload");
    const Status status = upload_rows(queue, from, to);
    nvtxRangePop();
    return status;
}

static Status download(Queue *queue, Frame from, ImageView to) {
    nvtxRangePushA("download");
    const Status status = download_rows(queue, from, to);
    nvtxRangePop();
    return status;
}

/* Frames without padding in one piece: row by row, the runtime reaches a third of the bandwidth. */
static Status copy(Queue *queue, Frame from, Frame to) {
    GpuQueue *gpu = gpu_queue(queue);
    const size_t row = shape_row_bytes(from.shape);
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    if (from.stride == row && to.stride == row) {
        CUDA_TRY(
            cudaMemcpyAsync(to.pixels, from.pixels, row * from.shape.height, cudaMemcpyDeviceToDevice, gpu->stream));
        return STATUS_OK;
    }
    CUDA_TRY(cudaMemcpy2DAsync(to.pixels, to.stride, from.pixels, from.stride, shape_row_bytes(from.shape),
                               from.shape.height, cudaMemcpyDeviceToDevice, gpu->stream));
    return STATUS_OK;
}

static Status mark(Queue *queue, int number) {
    GpuQueue *gpu = gpu_queue(queue);
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    if (!gpu->marks[number])
        CUDA_TRY(cudaEventCreate(&gpu->marks[number]));
    CUDA_TRY(cudaEventRecord(gpu->marks[number], gpu->stream));
    return STATUS_OK;
}

static Status elapsed(Queue *queue, int from, int to, double *ms) {
    float time;
    CUDA_TRY(cudaEventElapsedTime(&time, gpu_queue(queue)->marks[from], gpu_queue(queue)->marks[to]));
    *ms = (double)time;
    return STATUS_OK;
}

/* A caller's stream lasts while its queue is on it, which the lock sees to. A thread's default stream has the same
 * name in every thread. */
static cudaError_t await_caller(Queue *queue) {
    const GpuQueue *gpu = gpu_queue(queue);
    cache_lock(&queue->device->cache);
    const cudaError_t error = gpu->stream == gpu->own              ? cudaSuccess
                              : gpu->stream == cudaStreamPerThread ? cudaDeviceSynchronize()
                                                                   : cudaStreamSynchronize(gpu->stream);
    cache_unlock(&queue->device->cache);
    return error;
}

static Status sync_gpu(Queue *queue) {
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    CUDA_TRY(await_caller(queue));
    CUDA_TRY(cudaStreamSynchronize(gpu_queue(queue)->own));
    CUDA_TRY(cudaEventSynchronize(gpu_queue(queue)->left));
    return STATUS_OK;
}

#define LEVEL(operation, name) extern const Level cuda_##operation##_##name;
#include "gpu/levels.def"
#undef LEVEL

static const Level *const levels[] = {
#define LEVEL(operation, name) &cuda_##operation##_##name,
#include "gpu/levels.def"
#undef LEVEL
};

#define EXPERIMENT(name) extern const Experiment cuda_machine_##name;
#include "gpu/course/machine/experiments.def"
#undef EXPERIMENT

static const Experiment *const experiment_list[] = {
#define EXPERIMENT(name) &cuda_machine_##name,
#include "gpu/course/machine/experiments.def"
#undef EXPERIMENT
};
static const Experiments experiments = {experiment_list, sizeof experiment_list / sizeof experiment_list[0]};

static const TraceTools trace_tools = {
    .build = gpu_rebuild, .refit = gpu_refit_scene, .follow = gpu_follow, .count_rays = gpu_count_rays};
static const Telemetry telemetry = {.facts = gpu_facts, .peak = cuda_peak, .power = cuda_power};
#ifdef GLINT_HAS_GL
static const GlInterop interop = {cuda_routes, CUDA_ROUTES};
#endif

const Backend cuda_backend = {
    .name = "cuda",
    .help = "an NVIDIA GPU",
    .levels = levels,
    .level_count = sizeof levels / sizeof levels[0],
    .prepare = prepare,
    .device_count = count_devices,
    .open = open_gpu,
    .close = close_gpu,
    .memory = measure_memory,
    .queue_create = queue_create,
    .queue_destroy = queue_destroy,
    .frame_create = frame_create,
    .frame_destroy = frame_destroy,
    .frame_stride = frame_stride,
    .frame_clear = frame_clear,
    .host_create = pinned_create,
    .host_destroy = pinned_destroy,
    .wait_asleep = wait_asleep,
    .upload = upload,
    .download = download,
    .copy = copy,
    .mark = mark,
    .elapsed = elapsed,
    .sync = sync_gpu,
    .staging = &staging,
    .trace = &trace_tools,
    .telemetry = &telemetry,
    .experiments = &experiments,
    .codec = &cuda_jpeg,
    .guests = &gpu_guests,
#ifdef GLINT_HAS_GL
    .gl = &interop,
#endif
};
