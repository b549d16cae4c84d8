/* interop.c: the routes that leave results on the GPU: OpenGL's textures and pixel buffers, registered with CUDA. */
#include "gpu/interop.h"

#include "core/base/timing.h"

#include <cuda_gl_interop.h>
#include <stdlib.h>

enum { GL_DEVICES_MAX = 32 };
#define OFFLOAD_HINT "start glint with __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia"

/* The moments of a frame's way. */
typedef enum Mark { MARK_MAP, MARK_MAPPED, MARK_WRITE, MARK_WRITTEN, MARK_UNMAPPED, MARKS } Mark;

struct Port {
    int device;
    struct cudaGraphicsResource *resource;
    cudaStream_t stream; /* maps, while the frame may still be made */
    bool mapped;
    cudaSurfaceObject_t surface; /* over the array mapped last; 0: none */
    cudaEvent_t marks[MARKS];
    double mapped_at, written_at; /* when either was enqueued, on clock_ms() */
};

static Status refuse(cudaError_t error, const char *where) {
    (void)cudaGetLastError();
    return fail(STATUS_DEVICE, "%s at %s; " OFFLOAD_HINT, cudaGetErrorName(error), where);
}

/* Registering a texture or buffer of another GPU works with some drivers, through copies that nobody asked for. Where
 * the driver cannot tell, registering does. */
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

/* Serves from mapping until the write is done. */
static void drop_surface(Port *port) {
    if (port->surface)
        cudaDestroySurfaceObject(port->surface);
    port->surface = 0;
}

static Status mark(Port *port, Mark which, cudaStream_t stream) {
    CUDA_TRY(cudaEventRecord(port->marks[which], stream));
    return STATUS_OK;
}

static void release_port(Port *port) {
    if (!port->mapped)
        return;
    port->mapped = false;
    cudaSetDevice(port->device);
    cudaGraphicsUnmapResources(1, &port->resource, port->stream);
    drop_surface(port);
    (void)cudaGetLastError();
}

static void close_port(Device *device, Port **port) {
    Port *old = *port;
    *port = NULL;
    if (!old)
        return;
    cudaSetDevice(gpu_of(device)->index);
    release_port(old);
    for (int i = 0; i < MARKS; i++)
        if (old->marks[i]) {
            cudaEventSynchronize(old->marks[i]);
            cudaEventDestroy(old->marks[i]);
        }
    drop_surface(old);
    if (old->resource)
        cudaGraphicsUnregisterResource(old->resource);
    if (old->stream)
        cudaStreamDestroy(old->stream);
    (void)cudaGetLastError();
    free(old);
}

static Status equip_port(Port *port) {
    CUDA_TRY(cudaStreamCreateWithFlags(&port->stream, cudaStreamNonBlocking));
    for (int i = 0; i < MARKS; i++)
        CUDA_TRY(cudaEventCreate(&port->marks[i]));
    return STATUS_OK;
}

static Status open_port(Device *device, Port **port) {
    *port = NULL;
    TRY(check_device(gpu_of(device)));
    Port *made = *port = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a way to the window");
    made->device = gpu_of(device)->index;
    const Status status = equip_port(made);
    if (status != STATUS_OK)
        close_port(device, port);
    return status;
}

static Status registered(Device *device, cudaError_t error, const char *where, Port **port) {
    if (error == cudaSuccess)
        return STATUS_OK;
    close_port(device, port);
    return refuse(error, where);
}

static Status open_texture(Device *device, unsigned texture, Shape shape, Port **port) {
    (void)shape;
    TRY(open_port(device, port));
    return registered(device,
                      cudaGraphicsGLRegisterImage(&(*port)->resource, texture, GL_TEXTURE_2D,
                                                  cudaGraphicsRegisterFlagsSurfaceLoadStore),
                      "cudaGraphicsGLRegisterImage", port);
}

static Status open_buffer(Device *device, unsigned buffer, Shape shape, Port **port) {
    (void)shape;
    TRY(open_port(device, port));
    return registered(device,
                      cudaGraphicsGLRegisterBuffer(&(*port)->resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard),
                      "cudaGraphicsGLRegisterBuffer", port);
}

static Status map_port(Port *port) {
    if (port->mapped)
        return STATUS_OK;
    CUDA_TRY(cudaSetDevice(port->device));
    port->mapped_at = clock_ms();
    TRY(mark(port, MARK_MAP, port->stream));
    CUDA_TRY(cudaGraphicsMapResources(1, &port->resource, port->stream));
    port->mapped = true;
    return mark(port, MARK_MAPPED, port->stream);
}

/* The texture's memory may lie elsewhere each time it is mapped. */
static Status map_texture(Port *port) {
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    TRY(map_port(port));
    if (port->surface)
        return STATUS_OK;
    CUDA_TRY(cudaGraphicsSubResourceGetMappedArray(&resource.res.array.array, port->resource, 0, 0));
    CUDA_TRY(cudaCreateSurfaceObject(&port->surface, &resource));
    return STATUS_OK;
}

static Status fill_texture(Queue *queue, Port *port, Frame frame) {
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

/* Behind the frame, and behind the mapping. */
static Status fill_behind(Queue *queue, Port *port, Frame frame, Fill *fill) {
    const cudaStream_t stream = gpu_queue(queue)->stream;
    CUDA_TRY(cudaSetDevice(port->device));
    port->written_at = clock_ms();
    CUDA_TRY(cudaStreamWaitEvent(stream, port->marks[MARK_MAPPED], 0));
    TRY(mark(port, MARK_WRITE, stream));
    TRY(fill(queue, port, frame));
    return mark(port, MARK_WRITTEN, stream);
}

/* A mapped resource is unmapped, whatever happens between. */
static Status write_port(Queue *queue, Port *port, Frame frame, Status (*map)(Port *port), Fill *fill) {
    const cudaStream_t stream = gpu_queue(queue)->stream;
    Status status = map(port);
    if (status == STATUS_OK)
        status = fill_behind(queue, port, frame, fill);
    if (status != STATUS_OK) {
        cudaStreamSynchronize(stream); /* the stream may write to mapped memory */
        release_port(port);
        return status;
    }
    port->mapped = false;
    CUDA_TRY(cudaGraphicsUnmapResources(1, &port->resource, stream));
    return mark(port, MARK_UNMAPPED, stream);
}

static Status add_span(const Port *port, const char *name, double start, Mark from, Mark to, Spans *spans) {
    float ms;
    CUDA_TRY(cudaEventElapsedTime(&ms, port->marks[from], port->marks[to]));
    spans_add_queued(spans, name, NULL, start, (double)ms);
    return STATUS_OK;
}

static Status wait_for_port(Port *port, Spans *spans) {
    CUDA_TRY(cudaEventSynchronize(port->marks[MARK_UNMAPPED]));
    drop_surface(port);
    TRY(add_span(port, "map", port->mapped_at, MARK_MAP, MARK_MAPPED, spans));
    TRY(add_span(port, "write", port->written_at, MARK_WRITE, MARK_WRITTEN, spans));
    return add_span(port, "unmap", port->written_at, MARK_WRITTEN, MARK_UNMAPPED, spans);
}

static Status write_texture(Queue *queue, Port *port, Frame frame) {
    return write_port(queue, port, frame, map_texture, fill_texture);
}

static Status write_buffer(Queue *queue, Port *port, Frame frame) {
    return write_port(queue, port, frame, map_port, fill_buffer);
}

const Route cuda_routes[CUDA_ROUTES] = {
    {"pbo",
     "a pixel buffer of OpenGL is mapped into CUDA's memory and filled there; OpenGL then updates the texture from it",
     ROUTE_BUFFER, open_buffer, map_port, release_port, write_buffer, wait_for_port, close_port},
    {"surface", "the texture itself is mapped, and a kernel stores its texels: one trip through the GPU's memory",
     ROUTE_TEXTURE, open_texture, map_texture, release_port, write_texture, wait_for_port, close_port},
};
