/* labels.cu: a tree that reaches a seam has its root in one: the seams tell that root. */
#include "gpu/canny_edges/trees.cuh"

__global__ void canny_tell(const __grid_constant__ Plane out, const __grid_constant__ CannyJob job,
                           const __grid_constant__ Trees trees) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (x >= out.width)
        return;
    unsigned value = 0;
    if (job.seams[r] >= 0) {
        const unsigned at = number_of(trees, job, x, job.seams[r]);
        if (trees.parents[at] != NOTHING) {
            const unsigned root = root_of(trees.parents, at);
            value = 2 * (root + 1) + trees.strong[root];
        }
    }
    row_to<uint32_t>(out, r)[x] = value;
}

static Status run(Queue *queue, const Stage *stage) {
    Plane out = plane_of(stage->out);
    CannyJob job = *canny_job(stage);
    Trees trees;
    TRY(trees_grow(queue, stage, (Plane){0}, &trees));
    void *arguments[] = {&out, &job, &trees};
    const Launch seams = {dim3(blocks_for(out.width, 128), CANNY_SEAMS), dim3(128), 0};
    return gpu_launch(queue, "canny_seams labels", (const void *)canny_tell, seams, arguments);
}

extern "C" const Level cuda_canny_seams_labels = {
    .op = &op_canny_seams,
    .name = "labels",
    .idea = "peaks that touch become trees with one root, in any order; one that reaches a seam has it there",
    .accepts = trees_accept,
    .workspace = trees_workspace,
    .run = run,
};
