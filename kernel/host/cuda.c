/* cuda.c: kernels in CUDA C on an NVIDIA GPU. The driver compiles their PTX. */
#include "kernel/host/device.h"
#include "kernel/host/launches.h"

#include <cuda_runtime_api.h>
#include <string.h>

/* Around memory lies so much that must stay HOST_POISON. */
enum { MEMORIES = TASK_PARAMETERS, GUARD = 1 << 16 };

typedef struct Memory {
    const char *parameter;
    unsigned char *base;
    size_t bytes;
} Memory;

static Memory memories[MEMORIES];
static int memory_count;
static cudaLibrary_t library;
static cudaKernel_t kernel;
static cudaEvent_t begun, ended;
static int capability;

/* By what the runtime says of a kernel that failed. */
static bool cuda_fault(cudaError_t error, KernelAnswer *answer) {
    static const struct {
        cudaError_t error;
        KernelFaultKind kind;
    } kinds[] = {
        {cudaErrorIllegalAddress, KERNEL_OUT_OF_BOUNDS},
        {cudaErrorMisalignedAddress, KERNEL_MISALIGNED},
        {cudaErrorInvalidAddressSpace, KERNEL_OUT_OF_BOUNDS},
        {cudaErrorLaunchOutOfResources, KERNEL_RESOURCES},
        {cudaErrorInvalidConfiguration, KERNEL_RESOURCES},
        {cudaErrorInvalidValue, KERNEL_RESOURCES},
        {cudaErrorLaunchTimeout, KERNEL_TIME},
        {cudaErrorNoDevice, KERNEL_NO_DEVICE},
        {cudaErrorInsufficientDriver, KERNEL_NO_DEVICE},
        {cudaErrorMemoryAllocation, KERNEL_NO_DEVICE},
        {cudaErrorInitializationError, KERNEL_NO_DEVICE},
    };
    KernelFaultKind kind = KERNEL_OTHER;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].error == error)
            kind = kinds[i].kind;
    return host_fault(answer, kind, "fails: %s (%s)", cudaGetErrorString(error), cudaGetErrorName(error));
}

#define CUDA_DO(call, answer)                                                                                          \
    do {                                                                                                               \
        const cudaError_t cuda_error = (call);                                                                         \
        if (cuda_error != cudaSuccess)                                                                                 \
            return cuda_fault(cuda_error, answer);                                                                     \
    } while (0)

static bool cuda_open(int index, KernelAnswer *answer) {
    int major, minor;
    CUDA_DO(cudaSetDevice(index), answer);
    CUDA_DO(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, index), answer);
    CUDA_DO(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, index), answer);
    CUDA_DO(cudaEventCreate(&begun), answer);
    CUDA_DO(cudaEventCreate(&ended), answer);
    capability = 10 * major + minor;
    return true;
}

static bool cuda_load(const KernelTask *task, const void *binary, KernelAnswer *answer) {
    if (library)
        CUDA_DO(cudaLibraryUnload(library), answer);
    library = NULL;
    CUDA_DO(cudaLibraryLoadData(&library, binary, NULL, NULL, 0, NULL, NULL, 0), answer);
    CUDA_DO(cudaLibraryGetKernel(&kernel, library, task->kernel.name), answer);
    return true;
}

static bool cuda_take(size_t bytes, const char *parameter, void **memory, KernelAnswer *answer) {
    void *base;
    CUDA_DO(cudaMalloc(&base, bytes + 2 * (size_t)GUARD), answer);
    memories[memory_count++] = (Memory){parameter, base, bytes};
    CUDA_DO(cudaMemset(base, HOST_POISON, bytes + 2 * (size_t)GUARD), answer);
    *memory = (unsigned char *)base + GUARD;
    return true;
}

static void cuda_give_back(void) {
    while (memory_count > 0)
        (void)cudaFree(memories[--memory_count].base);
}

static bool cuda_put(void *to, const void *from, size_t bytes, KernelAnswer *answer) {
    CUDA_DO(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), answer);
    return true;
}

/* Bytes of one guard that are poison no more. */
static bool check_guard(const Memory *memory, size_t offset, const char *where, KernelAnswer *answer) {
    static unsigned char bytes[GUARD];
    size_t written = 0;
    CUDA_DO(cudaMemcpy(bytes, memory->base + offset, GUARD, cudaMemcpyDeviceToHost), answer);
    for (size_t i = 0; i < GUARD; i++)
        written += bytes[i] != HOST_POISON;
    return written == 0 ||
           host_fault(answer, KERNEL_OUT_OF_BOUNDS, "writes %zu bytes %s %s", written, where, memory->parameter);
}

static bool cuda_get(void *to, const void *from, size_t bytes, KernelAnswer *answer) {
    for (int i = 0; i < memory_count; i++)
        if (memories[i].base + GUARD == from && (!check_guard(&memories[i], 0, "in front of", answer) ||
                                                 !check_guard(&memories[i], GUARD + bytes, "behind", answer)))
            return false;
    CUDA_DO(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), answer);
    return true;
}

static bool cuda_constant(const char *name, const void *values, size_t bytes, KernelAnswer *answer) {
    void *variable;
    size_t room;
    if (cudaLibraryGetGlobal(&variable, &room, library, name) != cudaSuccess) {
        (void)cudaGetLastError();
        return true;
    }
    if (!host_fits(answer, name, room, bytes))
        return false;
    CUDA_DO(cudaMemcpy(variable, values, bytes, cudaMemcpyHostToDevice), answer);
    return true;
}

static bool launch(const HostLaunch *launch, KernelAnswer *answer) {
    void *arguments[TASK_PARAMETERS];
    memcpy(arguments, launch->arguments, sizeof arguments);
    CUDA_DO(cudaLaunchKernel((const void *)kernel, (dim3){launch->grid[0], launch->grid[1], launch->grid[2]},
                             (dim3){launch->block[0], launch->block[1], launch->block[2]}, arguments, launch->shared,
                             NULL),
            answer);
    return true;
}

static bool note_facts(const KernelTask *task, KernelAnswer *answer) {
    struct cudaFuncAttributes attributes;
    unsigned grid[3];
    size_t shared;
    int blocks = 0;
    host_grid(task, grid, &shared);
    CUDA_DO(cudaFuncGetAttributes(&attributes, (const void *)kernel), answer);
    CUDA_DO(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
            answer);
    CUDA_DO(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel,
                                                          task->kernel.block[0] * task->kernel.block[1], shared),
            answer);
    answer->facts = (KernelFacts){.registers = attributes.numRegs,
                                  .max_threads = attributes.maxThreadsPerBlock,
                                  .blocks = blocks,
                                  .shared_bytes = attributes.sharedSizeBytes + shared,
                                  .local_bytes = attributes.localSizeBytes,
                                  .capability = capability};
    return true;
}

static bool cuda_run(const HostCall *call, KernelAnswer *answer) {
    const TaskParameter *last = &call->parameters[call->task->count - 1];
    if (!note_facts(call->task, answer))
        return false;
    for (answer->runs = 0; answer->runs < call->task->runs; answer->runs++) {
        float ms;
        if (last->kind == PARAMETER_COUNTS)
            CUDA_DO(cudaMemset(last->value.pointer, 0, last->bytes), answer);
        CUDA_DO(cudaEventRecord(begun, NULL), answer);
        if (!host_launches(call, launch, answer))
            return false;
        CUDA_DO(cudaEventRecord(ended, NULL), answer);
        CUDA_DO(cudaEventSynchronize(ended), answer);
        CUDA_DO(cudaEventElapsedTime(&ms, begun, ended), answer);
        answer->ms[answer->runs] = (double)ms;
        call->ran();
    }
    return true;
}

const HostDevice host_cuda = {
    .name = "cuda",
    .open = cuda_open,
    .load = cuda_load,
    .take = cuda_take,
    .put = cuda_put,
    .get = cuda_get,
    .give_back = cuda_give_back,
    .constant = cuda_constant,
    .run = cuda_run,
};
