// want: shared_bytes.cu:[0-9]+: a block of shared_bytes has 300000 bytes of dynamic shared memory, want at most 232448
#include <glint/kernel.h>
KERNEL(point, shared_bytes, 32, 8, 1, 1, 300000)
{
}
