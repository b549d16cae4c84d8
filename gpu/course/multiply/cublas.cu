/* cublas.cu: NVIDIA's own library, raced. tf32 and bf16 are rounded before, as for the levels of this program. */
#include "gpu/course/multiply/rounded.cuh"

extern "C" {
#include "gpu/course/multiply/blas.h"
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const GpuDevice *gpu = (const GpuDevice *)device;
    *why_not = "tf32 and bf16 came with compute capability 8.0";
    if (multiply_job(stage)->precision != PRECISION_F32 && gpu->limits.major < 8)
        return false;
    *why_not = "the library libcublas is not installed here";
    return blas_is_there();
}

static size_t workspace(const Device *device, const Stage *stage) {
    return multiply_job(stage)->precision == PRECISION_F32 ? 0 : rounded_workspace(device, stage);
}

static Status run(Queue *queue, const Stage *stage) {
    const Matrices m = matrices_of(stage);
    Rounded rounded = {(void *)m.a, (void *)m.b, m.a_pitch, m.b_pitch};
    if (multiply_job(stage)->precision != PRECISION_F32)
        TRY(round_matrices(queue, stage, &rounded));
    const BlasProduct product = {multiply_job(stage)->precision,
                                 rounded.a,
                                 rounded.b,
                                 m.c,
                                 rounded.a_pitch,
                                 rounded.b_pitch,
                                 m.c_pitch,
                                 m.rows,
                                 m.columns,
                                 m.terms};
    return blas_multiply(queue, &product);
}

extern "C" const Level cuda_multiply_cublas = {
    .op = &op_multiply,
    .name = "cublas",
    .idea = "NVIDIA's library, to race: best never takes it",
    .accepts = accepts,
    .workspace = workspace,
    .raced = true,
    .run = run,
};
