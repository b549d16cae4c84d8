/* network.cuh: sorting networks in registers, on words that hold one key or two.
 * Merges are Batcher's (K. E. Batcher, Sorting networks and their applications, AFIPS 1968; Knuth, The Art of Computer
 * Programming 3, section 5.3.4). The compiler leaves out their parts that no result needs. */
#ifndef GLINT_GPU_RANK_NETWORK_CUH
#define GLINT_GPU_RANK_NETWORK_CUH

#include <stdint.h>

/* A word of two u16, or of one signed number. */
struct Two {
    uint32_t bits;
};
struct One {
    int32_t key;
};

static __device__ __forceinline__ Two lesser(Two a, Two b) {
    return {__vminu2(a.bits, b.bits)};
}
static __device__ __forceinline__ Two greater(Two a, Two b) {
    return {__vmaxu2(a.bits, b.bits)};
}
static __device__ __forceinline__ One lesser(One a, One b) {
    return {min(a.key, b.key)};
}
static __device__ __forceinline__ One greater(One a, One b) {
    return {max(a.key, b.key)};
}
#if __CUDA_ARCH__ >= 900
static __device__ __forceinline__ Two lesser(Two a, Two b, Two c) {
    return {__vimin3_u16x2(a.bits, b.bits, c.bits)};
}
static __device__ __forceinline__ Two greater(Two a, Two b, Two c) {
    return {__vimax3_u16x2(a.bits, b.bits, c.bits)};
}
static __device__ __forceinline__ One lesser(One a, One b, One c) {
    return {__vimin3_s32(a.key, b.key, c.key)};
}
static __device__ __forceinline__ One greater(One a, One b, One c) {
    return {__vimax3_s32(a.key, b.key, c.key)};
}
#else
template <typename W> static __device__ __forceinline__ W lesser(W a, W b, W c) {
    return lesser(lesser(a, b), c);
}
template <typename W> static __device__ __forceinline__ W greater(W a, W b, W c) {
    return greater(greater(a, b), c);
}
#endif
static __device__ __forceinline__ Two bits_of_three(Two a, Two b, Two c) {
    return {a.bits ^ b.bits ^ c.bits};
}
static __device__ __forceinline__ One bits_of_three(One a, One b, One c) {
    return {a.key ^ b.key ^ c.key};
}

/* Puts two keys in order. */
template <typename W> static __device__ __forceinline__ void exchange(W &a, W &b) {
    const W low = lesser(a, b);
    b = greater(a, b);
    a = low;
}

/* Keys at which none is below, or above. */
static __device__ __forceinline__ Two least(Two) {
    return {0};
}
static __device__ __forceinline__ Two greatest(Two) {
    return {~0U};
}
static __device__ __forceinline__ One least(One) {
    return {INT32_MIN};
}
static __device__ __forceinline__ One greatest(One) {
    return {INT32_MAX};
}

/* Three in order: the others leave the middle one of all bits. */
template <typename W> static __device__ __forceinline__ void sort_three(W a, W b, W c, W *sorted) {
    sorted[0] = lesser(a, b, c);
    sorted[2] = greater(a, b, c);
    sorted[1] = bits_of_three(bits_of_three(a, b, c), sorted[0], sorted[2]);
}
template <typename W> static __device__ __forceinline__ W middle(W a, W b, W c) {
    return greater(lesser(a, b), lesser(greater(a, b), c));
}

/* The greatest power of 2 below `n`, which is above 1. */
static __host__ __device__ constexpr int power_below(int n) {
    int power = 1;
    while (2 * power < n)
        power *= 2;
    return power;
}

/* Merges a[0], a[step], ... and b[0], b[step], ... of N and M sorted keys. */
template <int N, int M, typename W>
static __device__ __forceinline__ void merge(const W *a, int step_a, const W *b, int step_b, W *to) {
    if constexpr (N == 0) {
#pragma unroll
        for (int i = 0; i < M; i++)
            to[i] = b[i * step_b];
    } else if constexpr (M == 0) {
#pragma unroll
        for (int i = 0; i < N; i++)
            to[i] = a[i * step_a];
    } else if constexpr (N == 1 && M == 1) {
        to[0] = lesser(a[0], b[0]);
        to[1] = greater(a[0], b[0]);
    } else {
        enum { EVEN = (N + 1) / 2 + (M + 1) / 2, ODD = N / 2 + M / 2 };
        W even[EVEN], odd[ODD > 0 ? ODD : 1];
        merge<(N + 1) / 2, (M + 1) / 2>(a, 2 * step_a, b, 2 * step_b, even);
        merge<N / 2, M / 2>(a + step_a, 2 * step_a, b + step_b, 2 * step_b, odd);
        to[0] = even[0];
#pragma unroll
        for (int i = 0; i < ODD && i + 1 < EVEN; i++) {
            to[2 * i + 1] = odd[i];
            to[2 * i + 2] = even[i + 1];
            exchange(to[2 * i + 1], to[2 * i + 2]);
        }
        if constexpr (ODD == EVEN)
            to[N + M - 1] = odd[ODD - 1];
        if constexpr (EVEN == ODD + 2)
            to[N + M - 1] = even[EVEN - 1];
    }
}

/* Sorts keys that descend, then ascend; or turned by some places. Only the KEEP least are wanted. */
template <int N, int KEEP, typename W> static __device__ __forceinline__ void sort_bitonic(W *keys) {
    if constexpr (N > 1) {
        constexpr int half = power_below(N), upper = KEEP - half;
#pragma unroll
        for (int i = 0; i + half < N; i++)
            if constexpr (upper > 0)
                exchange(keys[i], keys[i + half]);
            else
                keys[i] = lesser(keys[i], keys[i + half]);
        sort_bitonic<half, (upper > 0 ? half : KEEP)>(keys);
        if constexpr (upper > 0)
            sort_bitonic<N - half, upper>(keys + half);
    }
}

/* Keys LOW to LOW + KEEP - 1 of N and M sorted keys. The LOW least are left out first, by the greater of each two that
 * have LOW - 1 others below them. */
template <int N, int M, int LOW, int KEEP, typename W>
static __device__ __forceinline__ void select(const W *a, const W *b, W *to) {
    if constexpr (KEEP == N + M)
        merge<N, M>(a, 1, b, 1, to);
    else {
        enum { COUNT = N + M - LOW };
        W keys[COUNT];
#pragma unroll
        for (int k = 0; k < COUNT; k++) {
            const int i = k + LOW - M, j = M - 1 - k;
            if (i < 0)
                keys[k] = b[j];
            else if (j < 0)
                keys[k] = a[i];
            else
                keys[k] = greater(a[i], b[j]);
        }
        sort_bitonic<COUNT, KEEP>(keys);
#pragma unroll
        for (int k = 0; k < KEEP; k++)
            to[k] = keys[k];
    }
}

template <int N, typename W> static __device__ __forceinline__ void sort(const W *from, int step, W *to) {
    if constexpr (N == 1)
        to[0] = from[0];
    else if constexpr (N == 3)
        sort_three(from[0], from[step], from[2 * step], to);
    else {
        W low[N / 2], high[N - N / 2];
        sort<N / 2>(from, step, low);
        sort<N - N / 2>(from + N / 2 * step, step, high);
        merge<N / 2, N - N / 2>(low, 1, high, 1, to);
    }
}

/* Puts one more among N sorted keys. */
template <int N, typename W> static __device__ __forceinline__ void insert(const W *sorted, W key, W *to) {
    to[0] = lesser(sorted[0], key);
#pragma unroll
    for (int i = 1; i < N; i++)
        to[i] = greater(sorted[i - 1], lesser(sorted[i], key));
    to[N] = greater(sorted[N - 1], key);
}

/* The key of rank N among N + 1 sorted keys a and N sorted keys b: the smallest of the largest that split them so. */
template <int N, typename W> static __device__ __forceinline__ W median_of_two(const W *a, const W *b) {
    W found = a[N];
    int i = 0;
    if constexpr (N % 2 == 1) {
        found = lesser(found, greater(a[0], b[N - 1]));
        i = 1;
    }
#pragma unroll
    for (; i < N; i += 2)
        found = lesser(found, greater(a[i], b[N - 1 - i]), greater(a[i + 1], b[N - 2 - i]));
    return found;
}

#endif
