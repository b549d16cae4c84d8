/* runtime_device.cpp: calls of the CUDA runtime about the device and its errors. */
#include "emulator/runtime.hpp"

#include <cstdio>
#include <cstdlib>

using namespace ptx;

/* Grids of some levels follow the number of multiprocessors; $GLINT_EMULATED_PROCESSORS makes it that of a GPU. */
static int processors() {
    const char *number = getenv("GLINT_EMULATED_PROCESSORS");
    const int count = number ? atoi(number) : 0;
    return count > 0 && count <= 1024 ? count : MULTIPROCESSORS;
}

extern "C" {

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
    p->totalGlobalMem = DEVICE_BYTES;
    p->sharedMemPerBlock = SHARED_DEFAULT;
    p->sharedMemPerBlockOptin = SHARED_MAX;
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
    p->multiProcessorCount = processors();
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
        *value = SHARED_MAX;
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
}
