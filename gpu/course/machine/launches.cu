/* launches.cu: kernels that do nothing, one after the other. */
#include "gpu/course/machine/machine.cuh"

__global__ void machine_nothing(void) {}

enum { WAITED_FOR = 0, TOGETHER, GRAPH };

typedef struct Launches {
    int count;
    bool waits; /* for each */
    cudaGraphExec_t graph;
} Launches;

static Status launch_one(Queue *queue) {
    const Launch launch = {dim3(1), dim3(WARP), 0};
    void *arguments[] = {NULL};
    return gpu_launch(queue, "machine launches", (const void *)machine_nothing, launch, arguments);
}

static Status launch_all(Queue *queue, void *job) {
    const Launches *launches = (const Launches *)job;
    for (int i = 0; i < launches->count; i++) {
        TRY(launch_one(queue));
        if (launches->waits)
            CUDA_TRY(cudaStreamSynchronize(gpu_queue(queue)->stream));
    }
    return STATUS_OK;
}

static Status launch_graph(Queue *queue, void *job) {
    CUDA_TRY(cudaGraphLaunch(((const Launches *)job)->graph, gpu_queue(queue)->stream));
    return STATUS_OK;
}

/* The launches of launch_all as a graph, of a kernel that is loaded. The capture has to end, whatever comes of it. */
static Status make_graph(Queue *queue, Launches *launches) {
    cudaGraph_t graph = NULL;
    TRY(launch_one(queue));
    CUDA_TRY(cudaStreamSynchronize(gpu_queue(queue)->stream));
    CUDA_TRY(cudaStreamBeginCapture(gpu_queue(queue)->stream, cudaStreamCaptureModeThreadLocal));
    const Status status = launch_all(queue, launches);
    const cudaError_t ended = cudaStreamEndCapture(gpu_queue(queue)->stream, &graph);
    cudaError_t made = ended;
    if (status == STATUS_OK && ended == cudaSuccess)
        made = cudaGraphInstantiateWithFlags(&launches->graph, graph, 0);
    if (graph)
        (void)cudaGraphDestroy(graph);
    TRY(status);
    CUDA_TRY(made);
    return STATUS_OK;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    Launches launches = {(int)x, series == WAITED_FOR, NULL};
    double ms = 0;
    TRY(series == GRAPH ? make_graph(queue, &launches) : STATUS_OK);
    const Status status = experiment_time_host(queue, series == GRAPH ? launch_graph : launch_all, &launches, &ms);
    if (launches.graph)
        (void)cudaGraphExecDestroy(launches.graph);
    *y = ms * 1e3 / x;
    return status;
}

extern "C" const Experiment cuda_machine_launches = {
    .name = "launches",
    .title = "Launches",
    .idea = "so many kernels that do nothing, each waited for, or only the last, or all of them as one graph; by the "
            "host's clock",
    .advice = "Give a kernel work for ten times as long as that, wait seldom, and make a graph of kernels that are "
              "launched again and again.",
    .x = {"in a row", "kernels", false},
    .y = {"time of a launch", "µs", false},
    .series = {"each waited for", "the last waited for", "as a graph"},
    .points = {1, 4, 16, 64, 256},
    .measure = measure,
};
