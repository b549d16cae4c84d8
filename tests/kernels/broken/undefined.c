// want: undefined.c: undefined reference to .absent
#include <glint/kernel.h>
int absent(void);
KERNEL(point, undefined) {
    out.values[0] = (Value)absent();
}
