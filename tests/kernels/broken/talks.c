// want: kernel talks writes to the descriptors of its process
#include <glint/kernel.h>
#include <sys/socket.h>
KERNEL(point, talks) {
    for (;;)
        send(0, "rn", 1, 0); /* the program would wait as long as it hears something */
}
