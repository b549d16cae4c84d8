// want: kernel overflows overflows its stack
#include <glint/kernel.h>
static int deeper(volatile int *above) {
    volatile int here[256];
    here[0] = *above + 1;
    return deeper(here) + here[0];
}
KERNEL(point, overflows) {
    volatile int none = 0;
    out.values[0] = (Value)deeper(&none);
}
