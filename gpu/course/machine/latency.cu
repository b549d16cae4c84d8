/* latency.cu: one thread follows a chain through lines, each of which says where the next one lies. */
#include "gpu/course/machine/machine.cuh"

enum { STEPS = 4096, THREADS = 256, BYTES_OF_LINE = 128 };

typedef struct Link {
    struct Link *next;
    char rest[BYTES_OF_LINE - sizeof(void *)];
} Link;

/* A run's result: its cycles, and where the next one goes on, so that large sets are not seen twice. */
typedef struct Chase {
    long long cycles;
    Link *at;
} Chase;

__global__ void machine_link(Link *links, uint32_t count, bool at_random, Chase *chase) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        links[i].next = links + (at_random ? CHAIN_NEXT(i, count) : (i + 1) % count);
    if (i == 0)
        chase->at = links;
}

/* The load names device memory: one that might be of shared memory takes longer. */
static __device__ __forceinline__ Link *follow(const Link *at) {
    Link *next;
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(at));
    return next;
}

__global__ void machine_latency(Chase *chase, int warm_up) {
    Link *at = chase->at;
    for (int i = 0; i < warm_up; i++)
        at = follow(at);
    const long long start = clock64();
#pragma unroll 16
    for (int i = 0; i < STEPS; i++)
        at = follow(at);
    chase->at = at; /* the load before has to be there */
    chase->cycles = clock64() - start;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    uint32_t count = (uint32_t)(x / sizeof(Link));
    int warm_up = count < STEPS ? (int)count : STEPS;
    bool at_random = series == 0;
    void *memory;
    double least;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, (size_t)x + BYTES_OF_LINE, &memory));
    void *links = (char *)memory + BYTES_OF_LINE; /* behind the kernel's count */
    void *link_arguments[] = {&links, &count, &at_random, &memory}, *arguments[] = {&memory, &warm_up};
    KernelRun link = {"machine link",
                      (const void *)machine_link,
                      {dim3((count + THREADS - 1) / THREADS), dim3(THREADS), 0},
                      link_arguments};
    KernelRun run = {"machine latency", (const void *)machine_latency, {dim3(1), dim3(1), 0}, arguments};
    TRY(run_kernel(queue, &link));
    TRY(machine_cycles(queue, &run, &((const Chase *)memory)->cycles, &least));
    *y = least / STEPS;
    return STATUS_OK;
}

static void tell(const Curve *curve, char *text, size_t size) {
    const double points[] = {16 << 10, 4 << 20, 256 << 20};
    curve_tell_at(curve, 0, points, 3, text, size);
}

extern "C" const Experiment cuda_machine_latency = {
    .name = "latency",
    .title = "Latency by working set",
    .idea = "one thread follows a chain through lines of 128 bytes, each of which says where the next one lies",
    .advice = "Hide it by enough loads under way, of many warps or several a thread; keep data for later use in shared "
              "memory or registers.",
    .x = {"working set", "B", false},
    .y = {"time of a load", "cycles", false},
    .series = {"at random", "in order"},
    .points = {0x1p12, 0x1p13, 0x1p14, 0x1p15, 0x1p16, 0x1p17, 0x1p18, 0x1p19, 0x1p20, 0x1p21, 0x1p22, 0x1p23, 0x1p24,
               0x1p25, 0x1p26, 0x1p27, 0x1p28},
    .measure = measure,
    .tell = tell,
};
