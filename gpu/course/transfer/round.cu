/* round.cu: buffers, streams, and white minus each value, 16 bytes a thread. */
#include "gpu/course/transfer/round.h"
#include "gpu/kernel.cuh"

extern "C" {
#include "core/base/timing.h"
#include "core/device/cache.h"
}

#include <string.h>

enum { THREADS = 256, BLOCKS_EACH = 8, WIDE = sizeof(uint4) };

/* White minus a whole number flips all bits, since white has all bits set. */
static __device__ __forceinline__ unsigned inverted(unsigned word, bool real) {
    return real ? __float_as_uint(1.0f - __uint_as_float(word)) : ~word;
}

__global__ void transfer_invert(uint4 *pixels, size_t count, bool real) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
        const uint4 v = pixels[i];
        pixels[i] = make_uint4(inverted(v.x, real), inverted(v.y, real), inverted(v.z, real), inverted(v.w, real));
    }
}

/* ---- buffers ---- */

typedef struct Room {
    TransferMemory memory;
    size_t bytes;
    void *host;         /* pinned, mapped or managed; NULL: pageable memory is the stage's own */
    GpuScratch scratch; /* the device's side, where it has memory of its own */
    cudaStream_t streams[TRANSFER_STREAMS];
    cudaEvent_t begin, marks[TRANSFER_CHUNKS][4];
} Room;

static void drop_host(Device *device, Room *room) {
    if (room->memory == TRANSFER_MANAGED && room->host) {
        cudaFree(room->host);
        cache_release(device, room->bytes);
    } else if (room->host) {
        cudaFreeHost(room->host);
    }
    room->host = NULL;
    room->bytes = 0;
}

static void drop_room(Device *device, void *entry) {
    Room *room = (Room *)entry;
    cudaSetDevice(gpu_of(device)->index);
    cudaDeviceSynchronize();
    for (int i = 0; i < TRANSFER_STREAMS; i++)
        if (room->streams[i])
            cudaStreamDestroy(room->streams[i]);
    for (int chunk = 0; chunk < TRANSFER_CHUNKS; chunk++)
        for (int i = 0; i < 4; i++)
            if (room->marks[chunk][i])
                cudaEventDestroy(room->marks[chunk][i]);
    if (room->begin)
        cudaEventDestroy(room->begin);
    drop_host(device, room);
    gpu_free(device, &room->scratch);
    (void)cudaGetLastError();
}

static Status make_streams(Room *room) {
    for (int i = 0; i < TRANSFER_STREAMS; i++)
        if (!room->streams[i])
            CUDA_TRY(cudaStreamCreateWithFlags(&room->streams[i], cudaStreamNonBlocking));
    for (int chunk = 0; chunk < TRANSFER_CHUNKS; chunk++)
        for (int i = 0; i < 4; i++)
            if (!room->marks[chunk][i])
                CUDA_TRY(cudaEventCreate(&room->marks[chunk][i]));
    if (!room->begin)
        CUDA_TRY(cudaEventCreate(&room->begin));
    return STATUS_OK;
}

static Status make_managed(Queue *queue, Room *room, size_t bytes) {
    cache_reserve(queue->device, bytes);
    const cudaError_t error = cudaMallocManaged(&room->host, bytes, cudaMemAttachGlobal);
    if (error != cudaSuccess) {
        room->host = NULL;
        cache_release(queue->device, bytes);
    }
    CUDA_TRY(error);
    return STATUS_OK;
}

static Status make_host(Queue *queue, Room *room, size_t bytes) {
    drop_host(queue->device, room);
    if (room->memory == TRANSFER_MANAGED)
        TRY(make_managed(queue, room, bytes));
    else if (room->memory != TRANSFER_PAGEABLE)
        CUDA_TRY(cudaHostAlloc(&room->host, bytes,
                               room->memory == TRANSFER_MAPPED ? cudaHostAllocMapped : cudaHostAllocDefault));
    room->bytes = bytes;
    return STATUS_OK;
}

/* With the padding of the last vector: the kernel reads it, and no copy writes it. */
static Status make_scratch(Queue *queue, Room *room, size_t bytes) {
    const cudaStream_t stream = gpu_queue(queue)->stream;
    void *memory;
    TRY(gpu_scratch(queue, &room->scratch, bytes, &memory));
    CUDA_TRY(cudaMemsetAsync(memory, 0, bytes, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    return STATUS_OK;
}

typedef struct Want {
    TransferMemory memory;
    size_t bytes;
} Want;

static Status make_room(Queue *queue, const void *from, void *entry) {
    const Want *want = (const Want *)from;
    Room *room = (Room *)entry;
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    if (room->memory != want->memory) /* the kind of memory decides how it is freed */
        drop_host(queue->device, room);
    room->memory = want->memory;
    TRY(make_streams(room));
    TRY(make_host(queue, room, want->bytes));
    if (want->memory == TRANSFER_PAGEABLE || want->memory == TRANSFER_PINNED)
        TRY(make_scratch(queue, room, want->bytes));
    return STATUS_OK;
}

static bool same_room(const void *entry, const void *from) {
    const Room *room = (const Room *)entry;
    const Want *want = (const Want *)from;
    return room->memory == want->memory && room->bytes >= want->bytes;
}

static const CacheKind rooms = {sizeof(Room), 4 /* kinds of memory */, make_room, same_room, drop_room, true};

/* ---- a run ---- */

bool round_accepts(const Device *device, TransferMemory memory, const char **why_not) {
    const struct cudaDeviceProp *limits = &((const GpuDevice *)device)->limits;
    *why_not = memory == TRANSFER_MAPPED ? "the device cannot reach the host's memory"
                                         : "the device has no managed memory that moves page by page";
    return memory == TRANSFER_MAPPED    ? limits->canMapHostMemory != 0
           : memory == TRANSFER_MANAGED ? limits->managedMemory != 0 && limits->concurrentManagedAccess != 0
                                        : true;
}

Status round_begin(Queue *queue, const Stage *stage, TransferMemory memory, Round *round) {
    const size_t bytes = shape_bytes(stage->out.shape);
    const Want want = {memory, (bytes + ROUND_ALIGNMENT - 1) / ROUND_ALIGNMENT * ROUND_ALIGNMENT};
    void *entry, *device;
    *round = (Round){};
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    CUDA_TRY(cudaStreamSynchronize(gpu_queue(queue)->stream));
    TRY(cache_get(queue, &rooms, 0, &want, &entry));
    Room *room = (Room *)entry;
    device = memory == TRANSFER_MANAGED ? room->host : room->scratch.memory;
    if (memory == TRANSFER_MAPPED)
        CUDA_TRY(cudaHostGetDevicePointer(&device, room->host, 0));
    round->queue = queue;
    round->stage = stage;
    round->bytes = bytes;
    round->host = (char *)room->host;
    round->device = (char *)device;
    round->streams = room->streams;
    round->begin = room->begin;
    round->marks = room->marks;
    if (transfer_job(stage)->timeline)
        transfer_job(stage)->timeline->count = 0;
    CUDA_TRY(cudaEventRecord(round->begin, round->streams[0]));
    round->start = clock_ms();
    return STATUS_OK;
}

Part round_whole(const Round *round) {
    return (Part){0, round->bytes, 0, 0};
}

Part round_part(const Round *round, int chunk, int streams) {
    const size_t pages = (round->bytes + ROUND_ALIGNMENT - 1) / ROUND_ALIGNMENT;
    const size_t begin = pages * (size_t)chunk / TRANSFER_CHUNKS * ROUND_ALIGNMENT;
    const size_t end = pages * ((size_t)chunk + 1) / TRANSFER_CHUNKS * ROUND_ALIGNMENT;
    return (Part){begin, end < round->bytes ? end : round->bytes, chunk, chunk % streams};
}

/* Copies the pixels of the part, row by row. */
static void pass(ImageView view, Part part, char *packed, bool to_packed) {
    const size_t row = shape_row_bytes(view.shape);
    for (size_t at = part.begin, length; at < part.end; at += length) {
        char *pixels = (char *)view_row(view, at / row) + at % row;
        length = row - at % row < part.end - at ? row - at % row : part.end - at;
        memcpy(to_packed ? packed + at : pixels, to_packed ? pixels : packed + at, length);
    }
}

static void host_copy(Round *round, ImageView view, Part part, bool to_packed) {
    const double start = clock_ms();
    pass(view, part, round->host, to_packed);
    timeline_add(transfer_job(round->stage)->timeline, 'S', 0, start - round->start, clock_ms() - start);
}

void round_pack(Round *round, Part part) {
    host_copy(round, round->stage->in[0], part, true);
}

void round_unpack(Round *round, Part part) {
    host_copy(round, round->stage->out, part, false);
}

Status round_mark(Round *round, Part part, int mark) {
    CUDA_TRY(cudaEventRecord(round->marks[part.chunk][mark], round->streams[part.stream]));
    round->marked[part.chunk][mark] = true;
    round->stream_of[part.chunk] = part.stream;
    return STATUS_OK;
}

/* Moves the whole picture, from or to pageable memory. */
static cudaError_t move_frame(Round *round, ImageView view, cudaMemcpyKind kind, cudaStream_t stream) {
    const size_t row = shape_row_bytes(view.shape), height = view.shape.height;
    const bool in = kind == cudaMemcpyHostToDevice;
    if (view.stride == row)
        return cudaMemcpyAsync(in ? (void *)round->device : view.pixels, in ? view.pixels : round->device, row * height,
                               kind, stream);
    return cudaMemcpy2DAsync(in ? (void *)round->device : view.pixels, in ? row : view.stride,
                             in ? view.pixels : round->device, in ? view.stride : row, row, height, kind, stream);
}

Status round_to_device(Round *round, Part part) {
    const cudaStream_t stream = round->streams[part.stream];
    TRY(round_mark(round, part, 0));
    if (!round->host)
        CUDA_TRY(move_frame(round, round->stage->in[0], cudaMemcpyHostToDevice, stream));
    else
        CUDA_TRY(cudaMemcpyAsync(round->device + part.begin, round->host + part.begin, part.end - part.begin,
                                 cudaMemcpyHostToDevice, stream));
    return round_mark(round, part, 1);
}

/* The padding of the last vector lies in the buffer, too. */
Status round_kernel(Round *round, Part part) {
    GpuQueue *gpu = gpu_queue(round->queue);
    uint4 *pixels = (uint4 *)(round->device + part.begin);
    size_t count = (part.end - part.begin + WIDE - 1) / WIDE;
    bool real = round->stage->out.shape.type == PIXEL_F32;
    const size_t blocks = (count + THREADS - 1) / THREADS;
    const size_t most = (size_t)gpu_of(round->queue->device)->limits.multiProcessorCount * BLOCKS_EACH;
    const Launch launch = {dim3((unsigned)(blocks < most ? blocks : most)), dim3(THREADS), 0};
    void *arguments[] = {&pixels, &count, &real};
    const cudaStream_t own = gpu->stream;
    gpu->stream = round->streams[part.stream]; /* gpu_launch goes by the queue */
    const Status status = gpu_launch(round->queue, "transfer", (const void *)transfer_invert, launch, arguments);
    gpu->stream = own;
    TRY(status);
    return round_mark(round, part, 2);
}

Status round_from_device(Round *round, Part part) {
    const cudaStream_t stream = round->streams[part.stream];
    if (!round->host)
        CUDA_TRY(move_frame(round, round->stage->out, cudaMemcpyDeviceToHost, stream));
    else
        CUDA_TRY(cudaMemcpyAsync(round->host + part.begin, round->device + part.begin, part.end - part.begin,
                                 cudaMemcpyDeviceToHost, stream));
    return round_mark(round, part, 3);
}

Status round_wait(Round *round, Part part) {
    int last = 3;
    while (last > 0 && !round->marked[part.chunk][last])
        last--;
    CUDA_TRY(cudaEventSynchronize(round->marks[part.chunk][last]));
    return STATUS_OK;
}

Status round_end(Round *round) {
    static const char letters[] = {'H', 'K', 'D'};
    Timeline *timeline = transfer_job(round->stage)->timeline;
    for (int chunk = 0; chunk < TRANSFER_CHUNKS && timeline; chunk++)
        for (int i = 0; i < 3; i++) {
            float start, ms;
            if (!round->marked[chunk][i] || !round->marked[chunk][i + 1])
                continue;
            CUDA_TRY(cudaEventElapsedTime(&start, round->begin, round->marks[chunk][i]));
            CUDA_TRY(cudaEventElapsedTime(&ms, round->marks[chunk][i], round->marks[chunk][i + 1]));
            timeline_add(timeline, letters[i], 1 + round->stream_of[chunk], (double)start, (double)ms);
        }
    return STATUS_OK;
}

Status round_without_copies(Queue *queue, const Stage *stage, TransferMemory memory) {
    Round round;
    TRY(round_begin(queue, stage, memory, &round));
    const Part whole = round_whole(&round);
    round_pack(&round, whole);
    TRY(round_mark(&round, whole, 1));
    TRY(round_kernel(&round, whole));
    TRY(round_wait(&round, whole));
    round_unpack(&round, whole);
    return round_end(&round);
}

Status round_in_chunks(Queue *queue, const Stage *stage, int streams) {
    Round round;
    TRY(round_begin(queue, stage, TRANSFER_PINNED, &round));
    for (int chunk = 0; chunk < TRANSFER_CHUNKS; chunk++) {
        const Part part = round_part(&round, chunk, streams);
        if (part.begin >= part.end)
            continue;
        round_pack(&round, part);
        TRY(round_to_device(&round, part));
        TRY(round_kernel(&round, part));
        TRY(round_from_device(&round, part));
    }
    for (int chunk = 0; chunk < TRANSFER_CHUNKS; chunk++) {
        const Part part = round_part(&round, chunk, streams);
        if (part.begin >= part.end)
            continue;
        TRY(round_wait(&round, part));
        round_unpack(&round, part);
    }
    return round_end(&round);
}
