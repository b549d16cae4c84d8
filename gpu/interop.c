/* interop.c: the routes that leave results on the GPU: OpenGL's textures and pixel buffers, registered with CUDA. */
#include "gpu/interop.h"

#include "core/timing.h"

#include <cuda_gl_interop.h>
#include <stdlib.h>

enum { GL_DEVICES_MAX = 32, MARKS_OF_WRITE = 4 };
#define OFFLOAD_HINT "start glint with __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia"

struct Port {
    struct cudaGraphicsResource *resource;
    Shape shape;
    cudaSurfaceObject_t surface; /* of the last write; 0: none */
    cudaEvent_t marks[MARKS_OF_WRITE];
    double begun_at; /* of the last write, on clock_ms() */
};

static Status refuse(cudaError_t error, const char *where) {
    (void)cudaGetLastError();
    return fail(STATUS_DEVICE, "%s at %s; " OFFLOAD_HINT, cudaGetErrorName(error), where);
}

/* Registering what lies on another GPU works with some drivers, through copies that nobody asked for. Where the driver
 * cannot tell, registering does. */
static Status check_device(const GpuDevice *gpu) {
    unsigned count = 0;
    int devices[GL_DEVICES_MAX];
    CUDA_TRY(cudaSetDevice(gpu->index));
    if (cudaGLGetDevices(&count, devices, GL_DEVICES_MAX, cudaGLDeviceListAll) != cudaSuccess) {
        (void)cudaGetLastError();
        count = 0;
    }
    for (unsigned i = 0; i < count; i++)
        if (devices[i] == gpu->index)
            return STATUS_OK;
    return count == 0 ? STATUS_OK
                      : fail(STATUS_DEVICE, "OpenGL draws on CUDA device %d, not %d; start glint with --device %d",
                             devices[0], gpu->index, devices[0]);
}

static void close_port(Device *device, Port **port) {
    Port *old = *port;
    *port = NULL;
    if (!old)
        return;
    cudaSetDevice(gpu_of(device)->index);
    for (int i = 0; i < MARKS_OF_WRITE; i++)
        if (old->marks[i]) {
            cudaEventSynchronize(old->marks[i]);
            cudaEventDestroy(old->marks[i]);
        }
    if (old->surface)
        cudaDestroySurfaceObject(old->surface);
    if (old->resource)
        cudaGraphicsUnregisterResource(old->resource);
    (void)cudaGetLastError();
    free(old);
}

static Status open_port(Device *device, Shape shape, Port **port) {
    *port = NULL;
    TRY(check_device(gpu_of(device)));
    Port *made = *port = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a way to the window");
    made->shape = shape;
    for (int i = 0; i < MARKS_OF_WRITE; i++) {
        const cudaError_t error = cudaEventCreate(&made->marks[i]);
        if (error != cudaSuccess) {
            made->marks[i] = NULL;
            close_port(device, port);
            return gpu_fail(error, "cudaEventCreate");
        }
    }
    return STATUS_OK;
}

static Status registered(Device *device, cudaError_t error, const char *where, Port **port) {
    if (error == cudaSuccess)
        return STATUS_OK;
    close_port(device, port);
    return refuse(error, where);
}

static Status open_texture(Device *device, unsigned texture, Shape shape, Port **port) {
    TRY(open_port(device, shape, port));
    return registered(device,
                      cudaGraphicsGLRegisterImage(&(*port)->resource, texture, GL_TEXTURE_2D,
                                                  cudaGraphicsRegisterFlagsSurfaceLoadStore),
                      "cudaGraphicsGLRegisterImage", port);
}

static Status open_buffer(Device *device, unsigned buffer, Shape shape, Port **port) {
    TRY(open_port(device, shape, port));
    return registered(device,
                      cudaGraphicsGLRegisterBuffer(&(*port)->resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard),
                      "cudaGraphicsGLRegisterBuffer", port);
}

/* The texture's memory may lie elsewhere each time it is mapped. */
static Status fill_texture(Queue *queue, Port *port, Frame frame) {
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    CUDA_TRY(cudaGraphicsSubResourceGetMappedArray(&resource.res.array.array, port->resource, 0, 0));
    CUDA_TRY(cudaCreateSurfaceObject(&port->surface, &resource));
    return gpu_present(queue, frame, port->surface);
}

static Status fill_buffer(Queue *queue, Port *port, Frame frame) {
    void *memory;
    size_t bytes;
    const size_t row = shape_row_bytes(frame.shape);
    CUDA_TRY(cudaGraphicsResourceGetMappedPointer(&memory, &bytes, port->resource));
    if (bytes < shape_bytes(frame.shape))
        return fail(STATUS_DEVICE, "the pixel buffer has %zu bytes, and the frame %zu", bytes,
                    shape_bytes(frame.shape));
    CUDA_TRY(cudaMemcpy2DAsync(memory, row, frame.pixels, frame.stride, row, frame.shape.height,
                               cudaMemcpyDeviceToDevice, gpu_queue(queue)->stream));
    return STATUS_OK;
}

typedef Status Fill(Queue *queue, Port *port, Frame frame);

static Status mark(Port *port, int number, cudaStream_t stream) {
    CUDA_TRY(cudaEventRecord(port->marks[number], stream));
    return STATUS_OK;
}

/* What is mapped is unmapped, whatever happens between. */
static Status map_and_fill(Queue *queue, Port *port, Frame frame, Fill *fill) {
    const cudaStream_t stream = gpu_queue(queue)->stream;
    TRY(mark(port, 0, stream));
    CUDA_TRY(cudaGraphicsMapResources(1, &port->resource, stream));
    Status status = mark(port, 1, stream);
    if (status == STATUS_OK)
        status = fill(queue, port, frame);
    if (status == STATUS_OK)
        status = mark(port, 2, stream);
    const cudaError_t error = cudaGraphicsUnmapResources(1, &port->resource, stream);
    if (status == STATUS_OK && error != cudaSuccess)
        status = gpu_fail(error, "cudaGraphicsUnmapResources");
    return status == STATUS_OK ? mark(port, MARKS_OF_WRITE - 1, stream) : status;
}

/* The surface serves until the write is done. */
static Status wait_for_port(Port *port, Spans *spans) {
    static const char *const names[MARKS_OF_WRITE - 1] = {"map", "write", "unmap"};
    CUDA_TRY(cudaEventSynchronize(port->marks[MARKS_OF_WRITE - 1]));
    if (port->surface)
        cudaDestroySurfaceObject(port->surface);
    port->surface = 0;
    double start = port->begun_at;
    for (int i = 0; i < MARKS_OF_WRITE - 1; i++) {
        float ms;
        CUDA_TRY(cudaEventElapsedTime(&ms, port->marks[i], port->marks[i + 1]));
        spans_add_queued(spans, names[i], NULL, start, (double)ms);
        start += (double)ms;
    }
    return STATUS_OK;
}

static Status write_port(Queue *queue, Port *port, Frame frame, Fill *fill) {
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    if (!shape_equal(port->shape, frame.shape))
        return fail(STATUS_DEVICE, "the way to the window was made for frames of another shape");
    port->begun_at = clock_ms();
    return map_and_fill(queue, port, frame, fill);
}

static Status write_texture(Queue *queue, Port *port, Frame frame) {
    return write_port(queue, port, frame, fill_texture);
}

static Status write_buffer(Queue *queue, Port *port, Frame frame) {
    return write_port(queue, port, frame, fill_buffer);
}

const Route cuda_routes[CUDA_ROUTES] = {
    {"pbo",
     "a pixel buffer of OpenGL is mapped into CUDA's memory and filled there; OpenGL then updates the texture from it",
     ROUTE_BUFFER, open_buffer, write_buffer, wait_for_port, close_port},
    {"surface", "the texture itself is mapped, and a kernel stores its texels: one trip through the GPU's memory",
     ROUTE_TEXTURE, open_texture, write_texture, wait_for_port, close_port},
};
