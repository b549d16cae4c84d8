// want: kernel misaligned fails: address [0-9]+ is not a multiple of 4, line 6, block \(0, 0, 0\), thread \(0, 0, 0\), address 0x
// want cuda: kernel misaligned fails: misaligned address
#include <glint/kernel.h>
KERNEL(point, misaligned, 32, 8, 1, 1, 0)
{
    *(volatile int *)((char *)out.values + 1) = 1;
}
