/* sandbox_server.c: the process that makes decoders, one for each request. It is executed, not forked, so that it knows
 * nothing of the process that asks; it ends when that closes its socket, or ends. */
#include "core/codec/sandbox_server.h"

#include "core/base/call_filter.h"
#include "core/base/memory.h"
#include "core/codec/sandbox_answer.h"
#include "core/codec/sandbox_rights.h"
#include "core/image/icc.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- the decoder ---- */

static Status decode(const Job *job, Bytes file, AnswerWriter *writer) {
    Image *image = NULL;
    FilePart part;
    if (!job->whole) {
        Input input = input_of(file);
        size_t format;
        Measure measure;
        TRY(codec_measure(&input, job->pages, &format, &measure));
        answer_put_measure(writer, format, &measure);
        return STATUS_OK;
    }
    image_source_set(&writer->source);
    TRY(codec_unpack(file, job->pages, job->max, &part, &image));
    if (job->srgb)
        TRY(icc_to_srgb(image, "--icc keep"));
    return answer_put_images(writer, image, part);
}

enum {
    BESIDES_BYTES = 64 << 20,                /* of a process by itself, */
    CHECKED_BYTES = SANITIZED ? 1 << 30 : 0, /* and AddressSanitizer's: freed blocks, and margins of blocks */
    FIRST_CLOSED = SANITIZED ? STDERR_FILENO + 1 : 0
};

typedef struct Server {
    pid_t pid;
    int threads; /* rights_begin */
    size_t size; /* of its addresses, in bytes */
} Server;

static int run_decoder(const Server *server, const Job *job, const int descriptors[JOB_DESCRIPTORS]) {
    struct stat info;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != server->pid || fstat(descriptors[JOB_FILE], &info) != 0)
        return END_REFUSED;
    const size_t size = info.st_size > 0 ? (size_t)info.st_size : 0;
    void *bytes = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptors[JOB_FILE], 0) : NULL;
    void *answer = mmap(NULL, job->answer, PROT_READ | PROT_WRITE, MAP_SHARED, descriptors[JOB_ANSWER], 0);
    const size_t mapped = memory_sum(server->size, memory_sum(size, job->answer));
    if (bytes == MAP_FAILED || answer == MAP_FAILED || close_range(FIRST_CLOSED, ~0U, 0) != 0 ||
        !rights_give_up(memory_sum(mapped, memory_sum(job->max, BESIDES_BYTES + CHECKED_BYTES)), server->threads >= 0))
        return END_REFUSED;
    AnswerWriter writer = answer_begin(answer, job->answer);
    answer_end(&writer, decode(job, (Bytes){bytes, size}, &writer));
    return END_DONE;
}

/* ---- the server ---- */

typedef union Control {
    struct cmsghdr header; /* for its alignment */
    char bytes[CMSG_SPACE(JOB_DESCRIPTORS * sizeof(int))];
} Control;

bool job_send(int socket, const Job *job, const int descriptors[JOB_DESCRIPTORS]) {
    Control control;
    Job copy = *job;
    struct iovec data = {&copy, sizeof copy};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    memset(&control, 0, sizeof control);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(JOB_DESCRIPTORS * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, JOB_DESCRIPTORS * sizeof(int));
    ssize_t sent;
    while ((sent = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
    }
    return sent == sizeof copy;
}

static bool receive(int socket, Job *job, int descriptors[JOB_DESCRIPTORS]) {
    Control control;
    struct iovec data = {job, sizeof *job};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t got;
    while ((got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
    }
    const struct cmsghdr *header = got == sizeof *job ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header || header->cmsg_len != CMSG_LEN(JOB_DESCRIPTORS * sizeof(int)))
        return false;
    memcpy(descriptors, CMSG_DATA(header), JOB_DESCRIPTORS * sizeof(int));
    return true;
}

typedef struct Decoder {
    pid_t pid;
    long deadline; /* ms */
    bool late;
} Decoder;

/* The descriptors that are waited for: the socket, rights_begin's, and two of each decoder. One is its end; the other
 * is the socket that is told of it, which hangs up if nobody wants to know any more. */
enum { DECODERS = 256, SOCKET = 0, THREADS, FIRST };

typedef struct Running {
    size_t count;
    Decoder decoders[DECODERS];
    struct pollfd waits[FIRST + 2 * DECODERS];
} Running;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void begin(const Server *server, Running *running, const Job *job, const int descriptors[JOB_DESCRIPTORS]) {
    const pid_t pid = fork();
    if (pid == 0)
        _exit(run_decoder(server, job, descriptors));
    const int end = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
    close(descriptors[JOB_FILE]);
    close(descriptors[JOB_ANSWER]);
    if (end < 0) {
        if (pid > 0 && kill(pid, SIGKILL) == 0)
            (void)waitpid(pid, NULL, 0);
        close(descriptors[JOB_END]);
        return;
    }
    struct pollfd *waits = &running->waits[FIRST + 2 * running->count];
    waits[0] = (struct pollfd){.fd = end, .events = POLLIN};
    waits[1] = (struct pollfd){.fd = descriptors[JOB_END]};
    running->decoders[running->count++] = (Decoder){.pid = pid, .deadline = now() + 1000L * (long)job->seconds};
}

/* As far as the asking process knows, a decoder that took too long has ended by SIGALRM. */
static void settle(Running *running, size_t i) {
    struct pollfd *const waits = &running->waits[FIRST + 2 * i];
    int status = -1;
    while (waitpid(running->decoders[i].pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (running->decoders[i].late)
        status = SIGALRM;
    (void)send(waits[1].fd, &status, sizeof status, MSG_NOSIGNAL);
    close(waits[0].fd);
    close(waits[1].fd);
    const size_t last = --running->count;
    running->decoders[i] = running->decoders[last];
    memmove(waits, &running->waits[FIRST + 2 * last], 2 * sizeof *waits);
}

static void look_after(Running *running) {
    for (size_t i = running->count; i-- > 0;) {
        struct pollfd *const waits = &running->waits[FIRST + 2 * i];
        Decoder *decoder = &running->decoders[i];
        if (waits[0].revents != 0) {
            settle(running, i);
        } else if (!decoder->late && (waits[1].revents != 0 || now() >= decoder->deadline)) {
            decoder->late = true;
            kill(decoder->pid, SIGKILL);
        }
    }
}

/* Milliseconds to the next deadline; -1: there is none. */
static int patience(const Running *running) {
    long least = -1;
    const long time = now();
    for (size_t i = 0; i < running->count; i++) {
        const long left = running->decoders[i].deadline > time ? running->decoders[i].deadline - time : 0;
        if (!running->decoders[i].late && (least < 0 || left < least))
            least = left;
    }
    return (int)(least > 3600000 ? 3600000 : least);
}

static _Noreturn void serve(const Server *server) {
    static Running running;
    Job job = {0};
    int descriptors[JOB_DESCRIPTORS];
    running.waits[THREADS] = (struct pollfd){.fd = server->threads, .events = POLLIN};
    for (;;) {
        running.waits[SOCKET] = (struct pollfd){.fd = running.count < DECODERS ? STDIN_FILENO : -1, .events = POLLIN};
        if (poll(running.waits, FIRST + 2 * running.count, patience(&running)) < 0)
            continue;
        look_after(&running);
        if (running.waits[THREADS].revents & POLLIN)
            rights_answer(server->threads);
        if (running.waits[SOCKET].revents == 0)
            continue;
        if (!receive(STDIN_FILENO, &job, descriptors))
            _exit(0);
        begin(server, &running, &job, descriptors);
    }
}

/* In bytes; 0 if that is not to be known. */
static size_t own_size(void) {
    FILE *file = fopen("/proc/self/statm", "re");
    size_t pages = 0;
    const bool known = file && fscanf(file, "%zu", &pages) == 1;
    if (file)
        fclose(file);
    return known ? memory_product(pages, (size_t)sysconf(_SC_PAGESIZE)) : 0;
}

/* Small stacks leave a decoder with many threads its memory. */
static void shrink_stacks(void) {
    enum { STACK_BYTES = 1 << 20 };
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return;
    if (pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0)
        (void)pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

/* Decoders inherit all that this function reads and allocates. A closed socket means that the asking process has ended:
 * then there is no request. */
void sandbox_serve(void) {
    static const int of_who_asks[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t none;
    (void)prctl(PR_SET_NAME, SANDBOX_SERVER);
    for (size_t i = 0; i < sizeof of_who_asks / sizeof *of_who_asks; i++)
        signal(of_who_asks[i], SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    (void)memory_budget(); /* reads files */
    tzset();               /* does, too: Little CMS asks for the time */
    shrink_stacks();
    mallopt(M_ARENA_MAX, 1); /* glibc reads a file of /proc before it gives back memory of another thread's arena */
    const Server server = {.pid = getpid(), .threads = rights_begin(), .size = own_size()};
    serve(&server);
}

void sandbox_serve_if_asked(char **argv) {
    if (!argv[0] || strcmp(argv[0], SANDBOX_SERVER) != 0)
        return;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    sandbox_serve();
}
