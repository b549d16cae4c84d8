/* clang_cuda.h: the part of CUDA C that kernel files use, for clang without a CUDA toolkit. Its builtins become PTX. */
#ifndef GLINT_CLANG_CUDA_H
#define GLINT_CLANG_CUDA_H

#define __CUDACC__
#define __host__        __attribute__((host))
#define __device__      __attribute__((device))
#define __global__      __attribute__((global))
#define __shared__      __attribute__((shared))
#define __constant__    __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__    __attribute__((noinline))
#define __align__(n)    __attribute__((aligned(n)))
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#define GLINT_DEVICE static __device__ __forceinline__

typedef __SIZE_TYPE__ size_t;
typedef unsigned int uint;

/* ---- short vectors ---- */

#define GLINT_VECTORS(type, name)                                                                                      \
    struct name##2 {                                                                                                   \
        type x, y;                                                                                                     \
    };                                                                                                                 \
    struct name##3 {                                                                                                   \
        type x, y, z;                                                                                                  \
    };                                                                                                                 \
    struct __attribute__((aligned(4 * sizeof(type) < 16 ? 4 * sizeof(type) : 16))) name##4 {                           \
        type x, y, z, w;                                                                                               \
    };                                                                                                                 \
    GLINT_DEVICE name##2 make_##name##2(type x, type y) {                                                              \
        return {x, y};                                                                                                 \
    }                                                                                                                  \
    GLINT_DEVICE name##3 make_##name##3(type x, type y, type z) {                                                      \
        return {x, y, z};                                                                                              \
    }                                                                                                                  \
    GLINT_DEVICE name##4 make_##name##4(type x, type y, type z, type w) {                                              \
        return {x, y, z, w};                                                                                           \
    }
GLINT_VECTORS(float, float)
GLINT_VECTORS(int, int)
GLINT_VECTORS(unsigned, uint)
GLINT_VECTORS(unsigned char, uchar)
GLINT_VECTORS(unsigned short, ushort)
GLINT_VECTORS(double, double)
#undef GLINT_VECTORS

/* ---- the thread's place ---- */

#define GLINT_INDEX(name, sreg)                                                                                        \
    struct glint_##name {                                                                                              \
        __declspec(property(get = get_x)) unsigned x;                                                                  \
        __declspec(property(get = get_y)) unsigned y;                                                                  \
        __declspec(property(get = get_z)) unsigned z;                                                                  \
        __device__ __forceinline__ unsigned get_x() const { return __nvvm_read_ptx_sreg_##sreg##_x(); }                \
        __device__ __forceinline__ unsigned get_y() const { return __nvvm_read_ptx_sreg_##sreg##_y(); }                \
        __device__ __forceinline__ unsigned get_z() const { return __nvvm_read_ptx_sreg_##sreg##_z(); }                \
    };                                                                                                                 \
    extern const __device__ __attribute__((weak)) glint_##name name;
GLINT_INDEX(threadIdx, tid)
GLINT_INDEX(blockIdx, ctaid)
GLINT_INDEX(blockDim, ntid)
GLINT_INDEX(gridDim, nctaid)
#undef GLINT_INDEX
enum { warpSize = 32 };

/* ---- barriers, warps: __syncthreads is a builtin ---- */

#define GLINT_ALL 0xffffffffu
GLINT_DEVICE int __syncthreads_count(int p) {
    return __nvvm_bar0_popc(p);
}
GLINT_DEVICE int __syncthreads_and(int p) {
    return __nvvm_bar0_and(p);
}
GLINT_DEVICE int __syncthreads_or(int p) {
    return __nvvm_bar0_or(p);
}
GLINT_DEVICE void __threadfence_block() {
    __nvvm_membar_cta();
}
GLINT_DEVICE void __threadfence() {
    __nvvm_membar_gl();
}
GLINT_DEVICE void __syncwarp(unsigned mask = GLINT_ALL) {
    __nvvm_bar_warp_sync(mask);
}
GLINT_DEVICE unsigned __activemask() {
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
GLINT_DEVICE unsigned __ballot_sync(unsigned mask, int p) {
    return __nvvm_vote_ballot_sync(mask, p);
}
GLINT_DEVICE int __any_sync(unsigned mask, int p) {
    return __nvvm_vote_any_sync(mask, p);
}
GLINT_DEVICE int __all_sync(unsigned mask, int p) {
    return __nvvm_vote_all_sync(mask, p);
}

#define GLINT_SHUFFLE(name, way, clamp)                                                                                \
    GLINT_DEVICE int name(unsigned mask, int v, int to, int width = 32) {                                              \
        return __nvvm_shfl_sync_##way##_i32(mask, v, to, (32 - width) << 8 | clamp);                                   \
    }                                                                                                                  \
    GLINT_DEVICE unsigned name(unsigned mask, unsigned v, int to, int width = 32) {                                    \
        return (unsigned)name(mask, (int)v, to, width);                                                                \
    }                                                                                                                  \
    GLINT_DEVICE float name(unsigned mask, float v, int to, int width = 32) {                                          \
        return __nvvm_shfl_sync_##way##_f32(mask, v, to, (32 - width) << 8 | clamp);                                   \
    }
GLINT_SHUFFLE(__shfl_sync, idx, 31)
GLINT_SHUFFLE(__shfl_up_sync, up, 0)
GLINT_SHUFFLE(__shfl_down_sync, down, 31)
GLINT_SHUFFLE(__shfl_xor_sync, bfly, 31)
#undef GLINT_SHUFFLE

/* ---- atomics ---- */

#define GLINT_ATOMICS(type)                                                                                            \
    GLINT_DEVICE type atomicAdd(type *at, type v) {                                                                    \
        return __nvvm_atom_add_gen_i((int *)at, (int)v);                                                               \
    }                                                                                                                  \
    GLINT_DEVICE type atomicSub(type *at, type v) {                                                                    \
        return __nvvm_atom_add_gen_i((int *)at, -(int)v);                                                              \
    }                                                                                                                  \
    GLINT_DEVICE type atomicExch(type *at, type v) {                                                                   \
        return __nvvm_atom_xchg_gen_i((int *)at, (int)v);                                                              \
    }                                                                                                                  \
    GLINT_DEVICE type atomicAnd(type *at, type v) {                                                                    \
        return __nvvm_atom_and_gen_i((int *)at, (int)v);                                                               \
    }                                                                                                                  \
    GLINT_DEVICE type atomicOr(type *at, type v) {                                                                     \
        return __nvvm_atom_or_gen_i((int *)at, (int)v);                                                                \
    }                                                                                                                  \
    GLINT_DEVICE type atomicXor(type *at, type v) {                                                                    \
        return __nvvm_atom_xor_gen_i((int *)at, (int)v);                                                               \
    }                                                                                                                  \
    GLINT_DEVICE type atomicCAS(type *at, type old, type v) {                                                          \
        return __nvvm_atom_cas_gen_i((int *)at, (int)old, (int)v);                                                     \
    }
GLINT_ATOMICS(int)
GLINT_ATOMICS(unsigned)
#undef GLINT_ATOMICS
GLINT_DEVICE float atomicAdd(float *at, float v) {
    return __nvvm_atom_add_gen_f(at, v);
}
GLINT_DEVICE int atomicMin(int *at, int v) {
    return __nvvm_atom_min_gen_i(at, v);
}
GLINT_DEVICE int atomicMax(int *at, int v) {
    return __nvvm_atom_max_gen_i(at, v);
}
GLINT_DEVICE unsigned atomicMin(unsigned *at, unsigned v) {
    return __nvvm_atom_min_gen_ui(at, v);
}
GLINT_DEVICE unsigned atomicMax(unsigned *at, unsigned v) {
    return __nvvm_atom_max_gen_ui(at, v);
}
GLINT_DEVICE unsigned long long atomicAdd(unsigned long long *at, unsigned long long v) {
    return (unsigned long long)__nvvm_atom_add_gen_ll((long long *)at, (long long)v);
}

/* ---- arithmetic ---- */

#define GLINT_BOTH(type)                                                                                               \
    GLINT_DEVICE type min(type a, type b) {                                                                            \
        return b < a ? b : a;                                                                                          \
    }                                                                                                                  \
    GLINT_DEVICE type max(type a, type b) {                                                                            \
        return a < b ? b : a;                                                                                          \
    }
GLINT_BOTH(int)
GLINT_BOTH(unsigned)
GLINT_BOTH(long long)
GLINT_BOTH(unsigned long long)
#undef GLINT_BOTH
#define GLINT_ONE(name)                                                                                                \
    GLINT_DEVICE double name(double a) {                                                                               \
        return __builtin_##name(a);                                                                                    \
    }                                                                                                                  \
    GLINT_DEVICE float name##f(float a) {                                                                              \
        return __builtin_##name##f(a);                                                                                 \
    }
GLINT_ONE(floor)
GLINT_ONE(ceil)
GLINT_ONE(trunc)
GLINT_ONE(rint)
GLINT_ONE(nearbyint)
GLINT_ONE(fabs)
#undef GLINT_ONE
#define GLINT_TWO(name)                                                                                                \
    GLINT_DEVICE double name(double a, double b) {                                                                     \
        return __builtin_##name(a, b);                                                                                 \
    }                                                                                                                  \
    GLINT_DEVICE float name##f(float a, float b) {                                                                     \
        return __builtin_##name##f(a, b);                                                                              \
    }
GLINT_TWO(fmin)
GLINT_TWO(fmax)
GLINT_TWO(copysign)
#undef GLINT_TWO
GLINT_DEVICE float min(float a, float b) {
    return __builtin_fminf(a, b);
}
GLINT_DEVICE float max(float a, float b) {
    return __builtin_fmaxf(a, b);
}
GLINT_DEVICE int abs(int a) {
    return a < 0 ? -a : a;
}
GLINT_DEVICE float sqrtf(float a) {
    return __nvvm_sqrt_rn_f(a);
}
GLINT_DEVICE double sqrt(double a) {
    return __nvvm_sqrt_rn_d(a);
}
GLINT_DEVICE float rsqrtf(float a) {
    return __nvvm_rsqrt_approx_f(a);
}
GLINT_DEVICE float fmaf(float a, float b, float c) {
    return __nvvm_fma_rn_f(a, b, c);
}
GLINT_DEVICE double fma(double a, double b, double c) {
    return __nvvm_fma_rn_d(a, b, c);
}
GLINT_DEVICE float roundf(float a) {
    return __builtin_copysignf(__builtin_floorf(__builtin_fabsf(a) + 0.5f), a);
}
GLINT_DEVICE float __saturatef(float a) {
    return __nvvm_saturate_f(a);
}
/* Without the toolkit's library these are the approximations of the hardware. */
GLINT_DEVICE float __fdividef(float a, float b) {
    return __nvvm_div_approx_f(a, b);
}
GLINT_DEVICE float __expf(float a) {
    return __nvvm_ex2_approx_f(1.4426950408889634f * a);
}
GLINT_DEVICE float __logf(float a) {
    return 0.6931471805599453f * __nvvm_lg2_approx_f(a);
}
GLINT_DEVICE float __powf(float a, float b) {
    return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a));
}
GLINT_DEVICE float __sinf(float a) {
    return __nvvm_sin_approx_f(a);
}
GLINT_DEVICE float __cosf(float a) {
    return __nvvm_cos_approx_f(a);
}
GLINT_DEVICE float exp2f(float a) {
    return __nvvm_ex2_approx_f(a);
}
GLINT_DEVICE float log2f(float a) {
    return __nvvm_lg2_approx_f(a);
}
GLINT_DEVICE float expf(float a) {
    return __expf(a);
}
GLINT_DEVICE float logf(float a) {
    return __logf(a);
}
GLINT_DEVICE float powf(float a, float b) {
    return __powf(a, b);
}
GLINT_DEVICE float sinf(float a) {
    return __sinf(a);
}
GLINT_DEVICE float cosf(float a) {
    return __cosf(a);
}

/* ---- bits ---- */

GLINT_DEVICE int __popc(unsigned a) {
    return __builtin_popcount(a);
}
GLINT_DEVICE int __clz(int a) {
    return a == 0 ? 32 : __builtin_clz((unsigned)a);
}
GLINT_DEVICE int __ffs(int a) {
    return __builtin_ffs(a);
}
GLINT_DEVICE int __float_as_int(float a) {
    return __builtin_bit_cast(int, a);
}
GLINT_DEVICE unsigned __float_as_uint(float a) {
    return __builtin_bit_cast(unsigned, a);
}
GLINT_DEVICE float __int_as_float(int a) {
    return __builtin_bit_cast(float, a);
}
GLINT_DEVICE float __uint_as_float(unsigned a) {
    return __builtin_bit_cast(float, a);
}
template <typename T> GLINT_DEVICE T __ldg(const T *at) {
    return *at;
}

#endif
