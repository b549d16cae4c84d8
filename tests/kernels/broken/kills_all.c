// want: kernel kills_all (is ended by a signal|sends a signal|closes the descriptors)
#include <glint/kernel.h>
#include <signal.h>
KERNEL(point, kills_all) {
    kill(0, SIGKILL);
    kill(-1, SIGKILL);
}
