// want: no_kernel.cu: has no kernel; want one that begins like KERNEL
#include <glint/kernel.h>
__global__ void kernel() {
}
