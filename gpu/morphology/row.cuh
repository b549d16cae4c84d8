/* row.cuh: words of a row in registers, and extrema of values some bytes apart.
 * One instruction compares two values of 16 bits. Bytes are compared in the upper halves of such two, with even and odd
 * bytes apart; the bits below them change no order. A value of 32 bits is a key (core/math/order.h). */
#ifndef GLINT_GPU_MORPHOLOGY_ROW_CUH
#define GLINT_GPU_MORPHOLOGY_ROW_CUH

#include "gpu/order.cuh"
#include "gpu/rank/network.cuh"

template <bool MAX, typename W, typename... Others> static __device__ __forceinline__ W extreme(W a, Others... others) {
    if constexpr (MAX)
        return greater(a, others...);
    else
        return lesser(a, others...);
}

/* Two halves from half `i` of a stream on. No result needs halves beyond its ends. */
template <int N> static __device__ __forceinline__ Two halves(const Two (&stream)[N], int i) {
    const int at = i < 0 ? 0 : i, first = at / 2 < N ? at / 2 : N - 1, second = at / 2 + 1 < N ? at / 2 + 1 : N - 1;
    return at % 2 == 0 ? stream[first] : Two{__byte_perm(stream[first].bits, stream[second].bits, 0x5432)};
}

template <typename T, int N> struct Row;

template <int N> struct Row<uint8_t, N> {
    Two even[N], odd[N];

    __device__ __forceinline__ void put(int w, uint32_t word) {
        even[w].bits = word << 8;
        odd[w].bits = word;
    }
    __device__ __forceinline__ uint32_t word(int w) const { return __byte_perm(even[w].bits, odd[w].bits, 0x7351); }
    /* Two bytes two apart, from byte `i` on. */
    __device__ __forceinline__ Two bytes_at(int i) const {
        return i % 2 == 0 ? halves(even, i / 2) : halves(odd, (i - 1) / 2);
    }
    /* Word `w` becomes the extrema of itself and the words of others at these bytes of theirs. */
    template <bool MAX, typename Other, typename... Bytes>
    __device__ __forceinline__ void meet(int w, const Other &other, Bytes... bytes) {
        const Two low = extreme<MAX>(even[w], other.bytes_at(bytes)...);
        odd[w] = extreme<MAX>(odd[w], other.bytes_at(bytes + 1)...);
        even[w] = low;
    }
};

template <int N> struct Row<uint16_t, N> {
    Two pair[N];

    __device__ __forceinline__ void put(int w, uint32_t word) { pair[w].bits = word; }
    __device__ __forceinline__ uint32_t word(int w) const { return pair[w].bits; }
    template <bool MAX, typename Other, typename... Bytes>
    __device__ __forceinline__ void meet(int w, const Other &other, Bytes... bytes) {
        pair[w] = extreme<MAX>(pair[w], halves(other.pair, bytes / 2)...);
    }
};

template <int N> struct Row<float, N> {
    One key[N];

    __device__ __forceinline__ One key_at(int i) const { return key[i < 0 ? 0 : i < N ? i : N - 1]; }
    __device__ __forceinline__ void put(int w, uint32_t word) { key[w].key = (int32_t)word; }
    __device__ __forceinline__ uint32_t word(int w) const { return (uint32_t)key[w].key; }
    template <bool MAX, typename Other, typename... Bytes>
    __device__ __forceinline__ void meet(int w, const Other &other, Bytes... bytes) {
        key[w] = extreme<MAX>(key[w], other.key_at(bytes / 4)...);
    }
};

#endif
