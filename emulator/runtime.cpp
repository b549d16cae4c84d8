/* runtime.cpp: the CUDA runtime, as far as glint calls it, over the emulator. Device memory is the host's, and every
 * call has ended when it returns. A fault of a kernel is told on stderr and is the error of every later call, as on a
 * device. */
#include "emulator/runtime.hpp"

#include "emulator/counting.hpp"
#include "emulator/runtime_fatbin.hpp"

#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

using namespace ptx;

std::recursive_mutex ptx::lock;
cudaError_t ptx::sticky = cudaSuccess, ptx::last = cudaSuccess;
int ptx::capability = 80;

/* A module that the compiler put into the program: unpacked when it is first needed. */
struct Embedded {
    PackedText packed;
    Module module;

    Module &read() {
        if (!module.read && packed.data)
            module.text = unpack(packed);
        read_module(module);
        return module;
    }
};

struct Registered {
    Embedded *embedded;
    std::string name;
    int dynamic_most;
};
static std::unordered_map<const void *, Registered> &kernels() {
    static std::unordered_map<const void *, Registered> map;
    return map;
}
static std::unordered_map<const void *, std::pair<Embedded *, std::string>> &variables() {
    static std::unordered_map<const void *, std::pair<Embedded *, std::string>> map;
    return map;
}

cudaError_t ptx::result(cudaError_t error) {
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

const Variable *ptx::variable_of(const void *symbol) {
    const auto found = variables().find(symbol);
    if (found == variables().end())
        return nullptr;
    try {
        const Module &module = found->second.first->read();
        const auto variable = module.variables.find(found->second.second);
        return variable == module.variables.end() ? nullptr : &variable->second;
    } catch (const Fault &fault) {
        fprintf(stderr, "emulated GPU: variable %s: %s\n", found->second.second.c_str(), fault.what());
        return nullptr;
    }
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
    Embedded *embedded = new Embedded{find_text(((const Wrapper *)wrapper)->data), {}};
    capability = std::max(capability, embedded->packed.capability);
    return (void **)embedded;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
void __cudaRegisterFunction(void **handle, const char *host, char *, const char *name, int, uint3 *, uint3 *, dim3 *,
                            dim3 *, int *) {
    kernels()[host] = {(Embedded *)handle, name, SHARED_DEFAULT};
}
void __cudaRegisterVar(void **handle, char *host, char *, const char *name, int, size_t, int, int) {
    variables()[host] = {(Embedded *)handle, name};
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

static void run_observed(Grid &grid, const Registered &of, bool together) {
    const EmulatorObserver *to = observer();
    if (!to)
        return run_grid(grid, together);
    EmulatorCounters counters;
    counters.watch = to->watch;
    counters.begin(grid);
    grid.counters = &counters;
    run_grid(grid, together);
    const EmulatorObserved observed = {of.name.c_str(),
                                       of.embedded->module.text.c_str(),
                                       {grid.grid.x, grid.grid.y, grid.grid.z},
                                       {grid.block.x, grid.block.y, grid.block.z},
                                       grid.kernel.shared_bytes + grid.dynamic_bytes,
                                       &counters};
    to->launched(to->own, &observed);
    grid.counters = nullptr;
}

static cudaError_t launch(const void *host, dim3 grid, dim3 block, size_t shared, void **arguments, bool together) {
    static const bool races = getenv("GLINT_EMULATOR_RACES") != nullptr;
    std::lock_guard<std::recursive_mutex> hold(lock);
    if (sticky != cudaSuccess)
        return result(sticky);
    const auto found = kernels().find(host);
    if (found == kernels().end())
        return result(cudaErrorInvalidDeviceFunction);
    try {
        const Function &kernel = kernel_of(found->second.embedded->read(), found->second.name);
        if ((int)shared > found->second.dynamic_most)
            return result(cudaErrorInvalidConfiguration);
        std::vector<uint64_t> parameters(kernel.parameter_bytes / 8 + 2);
        for (size_t k = 0; k < kernel.parameters.size(); k++)
            memcpy((uint8_t *)parameters.data() + kernel.parameters[k].offset, arguments[k],
                   kernel.parameters[k].bytes);
        const Extent blocks = {grid.x, grid.y, grid.z}, threads = {block.x, block.y, block.z};
        Grid launched = {kernel, blocks, threads, shared, (const uint8_t *)parameters.data(), races, 0, 0};
        launched.stops = asked_to_stop();
        check_launch(launched);
        run_observed(launched, found->second, together || kernel.cluster > 1);
        return cudaSuccess;
    } catch (const Fault &fault) {
        if (fault.kind == EMULATOR_TOO_LARGE)
            return result(cudaErrorInvalidConfiguration);
        if (fault.kind == EMULATOR_STOPPED)
            return result(cudaErrorNotReady);
        fprintf(stderr, "emulated GPU: kernel %s: %s%s\n", found->second.name.c_str(), fault.what(),
                fault.place().c_str());
        sticky = cudaErrorIllegalAddress;
        return result(sticky);
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
        const Function &kernel = kernel_of(found->second.embedded->read(), found->second.name);
        attributes->sharedSizeBytes = kernel.shared_bytes;
        attributes->localSizeBytes = kernel.local_bytes;
        attributes->maxThreadsPerBlock = (int)kernel.max_threads;
    } catch (const Fault &fault) {
        fprintf(stderr, "emulated GPU: kernel %s: %s%s\n", found->second.name.c_str(), fault.what(),
                fault.place().c_str());
        return result(cudaErrorInvalidPtx);
    }
    attributes->numRegs = 32;
    attributes->maxDynamicSharedSizeBytes = found->second.dynamic_most;
    attributes->ptxVersion = found->second.embedded->packed.capability; /* by which CUB chooses among its kernels */
    attributes->binaryVersion = capability;                             /* as if the driver had compiled the PTX */
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *host, cudaFuncAttribute attribute, int value) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    const auto found = kernels().find(host);
    if (found == kernels().end() || value > SHARED_MAX)
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
                  : (int)std::min<size_t>({32, (size_t)2048 / (size_t)threads, (size_t)SHARED_MAX / bytes});
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, threads, shared, 0);
}

/* PTX that comes at run time. Its kernels are known by where their names lie. */
struct Library {
    Embedded embedded;
    std::unordered_map<std::string, char> names;
};
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *ptx, cudaJitOption *, void **, unsigned,
                                cudaLibraryOption *, void **, unsigned) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    try {
        auto made = std::make_unique<Library>();
        made->embedded.module.text = (const char *)ptx;
        read_module(made->embedded.module);
        *library = (cudaLibrary_t)made.release();
        return cudaSuccess;
    } catch (const std::exception &fault) {
        fprintf(stderr, "emulated GPU: code that came at run time: %s\n", fault.what());
        return result(cudaErrorInvalidPtx);
    }
}
cudaError_t cudaLibraryUnload(cudaLibrary_t handle) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    Library *library = (Library *)handle;
    for (const auto &[name, place] : library->names)
        kernels().erase(&place);
    delete library;
    return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t handle, const char *name) {
    std::lock_guard<std::recursive_mutex> hold(lock);
    Library *library = (Library *)handle;
    if (!library->embedded.module.bodies.count(name))
        return result(cudaErrorSymbolNotFound);
    const char *place = &library->names[name];
    kernels()[place] = {&library->embedded, name, SHARED_DEFAULT};
    *kernel = (cudaKernel_t) const_cast<char *>(place);
    return cudaSuccess;
}
/* Kernel files, which have variables, run on the interpreter itself (emulator.h). */
cudaError_t cudaLibraryGetGlobal(void **, size_t *, cudaLibrary_t, const char *) {
    return result(cudaErrorNotSupported);
}
}
