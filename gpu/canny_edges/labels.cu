/* labels.cu: a peak is an edge if the root of its tree is strong. */
#include "gpu/canny_edges/trees.cuh"

template <typename Out>
__global__ void canny_write(const __grid_constant__ Plane in, const __grid_constant__ Plane out, int channels,
                            const __grid_constant__ CannyJob job, const __grid_constant__ Trees trees) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    const unsigned at = number_of(trees, job, x, y);
    const bool edge = trees.parents[at] != NOTHING && trees.strong[root_of(trees.parents, at)];
    for (int c = 0; c < channels; c++)
        row_to<Out>(out, y)[x * channels + c] = job.alpha && c == channels - 1 ? row_of<Out>(in, y)[x * channels + c]
                                                : edge                         ? (Out)job.white
                                                                               : (Out)0;
}

template <typename Out> static Status run_as(Queue *queue, const Stage *stage) {
    Plane in = plane_of(stage->in[1]), out = plane_of(stage->out);
    CannyJob job = *canny_job(stage);
    int channels = stage->out.shape.channels;
    Trees trees;
    TRY(trees_grow(queue, stage, job.cut ? plane_of(stage->in[2]) : (Plane){0}, &trees));
    void *arguments[] = {&in, &out, &channels, &job, &trees};
    const Launch pixels = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    return gpu_launch(queue, "canny_edges labels, edges", (const void *)canny_write<Out>, pixels, arguments);
}

static Status run(Queue *queue, const Stage *stage) {
    return stage->out.shape.type == PIXEL_U8    ? run_as<uint8_t>(queue, stage)
           : stage->out.shape.type == PIXEL_U16 ? run_as<uint16_t>(queue, stage)
                                                : run_as<float>(queue, stage);
}

extern "C" const Level cuda_canny_edges_labels = {
    .op = &op_canny_edges,
    .name = "labels",
    .idea = "peaks that touch become trees with one root, in any order, so that no pass has to wait for another",
    .accepts = trees_accept,
    .workspace = trees_workspace,
    .run = run,
};
