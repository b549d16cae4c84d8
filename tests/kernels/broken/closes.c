// want: kernel closes closes the descriptors of its process
#include <glint/kernel.h>
#include <unistd.h>
KERNEL(point, closes) {
    for (int i = 0; i < 1024; i++)
        close(i);
}
