/* split.cu: products of f32 on the tensor cores of Hopper, which multiply bf16. A value is the sum of three bf16,
 * exactly: its significand of 24 bits is cut into three of eight. Six of the nine products of two such sums count, the
 * others are below the last bit of f32 (Henry, Tang and Heinecke, "Leveraging the bfloat16 artificial intelligence
 * datatype for higher-precision computations", 2019). Tensor cores cut off bits of the products they add, so their sums
 * go no further than one step of 64 terms. The steps' sums are added up outside, rounded as f32 is (Ootomo and Yokota,
 * "Recovering single precision accuracy from tensor cores while surpassing the FP32 theoretical peak performance",
 * 2022). */
#include "gpu/course/multiply/hopper.cuh"

typedef Way<Bf16, 128, 3, 2> Parts;

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "it is for values of f32: tf32 and bf16 need no parts";
    return multiply_job(stage)->precision == PRECISION_F32 && accepts_hopper<Parts>(device, stage, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    return run_hopper<Parts>(queue, stage, "multiply split");
}

extern "C" const Level cuda_multiply_split = {
    .op = &op_multiply,
    .name = "split",
    .idea = "f32 on tensor cores: each value is the sum of three bf16, and six products of them are as good as one",
    .accepts = accepts,
    .workspace = Parts::workspace,
    .run = run,
};
