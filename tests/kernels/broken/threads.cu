// want: threads.cu:[0-9]+: a block of threads has 64 x 32 threads, want 1 to 1024 in all
#include <glint/kernel.h>
KERNEL(point, threads, 64, 32, 1, 1, 0)
{
}
