/* server.h: the process in which kernels run, as it is started: a name, a backend, the number of a device, and two
 * descriptors. */
#ifndef GLINT_KERNEL_HOST_SERVER_H
#define GLINT_KERNEL_HOST_SERVER_H

/* The name that the program is executed by. */
#define KERNEL_SERVER "glint: kernels"

enum { SERVER_SOCKET = 0, SERVER_MEMORY = 3 };

/* To be called first in main: does not return if the program was executed to run kernels. */
void kernel_host_serve_if_asked(char **argv);

#endif
