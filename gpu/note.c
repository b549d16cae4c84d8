/* note.c: the kernels of levels, and what the runtime and the driver tell of them. */
#include "gpu/note.h"

#include "core/device/occupancy.h"
#include "gpu/library.h"

#include <cuda.h>
#include <pthread.h>
#include <string.h>

#define WHOLE 0x1p60 /* the rank of a launch that is no part of another kernel's work, besides its threads */

static double threads_of(const dim3 *block) {
    return (double)block->x * block->y * block->z;
}

/* Kernels that are named as a part of a level, behind a comma, count least; of several passes the largest counts. */
static bool outranks(GpuQueue *gpu, const Launch *launch, double least) {
    const double rank = least + threads_of(&launch->block) * threads_of(&launch->grid);
    if (rank < gpu->launched)
        return false;
    gpu->launched = rank;
    return true;
}

void gpu_note_launch(GpuQueue *gpu, const char *where, const void *kernel, const Launch *launch) {
    if (!outranks(gpu, launch, strchr(where, ',') ? 0 : WHOLE))
        return;
    gpu->kernel = kernel;
    gpu->launch = (LaunchFacts){.threads = (int)threads_of(&launch->block), .shared_bytes = launch->shared};
}

/* ---- what is told ---- */

/* As the device tells it, which may be newer than the table. */
static Multiprocessor multiprocessor_of(const struct cudaDeviceProp *limits) {
    return (Multiprocessor){limits->major,
                            limits->minor,
                            limits->maxThreadsPerMultiProcessor,
                            limits->maxBlocksPerMultiProcessor,
                            limits->regsPerMultiprocessor,
                            limits->sharedMemPerMultiprocessor,
                            limits->reservedSharedMemPerBlock,
                            multiprocessor_shared_at_once(limits->major)};
}

/* Occupancy and its limit, where registers, memory, threads and blocks are known. */
static void complete(const struct cudaDeviceProp *limits, LaunchFacts *facts) {
    const Multiprocessor multiprocessor = multiprocessor_of(limits);
    Occupancy occupancy;
    facts->occupancy = (double)facts->blocks * facts->threads / limits->maxThreadsPerMultiProcessor;
    facts->major = limits->major;
    facts->minor = limits->minor;
    facts->limit = NULL;
    if (occupancy_of(&multiprocessor, facts->registers, facts->shared_bytes, facts->threads, &occupancy) == STATUS_OK &&
        occupancy.warps * WARP_THREADS < limits->maxThreadsPerMultiProcessor)
        facts->limit = occupancy_limit_names[occupancy.limit];
}

/* Asks the runtime about the launch that was noted. */
static Status ask_runtime(GpuQueue *gpu, LaunchFacts *facts) {
    const GpuDevice *device = gpu_of(gpu->queue.device);
    struct cudaFuncAttributes attributes;
    CUDA_TRY(cudaSetDevice(device->index));
    CUDA_TRY(cudaFuncGetAttributes(&attributes, gpu->kernel));
    *facts = gpu->launch;
    facts->registers = attributes.numRegs;
    facts->shared_bytes += attributes.sharedSizeBytes;
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&facts->blocks, gpu->kernel, facts->threads,
                                                           gpu->launch.shared_bytes));
    complete(&device->limits, facts);
    return STATUS_OK;
}

/* Runs repeat their launches: answers of the last few are kept. All is known already about a library's kernel. */
Status gpu_facts(Queue *queue, LaunchFacts *facts) {
    GpuQueue *gpu = gpu_queue(queue);
    *facts = gpu->launched > 0 ? gpu->launch : (LaunchFacts){0};
    const bool known = gpu->launched <= 0 || !gpu->kernel;
    gpu->launched = 0;
    if (known)
        return STATUS_OK;
    for (size_t i = 0; i < GPU_ANSWERS; i++) {
        const GpuAnswer *answer = &gpu->answers[i];
        if (answer->kernel == gpu->kernel && answer->launch.threads == gpu->launch.threads &&
            answer->launch.shared_bytes == gpu->launch.shared_bytes) {
            *facts = answer->facts;
            return STATUS_OK;
        }
    }
    TRY(ask_runtime(gpu, facts));
    gpu->answers[gpu->answered++ % GPU_ANSWERS] = (GpuAnswer){gpu->kernel, gpu->launch, *facts};
    return STATUS_OK;
}

/* ---- kernels that a library launches ---- */

/* The driver knows them; the runtime knows those of this program alone. */
static struct {
    CUresult (*node)(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params);
    CUresult (*function)(CUfunction *function, CUkernel kernel);
    CUresult (*attribute)(int *value, CUfunction_attribute attribute, CUfunction function);
    CUresult (*blocks)(int *blocks, CUfunction function, int threads, size_t shared);
    bool loaded;
} driver;

static void load(void) {
    static const char *const names[] = {"libcuda.so.1", NULL};
    driver.loaded =
        library_load(names, (LibrarySymbol[]){{"cuGraphKernelNodeGetParams_v2", &driver.node},
                                              {"cuKernelGetFunction", &driver.function},
                                              {"cuFuncGetAttribute", &driver.attribute},
                                              {"cuOccupancyMaxActiveBlocksPerMultiprocessor", &driver.blocks},
                                              {0}});
}

static void note_node(GpuQueue *gpu, CUgraphNode node) {
    CUDA_KERNEL_NODE_PARAMS kernel;
    LaunchFacts facts = {0};
    int shared;
    if (driver.node(node, &kernel) != CUDA_SUCCESS ||
        (!kernel.func && driver.function(&kernel.func, kernel.kern) != CUDA_SUCCESS))
        return;
    const Launch launch = {{kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ},
                           {kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ},
                           kernel.sharedMemBytes};
    facts.threads = (int)threads_of(&launch.block);
    if (driver.attribute(&facts.registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel.func) != CUDA_SUCCESS ||
        driver.attribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel.func) != CUDA_SUCCESS ||
        driver.blocks(&facts.blocks, kernel.func, facts.threads, launch.shared) != CUDA_SUCCESS ||
        !outranks(gpu, &launch, WHOLE))
        return;
    facts.shared_bytes = (size_t)shared + launch.shared;
    complete(&gpu_of(gpu->queue.device)->limits, &facts);
    gpu->launch = facts;
}

/* The nodes of a graph that are kernels. */
static void note_kernels(GpuQueue *gpu, cudaGraph_t graph) {
    cudaGraphNode_t nodes[8];
    size_t count = sizeof nodes / sizeof nodes[0];
    if (cudaGraphGetNodes(graph, nodes, &count) != cudaSuccess)
        return;
    for (size_t i = 0; i < count; i++) {
        enum cudaGraphNodeType type;
        if (cudaGraphNodeGetType(nodes[i], &type) == cudaSuccess && type == cudaGraphNodeTypeKernel)
            note_node(gpu, nodes[i]);
    }
}

void gpu_note_library(Queue *queue, Status (*enqueue)(cudaStream_t stream, void *job), void *job) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    GpuQueue *gpu = gpu_queue(queue);
    cudaGraph_t graph = NULL;
    pthread_once(&once, load);
    if (gpu->launched >= WHOLE)
        return;
    gpu->launched = WHOLE;
    gpu->kernel = NULL;
    gpu->launch = (LaunchFacts){0};
    if (driver.loaded && cudaStreamBeginCapture(gpu->stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess) {
        const Status status = enqueue(gpu->stream, job);
        if (cudaStreamEndCapture(gpu->stream, &graph) == cudaSuccess && status == STATUS_OK)
            note_kernels(gpu, graph);
        if (graph)
            (void)cudaGraphDestroy(graph);
    }
    (void)cudaGetLastError(); /* a limit of the runtime is no failure of the level */
}
