/* glint lab: reduce-vectors */
#include <glint/kernel.h>

enum { THREADS = 256, LANES = 32 };

/* Lane 0 gets the sum of all lanes. */
static __device__ float add_lanes(float sum) {
    for (int half = LANES / 2; half > 0; half /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, half);
    return sum;
}

KERNEL(reduce, mine, THREADS, 1, 16, 1, 0) {
    __shared__ float sums[THREADS / LANES];
    const int thread = threadIdx.x, all = gridDim.x * THREADS;
    float sum = 0;
    for (int i = column(); i < in.count; i += all)
        sum += in.values[i];
    sum = add_lanes(sum);
    if (thread % LANES == 0)
        sums[thread / LANES] = sum;
    __syncthreads();
    if (thread >= LANES)
        return;
    sum = add_lanes(thread < THREADS / LANES ? sums[thread] : 0);
    if (thread == 0)
        out[blockIdx.x] = sum;
}
