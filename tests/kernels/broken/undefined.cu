// want: absent
// want cuda: kernel undefined fails: a PTX JIT compilation failed \(cudaErrorInvalidPtx\)$
#include <glint/kernel.h>
__device__ int absent(int);
KERNEL(point, undefined, 32, 8, 1, 1, 0)
{
    out.values[0] = absent(column());
}
