// want: ^glint: no_operation.cu:.*: no operation "convolution"; want one of convolve, 
#include <glint/kernel.h>
KERNEL(convolution, no_operation, 32, 8, 1, 1, 0)
{
}
