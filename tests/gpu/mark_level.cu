/* mark_level.cu: tells a profiler when to count, and by a kernel that does nothing, which level comes. */
#include <cuda_profiler_api.h>

__global__ void level_begins() {}

extern "C" void mark_level(unsigned number) {
    cudaProfilerStart();
    level_begins<<<number, 1>>>();
}

extern "C" void mark_end(void) {
    cudaDeviceSynchronize();
    cudaProfilerStop();
}
