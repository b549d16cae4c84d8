/* soa.cu: the same loop over an array for each field: neighbouring threads read and write neighbouring words. */
#include "gpu/course/nbody/pairs.cuh"

typedef struct Arrays {
    float *fields; /* eight arrays, one behind the other: x, y, z, mass, and the velocity's four */
    size_t count;

    __device__ __forceinline__ float4 four(unsigned first, unsigned i) const {
        const float *from = fields + first * count + i;
        return make_float4(from[0], from[count], from[2 * count], from[3 * count]);
    }
    __device__ __forceinline__ void put_four(unsigned first, unsigned i, float4 v) const {
        float *to = fields + first * count + i;
        to[0] = v.x, to[count] = v.y, to[2 * count] = v.z, to[3 * count] = v.w;
    }
    __device__ __forceinline__ float4 place(unsigned i) const { return four(0, i); }
    __device__ __forceinline__ float4 velocity(unsigned i) const { return four(4, i); }
    __device__ __forceinline__ void put(unsigned i, float4 place, float4 velocity) const {
        put_four(0, i, place);
        put_four(4, i, velocity);
    }
} Arrays;

static Status run(Queue *queue, const Stage *stage) {
    const size_t count = nbody_count(stage);
    float4 *memory;
    TRY(nbody_scratch(queue, stage, PAIRS_QUADS, &memory));
    const Steps<Arrays> steps = {{(float *)(memory + count), count}, memory, 1, attract_pairs<Arrays>, NULL};
    return nbody_steps(queue, stage, steps);
}

extern "C" const Level cuda_nbody_soa = {
    .op = &op_nbody,
    .name = "soa",
    .idea = "an array for each field, so that no word is fetched that the loop does not need, and steps are coalesced",
    .workspace = pairs_workspace,
    .run = run,
};
