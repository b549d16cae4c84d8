/* runtime_memory.cpp: calls of the CUDA runtime for memory, copies and textures. */
#include "emulator/runtime.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace ptx;

extern "C" {

/* Memory. Allocated memory has no value yet, and shows that. */
static size_t allocated;
static std::unordered_map<void *, size_t> sizes;
cudaError_t cudaMalloc(void **memory, size_t bytes) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    *memory = nullptr;
    if (sticky != cudaSuccess)
        return result(sticky);
    if (allocated + bytes > DEVICE_BYTES)
        return result(cudaErrorMemoryAllocation);
    *memory = take_device_memory(bytes, 0xCD);
    if (!*memory)
        return result(cudaErrorMemoryAllocation);
    allocated += bytes;
    sizes[*memory] = bytes;
    return cudaSuccess;
}
cudaError_t cudaFree(void *memory) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    if (!memory)
        return sticky;
    const auto found = sizes.find(memory);
    if (found == sizes.end() || !free_device_memory(memory))
        return result(cudaErrorInvalidValue);
    allocated -= found->second;
    sizes.erase(found);
    return sticky;
}
cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned) {
    return cudaMalloc(memory, bytes);
}
cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes, cudaMemLocation, unsigned, cudaStream_t) {
    try {
        check_device_memory((uint64_t)(uintptr_t)memory, bytes);
    } catch (const Fault &) {
        return result(cudaErrorInvalidValue);
    }
    return sticky;
}
cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t) {
    return cudaMalloc(memory, bytes);
}
cudaError_t cudaFreeAsync(void *memory, cudaStream_t) {
    return cudaFree(memory);
}
cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned) {
    *memory = aligned_alloc(4096, (bytes + 4096) / 4096 * 4096);
    if (!*memory)
        return result(cudaErrorMemoryAllocation);
    add_device_memory(*memory, bytes);
    return cudaSuccess;
}
cudaError_t cudaMallocHost(void **memory, size_t bytes) {
    return cudaHostAlloc(memory, bytes, 0);
}
cudaError_t cudaFreeHost(void *memory) {
    if (memory && !drop_device_memory(memory))
        return result(cudaErrorInvalidValue);
    free(memory);
    return cudaSuccess;
}
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned) {
    *device = host;
    return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned) {
    return cudaSuccess;
}
cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned) {
    add_device_memory(memory, bytes);
    return cudaSuccess;
}
cudaError_t cudaHostUnregister(void *memory) {
    return drop_device_memory(memory) ? cudaSuccess : result(cudaErrorInvalidValue);
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    *attributes = {};
    try {
        check_device_memory((uint64_t)(uintptr_t)memory, 1);
        attributes->type = cudaMemoryTypeHost;
        for (const auto &[begins, bytes] : sizes)
            if (memory >= begins && (const uint8_t *)memory < (const uint8_t *)begins + bytes)
                attributes->type = cudaMemoryTypeDevice;
    } catch (const Fault &) {
        attributes->type = cudaMemoryTypeUnregistered;
    }
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
    *total = DEVICE_BYTES;
    *available = *total - allocated;
    return cudaSuccess;
}
static cudaError_t copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    if (sticky != cudaSuccess)
        return result(sticky);
    try {
        if (bytes && (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice))
            check_device_memory((uint64_t)(uintptr_t)to, bytes);
        if (bytes && (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice))
            check_device_memory((uint64_t)(uintptr_t)from, bytes);
    } catch (const Fault &fault) {
        fprintf(stderr, "emulated GPU: copy: %s\n", fault.what());
        return result(cudaErrorInvalidValue);
    }
    memmove(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    return copy(to, from, bytes, kind);
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
    return copy(to, from, bytes, kind);
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t) {
    for (size_t y = 0; y < height; y++) {
        const cudaError_t error =
            copy((uint8_t *)to + y * to_pitch, (const uint8_t *)from + y * from_pitch, width, kind);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}
cudaError_t cudaMemset(void *memory, int value, size_t bytes) {
    try {
        if (bytes)
            check_device_memory((uint64_t)(uintptr_t)memory, bytes);
    } catch (const Fault &) {
        return result(cudaErrorInvalidValue);
    }
    memset(memory, value, bytes);
    return sticky;
}
cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height, cudaStream_t) {
    for (size_t y = 0; y < height; y++) {
        const cudaError_t error = cudaMemset((uint8_t *)memory + y * pitch, value, width);
        if (error != cudaSuccess)
            return error;
    }
    return sticky;
}
cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t) {
    return cudaMemset(memory, value, bytes);
}
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind,
                                    cudaStream_t) {
    const Variable *variable = variable_of(symbol);
    if (!variable || offset + bytes > variable->bytes)
        return result(cudaErrorInvalidSymbol);
    memcpy(variable->memory + offset, from, bytes);
    return sticky;
}
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
    const Variable *variable = variable_of(symbol);
    *address = variable ? variable->memory : nullptr;
    return variable ? cudaSuccess : result(cudaErrorInvalidSymbol);
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
/* Textures, of memory or of an array, which is memory whose format is known. */
struct Array {
    cudaChannelFormatDesc format;
    size_t width, height, texel;
    void *memory;
};
cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width, size_t height,
                            unsigned) {
    Array *made =
        new Array{*format, width, height, (size_t)(format->x + format->y + format->z + format->w) / 8, nullptr};
    *array = (cudaArray_t)made;
    const cudaError_t error = cudaMalloc(&made->memory, width * std::max<size_t>(height, 1) * made->texel);
    if (error != cudaSuccess) {
        delete made;
        *array = nullptr;
    }
    return error;
}
cudaError_t cudaFreeArray(cudaArray_t array) {
    const cudaError_t error = array ? cudaFree(((Array *)array)->memory) : cudaSuccess;
    delete (Array *)array;
    return error;
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, size_t x, size_t y, const void *from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    const Array *to = (const Array *)array;
    const size_t row = to->width * to->texel;
    if (x + width > row)
        return result(cudaErrorInvalidValue);
    return cudaMemcpy2DAsync((uint8_t *)to->memory + y * row + x, row, from, pitch, width, height, kind, stream);
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *reading, const cudaResourceViewDesc *) {
    cudaResourceDesc plain = *resource;
    if (resource->resType == cudaResourceTypeArray) {
        const Array *array = (const Array *)resource->res.array.array;
        plain.resType = cudaResourceTypePitch2D;
        plain.res.pitch2D = {array->memory, array->format, array->width, array->height, array->width * array->texel};
        resource = &plain;
    }
    const bool linear = resource->resType == cudaResourceTypeLinear;
    if (!linear && resource->resType != cudaResourceTypePitch2D)
        return result(cudaErrorNotSupported);
    const cudaChannelFormatDesc &d = linear ? resource->res.linear.desc : resource->res.pitch2D.desc;
    if (d.x < 8)
        return result(cudaErrorInvalidChannelDescriptor);
    Texture *t = new Texture();
    t->channels = (d.x > 0) + (d.y > 0) + (d.z > 0) + (d.w > 0);
    t->bits = d.x;
    t->kind = d.f == cudaChannelFormatKindFloat ? 2 : d.f == cudaChannelFormatKindSigned;
    t->normalized_values = reading->readMode == cudaReadModeNormalizedFloat;
    t->zero_outside = reading->addressMode[0] == cudaAddressModeBorder;
    if (linear) {
        t->memory = (const uint8_t *)resource->res.linear.devPtr;
        t->width = resource->res.linear.sizeInBytes / (size_t)(t->channels * t->bits / 8);
        t->zero_outside = true;
    } else {
        t->memory = (const uint8_t *)resource->res.pitch2D.devPtr;
        t->width = resource->res.pitch2D.width, t->height = resource->res.pitch2D.height;
        t->pitch = resource->res.pitch2D.pitchInBytes;
    }
    *object = (cudaTextureObject_t)(uintptr_t)t;
    return cudaSuccess;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    delete (Texture *)(uintptr_t)object;
    return cudaSuccess;
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *, const cudaResourceDesc *) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t) {
    return cudaSuccess;
}
}
