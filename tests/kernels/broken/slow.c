// want: kernel slow has not ended after 0.5 s \(--kernel-time\)
#include <glint/kernel.h>
#include <unistd.h>
KERNEL(point, slow) {
    for (int y = part.first; y < part.last; y++)
        usleep(600000);
}
