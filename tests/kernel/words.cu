/* words.cu: every word of CUDA C that kernel/compile/clang_cuda.h has: all compilers take it. */
#include <glint/kernel.h>

__constant__ int table[4] = {1, 2, 3, 4};

struct __align__(16) Wide {
    float4 v;
};

static __device__ __noinline__ float rounded(float v) {
    return floorf(v) + ceilf(v) + truncf(v) + rintf(v) + nearbyintf(v) + roundf(v) + fabsf(v) + copysignf(v, -1.0f) +
           fminf(v, 1) + fmaxf(v, 2) + min(v, 3.0f) + max(v, 4.0f);
}

static __device__ double doubles(double v) {
    return floor(v) + ceil(v) + trunc(v) + rint(v) + nearbyint(v) + fabs(v) + copysign(v, -1.0) + fmin(v, 1.0) +
           fmax(v, 2.0) + sqrt(v) + fma(v, v, v);
}

static __device__ float functions(float v) {
    return sqrtf(v) + rsqrtf(v) + fmaf(v, v, v) + __saturatef(v) + __fdividef(v, 3.0f) + __expf(v) + __logf(v) +
           __powf(v, 2.0f) + __sinf(v) + __cosf(v) + exp2f(v) + log2f(v) + expf(v) + logf(v) + powf(v, 2.0f) + sinf(v) +
           cosf(v);
}

static __device__ int bits(int v) {
    return __popc(v) + __clz(v) + __ffs(v) + __float_as_int(__int_as_float(v)) +
           (int)__float_as_uint(__uint_as_float((unsigned)v)) + abs(v) + min(v, 1) + max(v, 2) +
           (int)min((unsigned)v, 1u) + (int)max((unsigned)v, 2u) + (int)min((long long)v, 1ll) +
           (int)max((unsigned long long)v, 1ull);
}

static __device__ int warps(int v) {
    const unsigned all = 0xffffffff;
    const unsigned mask = __activemask() & __ballot_sync(all, v > 1);
    const int votes = __any_sync(all, v > 1) + __all_sync(all, v > 2) + (int)mask;
    __syncwarp();
    __syncwarp(all);
    return votes + __shfl_sync(all, v, 3) + __shfl_up_sync(all, v, 1) + __shfl_down_sync(all, v, 1, 16) +
           __shfl_xor_sync(all, v, 1) + (int)__shfl_sync(all, (unsigned)v, 1) + (int)__shfl_xor_sync(all, (float)v, 1);
}

static __device__ void atomics(int *i, unsigned *u, float *f, unsigned long long *l) {
    atomicAdd(i, 1), atomicSub(i, 1), atomicExch(i, 1), atomicAnd(i, 1), atomicOr(i, 1), atomicXor(i, 1);
    atomicCAS(i, 1, 2), atomicMin(i, 1), atomicMax(i, 1);
    atomicAdd(u, 1u), atomicSub(u, 1u), atomicExch(u, 1u), atomicAnd(u, 1u), atomicOr(u, 1u), atomicXor(u, 1u);
    atomicCAS(u, 1u, 2u), atomicMin(u, 1u), atomicMax(u, 1u);
    atomicAdd(f, 1.0f);
    atomicAdd(l, 1ull);
}

static __device__ float vectors() {
    const float2 a = make_float2(1, 2);
    const int3 b = make_int3(1, 2, 3);
    const uchar4 c = make_uchar4(1, 2, 3, 4);
    const ushort2 d = make_ushort2(1, 2);
    const double2 e = make_double2(1, 2);
    const uint4 f = make_uint4(1, 2, 3, 4);
    return a.x + b.y + c.z + d.x + (float)e.y + (float)f.w;
}

extern "C" __global__ void __launch_bounds__(256) words(float *__restrict__ to, const float *from) {
    extern __shared__ float more[];
    __shared__ Wide wide;
    __shared__ int i;
    __shared__ unsigned u;
    __shared__ float f;
    __shared__ unsigned long long l;
    const size_t at = threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.z * gridDim.x * (size_t)blockDim.y;
    more[threadIdx.x] = __ldg(&from[at]);
    wide.v = make_float4(1, 2, 3, 4);
    atomics(&i, &u, &f, &l);
    __syncthreads();
    const int count = __syncthreads_count(at > 1) + __syncthreads_and(at > 1) + __syncthreads_or(at > 1);
    __threadfence_block();
    __threadfence();
    to[at] = rounded(more[0]) + (float)doubles(more[1]) + functions(more[2]) + (float)bits((int)at) +
             (float)warps(count) + vectors() + wide.v.x + (float)i + (float)u + f + (float)l + (float)table[at & 3] +
             (float)warpSize;
}

KERNEL(point, mine, 32, 8, 1, 1, 0) {
    store(out, column(), row(), 0, INFINITY);
}
