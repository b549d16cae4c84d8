// want: kernel executes (starts a process, which|makes a system call that) no kernel may
#include <glint/kernel.h>
#include <stdlib.h>
KERNEL(point, executes) {
    out.values[0] = (Value)system("sleep 100");
}
