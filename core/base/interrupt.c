/* interrupt.c: signals that ask for an end.
 * A signal may be delivered to any thread, so a system call of another one goes on waiting (signal(7)). Waits therefore
 * poll an eventfd besides their own descriptor: the handler writes to it, it is never read, and all waits end. */
#include "core/base/interrupt.h"

#include "core/base/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    GRACE_MS = 1000, /* for the reader of a pipe or terminal */
    PIECE = 1 << 20, /* bytes: as many as any user's pipe may hold (pipe(7)) */
};

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

/* A handler has no argument, so its state is the process's. Lock-free atomics are safe in handlers (C17 7.14.1.1). */
static atomic_bool deferred;
static Stop caught;
static atomic_bool patience_is_over; /* someone was waited for in vain after the signal: once is enough */
static atomic_int wake = -1;         /* the eventfd; poll ignores -1 */
static atomic_int only_from;         /* the process whose signals count; 0: all do */

static void take_note(int number, siginfo_t *info, void *context) {
    const uint64_t one = 1;
    const int kept = errno, from = atomic_load(&only_from);
    (void)number, (void)context;
    if (from != 0 && info->si_pid != from)
        return;
    if (!atomic_load(&deferred) || atomic_exchange(&caught.asked, true))
        _exit(STATUS_INTERRUPTED);
    (void)!write(atomic_load(&wake), &one, sizeof one);
    errno = kept;
}

void interrupts_begin(void) {
    struct sigaction action = {.sa_sigaction = take_note, .sa_flags = SA_SIGINFO},
                     before; /* no SA_RESTART: waits end */
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

void interrupts_catch(void) {
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    if (atomic_load(&wake) < 0)
        atomic_store(&wake, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    interrupts_begin();
    atomic_store(&deferred, true);
    sigaction(SIGXFSZ, &ignore, NULL); /* files that grow beyond a limit say so by errno */
    sigaction(SIGPIPE, &ignore, NULL); /* last: a process that sees it from outside may send any of the others */
}

void interrupts_only_from(pid_t process) {
    atomic_store(&only_from, process);
}

bool interrupted(void) {
    return atomic_load(&caught.asked);
}

const Stop *interrupt_stop(void) {
    return &caught;
}

/* Once a signal was caught, waits for `grace_ms` more. A descriptor that poll() does not take counts as ready: the call
   that follows says why. */
static Status wait_for(int descriptor, short events, int grace_ms) {
    struct pollfd waits[] = {{descriptor, events, 0}, {atomic_load(&wake), POLLIN, 0}};
    for (;;) {
        const bool ending = interrupted();
        const int grace = atomic_load(&patience_is_over) ? 0 : grace_ms;
        const int ready = poll(waits, ending ? 1 : 2, ending ? grace : -1);
        if ((ready < 0 && errno != EINTR) || (ready > 0 && waits[0].revents != 0))
            return STATUS_OK;
        if (ending && ready == 0 && grace > 0)
            atomic_store(&patience_is_over, true);
        if (ending && ready == 0)
            return fail(STATUS_INTERRUPTED, "interrupted");
    }
}

static bool try_again(void) {
    return errno == EINTR || errno == EAGAIN;
}

Status interruptible_read(int descriptor, const char *name, void *data, size_t size, size_t *got) {
    ssize_t count;
    do {
        if (interrupted()) /* also of a stream that never runs dry */
            return fail(STATUS_INTERRUPTED, "interrupted");
        TRY(wait_for(descriptor, POLLIN, 0));
        count = read(descriptor, data, size);
    } while (count < 0 && try_again());
    *got = count > 0 ? (size_t)count : 0;
    return count >= 0 ? STATUS_OK : fail(STATUS_INPUT, "%s: cannot be read: %m", name);
}

Status interruptible_wait(int descriptor, int ms) {
    struct pollfd waits[] = {{descriptor, POLLIN, 0}, {atomic_load(&wake), POLLIN, 0}};
    (void)poll(waits, 2, ms);
    return interrupted() ? fail(STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

void pipe_widen(int descriptor) {
    (void)fcntl(descriptor, F_SETPIPE_SZ, PIECE);
}

int pipe_without_waits(int descriptor) {
    char path[sizeof "/proc/self/fd/" + 11];
    if (fcntl(descriptor, F_GETPIPE_SZ) < 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
}

Status interruptible_sleep(double seconds) {
    struct pollfd wait = {atomic_load(&wake), POLLIN, 0};
    (void)poll(&wait, 1, (int)(seconds * 1000)); /* another signal may cut it short */
    return interrupted() ? fail(STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

/* Bytes that one call can write without waiting for the reader. A pipe that is ready has room for PIPE_BUF (pipe(7));
 * one that never waits takes as many as it can. */
static size_t at_once(int descriptor) {
    struct stat info;
    const bool never_waits =
        (fcntl(descriptor, F_GETFL) & O_NONBLOCK) != 0 || (fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode));
    return never_waits ? PIECE : PIPE_BUF;
}

Status interruptible_write(int descriptor, const char *name, const void *data, size_t size) {
    const char *from = data;
    const size_t most = at_once(descriptor);
    while (size > 0) {
        TRY(wait_for(descriptor, POLLOUT, GRACE_MS));
        const ssize_t count = write(descriptor, from, size < most ? size : most);
        if (count < 0 && !try_again())
            return fail(STATUS_DEVICE, "%s: cannot be written: %m", name);
        from += count > 0 ? count : 0;
        size -= count > 0 ? (size_t)count : 0;
    }
    return STATUS_OK;
}
