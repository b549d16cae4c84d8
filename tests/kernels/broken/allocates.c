// want: kernel allocates (writes address (0x[0-9a-f]+|\(nil\)), where no memory is|closes the descriptors of its process, or has no memory left|has not ended)
#include <glint/kernel.h>
#include <stdlib.h>
#include <string.h>
KERNEL(point, allocates) {
    for (;;)
        memset(malloc((size_t)1 << 40), 1, (size_t)1 << 40);
}
