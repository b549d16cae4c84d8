/* template.cu: the size of a block is a parameter of the template: no loop is left. */
#include "gpu/course/reduce/tree.cuh"

template <class Source>
__global__ void reduce_template(const __grid_constant__ Source in, unsigned count, typename Source::Sum *out) {
    __shared__ typename Source::Sum data[COURSE_THREADS];
    const unsigned tid = threadIdx.x, i = blockIdx.x * (2 * COURSE_THREADS) + tid;
    typename Source::Sum mine = {};
    if (i < count)
        mine = in[i];
    if (i < count && count - i > COURSE_THREADS)
        mine += in[i + COURSE_THREADS];
    data[tid] = mine;
    add_tree<COURSE_THREADS>(data, tid);
    if (tid == 0)
        out[blockIdx.x] = data[0];
}

COURSE_RUNG(Template, "template", reduce_template, 2 * COURSE_THREADS);

COURSE_LEVEL(Template, template, "template",
             "the compiler knows the block's size and writes out every step: no loop and no test is left");
