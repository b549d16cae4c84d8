/* gpu.h: the CUDA device and its queues as the files of gpu/ share them: streams, scratch memory, errors, launches, and
 * scenes on the device. */
#ifndef GLINT_GPU_GPU_H
#define GLINT_GPU_GPU_H

#include "core/device/backend.h"
#include "core/math/shading_context.h"

#include <cuda_runtime_api.h>

enum { GPU_ALIGNMENT = 512, GPU_ANSWERS = 16 };

/* A part of the device's memory that grows as it is asked for and is kept. */
typedef struct GpuScratch {
    void *memory;
    size_t bytes;
} GpuScratch;

typedef struct Bvh2Node Bvh2Node; /* gpu/trace/bvh2.cuh */
typedef struct Upward Upward;     /* gpu/trace/bvh_build.cu */
typedef struct Bvh8Node Bvh8Node; /* gpu/trace/cwbvh8.cuh */

/* A scene on the device. Pointers are the device's. */
typedef struct GpuScene {
    uint64_t moves; /* of the scene when its spheres were uploaded */
    unsigned count;
    Sphere *spheres;
    float4 *balls;               /* centre and radius, in the scene's order */
    cudaTextureObject_t texture; /* over the balls */
    GpuScratch memory;
    /* Where the spheres are those around triangles, then cylinders. */
    Triangle *triangles;
    Cylinder *cylinders;
    unsigned triangle_count;
    GpuScratch others_memory;
    /* For paths, once a level has asked for it. */
    bool lit, aimed; /* aimed: the tree over emitters is where they are now */
    ShadingContext context;
    GpuScratch lighting;
    /* The BVH, once a level has asked for it. */
    bool built, fitted; /* fitted: to where the balls are now */
    Bvh2Node *nodes;
    float4 *sorted;    /* the balls in the leaves' order */
    unsigned *order;   /* the sphere of each of them */
    size_t bvh2_bytes; /* of these three, which tracing reads */
    Upward *upward;    /* the way from each node to its parent */
    GpuScratch bvh2_memory;
    /* The BVH of eight boxes a node, once a level has asked for it, and the balls in the order of its leaves. */
    bool collapsed;
    Bvh8Node *bvh8_nodes;
    float4 *bvh8_balls;
    unsigned *bvh8_order;
    size_t bvh8_bytes; /* of these three */
    GpuScratch bvh8_memory;
} GpuScene;

typedef struct GpuDevice {
    Device device; /* first, so that a Device * is ours */
    int index;
    struct cudaDeviceProp limits;
    cudaStream_t zeroing; /* fills new frames */
    void *nvml;           /* the same device as NVML knows it; NULL: it does not */
    bool nvml_tried;
} GpuDevice;

/* The driver's answer about a launch. */
typedef struct GpuAnswer {
    const void *kernel; /* NULL: nothing yet */
    LaunchFacts launch; /* the question: threads and shared_bytes */
    LaunchFacts facts;
} GpuAnswer;

typedef struct GpuQueue {
    Queue queue;         /* first, so that a Queue * is ours */
    cudaStream_t stream; /* that work goes to: its own, or that of a caller (gpu/guests.c) */
    cudaStream_t own;
    cudaEvent_t marks[BACKEND_MARKS]; /* NULL until first used */
    void *staging[STAGING_PIECES];    /* pinned, one block; host memory goes to and from the device through it */
    cudaEvent_t staged[STAGING_PIECES];
    cudaEvent_t left;   /* behind its last work on a caller's stream */
    bool is_away;       /* its own stream does not wait for that */
    unsigned puts;      /* by gpu_put */
    GpuScratch scratch; /* for the running level's memory besides its frames */
    LaunchFacts launch; /* of the kernel that counts since facts were asked for, without its occupancy */
    const void *kernel;
    double launched; /* how much it counts; 0: facts were asked for */
    GpuAnswer answers[GPU_ANSWERS];
    unsigned answered; /* so far */
} GpuQueue;

static inline GpuDevice *gpu_of(Device *device) {
    return (GpuDevice *)device;
}
static inline GpuQueue *gpu_queue(Queue *queue) {
    return (GpuQueue *)queue;
}

/* Records an error of the CUDA runtime: its name, its text, where, and the user's remedy. STATUS_DEVICE. */
Status gpu_fail(cudaError_t error, const char *where);

#define CUDA_TRY(call)                                                                                                 \
    do {                                                                                                               \
        const cudaError_t cuda_error = (call);                                                                         \
        if (cuda_error != cudaSuccess)                                                                                 \
            return gpu_fail(cuda_error, #call);                                                                        \
    } while (0)

/* A kernel's grid: blocks, threads a block, bytes of dynamic shared memory. */
typedef struct Launch {
    dim3 grid, block;
    size_t shared;
} Launch;

/* Enqueues a kernel; every launch goes through here. `where` names operation and level, and a part of a level alone
 * behind a comma. Raises the limit of shared memory where the launch needs it, and remembers the values that `facts`
 * tells. */
Status gpu_launch(Queue *queue, const char *where, const void *kernel, Launch launch, void **arguments);
/* Launches a kernel that may begin before the one ahead of it has ended, once that says let_next_begin(). Threads that
 * need results of that one, some in every run, call await_previous() (gpu/order.cuh). */
Status gpu_launch_early(Queue *queue, const char *where, const void *kernel, Launch launch, void **arguments);

/* At least `bytes` of device memory, valid until the next call with this scratch. Growing waits for the device. In a
 * call of the queue (core/device/cache.h). */
Status gpu_scratch(Queue *queue, GpuScratch *scratch, size_t bytes, void **memory);
void gpu_free(Device *device, GpuScratch *scratch); /* waits for the device; accepts a zeroed one */
/* Frees something that nothing needs now: an entry of the cache, else the scratch of an idle queue. False if there is
 * nothing. */
bool gpu_make_room(Device *device);
/* Enqueues a copy of the host's memory, which may go away at once: it passes through the queue's staging. Waits for the
 * last copy that used the same piece. */
Status gpu_put(Queue *queue, void *to, const void *from, size_t bytes);
/* Constant memory is one for all queues: it waits for other queues' work with it. For this call. */
Status gpu_take_constants(Queue *queue);
/* The scene on the device, uploaded if it is not there; its spheres alone if only they have moved. Stays for this call.
 */
Status gpu_scene(Queue *queue, const Scene *scene, GpuScene **on_device);
/* Whether the scene has primitives that are no spheres: triangles and cylinders. */
bool gpu_has_others(const Scene *scene);
/* These on the device, and the spheres around them. The scene has some. */
Status gpu_others(Queue *queue, const Scene *scene, GpuScene **on_device);
/* Ensures that the BVH is built, and fitted to where the spheres are. */
Status gpu_bvh2(Queue *queue, GpuScene *scene);
/* Ensures that the BVH of eight boxes a node is built, too. */
Status gpu_bvh8(Queue *queue, GpuScene *scene);
/* Rebuild the trees that levels have asked for, or refit the binary one: the backend's `build` and `refit`. */
Status gpu_rebuild(Queue *queue, const Scene *scene, size_t *bytes);
Status gpu_refit_scene(Queue *queue, const Scene *scene);
/* The backend's `follow`. */
Status gpu_follow(Queue *queue, const Scene *scene, Frame state, float scale);
/* Uploads lights, materials and the sky, if they are not resident. */
Status gpu_shading_context(Queue *queue, const Scene *scene, GpuScene *on_device);
/* gpu/trace/bvh_build.cu: balls from spheres; spheres and balls to the first `count` of these places, scaled; the BVH;
 * the built BVH, refitted to balls that moved. Enqueued. */
Status gpu_split(Queue *queue, GpuScene *scene);
Status gpu_place(Queue *queue, GpuScene *scene, const float4 *places, float scale, unsigned count);
Status gpu_build(Queue *queue, GpuScene *scene);
Status gpu_refit(Queue *queue, GpuScene *scene);
/* Makes the nodes of the tree over emitters, of the leaves that the host arranged. Enqueued. */
Status gpu_aim(Queue *queue, GpuScene *scene);
/* gpu/trace/bvh_collapse.cu: the wide BVH from the binary one. Enqueued. */
Status gpu_collapse(Queue *queue, GpuScene *scene);
/* gpu/trace/bvh_others.cu: the level bvh for scenes with triangles or cylinders; enqueued. */
Status gpu_bvh_others(Queue *queue, const Stage *stage);
/* gpu/trace/ray_counters.cu: draws the look of nodes; enqueued. */
Status gpu_heat(Queue *queue, const Stage *stage);
/* The backend's `count_rays`. */
Status gpu_count_rays(Queue *queue, const Stage *stage, RayCounters *counters);

#endif
