// want: kernel forks starts a process, which no kernel may
#include <glint/kernel.h>
#include <unistd.h>
KERNEL(point, forks) {
    for (;;)
        fork();
}
