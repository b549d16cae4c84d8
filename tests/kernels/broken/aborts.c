// want: kernel aborts is ended by a signal \(Aborted\)
#include <glint/kernel.h>
#include <stdlib.h>
KERNEL(point, aborts) {
    abort();
}
