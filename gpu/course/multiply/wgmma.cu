/* wgmma.cu: the tensor cores of Hopper, which read both tiles from shared memory. A group of warps multiplies 64 rows
 * by 256 columns, of tf32 or of bf16. */
#include "gpu/course/multiply/hopper.cuh"

typedef Way<Bf16, 256, 1, 4> Halves;
typedef Way<float, 256, 1, 4> Words;

static bool is_half(const Stage *stage) {
    return multiply_job(stage)->precision == PRECISION_BF16;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "tensor cores multiply no f32: take tf32 or bf16";
    if (multiply_job(stage)->precision == PRECISION_F32)
        return false;
    return is_half(stage) ? accepts_hopper<Halves>(device, stage, why_not)
                          : accepts_hopper<Words>(device, stage, why_not);
}

static size_t workspace(const Device *device, const Stage *stage) {
    return is_half(stage) ? Halves::workspace(device, stage) : Words::workspace(device, stage);
}

static Status run(Queue *queue, const Stage *stage) {
    return is_half(stage) ? run_hopper<Halves>(queue, stage, "multiply wgmma")
                          : run_hopper<Words>(queue, stage, "multiply wgmma");
}

extern "C" const Level cuda_multiply_wgmma = {
    .op = &op_multiply,
    .name = "wgmma",
    .idea = "Hopper's tensor cores, which read shared memory themselves: one group of warps has the copy engine bring "
            "tiles, two others only multiply",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
