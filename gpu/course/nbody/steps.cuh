/* steps.cuh: leapfrog on the device: the steps that all levels take between two evaluations of the accelerations.
 * A level brings a Store, which says where bodies lie while they move, and how they pull each other. Its pulls are
 * added up in the order of their parts. A state's bits therefore depend on the job and the device alone. The host
 * enqueues all steps and waits for none. */
#ifndef GLINT_GPU_COURSE_NBODY_STEPS_CUH
#define GLINT_GPU_COURSE_NBODY_STEPS_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/nbody.h"
#include "gpu/stop.h"
}

enum { STEP_THREADS = 128 };

/* The rows of a state as its frame holds them, which is a Store. */
typedef struct Rows {
    float4 *places, *velocities, *accelerations;

    __device__ __forceinline__ float4 place(unsigned i) const { return places[i]; }
    __device__ __forceinline__ float4 velocity(unsigned i) const { return velocities[i]; }
    __device__ __forceinline__ void put(unsigned i, float4 place, float4 velocity) const {
        places[i] = place;
        velocities[i] = velocity;
    }
} Rows;

static inline Rows rows_of(Frame state) {
    const Rows rows = {(float4 *)view_row(state, NBODY_PLACES), (float4 *)view_row(state, NBODY_VELOCITIES),
                       (float4 *)view_row(state, NBODY_ACCELERATIONS)};
    return rows;
}

/* The step that follows a pull. */
typedef struct Leap {
    float gravity, half, step; /* half of the step */
    bool moves;                /* a run of no steps only evaluates */
    bool potential;
} Leap;

static inline Leap leap_of(const NbodyJob *job) {
    const Leap leap = {job->gravity, job->step / 2, job->step, job->steps > 0, job->potential};
    return leap;
}

/* v + a t; w stays. */
static __device__ __forceinline__ float4 along(float4 v, float4 a, float t) {
    return make_float4(fmaf(a.x, t, v.x), fmaf(a.y, t, v.y), fmaf(a.z, t, v.z), v.w);
}

static __device__ __forceinline__ Body body_of(float4 v) {
    const Body body = {v.x, v.y, v.z, v.w};
    return body;
}
/* Without DEPTH the compiler then leaves its sum out. */
template <bool DEPTH> static __device__ __forceinline__ float4 quad_of(const Pull &pull) {
    return make_float4(pull.x, pull.y, pull.z, DEPTH ? pull.depth : 0);
}

/* Adds the pull of `from`; DEPTH: also its depth, unless it is the body itself. */
template <bool DEPTH>
static __device__ __forceinline__ void add_pull(Pull *pull, float4 at, Body from, float softening2, bool self) {
    const float depth = pull->depth;
    pull_add(pull, at.x, at.y, at.z, from, softening2);
    if (DEPTH && self)
        pull->depth = depth;
}

/* A body's acceleration, and -depth as its potential. */
static __device__ __forceinline__ float4 acceleration_of(const float4 *__restrict__ pulls, unsigned parts,
                                                         unsigned count, unsigned i, float gravity) {
    float4 sum = pulls[i];
#pragma unroll 8
    for (unsigned part = 1; part < parts; part++) {
        const float4 more = pulls[(size_t)part * count + i];
        sum = make_float4(sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w);
    }
    return make_float4(gravity * sum.x, gravity * sum.y, gravity * sum.z, -gravity * sum.w);
}

/* The first kick and drift, by the accelerations that the state has. */
template <class Store>
static __global__ void nbody_begin(const __grid_constant__ Rows from, const __grid_constant__ Store bodies,
                                   unsigned count, const __grid_constant__ Leap leap) {
    const unsigned i = blockIdx.x * STEP_THREADS + threadIdx.x;
    if (i >= count)
        return;
    float4 place = from.places[i], velocity = from.velocities[i];
    if (leap.moves) {
        velocity = along(velocity, from.accelerations[i], leap.half);
        place = along(place, velocity, leap.step);
    }
    bodies.put(i, place, velocity);
}

/* The kick that ends a step, the one that begins the next, and its drift. */
template <class Store>
static __global__ void nbody_next(const __grid_constant__ Store bodies, const float4 *__restrict__ pulls,
                                  unsigned parts, unsigned count, const __grid_constant__ Leap leap) {
    const unsigned i = blockIdx.x * STEP_THREADS + threadIdx.x;
    if (i >= count)
        return;
    const float4 acceleration = acceleration_of(pulls, parts, count, i, leap.gravity);
    const float4 velocity = along(along(bodies.velocity(i), acceleration, leap.half), acceleration, leap.half);
    bodies.put(i, along(bodies.place(i), velocity, leap.step), velocity);
}

/* The last kick; stores the state. */
template <class Store>
static __global__ void nbody_end(const __grid_constant__ Store bodies, const float4 *__restrict__ pulls, unsigned parts,
                                 unsigned count, const __grid_constant__ Leap leap, const __grid_constant__ Rows to) {
    const unsigned i = blockIdx.x * STEP_THREADS + threadIdx.x;
    if (i >= count)
        return;
    float4 acceleration = acceleration_of(pulls, parts, count, i, leap.gravity);
    const float4 place = bodies.place(i), velocity = bodies.velocity(i);
    to.places[i] = place;
    to.velocities[i] = leap.moves ? along(velocity, acceleration, leap.half) : velocity;
    acceleration.w = leap.potential ? acceleration.w : 0;
    to.accelerations[i] = acceleration;
}

/* How a level runs. */
template <class Store> struct Steps {
    Store bodies;
    float4 *pulls;  /* parts, one after the other, each of all bodies */
    unsigned parts; /* >= 1 */
    /* Enqueues the kernels that make the pulls of the bodies where they are; `depth`: their depths, too. */
    Status (*attract)(Queue *queue, const Stage *stage, const Steps *steps, bool depth);
    const void *own; /* the level's */
};

template <class Store> static Status nbody_steps(Queue *queue, const Stage *stage, Steps<Store> steps) {
    const NbodyJob *job = nbody_job(stage);
    unsigned count = (unsigned)nbody_count(stage);
    const Launch each = {dim3(blocks_for((int)count, STEP_THREADS)), dim3(STEP_THREADS), 0};
    Leap leap = leap_of(job);
    Rows from = rows_of(stage->in[0]), to = rows_of(stage->out);
    void *beginning[] = {&from, &steps.bodies, &count, &leap};
    void *going[] = {&steps.bodies, &steps.pulls, &steps.parts, &count, &leap, &to};
    TRY(gpu_launch(queue, "nbody, begin", (const void *)nbody_begin<Store>, each, beginning));
    for (unsigned step = 1; step < job->steps; step++) {
        if (gpu_stops(queue))
            return STATUS_OK;
        TRY(steps.attract(queue, stage, &steps, false));
        TRY(gpu_launch(queue, "nbody, next", (const void *)nbody_next<Store>, each, going));
    }
    TRY(steps.attract(queue, stage, &steps, job->potential));
    return gpu_launch(queue, "nbody, end", (const void *)nbody_end<Store>, each, going);
}

/* Memory of a run for `quads` 16-byte words a body. */
static inline Status nbody_scratch(Queue *queue, const Stage *stage, size_t quads, float4 **memory) {
    return gpu_scratch(queue, &gpu_queue(queue)->scratch, nbody_count(stage) * quads * sizeof(float4), (void **)memory);
}

#endif
