/* wide.cu: rays through a BVH of eight compressed boxes a node, by warps that fetch new rays. */
#define SPHERES_ONLY /* scenes with other primitives are not accepted */
#include "gpu/trace/cwbvh8.cuh"

extern "C" {
#include "core/scene/scene.h"
#include "gpu/trace/measured.h"
}

struct World {
    Bvh8 bvh8;
};

#include "gpu/trace/film.cuh"

GLINT_HD Hit world_closest_hit(const World *world, Ray ray) {
#ifdef __CUDA_ARCH__
    return bvh8_hit<false>(world->bvh8, ray, INFINITY);
#else
    (void)world, (void)ray;
    return hit_none();
#endif
}

GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance) {
#ifdef __CUDA_ARCH__
    return bvh8_hit<true>(world->bvh8, ray, distance).distance < distance;
#else
    (void)world, (void)ray, (void)distance;
    return false;
#endif
}

template <Look LOOK, bool RICH>
__global__ void __launch_bounds__(TRACE_THREADS, LOOK == LOOK_PATHS && !RICH ? PATHS_BLOCKS : LIGHT_BLOCKS)
    trace_wide_light(const __grid_constant__ View view, const __grid_constant__ World world,
                     const __grid_constant__ ShadingContext context, const __grid_constant__ LightJob job) {
    gather_light<LOOK, RICH>(view, world, context, job);
}

enum {
    BLOCKS = 8, /* on a multiprocessor: that many leave 64 registers a thread */
    NEAR = 8,   /* of the entries that wait, in shared memory: half of it would do for nearly all rays */
    FEW = 24    /* lanes: when no more of a warp traverse, the others fetch */
};

/* A picture's pixels in the order in which they are fetched: tile after tile. */
typedef struct Tiles {
    unsigned across, pixels; /* tiles side by side; pixels of all, some of them beyond the picture's edges */
    unsigned *next;          /* the first that nobody has fetched; on the device */
} Tiles;

static __device__ __forceinline__ Pixel pixel_of_tiles(const View &view, const Tiles &tiles, unsigned index) {
    const unsigned tile = index / 32, lane = index % 32;
    return pixel_at(view, make_int2((int)(tile % tiles.across * TILE_WIDTH + lane % TILE_WIDTH),
                                    (int)(tile / tiles.across * TILE_HEIGHT + lane / TILE_WIDTH)));
}

/* Numbers for the lanes that ask, from all that are left; all of them take part. */
static __device__ __forceinline__ unsigned fetch(const Tiles &tiles, bool asks) {
    const unsigned asking = __ballot_sync(~0U, asks), lane = threadIdx.x % 32;
    unsigned first = 0;
    if (lane == 0)
        first = atomicAdd(tiles.next, (unsigned)__popc((int)asking));
    return __shfl_sync(~0U, first, 0) + (unsigned)__popc((int)(asking & ((1U << lane) - 1)));
}

/* A warp's rays end at different times. Instead of waiting for the longest, lanes whose ray is at its end fetch another
 * one, as soon as only a few others traverse (Aila and Laine 2009). */
__global__ void __launch_bounds__(TRACE_THREADS, BLOCKS)
    trace_wide(const __grid_constant__ View view, const __grid_constant__ Bvh8 bvh8,
               const __grid_constant__ Tiles tiles) {
    __shared__ StackEntry near[NEAR * TRACE_THREADS];
    TraversalStack<NEAR> stack;
    Traversal traversal;
    Pixel pixel;
    bool active = false, more = true;
    stack.near = near + threadIdx.x;
    traversal.hit = hit_none();
    pixel.seen = false;
    for (;;) {
        if (more) {
            const unsigned index = fetch(tiles, !active);
            more = __any_sync(~0U, !active && index < tiles.pixels);
            if (!active) {
                show(view, pixel, traversal.hit);
                pixel.seen = false;
                if (index < tiles.pixels) {
                    pixel = pixel_of_tiles(view, tiles, index);
                    traversal_begin(bvh8, &traversal, pixel.ray);
                    active = !bvh8.empty && pixel.seen;
                }
            }
        }
        unsigned left;
        while ((left = __ballot_sync(~0U, active)) && __popc((int)left) > (more ? FEW : 0))
            if (active)
                active = traversal_step<false, false>(bvh8, &traversal, &stack, INFINITY);
        if (!more && left == 0)
            break;
    }
    show(view, pixel, traversal.hit);
}

static Status trace_nearest(Queue *queue, View view, Bvh8 bvh8) {
    GpuQueue *gpu = gpu_queue(queue);
    void *memory;
    TRY(gpu_scratch(queue, &gpu->scratch, sizeof(unsigned), &memory));
    Tiles tiles;
    tiles.across = blocks_for(view.right - view.left, TILE_WIDTH);
    tiles.pixels = tiles.across * blocks_for(view.bottom - view.top, TILE_HEIGHT) * 32;
    tiles.next = (unsigned *)memory;
    CUDA_TRY(cudaMemsetAsync(tiles.next, 0, sizeof *tiles.next, gpu->stream));
    const Launch launch = {dim3((unsigned)gpu_of(queue->device)->limits.multiProcessorCount * BLOCKS),
                           dim3(TRACE_THREADS), 0};
    void *arguments[] = {&view, &bvh8, &tiles};
    return gpu_launch(queue, "trace wide", (const void *)trace_wide, launch, arguments);
}

/* Looks that do not ask for the level's work, in scenes of spheres. */
static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it knows only spheres";
    if (!scene_is_of_spheres(trace_job(stage)->scene))
        return false;
    *why_not = "bvh counts the nodes";
    return trace_job(stage)->look != LOOK_NODES;
}

static Status run(Queue *queue, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(queue, trace_job(stage)->scene, &scene));
    TRY(gpu_bvh8(queue, scene));
    View view = view_of(stage, scene);
    if (!look_is_light(view.look))
        return trace_nearest(queue, view, bvh8_of(scene));
    TRY(gpu_shading_context(queue, trace_job(stage)->scene, scene));
    World world = {bvh8_of(scene)};
    return launch_light(queue, "trace wide", view, stage, scene, world, trace_wide_light<LOOK_WHITTED, false>,
                        trace_wide_light<LOOK_PATHS, false>, trace_wide_light<LOOK_PATHS, true>);
}

extern "C" const Level cuda_trace_wide = {
    .op = &op_trace,
    .name = "wide",
    .idea = "eight boxes a node, a byte a plane: a ray visits a third of the nodes, and reads half the memory",
    .accepts = accepts,
    .predictor = &trace_measured,
    .run = run,
};
