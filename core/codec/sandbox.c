/* sandbox.c: the process that wants pictures: it has decoders made, and reads their answers.
 * A request goes to a server, with a job, a file, memory for the answer and a socket. The server forks a decoder. The
 * decoder maps the file and the answer's memory, gives up everything else, decodes into that and ends. The server sends
 * its status by the request's socket. Only then is the answer read. */
#include "core/codec/sandbox.h"

#include "core/base/call_filter.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/codec/sandbox_answer.h"
#include "core/codec/sandbox_rights.h"
#include "core/codec/sandbox_server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    HEADER_BYTES = 256 << 20, /* for reading a header, if the budget has them */
    BESIDES_BYTES = 64 << 20, /* of an answer, besides the memory set aside: parcels, and blocks that are taken twice */
    CARRIED_BYTES = 32 << 20, /* of profiles and the like, or */
    CARRIED_SHARE = 16        /* this part of the budget */
};

struct Sandbox {
    CodecBox box; /* first, so that a CodecBox is ours */
    int server;   /* the socket that requests go to */
    pid_t pid;
    unsigned seconds;
    bool srgb;
};

static Status judge(int status, unsigned seconds) {
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == END_DONE)
        return STATUS_OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == END_REFUSED)
        return fail(STATUS_DEVICE, "the system does not let a decoder be confined");
    return signal == SIGALRM  ? fail(STATUS_INPUT, "decoding took longer than %u s", seconds)
           : signal == SIGSYS ? fail(STATUS_INPUT, "the decoder asked for a forbidden system call")
           : signal > 0       ? fail(STATUS_INPUT, "the decoder crashed (%s)", strsignal(signal))
                              : fail(STATUS_INPUT, "the decoder ended before it was done");
}

/* Memory that has a descriptor, and keeps its size. */
static int create_answer(size_t bytes) {
    const int answer = memfd_create("glint", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (answer >= 0 && ftruncate(answer, (off_t)bytes) == 0 &&
        fcntl(answer, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return answer;
    if (answer >= 0)
        close(answer);
    return -1;
}

/* A signal ends the wait, and the decoder, since its socket is closed. */
static Status run_job(const Sandbox *sandbox, const Job *job, int file, int answer) {
    int pair[2], ended;
    size_t got = 0;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return fail(STATUS_DEVICE, "no socket for a decoder: %m");
    const bool sent = job_send(sandbox->server, job, (const int[JOB_DESCRIPTORS]){file, answer, pair[1]});
    close(pair[1]);
    Status status = sent ? interruptible_read(pair[0], "the sandbox", &ended, sizeof ended, &got)
                         : fail(STATUS_DEVICE, "the sandbox is gone");
    close(pair[0]);
    if (status == STATUS_OK)
        status = got == sizeof ended ? judge(ended, job->seconds) : fail(STATUS_DEVICE, "no process for a decoder");
    return status;
}

/* Bytes that no file holds, as one. */
static Status copy_bytes(Bytes bytes, int *file) {
    *file = memfd_create("glint", MFD_CLOEXEC);
    for (size_t done = 0; *file >= 0 && done < bytes.size;) {
        const ssize_t count = write(*file, bytes.data + done, bytes.size - done);
        if (count < 0 && errno != EINTR)
            return fail(STATUS_DEVICE, "no memory for a decoder: %m");
        done += count > 0 ? (size_t)count : 0;
    }
    return *file >= 0 ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a decoder: %m");
}

/* With the descriptor of the file, or of a copy of a stream's bytes. *answer is one, whatever happens. */
static Status run_for(const Sandbox *sandbox, const Input *input, const Job *job, int *answer) {
    int file = input->descriptor;
    *answer = create_answer(job->answer);
    if (*answer < 0)
        return fail(STATUS_DEVICE, "no memory for a decoder's answer: %m");
    if (input->seekable)
        return run_job(sandbox, job, file, *answer);
    Status status = copy_bytes(input->bytes, &file);
    if (status == STATUS_OK)
        status = run_job(sandbox, job, file, *answer);
    if (file >= 0)
        close(file);
    return status;
}

static Status measure_there(CodecBox *box, Input *input, Pages pages, size_t *format, Measure *measure) {
    const Sandbox *sandbox = (const Sandbox *)box;
    const size_t budget = memory_budget();
    const Job job = {.pages = pages,
                     .max = budget < HEADER_BYTES ? budget : HEADER_BYTES,
                     .answer = ANSWER_HEAD,
                     .seconds = sandbox->seconds};
    int answer;
    if (input->size == 0)
        return fail(STATUS_INPUT, "the file is empty");
    if (!input->seekable) /* the decoder cannot wait for more */
        TRY(input_read(input, budget));
    Status status = run_for(sandbox, input, &job, &answer);
    if (status == STATUS_OK)
        status = answer_measure(answer, job.answer, pages, format, measure);
    measure->carried = budget / CARRIED_SHARE < CARRIED_BYTES ? budget / CARRIED_SHARE : CARRIED_BYTES;
    if (answer >= 0)
        close(answer);
    return status;
}

static Status unpack_there(CodecBox *box, Input *input, const Measure *measure, size_t max, FilePart *part,
                           Image **image) {
    const Sandbox *sandbox = (const Sandbox *)box;
    const Job job = {.whole = true,
                     .srgb = sandbox->srgb,
                     .pages = measure->pages,
                     .max = max,
                     .answer = memory_sum(max, BESIDES_BYTES), /* only its used part takes memory */
                     .seconds = sandbox->seconds};
    int answer;
    Status status = run_for(sandbox, input, &job, &answer);
    if (status == STATUS_OK)
        status = answer_images(answer, job.answer, measure, part, image);
    if (answer >= 0)
        close(answer);
    return status;
}

/* ---- the server ---- */

/* The variables that the server gets: they say where its libraries are, and how much memory there is. */
static const char *const passed[] = {
    "GLINT_MEMORY=", "LD_LIBRARY_PATH=", "LD_PRELOAD=",
#if SANITIZED
    "ASAN_OPTIONS=", "TSAN_OPTIONS=",    "UBSAN_OPTIONS=",
#endif
};
enum { PASSED = sizeof passed / sizeof *passed };

static void list_environment(char *list[PASSED + 1]) {
    size_t count = 0;
    for (size_t i = 0; i < PASSED; i++)
        for (char **variable = environ; *variable; variable++)
            if (strncmp(*variable, passed[i], strlen(passed[i])) == 0) {
                list[count++] = *variable;
                break;
            }
    list[count] = NULL;
}

/* With the socket as standard input, no other descriptor, and signals that are the caller's concern held back until it
 * ignores them. */
static int execute(const char *program, char *const arguments[], int socket, pid_t *pid) {
    static const int held[] = {SIGINT, SIGTERM, SIGHUP};
    char *environment[PASSED + 1];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    list_environment(environment);
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        sigaddset(&signals, held[i]);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    int error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
        error = error ? error
                      : posix_spawn_file_actions_addclosefrom_np(&actions,
                                                                 SANITIZED ? STDERR_FILENO + 1 : STDIN_FILENO + 1);
        error = error ? error : posix_spawnattr_setsigmask(&attributes, &signals);
        error = error ? error : posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        error = error ? error : posix_spawn(pid, program, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

Status sandbox_open_by(const char *program, char *const arguments[], unsigned seconds, bool srgb, Sandbox **sandbox) {
    int pair[2];
    *sandbox = calloc(1, sizeof **sandbox);
    if (!*sandbox || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        free(*sandbox);
        *sandbox = NULL;
        return fail(STATUS_DEVICE, "no memory for a sandbox");
    }
    **sandbox = (Sandbox){{measure_there, unpack_there}, pair[0], 0, seconds, srgb};
    const int error = execute(program, arguments, pair[1], &(*sandbox)->pid);
    close(pair[1]);
    if (error == 0)
        return STATUS_OK;
    (*sandbox)->pid = 0;
    sandbox_close(sandbox);
    return fail(STATUS_DEVICE, "no process for a sandbox: %s", strerror(error));
}

Status sandbox_open(unsigned seconds, bool srgb, Sandbox **sandbox) {
    char name[] = SANDBOX_SERVER;
    return sandbox_open_by("/proc/self/exe", (char *const[]){name, NULL}, seconds, srgb, sandbox);
}

void sandbox_close(Sandbox **sandbox) {
    Sandbox *old = *sandbox;
    *sandbox = NULL;
    if (!old)
        return;
    close(old->server);
    while (old->pid > 0 && waitpid(old->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    free(old);
}

CodecBox *sandbox_box(Sandbox *sandbox) {
    return sandbox ? &sandbox->box : NULL;
}
