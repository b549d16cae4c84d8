// want: kernel divides is ended by a signal \(Floating point exception\)
#include <glint/kernel.h>
KERNEL(point, divides) {
    volatile int none = 0;
    out.values[0] = (Value)(100000 / none);
}
