/* naive.cu: all pairs, of bodies as one writes them down first: an array of structs. */
#include "gpu/course/nbody/pairs.cuh"

typedef struct OneBody {
    float x, y, z, mass, vx, vy, vz, tag;
} OneBody;

typedef struct Structs {
    OneBody *bodies;

    __device__ __forceinline__ float4 place(unsigned i) const {
        const OneBody *body = &bodies[i];
        return make_float4(body->x, body->y, body->z, body->mass);
    }
    __device__ __forceinline__ float4 velocity(unsigned i) const {
        const OneBody *body = &bodies[i];
        return make_float4(body->vx, body->vy, body->vz, body->tag);
    }
    __device__ __forceinline__ void put(unsigned i, float4 place, float4 velocity) const {
        const OneBody body = {place.x, place.y, place.z, place.w, velocity.x, velocity.y, velocity.z, velocity.w};
        bodies[i] = body;
    }
} Structs;

static Status run(Queue *queue, const Stage *stage) {
    float4 *memory;
    TRY(nbody_scratch(queue, stage, PAIRS_QUADS, &memory));
    const Steps<Structs> steps = {{(OneBody *)(memory + nbody_count(stage))}, memory, 1, attract_pairs<Structs>, NULL};
    return nbody_steps(queue, stage, steps);
}

extern "C" const Level cuda_nbody_naive = {
    .op = &op_nbody,
    .name = "naive",
    .idea = "one thread a body, which reads every other one in device memory, from an array of structs",
    .workspace = pairs_workspace,
    .run = run,
};
