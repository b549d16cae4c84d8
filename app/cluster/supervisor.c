/* supervisor.c: the two processes, and their messages: a call and its answer, by a socket. */
#include "app/cluster/supervisor.h"

#include "app/say.h"
#include "core/base/interrupt.h"
#include "core/base/module.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum Call {
    CALL_BEGIN,
    CALL_LOCATE,
    CALL_MAX,
    CALL_BROADCAST,
    CALL_GO_APART,
    CALL_ADD,
    CALL_SEND,
    CALL_PROBE,
    CALL_RECEIVE,
    CALL_END,
    CALLS
} Call;

/* There and back: its numbers, and how many bytes follow. */
typedef struct Packet {
    Call call;
    int number;
    int64_t value;
    size_t bytes;
} Packet;

enum {
    PROGRESS = 1, /* ms: so often MPI serves the counter while the worker asks for nothing */
    WHY = 512     /* bytes: why there is no MPI */
};

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static bool send_all(int socket, const void *data, size_t size) {
    for (const char *at = data; size > 0;) {
        const ssize_t count = send(socket, at, size, MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR)
            return false;
        at += count > 0 ? count : 0;
        size -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* As many as have come, 1 at least; 0 at the other process's end. */
static size_t receive(int socket, void *data, size_t size) {
    ssize_t count;
    do {
        count = recv(socket, data, size, 0);
    } while (count < 0 && errno == EINTR);
    return count > 0 ? (size_t)count : 0;
}

/* ---- the supervisor ---- */

/* A process is the supervisor of one worker. */
static struct {
    const Mpi *mpi; /* NULL: not loaded */
    int rank, socket;
    pid_t worker;
    int ends; /* pidfd_open(2) of the worker: readable once that has ended */
    bool apart, ended;
    void *data; /* of the packet under way */
} own;

static void *need(size_t bytes) {
    void *memory = realloc(own.data, bytes + 1);
    if (memory)
        return own.data = memory;
    say(stderr, "glint: process %d: no memory for a message of %zu bytes", own.rank, bytes);
    own.mpi->abort(STATUS_DEVICE);
    abort();
}

/* Answers with the reason why not, or with nothing. */
static void answer_begin(Packet *packet) {
    int size = 1;
    void *module = module_open("glint-mpi.so", true); /* MPI's own modules look for its functions, too */
    own.mpi = module ? dlsym(module, "glint_mpi") : NULL;
    if (own.mpi)
        own.mpi->begin(&own.rank, &size);
    else if ((own.data = strdup(dlerror())))
        packet->bytes = strnlen(own.data, WHY - 1);
    packet->number = own.mpi ? size : 0;
    packet->value = own.rank;
}

static void answer_locate(Packet *packet) {
    int index;
    own.mpi->locate((int)packet->value, &index, &packet->number);
    packet->value = index;
}

static void answer_max(Packet *packet) {
    packet->value = own.mpi->max((int)packet->value);
}

/* Process 0's comes with the call, and goes back elsewhere. */
static void answer_broadcast(Packet *packet) {
    own.mpi->broadcast(need((size_t)packet->value), (size_t)packet->value);
    packet->bytes = own.rank == 0 ? 0 : (size_t)packet->value;
}

static void answer_go_apart(Packet *packet) {
    (void)packet;
    own.apart = true;
}

static void answer_add(Packet *packet) {
    packet->value = own.mpi->add(packet->value);
}

static void answer_send(Packet *packet) {
    own.mpi->send(own.data, packet->bytes);
    packet->bytes = 0;
}

static void answer_probe(Packet *packet) {
    size_t bytes;
    packet->value = own.mpi->probe(&packet->number, &bytes) ? (int64_t)bytes : -1;
}

static void answer_receive(Packet *packet) {
    packet->bytes = (size_t)packet->value;
    own.mpi->receive(packet->number, need(packet->bytes), packet->bytes);
}

static void answer_end(Packet *packet) {
    (void)packet;
    own.ended = true;
}

static void (*const answers[CALLS])(Packet *packet) = {
    [CALL_BEGIN] = answer_begin,       [CALL_LOCATE] = answer_locate,
    [CALL_MAX] = answer_max,           [CALL_BROADCAST] = answer_broadcast,
    [CALL_GO_APART] = answer_go_apart, [CALL_ADD] = answer_add,
    [CALL_SEND] = answer_send,         [CALL_PROBE] = answer_probe,
    [CALL_RECEIVE] = answer_receive,   [CALL_END] = answer_end};

/* Until the worker says something; false once it has ended, and has said all. Processes that it has started may still
 * hold its end of the socket. While it looks for messages, others reach process 0's counter, where the network cannot
 * do so by itself. */
static bool wait_for_worker(void) {
    struct pollfd waits[] = {{own.socket, POLLIN, 0}, {own.ends, POLLIN, 0}};
    const bool serves = own.mpi && own.rank == 0;
    int from;
    size_t bytes;
    while (poll(waits, 2, serves ? PROGRESS : -1) <= 0)
        if (serves)
            (void)own.mpi->probe(&from, &bytes);
    return waits[0].revents & POLLIN;
}

static bool hear(void *data, size_t size) {
    size_t count;
    for (char *at = data; size > 0; at += count, size -= count) {
        count = wait_for_worker() ? receive(own.socket, at, size) : 0;
        if (count == 0)
            return false;
    }
    return true;
}

/* False once the worker has ended. */
static bool serve(void) {
    Packet packet;
    own.data = NULL;
    bool good = hear(&packet, sizeof packet) && packet.call < CALLS;
    good = good && (packet.bytes == 0 || hear(need(packet.bytes), packet.bytes));
    if (good)
        answers[packet.call](&packet);
    good = good && send_all(own.socket, &packet, sizeof packet) && send_all(own.socket, own.data, packet.bytes);
    free(own.data);
    return good;
}

/* Answers the other processes for a worker that has crashed. */
static void answer_for_the_lost(bool exited, int status) {
    char why[64];
    if (exited && status == STATUS_INTERRUPTED)
        own.mpi->abort(STATUS_INTERRUPTED);
    if (exited)
        snprintf(why, sizeof why, "ended with status %d", status);
    else
        snprintf(why, sizeof why, "was killed by signal %d (%s)", status, strsignal(status));
    say(stderr, "glint: process %d %s; %s", own.rank, why,
        !own.apart      ? "the others wait for it, and end"
        : own.rank == 0 ? "the others go on, but it alone would have reported their work"
                        : "its files in flight are not done, the others go on");
    if (!own.apart)
        own.mpi->abort(STATUS_DEVICE);
    if (own.rank > 0)
        own.mpi->send(NULL, 0);
}

/* Process 0's status counts; another would have the launcher end all. The worker's number stays its own up to the
 * supervisor's end: signals are still passed on to it. */
static _Noreturn void supervise(void) {
    siginfo_t how;
    own.ends = (int)syscall(SYS_pidfd_open, own.worker, 0); /* -1, which poll ignores, before Linux 5.3 */
    while (serve()) {
    }
    while (waitid(P_PID, (id_t)own.worker, &how, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    const bool exited = how.si_code == CLD_EXITED;
    int status = exited ? how.si_status : STATUS_DEVICE;
    if (own.mpi && !own.ended) {
        answer_for_the_lost(exited, how.si_status);
        status = own.rank == 0 ? STATUS_DEVICE : STATUS_OK;
    }
    if (own.mpi)
        own.mpi->end();
    exit(status);
}

static void pass_on(int signal) {
    const int kept = errno;
    kill(own.worker, signal);
    errno = kept;
}

/* Passes signals on to the worker. Signals that the process ignores stay ignored. */
static void pass_signals_on(void) {
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART}, before;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

/* ---- the worker ---- */

/* A process is the worker of one supervisor. */
static struct {
    int socket;
    int rank;  /* of all workers; -1: not known yet */
    bool said; /* that it waits for others */
} worker = {.rank = -1};

/* The answer waits for other processes, as long as they like. Two say so where all would: one of them may be stopped.
 */
static void await_answer(void) {
    struct pollfd answer = {worker.socket, POLLIN, 0};
    if (worker.said || worker.rank > 1 || worker.rank < 0 || poll(&answer, 1, MPI_PATIENCE * 1000) != 0)
        return;
    worker.said = true;
    say(stderr, "glint: process %d has waited for another one for %d s, and goes on to; is one stopped?", worker.rank,
        MPI_PATIENCE);
}

static bool receive_all(int socket, void *data, size_t size) {
    size_t count;
    for (char *at = data; size > 0; at += count, size -= count) {
        count = receive(socket, at, size);
        if (count == 0)
            return false;
    }
    return true;
}

/* Gets as many bytes as the answer has, into `answer`. Without its supervisor a worker ends: its outputs are whole, as
 * after any kill. */
static Packet ask(Packet packet, const void *data, void *answer) {
    if (!send_all(worker.socket, &packet, sizeof packet) || !send_all(worker.socket, data, packet.bytes))
        _exit(STATUS_INTERRUPTED);
    await_answer();
    if (!receive_all(worker.socket, &packet, sizeof packet) || !receive_all(worker.socket, answer, packet.bytes))
        _exit(STATUS_INTERRUPTED);
    return packet;
}

static void ask_locate(int kind, int *index, int *count) {
    const Packet packet = ask((Packet){.call = CALL_LOCATE, .value = kind}, NULL, NULL);
    *index = (int)packet.value;
    *count = packet.number;
}

static int ask_max(int value) {
    return (int)ask((Packet){.call = CALL_MAX, .value = value}, NULL, NULL).value;
}

static void ask_broadcast(void *data, size_t bytes) {
    ask((Packet){.call = CALL_BROADCAST, .value = (int64_t)bytes, .bytes = worker.rank == 0 ? bytes : 0}, data, data);
}

static int64_t ask_add(int64_t addend) {
    return ask((Packet){.call = CALL_ADD, .value = addend}, NULL, NULL).value;
}

static void ask_send(const void *data, size_t bytes) {
    ask((Packet){.call = CALL_SEND, .bytes = bytes}, data, NULL);
}

static bool ask_probe(int *from, size_t *bytes) {
    const Packet packet = ask((Packet){.call = CALL_PROBE}, NULL, NULL);
    *from = packet.number;
    *bytes = packet.value < 0 ? 0 : (size_t)packet.value;
    return packet.value >= 0;
}

static void ask_receive(int from, void *data, size_t bytes) {
    ask((Packet){.call = CALL_RECEIVE, .number = from, .value = (int64_t)bytes}, NULL, data);
}

static void ask_end(void) {
    ask((Packet){.call = CALL_END}, NULL, NULL);
    close(worker.socket);
}

void supervisor_go_apart(void) {
    ask((Packet){.call = CALL_GO_APART}, NULL, NULL);
}

static Status begin(const char *launcher, int *rank, int *size) {
    char why[WHY] = "";
    const Packet packet = ask((Packet){.call = CALL_BEGIN}, NULL, why);
    if (packet.number == 0)
        return fail(STATUS_DEVICE,
                    "%s says that this is one of several processes, but MPI is not to be had (%s); --shard auto needs "
                    "none",
                    launcher, why);
    *rank = (int)packet.value;
    *size = packet.number;
    worker.rank = *rank;
    return STATUS_OK;
}

static const Mpi calls = {.end = ask_end,
                          .locate = ask_locate,
                          .max = ask_max,
                          .broadcast = ask_broadcast,
                          .add = ask_add,
                          .send = ask_send,
                          .probe = ask_probe,
                          .receive = ask_receive};

/* A process group of its own, and no signals but the supervisor's. A launcher may signal both processes, one by one or
 * as a group, and the worker gets each signal once. */
static void leave_supervisor(pid_t supervisor) {
    setpgid(0, 0);
    interrupts_only_from(supervisor);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor)
        _exit(STATUS_INTERRUPTED);
}

Status supervisor_start(const char *launcher, const Mpi **mpi, int *rank, int *size) {
    int sockets[2];
    sigset_t all, before;
    const pid_t supervisor = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0)
        return fail(STATUS_DEVICE, "no socket for a process that speaks MPI: %m");
    fflush(NULL); /* or both would write it */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); /* until there is a worker to pass signals on to */
    own.worker = fork();
    if (own.worker > 0)
        pass_signals_on();
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (own.worker < 0)
        return fail(STATUS_DEVICE, "no process of its own for MPI: %m");
    close(sockets[own.worker > 0]);
    if (own.worker > 0) {
        own.socket = sockets[0];
        supervise();
    }
    leave_supervisor(supervisor);
    worker.socket = sockets[1];
    TRY(begin(launcher, rank, size));
    *mpi = &calls;
    return STATUS_OK;
}
