// want: no_kernel.c: has no kernel; want one that begins like KERNEL
#include <glint/kernel.h>
int kernel;
