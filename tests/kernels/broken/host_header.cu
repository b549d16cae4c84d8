// want: (cannot open source file "stdio.h"; a kernel needs no headers of C's and C..'s libraries, also for printf|did not write)
#include <glint/kernel.h>
#include <stdio.h>
KERNEL(point, host_header, 32, 8, 1, 1, 0)
{
    if (column() == 0 && row() == 0)
        printf("a compiler that has the header gets here\n");
}
