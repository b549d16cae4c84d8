// want: kernel traps fails: the kernel gives up by trap, line 6, block \(0, 0, 0\), thread \(0, 0, 0\)
// want cuda: kernel traps fails: 
#include <glint/kernel.h>
KERNEL(point, traps, 32, 8, 1, 1, 0)
{
    asm volatile("trap;");
}
