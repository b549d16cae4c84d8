// want: kernel exits ends its process with status 3
#include <glint/kernel.h>
#include <stdlib.h>
KERNEL(point, exits) {
    exit(3);
}
