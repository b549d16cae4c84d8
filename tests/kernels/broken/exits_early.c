// want: kernel exits_early ends its process with status 5
#include <glint/kernel.h>
#include <stdlib.h>
static void begin(void) __attribute__((constructor));
static void begin(void) {
    exit(5);
}
KERNEL(point, exits_early) {
}
