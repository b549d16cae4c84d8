/* many.cu: threads add many values each: a grid as large as the device goes over all of them. */
#include "gpu/course/reduce/tree.cuh"

template <class Source>
__global__ void reduce_many(const __grid_constant__ Source in, unsigned count, typename Source::Sum *out) {
    __shared__ typename Source::Sum data[COURSE_THREADS];
    const unsigned tid = threadIdx.x;
    typename Source::Sum mine = {};
    for (size_t i = blockIdx.x * (2 * COURSE_THREADS) + tid; i < count; i += (size_t)gridDim.x * 2 * COURSE_THREADS) {
        mine += in[(unsigned)i];
        if (count - i > COURSE_THREADS)
            mine += in[(unsigned)i + COURSE_THREADS];
    }
    data[tid] = mine;
    add_tree<COURSE_THREADS>(data, tid);
    if (tid == 0)
        out[blockIdx.x] = data[0];
}

COURSE_RUNG(Many, "many", reduce_many, 0);

COURSE_LEVEL(Many, many, "many",
             "a grid as large as the device goes over all values: trees and launches are few, and loads are many");
