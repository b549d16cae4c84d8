/* interrupt.h: an end when asked: SIGINT, SIGTERM and SIGHUP.
 * Owns the signal handlers of the process, and the waits that a signal ends. */
#ifndef GLINT_CORE_BASE_INTERRUPT_H
#define GLINT_CORE_BASE_INTERRUPT_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* From now on each of the signals ends the process at once, with status STATUS_INTERRUPTED. A signal that the process
 * was told to ignore (as nohup does) stays ignored. */
void interrupts_begin(void);

/* From now on the first signal only makes `interrupted` true and ends the waits below, so that work can be left in
 * order. A second one, of whichever kind, ends the process at once. A write to a closed pipe fails (EPIPE) and does not
 * end the process. */
void interrupts_catch(void);
bool interrupted(void);
/* The flag that the first signal raises, for queues whose work is given up then (Queue.stop). */
const struct Stop *interrupt_stop(void);
/* From now on only this process's signals count. */
void interrupts_only_from(pid_t process);

/* Reads up to `size` bytes from a stream, waiting for the first of them; *got is 0 at its end. STATUS_INTERRUPTED once
 * a signal was caught. STATUS_INPUT if it cannot be read; `name` is for the message. */
Status interruptible_read(int descriptor, const char *name, void *data, size_t size, size_t *got);

/* Waits until a descriptor can be read, at most so many milliseconds (-1: without end). STATUS_INTERRUPTED once a
 * signal was caught. */
Status interruptible_wait(int descriptor, int ms);

/* Has a pipe hold 1 MiB, so that those at its ends wait for each other less often. No other descriptor changes. */
void pipe_widen(int descriptor);
/* Opens a pipe's end for writing once more, as one that takes as much as it has room for and never waits. The end that
 * is there may be shared with processes that rely on it to wait. -1 if it is no pipe, or cannot be opened. */
int pipe_without_waits(int descriptor);

/* Waits. STATUS_INTERRUPTED once a signal was caught. */
Status interruptible_sleep(double seconds);

/* Writes all bytes, waiting for a pipe's reader. Once a signal was caught, a reader that takes nothing for a second is
 * STATUS_INTERRUPTED, with a part written. STATUS_DEVICE if it cannot be written. */
Status interruptible_write(int descriptor, const char *name, const void *data, size_t size);

#endif
