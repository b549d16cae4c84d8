// want: kernel shared_halo fails: a block wants [0-9]+ bytes of shared memory, and a GPU has [0-9]+
// want cuda: kernel shared_halo fails: .*invalid argument
#include <glint/kernel.h>
KERNEL(convolve, shared_halo, 32, 8, 1, 1, HALO(4096))
{
}
