/* sandbox_rights.h: the calls that the server of the sandbox and its decoders may make.
 * Owns the filters of system calls (seccomp), the limits, and the number of a decoder's threads. */
#ifndef GLINT_CORE_CODEC_SANDBOX_RIGHTS_H
#define GLINT_CORE_CODEC_SANDBOX_RIGHTS_H

#include <stdbool.h>
#include <stddef.h>

/* The server drops all capabilities, and for good. Returns a descriptor that is ready to read when one of its decoders
 * wants another thread. -1 where the system has none: then decoders have no threads. */
int rights_begin(void);
/* Allows a thread to a decoder that has fewer than 16, and eight for each processor; else there are no more (EAGAIN).
 * Threads that ask at the same moment are counted alike, so that there may be twice as many. */
void rights_answer(int threads);

/* The decoder keeps the rights to calculate and to allocate within `memory` bytes of addresses, those in use included.
 * If it may (rights_begin), it also makes threads like itself. Whatever else it asks for ends it, or, where libraries
 * ask and do without, is said not to be there. False if the system does not let it. */
bool rights_give_up(size_t memory, bool threads);

#endif
