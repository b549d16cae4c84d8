/* host.c: the program's side: starts the process, waits for it, and says how it ended. */
#include "kernel/host/host.h"

#include "core/base/interrupt.h"
#include "core/base/timing.h"
#include "kernel/host/server.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define START_SECONDS 60.0 /* for a process and its device, and for loading code: a driver compiles PTX */
#define PATIENCE      10.0 /* times a run's limit, for a process that a busy machine does not let work */
#define POLL_MS       50   /* between looks at whether a signal came */
#define LAST_MS       500  /* for a process that closed its socket to end */

struct KernelHost {
    char backend[16];
    int index;
    double seconds;
    int file; /* the common memory; -1: none yet */
    TaskMemory *memory;
    size_t bytes;
    pid_t pid; /* 0: no process */
    int socket;
};

Status kernel_host_open(const char *backend, int index, double seconds, KernelHost **host) {
    KernelHost *made = calloc(1, sizeof *made);
    *host = NULL;
    if (!made)
        return fail(STATUS_DEVICE, "no memory for kernels");
    made->file = -1;
    snprintf(made->backend, sizeof made->backend, "%s", backend);
    made->index = index;
    made->seconds = seconds;
    *host = made;
    return STATUS_OK;
}

/* Ends the process, which has `patience` milliseconds to end by itself; its status as waitpid has it. */
static int end_process(KernelHost *host, double patience) {
    const double until = clock_ms() + patience;
    int status = 0;
    pid_t ended = 0;
    close(host->socket);
    while ((ended = waitpid(host->pid, &status, WNOHANG)) == 0 && clock_ms() < until)
        (void)poll(NULL, 0, 1);
    if (ended != host->pid) {
        kill(host->pid, SIGKILL);
        while (waitpid(host->pid, &status, 0) < 0 && errno == EINTR) {
        }
    }
    host->pid = 0;
    return status;
}

/* ---- the common memory ---- */

static void drop_memory(KernelHost *host) {
    if (host->memory)
        munmap(host->memory, host->bytes);
    if (host->file >= 0)
        close(host->file);
    host->memory = NULL;
    host->bytes = 0;
    host->file = -1;
}

void kernel_host_close(KernelHost **host) {
    KernelHost *closed = *host;
    if (!closed)
        return;
    if (closed->pid)
        (void)end_process(closed, 0);
    drop_memory(closed);
    free(closed);
    *host = NULL;
}

/* The file can become no smaller, so that what is mapped here stays. */
static bool grow_memory(KernelHost *host, size_t bytes) {
    if (host->file < 0) {
        host->file = memfd_create("glint kernels", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        if (host->file < 0 || fcntl(host->file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
            return false;
    }
    void *mapped = ftruncate(host->file, (off_t)bytes) == 0
                       ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, host->file, 0)
                       : MAP_FAILED;
    if (mapped == MAP_FAILED)
        return false;
    if (host->memory)
        munmap(host->memory, host->bytes);
    host->memory = mapped;
    host->bytes = bytes;
    return true;
}

/* A process that has ended may have left others, which have its memory: the next one gets other memory. So it does
 * where a kernel has made the file larger than it shall be. */
Status kernel_host_memory(KernelHost *host, size_t bytes, TaskMemory **memory) {
    const size_t wanted = task_place(sizeof(TaskMemory)) + bytes;
    if (!host->pid)
        drop_memory(host);
    if ((!host->memory || wanted > host->bytes) && !grow_memory(host, wanted)) {
        if (host->pid)
            (void)end_process(host, 0);
        drop_memory(host);
        if (!grow_memory(host, wanted))
            return fail(STATUS_DEVICE, "no memory for a kernel's pictures: %m");
    }
    memset(host->memory, 0, sizeof *host->memory);
    *memory = host->memory;
    return STATUS_OK;
}

/* ---- the process ---- */

static Status start(KernelHost *host) {
    char index[16];
    char *arguments[] = {(char[]){KERNEL_SERVER}, host->backend, index, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int pair[2];
    snprintf(index, sizeof index, "%d", host->index);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return fail(STATUS_DEVICE, "no socket for kernels: %m");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pair[1], SERVER_SOCKET);
    posix_spawn_file_actions_adddup2(&actions, host->file, SERVER_MEMORY);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO); /* results of the program go there */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID); /* no terminal, and no group but its own */
    const int error = posix_spawn(&host->pid, "/proc/self/exe", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(pair[1]);
    host->socket = pair[0];
    if (error == 0)
        return STATUS_OK;
    close(pair[0]);
    host->pid = 0;
    return fail(STATUS_DEVICE, "no process for kernels: %s", strerror(error));
}

typedef enum Waited { WAITED_DONE, WAITED_GONE, WAITED_LATE, WAITED_LOADING, WAITED_ASTRAY, WAITED_STOPPED } Waited;

/* The processor time of the process in ms. Where a GPU works, it is none of the run's: infinite, as where it is not
 * known. */
static double worked_ms(const KernelHost *host) {
    clockid_t of;
    struct timespec time;
    if (strcmp(host->backend, "cuda") == 0 || clock_getcpuclockid(host->pid, &of) != 0 || clock_gettime(of, &time) != 0)
        return INFINITY;
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* The emulated GPU ends a block that takes too long by itself, and says where: as long as blocks end, the run goes on.
 */
static bool watches_itself(const KernelHost *host) {
    return strcmp(host->backend, "emulated") == 0;
}

/* Waits for DONE, which comes after READY and at most so many RAN: others are none of the process's own. The time for
 * the next letter is the start's until READY, then a run's. */
static Waited wait_done(const KernelHost *host, unsigned runs, const Stop *stop) {
    const double limit = host->seconds * 1e3;
    double until = clock_ms() + START_SECONDS * 1e3, worked = 0;
    unsigned letters = 0;
    for (;;) {
        struct pollfd wait = {.fd = host->socket, .events = POLLIN};
        char letter;
        const int ready = poll(&wait, 1, POLL_MS);
        if (interrupted() || (stop && atomic_load(&stop->asked)))
            return WAITED_STOPPED;
        if (ready > 0) {
            if (recv(host->socket, &letter, 1, 0) != 1)
                return WAITED_GONE;
            if (letter == TASK_DONE)
                return WAITED_DONE;
            if (letter != (letters == 0 ? TASK_READY : TASK_RAN) || letters > runs)
                return WAITED_ASTRAY;
            letters++;
            until = clock_ms() + limit;
            worked = worked_ms(host);
        } else if (clock_ms() > until && letters == 0) {
            return WAITED_LOADING;
        } else if (clock_ms() > until && !watches_itself(host) &&
                   (isinf(worked) || worked_ms(host) - worked > limit || clock_ms() > until + (PATIENCE - 1) * limit)) {
            return WAITED_LATE;
        }
    }
}

/* ---- the answer ---- */

__attribute__((format(printf, 3, 4))) static void note(KernelFault *fault, KernelFaultKind kind, const char *format,
                                                       ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    fault->kind = kind;
    fault->line = 0;
    fault->placed = false;
    fault->address = 0;
}

/* A process that told its fault before it ended has said it all. */
static void judge(KernelFault *fault, int status) {
    if (fault->kind != KERNEL_NO_FAULT)
        return;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        note(fault, KERNEL_CRASH, "closes the descriptors of its process, or has no memory left");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        note(fault, KERNEL_CRASH, "makes a system call that no kernel may");
    else if (WIFSIGNALED(status))
        note(fault, KERNEL_CRASH, "is ended by a signal (%s)", strsignal(WTERMSIG(status)));
    else
        note(fault, KERNEL_EXIT, "ends its process with status %d", WEXITSTATUS(status));
}

static double plain(double value, double most) {
    return value >= 0 && value <= most ? value : 0;
}

static void clean_facts(KernelFacts *facts) {
    int *const numbers[] = {&facts->registers, &facts->max_threads, &facts->blocks, &facts->capability};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = *numbers[i] > 0 ? *numbers[i] : 0;
    facts->counts = *(const unsigned char *)&facts->counts == 1;
    facts->no_value = *(const unsigned char *)&facts->no_value == 1;
    for (KernelCounted *counted = facts->counted; counted < facts->counted + KERNEL_COUNTS; counted++)
        *counted = (KernelCounted){plain(counted->sum, DBL_MAX), counted->line > 0 ? counted->line : 0,
                                   plain(counted->on_line, DBL_MAX)};
}

/* Kernels can write the memory that the answer lies in: what no process writes there is their work. */
static void take_answer(const KernelHost *host, KernelAnswer *answer) {
    KernelFault *fault = &answer->fault;
    memcpy(answer, &host->memory->answer, sizeof *answer);
    fault->placed = *(const unsigned char *)&fault->placed == 1;
    if ((unsigned)fault->kind > KERNEL_OTHER || !memchr(fault->text, '\0', sizeof fault->text))
        note(fault, KERNEL_OTHER, "writes over the memory of its task");
    for (char *at = fault->text; *at; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
    answer->runs = answer->runs <= TASK_RUNS ? answer->runs : TASK_RUNS;
    for (size_t i = 0; i < TASK_RUNS; i++)
        answer->ms[i] = plain(answer->ms[i], PATIENCE * host->seconds * 1e3);
    clean_facts(&answer->facts);
}

/* "kernel mine reads byte 4 behind the end of in, line 12, block (1, 0, 0), thread (3, 0, 0), address 0x7f3a10" */
static Status tell(const char *kernel, const KernelFault *fault) {
    char line[32] = "", place[128] = "", address[40] = "";
    if (fault->line > 0)
        snprintf(line, sizeof line, ", line %d", fault->line);
    if (fault->placed)
        snprintf(place, sizeof place, ", block (%u, %u, %u), thread (%u, %u, %u)", fault->block[0], fault->block[1],
                 fault->block[2], fault->thread[0], fault->thread[1], fault->thread[2]);
    if (fault->address)
        snprintf(address, sizeof address, ", address 0x%" PRIx64, fault->address);
    return fail(fault->kind == KERNEL_NO_DEVICE ? STATUS_DEVICE : STATUS_INPUT, "kernel %s %s%s%s%s", kernel,
                fault->text, line, place, address);
}

Status kernel_host_run(KernelHost *host, const Stop *stop, KernelAnswer *answer) {
    static const char go = TASK_GO;
    const KernelTask task = host->memory->task; /* as it is before a kernel can write there */
    KernelFault *fault = &answer->fault;
    memset(answer, 0, sizeof *answer);
    host->memory->task.seconds = host->seconds;
    if (!host->pid)
        TRY(start(host));
    const bool sent = send(host->socket, &go, 1, MSG_NOSIGNAL) == 1;
    const Waited waited = sent ? wait_done(host, task.runs, stop) : WAITED_GONE;
    const int status = waited == WAITED_DONE ? 0 : end_process(host, waited == WAITED_GONE ? LAST_MS : 0);
    take_answer(host, answer);
    if (waited == WAITED_STOPPED)
        return fail(STATUS_INTERRUPTED, "the kernel was stopped");
    if (waited == WAITED_LATE)
        note(fault, KERNEL_TIME, HOST_LATE, host->seconds);
    else if (waited == WAITED_LOADING)
        note(fault, KERNEL_TIME, "has not been loaded after %g s", START_SECONDS);
    else if (waited == WAITED_ASTRAY)
        note(fault, KERNEL_OTHER, "writes to the descriptors of its process");
    else if (waited == WAITED_GONE)
        judge(fault, status);
    if (fault->kind == KERNEL_NO_FAULT)
        return STATUS_OK;
    if (host->pid)
        (void)end_process(host, 0);
    return tell(task.kernel.name, fault);
}
