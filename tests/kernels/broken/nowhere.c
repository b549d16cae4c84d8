// want: kernel nowhere writes address 0x8, where no memory is
#include <glint/kernel.h>
KERNEL(point, nowhere) {
    *(volatile int *)8 = part.first;
}
