/* kernels.cu: kernels for test_emulator: right ones, whose results are known, and wrong ones. */
#include <cuda_runtime_api.h>
#include <stdint.h>

/* The sum of a block's threads' numbers, by shared memory; without barriers it is a race. */
template <bool BARRIERS> static __global__ void block_sum(uint32_t *out) {
    __shared__ uint32_t sums[256];
    sums[threadIdx.x] = threadIdx.x;
    for (unsigned apart = blockDim.x / 2; apart > 0; apart /= 2) {
        if (BARRIERS)
            __syncthreads();
        if (threadIdx.x < apart)
            sums[threadIdx.x] += sums[threadIdx.x + apart];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sums[0];
}
/* Reads `beyond` values behind the end. */
static __global__ void sum_of(const uint32_t *in, unsigned count, unsigned beyond, uint32_t *out) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < count + beyond; i++)
        sum += in[i];
    *out = sum;
}
static __global__ void endless(volatile uint32_t *out) {
    while (*out == 0)
        ;
}
/* Half of the threads do not come to the barrier of the block. */
static __global__ void half_comes(uint32_t *out) {
    if (threadIdx.x < 32)
        asm volatile("bar.sync 0, 64;" ::: "memory");
    out[threadIdx.x] = 1;
    if (threadIdx.x >= 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
}
/* Lanes of a warp: each leaves the sum of all, how many are odd, the lane below it and those of its kind. */
static __global__ void lanes(uint32_t *out) {
    const uint32_t lane = threadIdx.x;
    uint32_t sum = lane;
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFF, sum, apart);
    out[lane] = sum;
    out[32 + lane] = (uint32_t)__popc(__ballot_sync(0xFFFFFFFF, lane & 1));
    out[64 + lane] = __shfl_up_sync(0xFFFFFFFF, lane, 1);
    out[96 + lane] = __match_any_sync(0xFFFFFFFF, lane % 3);
    if (lane % 2) /* they diverge, and come together again */
        out[128 + lane] = __shfl_sync(0xAAAAAAAA, lane, 5);
    else
        out[128 + lane] = __shfl_sync(0x55555555, lane, 4);
}
/* Lane 1 asks for lane 0, which does not take part. */
static __global__ void absent_lane(uint32_t *out) {
    if (threadIdx.x)
        out[threadIdx.x] = __shfl_sync(0xFFFFFFFE, threadIdx.x, 0);
}
/* Every thread of every block counts. */
static __global__ void count_atomically(uint32_t *out) {
    atomicAdd(out, threadIdx.x);
    atomicMax(out + 1, blockIdx.x * blockDim.x + threadIdx.x);
    atomicCAS(out + 2, 0, 7);
}
/* A copy to shared memory, read after it was waited for, or too early. */
template <bool WAITS> static __global__ void copy_late(const uint4 *in, uint4 *out) {
    __shared__ uint4 here[32];
#if __CUDA_ARCH__ >= 800
    const uint32_t to = (uint32_t)__cvta_generic_to_shared(here + threadIdx.x);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + threadIdx.x) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    if (WAITS)
        asm volatile("cp.async.wait_group 0;" ::: "memory");
#else
    here[threadIdx.x] = in[threadIdx.x];
#endif
    out[threadIdx.x] = here[threadIdx.x];
}
/* The sum, the difference, the product, and the product and sum, of two halves of each word. */
static __global__ void halves(uint32_t a, uint32_t b, uint32_t c, uint32_t *out) {
    asm("add.f16x2 %0, %1, %2;" : "=r"(out[0]) : "r"(a), "r"(b));
    asm("sub.f16x2 %0, %1, %2;" : "=r"(out[1]) : "r"(a), "r"(b));
    asm("mul.f16x2 %0, %1, %2;" : "=r"(out[2]) : "r"(a), "r"(b));
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(out[3]) : "r"(a), "r"(b), "r"(c));
}

extern "C" {
cudaError_t run_halves(uint32_t a, uint32_t b, uint32_t c, uint32_t *out) {
    halves<<<1, 1>>>(a, b, c, out);
    return cudaDeviceSynchronize();
}
cudaError_t run_block_sum(uint32_t *out, bool barriers) {
    (barriers ? block_sum<true> : block_sum<false>)<<<2, 256>>>(out);
    return cudaDeviceSynchronize();
}
cudaError_t run_sum_of(const uint32_t *in, unsigned count, unsigned beyond, uint32_t *out) {
    sum_of<<<1, 1>>>(in, count, beyond, out);
    return cudaDeviceSynchronize();
}
cudaError_t run_half_comes(uint32_t *out) {
    half_comes<<<1, 64>>>(out);
    return cudaDeviceSynchronize();
}
cudaError_t run_lanes(uint32_t *out) {
    lanes<<<1, 32>>>(out);
    return cudaDeviceSynchronize();
}
cudaError_t run_absent_lane(uint32_t *out) {
    absent_lane<<<1, 32>>>(out);
    return cudaDeviceSynchronize();
}
cudaError_t run_count_atomically(uint32_t *out) {
    count_atomically<<<3, 64>>>(out);
    return cudaDeviceSynchronize();
}
cudaError_t run_copy_late(const void *in, void *out, bool waits) {
    (waits ? copy_late<true> : copy_late<false>)<<<1, 32>>>((const uint4 *)in, (uint4 *)out);
    return cudaDeviceSynchronize();
}
cudaError_t run_endless(uint32_t *out) {
    endless<<<3, 64>>>(out);
    return cudaGetLastError();
}
cudaError_t run_too_large(uint32_t *out) {
    lanes<<<1, 2048>>>(out);
    return cudaPeekAtLastError();
}
}
