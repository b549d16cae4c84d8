/* emitters.cu: the nodes of the tree over emitters (core/math/emitter_tree.h), of leaves that the host arranged.
 * Emitters that move keep their leaves. */
#include "core/math/emitter_tree.h"
#include "gpu/kernel.cuh"

enum { THREADS = 256 };

__global__ void place_leaves(const __grid_constant__ ShadingContext context, EmitterNode *nodes) {
    const EmitterNode none = {{0, 0, 0}, 0, {0, 0, 0}, 0};
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= context.leaf_count)
        return;
    const Emitter emitter = context.emitters[context.leaves[i]];
    nodes[context.leaf_count + i] = emitter.leaf == i ? emitter_node_of(&context, emitter.index) : none;
}

/* The `width` nodes of a level. */
__global__ void join_level(EmitterNode *nodes, unsigned width) {
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i < width)
        nodes[width + i] = emitter_join(&nodes[2 * (width + i)], &nodes[2 * (width + i) + 1]);
}

/* All nodes above a leaf are wide enough for it. Floats that are not negative are ordered as their bits are. */
__global__ void widen_nodes(EmitterNode *nodes, unsigned leaf_count) {
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= leaf_count || !(nodes[leaf_count + i].power > 0))
        return;
    for (unsigned above = (leaf_count + i) / 2; above > 0; above /= 2)
        atomicMax((int *)&nodes[above].radius, __float_as_int(emitter_reach(&nodes[above], &nodes[leaf_count + i])));
}

static Launch launch_over_nodes(unsigned count) {
    const Launch launch = {dim3(blocks_for((int)count, THREADS)), dim3(THREADS), 0};
    return launch;
}

extern "C" Status gpu_aim(Queue *queue, GpuScene *scene) {
    ShadingContext *context = &scene->context;
    EmitterNode *nodes = (EmitterNode *)context->nodes;
    unsigned leaves = context->leaf_count;
    const Launch each = launch_over_nodes(leaves);
    void *placing[] = {context, &nodes}, *widening[] = {&nodes, &leaves};
    scene->aimed = true;
    if (leaves == 0)
        return STATUS_OK;
    TRY(gpu_launch(queue, "trace lamps", (const void *)place_leaves, each, placing));
    for (unsigned width = leaves / 2; width > 0; width /= 2) {
        void *joining[] = {&nodes, &width};
        TRY(gpu_launch(queue, "trace lamps, level", (const void *)join_level, launch_over_nodes(width), joining));
    }
    return leaves > 1 ? gpu_launch(queue, "trace lamps, sizes", (const void *)widen_nodes, each, widening) : STATUS_OK;
}
