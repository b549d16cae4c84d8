/* runtime.cpp: the CUDA runtime, as far as glint calls it, over the emulator: device memory is the host's, and every
 * call has ended when it returns. A fault of a kernel is told on stderr and is the error of every later call, as on a
 * device. */
#include "tests/emulator/ptx.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>

using namespace ptx;

enum { SHARED_OPTIN = 232448, SHARED_DEFAULT = 49152, MULTIPROCESSORS = 4 };

static std::recursive_mutex lock;
static cudaError_t sticky = cudaSuccess, last = cudaSuccess;

struct Registered {
    Module *module;
    std::string name;
    int dynamic_most;
};
static std::unordered_map<const void *, Registered> &kernels() {
    static std::unordered_map<const void *, Registered> map;
    return map;
}
static std::unordered_map<const void *, std::pair<Module *, std::string>> &variables() {
    static std::unordered_map<const void *, std::pair<Module *, std::string>> map;
    return map;
}

/* The device is as capable as the most demanding module wants: `.target sm_80` is 80. */
static int capability = 80;

/* The target that a module's PTX is compiled for; 0 for a module without PTX. */
static int target_of(const Module &module) {
    static const char begins[] = ".target sm_";
    const size_t at = module.text.find(begins);
    return at == std::string::npos ? 0 : atoi(module.text.c_str() + at + strlen(begins));
}

static cudaError_t result(cudaError_t error) {
    if (error != cudaSuccess)
        last = error;
    return error;
}

void ptx::fail_call(int error, bool lost) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    if (lost)
        sticky = (cudaError_t)error;
    last = (cudaError_t)error;
}

extern "C" {

/* The driver is the only library that can be loaded at run time, with one function. */
CUresult emulated_tensor_map(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                             const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                             CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
void *__real_dlsym(void *, const char *);
static int driver;
void *__wrap_dlopen(const char *name, int) {
    return name && strcmp(name, "libcuda.so.1") == 0 ? &driver : nullptr;
}
void *__wrap_dlsym(void *handle, const char *name) {
    if (handle != &driver)
        return __real_dlsym(handle, name);
    return strcmp(name, "cuTensorMapEncodeTiled") == 0 ? (void *)emulated_tensor_map : nullptr;
}

/* The calls by which the compiler's code registers kernels before main. */
void **__cudaRegisterFatBinary(void *wrapper) {
    struct Wrapper {
        int magic, version;
        const char *data;
    };
    struct Header {
        uint32_t magic;
        uint16_t version, size;
        uint64_t bytes;
    };
    const char *data = ((const Wrapper *)wrapper)->data;
    const Header *header = (const Header *)data;
    Module *module = new Module();
    const char *end = data + header->size + header->bytes;
    static const char begins[] = ".version";
    const char *at = std::search(data, end, begins, begins + strlen(begins));
    if (at != end)
        module->text = std::string(at, strnlen(at, (size_t)(end - at)));
    capability = std::max(capability, target_of(*module));
    return (void **)module; /* read when it is first needed */
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
void __cudaRegisterFunction(void **handle, const char *host, char *, const char *name, int, uint3 *, uint3 *, dim3 *,
                            dim3 *, int *) {
    kernels()[host] = {(Module *)handle, name, SHARED_DEFAULT};
}
void __cudaRegisterVar(void **handle, char *host, char *, const char *name, int, size_t, int, int) {
    variables()[host] = {(Module *)handle, name};
}
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host) {
    *kernel = (cudaKernel_t) const_cast<void *>(host);
    return cudaSuccess;
}

static struct {
    dim3 grid, block;
    size_t shared;
} pushed;
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t) {
    pushed = {grid, block, shared};
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
    *grid = pushed.grid, *block = pushed.block, *shared = pushed.shared;
    *(cudaStream_t *)stream = nullptr;
    return cudaSuccess;
}

static cudaError_t launch(const void *host, dim3 grid, dim3 block, size_t shared, void **arguments, bool together) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    if (sticky != cudaSuccess)
        return result(sticky);
    const auto found = kernels().find(host);
    if (found == kernels().end())
        return result(cudaErrorInvalidDeviceFunction);
    try {
        const Function &kernel = kernel_of(*found->second.module, found->second.name);
        const size_t threads = (size_t)block.x * block.y * block.z;
        if (!threads || threads > kernel.max_threads || block.z > 64 || !grid.x || !grid.y || !grid.z ||
            grid.y > 65535 || grid.z > 65535 || (int)shared > found->second.dynamic_most ||
            kernel.shared_bytes + shared > SHARED_OPTIN)
            return result(cudaErrorInvalidConfiguration);
        std::vector<uint64_t> parameters(kernel.parameter_bytes / 8 + 2);
        for (size_t k = 0; k < kernel.parameters.size(); k++)
            memcpy((uint8_t *)parameters.data() + kernel.parameters[k].offset, arguments[k],
                   kernel.parameters[k].bytes);
        const Grid launched = {kernel, {grid.x, grid.y, grid.z},           {block.x, block.y, block.z},
                               shared, (const uint8_t *)parameters.data(), 0};
        run_grid(launched, together || kernel.cluster > 1);
        return cudaSuccess;
    } catch (const std::exception &fault) {
        fprintf(stderr, "emulated GPU: kernel %s: %s\n", found->second.name.c_str(), fault.what());
        sticky = cudaErrorIllegalAddress;
        return result(sticky);
    }
}
cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t) {
    return launch(host, grid, block, shared, arguments, false);
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t) {
    return launch((const void *)kernel, grid, block, shared, arguments, false);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *host, void **arguments) {
    bool together = false;
    for (unsigned k = 0; k < config->numAttrs; k++)
        together |= (config->attrs[k].id == cudaLaunchAttributeCooperative && config->attrs[k].val.cooperative) ||
                    config->attrs[k].id == cudaLaunchAttributeClusterDimension;
    return launch(host, config->gridDim, config->blockDim, config->dynamicSmemBytes, arguments, together);
}
cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared,
                                        cudaStream_t) {
    return launch(host, grid, block, shared, arguments, true);
}

/* Kernels. */
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *host) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    const auto found = kernels().find(host);
    if (found == kernels().end())
        return result(cudaErrorInvalidDeviceFunction);
    *attributes = {};
    try {
        const Function &kernel = kernel_of(*found->second.module, found->second.name);
        attributes->sharedSizeBytes = kernel.shared_bytes;
        attributes->localSizeBytes = kernel.local_bytes;
        attributes->maxThreadsPerBlock = (int)kernel.max_threads;
    } catch (const Fault &fault) {
        fprintf(stderr, "emulated GPU: kernel %s: %s\n", found->second.name.c_str(), fault.what());
        return result(cudaErrorInvalidPtx);
    }
    attributes->numRegs = 32;
    attributes->maxDynamicSharedSizeBytes = found->second.dynamic_most;
    attributes->ptxVersion = target_of(*found->second.module); /* by which CUB chooses among its kernels */
    attributes->binaryVersion = capability;                    /* as if the driver had compiled the PTX */
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *host, cudaFuncAttribute attribute, int value) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    const auto found = kernels().find(host);
    if (found == kernels().end() || value > SHARED_OPTIN)
        return result(cudaErrorInvalidValue);
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
        found->second.dynamic_most = value;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host, int threads,
                                                                   size_t shared, unsigned) {
    cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, host);
    if (error != cudaSuccess)
        return error;
    const size_t bytes = attributes.sharedSizeBytes + shared + 1024;
    *blocks = threads > attributes.maxThreadsPerBlock
                  ? 0
                  : (int)std::min<size_t>({32, (size_t)2048 / (size_t)threads, (size_t)SHARED_OPTIN / bytes});
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, threads, shared, 0);
}

/* The device. */
cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    return device ? result(cudaErrorInvalidDevice) : cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int) {
    *p = {};
    snprintf(p->name, sizeof p->name, "emulated GPU");
    memset(p->uuid.bytes, 0x67, sizeof p->uuid.bytes);
    p->major = capability / 10, p->minor = capability % 10;
    p->totalGlobalMem = (size_t)2 << 30;
    p->sharedMemPerBlock = SHARED_DEFAULT;
    p->sharedMemPerBlockOptin = SHARED_OPTIN;
    p->sharedMemPerMultiprocessor = 233472;
    p->reservedSharedMemPerBlock = 1024;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = LANES;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsPerMultiProcessor = 2048;
    p->maxBlocksPerMultiProcessor = 32;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->multiProcessorCount = MULTIPROCESSORS;
    p->textureAlignment = p->surfaceAlignment = 512;
    p->texturePitchAlignment = 32;
    p->maxTexture2DLinear[0] = 131072, p->maxTexture2DLinear[1] = 65000, p->maxTexture2DLinear[2] = 2097120;
    p->maxTexture2D[0] = 131072, p->maxTexture2D[1] = 65536;
    p->l2CacheSize = 50 << 20;
    p->persistingL2CacheMaxSize = 30 << 20;
    p->unifiedAddressing = p->concurrentKernels = p->cooperativeLaunch = p->canMapHostMemory = p->managedMemory = 1;
    p->concurrentManagedAccess = 1;
    p->memoryBusWidth = 5120;
    p->asyncEngineCount = 3;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
        *value = p.multiProcessorCount;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *value = p.major;
        break;
    case cudaDevAttrComputeCapabilityMinor:
        *value = p.minor;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = SHARED_OPTIN;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = SHARED_DEFAULT;
        break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = 233472;
        break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
        *value = 1024;
        break;
    case cudaDevAttrMaxGridDimX:
        *value = p.maxGridSize[0];
        break;
    case cudaDevAttrWarpSize:
        *value = LANES;
        break;
    case cudaDevAttrClockRate:
        *value = 1000000;
        break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = 2048;
        break;
    case cudaDevAttrL2CacheSize:
        *value = p.l2CacheSize;
        break;
    case cudaDevAttrCooperativeLaunch:
        *value = 1;
        break;
    default:
        *value = 0;
    }
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *version) {
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) {
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char *, int, int) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaDeviceSynchronize(void) {
    return sticky;
}
cudaError_t cudaGetLastError(void) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    const cudaError_t error = last;
    last = sticky;
    return error;
}
cudaError_t cudaPeekAtLastError(void) {
    return last;
}
const char *cudaGetErrorName(cudaError_t error) {
    switch (error) {
    case cudaSuccess:
        return "cudaSuccess";
    case cudaErrorIllegalAddress:
        return "cudaErrorIllegalAddress";
    case cudaErrorMemoryAllocation:
        return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
        return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidDeviceFunction:
        return "cudaErrorInvalidDeviceFunction";
    case cudaErrorNotSupported:
        return "cudaErrorNotSupported";
    case cudaErrorUnknown:
        return "cudaErrorUnknown";
    default:
        return "cudaErrorInvalidValue";
    }
}
const char *cudaGetErrorString(cudaError_t error) {
    return cudaGetErrorName(error);
}

/* Memory. Allocated memory has no value yet, and shows that. */
static size_t allocated;
static std::unordered_map<void *, size_t> sizes;
cudaError_t cudaMalloc(void **memory, size_t bytes) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    *memory = nullptr;
    if (sticky != cudaSuccess)
        return result(sticky);
    if (allocated + bytes > ((size_t)2 << 30))
        return result(cudaErrorMemoryAllocation);
    *memory = aligned_alloc(512, (bytes + 1023) / 512 * 512);
    if (!*memory)
        return result(cudaErrorMemoryAllocation);
    memset(*memory, 0xCD, bytes);
    allocated += bytes;
    sizes[*memory] = bytes;
    add_device_memory(*memory, bytes);
    return cudaSuccess;
}
cudaError_t cudaFree(void *memory) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    if (!memory)
        return sticky;
    if (!drop_device_memory(memory))
        return result(cudaErrorInvalidValue);
    allocated -= sizes[memory];
    sizes.erase(memory);
    free(memory);
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
    *total = (size_t)2 << 30;
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
static Variable *variable_of(const void *symbol) {
    const auto found = variables().find(symbol);
    if (found == variables().end())
        return nullptr;
    read_module(*found->second.first);
    const auto variable = found->second.first->variables.find(found->second.second);
    return variable == found->second.first->variables.end() ? nullptr : &variable->second;
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

/* Streams and events: everything has ended. */
struct Event {
    std::chrono::steady_clock::time_point time;
};
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    *stream = (cudaStream_t) new int;
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithFlags(stream, 0);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    delete (int *)stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return sticky;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
    return sticky;
}
cudaError_t cudaStreamQuery(cudaStream_t) {
    return sticky;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    *event = (cudaEvent_t) new Event();
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, 0);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete (Event *)event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
    ((Event *)event)->time = std::chrono::steady_clock::now();
    return sticky;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
    return sticky;
}
cudaError_t cudaEventQuery(cudaEvent_t) {
    return sticky;
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
    *ms = std::chrono::duration<float, std::milli>(((Event *)to)->time - ((Event *)from)->time).count();
    return sticky;
}

/* Nothing takes time here that a graph could save. */
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t *, size_t *) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t, cudaGraphNodeType *) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t, cudaKernelNodeParams *) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *, cudaGraph_t, unsigned long long) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphDestroy(cudaGraph_t) {
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
    return cudaSuccess;
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

/* OpenGL: none here. */
struct cudaGraphicsResource;
cudaError_t cudaGLGetDevices(unsigned *, int *, unsigned, int) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource **, unsigned, unsigned, unsigned) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource **, unsigned, unsigned) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t *, cudaStream_t) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t *, cudaStream_t) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsResourceGetMappedPointer(void **, size_t *, cudaGraphicsResource_t) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *, cudaGraphicsResource_t, unsigned, unsigned) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t) {
    return result(cudaErrorNotSupported);
}
}
