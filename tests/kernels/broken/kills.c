// want: kernel kills sends a signal to another process, which no kernel may
#include <glint/kernel.h>
#include <signal.h>
#include <unistd.h>
KERNEL(point, kills) {
    kill(-getpgid(getppid()), SIGKILL);
}
