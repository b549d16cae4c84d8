/* words.cuh: words of a picture's rows, from any byte on, on their way to shared memory, and words of results. */
#ifndef GLINT_GPU_MORPHOLOGY_WORDS_CUH
#define GLINT_GPU_MORPHOLOGY_WORDS_CUH

#include "gpu/order.cuh"

/* A word of row y, from a byte of it on, as values in order: f32 as keys. Bytes beyond the picture are the border's.
 * All loads are on their way at once. */
template <typename T>
static __device__ __noinline__ uint32_t edge_word(const Plane &in, const Edges &edges, int channels, int y, int byte) {
    enum { SIZE = sizeof(T), VALUES = 4 / SIZE };
    const int first = byte / SIZE, sy = edge_index(edges, y, in.height);
    int at[VALUES], x = first >= 0 ? first / channels : -((channels - 1 - first) / channels);
    int c = first - x * channels;
#pragma unroll
    for (int k = 0; k < VALUES; k++) {
        const int sx = edge_index(edges, x, in.width);
        at[k] = sx < 0 || sy < 0 ? -1 : sx * channels + c;
        c++;
        if (c == channels) {
            c = 0;
            x++;
        }
    }
    const T *row = row_of<T>(in, max(sy, 0));
    uint32_t word = 0;
#pragma unroll
    for (int k = 0; k < VALUES; k++) {
        const T value = __ldg(row + max(at[k], 0));
        word |= (uint32_t)(at[k] < 0 ? edges.outside : key_of(value)) << (k * 8 * SIZE % 32);
    }
    return word;
}
/* A word on its way, so that several are at once; `inside`: no part of it is beyond the picture. */
struct Arrival {
    uint32_t low, high;
    bool inside;
};
/* Two aligned words are read, of which the second may lie behind the row: the last ones count as beyond the picture. */
template <typename T>
static __device__ __forceinline__ Arrival fetch_word(const Plane &in, int channels, int y, int byte) {
    const int end = in.width * channels * (int)sizeof(T) - 7;
    const uint32_t *from = (const uint32_t *)(in.pixels + (size_t)y * in.stride + (byte & ~3));
    Arrival word = {0, 0, (unsigned)y < (unsigned)in.height && byte >= 0 && byte < end};
    if (word.inside) {
        word.low = __ldg(from);
        if (sizeof(T) < 4)
            word.high = __ldg(from + 1);
    }
    return word;
}
/* The same word, as values in order. */
template <typename T>
static __device__ __forceinline__ uint32_t arrived(const Arrival &word, const Plane &in, const Edges &edges,
                                                   int channels, int y, int byte) {
    if (!word.inside)
        return edge_word<T>(in, edges, channels, y, byte);
    return sizeof(T) == 4 ? (uint32_t)order_key((int)word.low) : __funnelshift_r(word.low, word.high, (byte & 3) * 8);
}

/* A word as the picture has it. */
template <typename T> static __device__ __forceinline__ uint32_t unkeyed(uint32_t word) {
    return sizeof(T) == 4 ? (uint32_t)order_bits((int)word) : word;
}

/* Leaves up to `count` bytes of a word. */
static __device__ __forceinline__ void store_word(uint8_t *to, int count, uint32_t word) {
    if (count >= 4)
        __stcs((uint32_t *)to, word);
    else
        for (int k = 0; k < count; k++)
            to[k] = (uint8_t)(word >> 8 * k);
}

#endif
