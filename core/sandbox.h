/* sandbox.h: pictures of strangers are decoded by processes that can do nothing else.
 * Owns a process that is begun before there are threads, and makes one for each file: it sees the file and a piece of
 * shared memory, and may calculate and allocate; files, networks, other processes and more memory or time than it was
 * given are out of its reach (seccomp, rlimits, alarm). If it crashes, hangs or tries, that is one failed input. */
#ifndef GLINT_CORE_SANDBOX_H
#define GLINT_CORE_SANDBOX_H

#include "core/codec.h"

typedef struct Sandbox Sandbox;

/* `seconds` are for each header, and for each picture. Any number of threads may decode in it. To be opened while the
 * process has one thread, and no devices. STATUS_DEVICE if the system does not let us. */
Status sandbox_open(unsigned seconds, Sandbox **sandbox);
void sandbox_close(Sandbox **sandbox); /* accepts NULL */
CodecBox *sandbox_box(Sandbox *sandbox);

#endif
