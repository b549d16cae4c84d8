/* sandbox.c: the process that makes decoders, what they may do, and what comes back from them.
 * main --request: job, file, shared memory, socket--> server --fork--> guard --fork--> decoder
 * The decoder maps the file and the shared memory, gives up everything else, decodes into the shared memory and ends;
 * the guard tells how, by the socket of the request. */
#include "core/sandbox.h"

#include "core/memory.h"
#include "core/shape.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    REPLY_BYTES = 1 << 12,    /* of the shared memory, before what is allocated there */
    HEADER_BYTES = 256 << 20, /* that reading a header may take */
    BESIDES_BYTES = 64 << 20, /* profiles and the like, and what a process takes by itself */
    ALIGNMENT = 64,
    DESCRIPTORS = 3 /* of a request: file, shared memory, socket */
};

struct Sandbox {
    CodecBox box; /* first, so that a CodecBox is ours */
    int server;   /* the socket that requests go to */
    pid_t pid;
    unsigned seconds;
};

typedef struct Job {
    bool whole; /* the picture, not its header alone */
    Pages pages;
    size_t max, shared; /* bytes */
    unsigned seconds;
} Job;

/* A picture as it lies in the shared memory, by offsets from its beginning; 0: nothing. */
typedef struct Parcel {
    Shape shape;
    size_t pixels, profile, exif, xmp, text;
    size_t profile_size, exif_size, xmp_size, text_size;
    Resolution resolution;
    ColourChunks colours;
    unsigned extras, plays;
    bool premultiplied;
    double seconds;
    size_t next; /* parcel */
} Parcel;

/* At its beginning. */
typedef struct Reply {
    bool complete;
    Status status;
    char why[1024];
    size_t format;
    Measure measure;
    size_t first; /* parcel */
} Reply;

/* ---- the decoder ---- */

/* Memory is handed out in its order, and never taken back. */
typedef struct Arena {
    PixelSource source; /* first, so that a PixelSource is ours */
    unsigned char *base;
    size_t used, size;
} Arena;

static Status take(PixelSource *source, size_t bytes, bool zeroed, void **memory) {
    Arena *arena = (Arena *)source;
    (void)zeroed; /* it was never used */
    if (bytes > arena->size - arena->used)
        return fail(STATUS_INPUT, "the picture takes more memory than its header said");
    *memory = arena->base + arena->used;
    const size_t end = arena->used + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    arena->used = end < arena->size ? end : arena->size;
    return STATUS_OK;
}

static void give(PixelSource *source, void *memory) {
    (void)source, (void)memory;
}

/* Offset of a copy; 0 if there is none. */
static Status put(Arena *arena, const void *data, size_t size, size_t *at) {
    void *memory = NULL;
    *at = 0;
    if (!data || size == 0)
        return STATUS_OK;
    TRY(take(&arena->source, size, false, &memory));
    memcpy(memory, data, size);
    *at = (size_t)((unsigned char *)memory - arena->base);
    return STATUS_OK;
}

static Status put_image(Arena *arena, const Image *image, size_t *at) {
    Parcel parcel = {.shape = image->view.shape,
                     .pixels = (size_t)((unsigned char *)image->view.pixels - arena->base),
                     .profile_size = image->profile_size,
                     .exif_size = image->exif.size,
                     .xmp_size = image->xmp.size,
                     .text_size = image->text.size,
                     .resolution = image->resolution,
                     .colours = image->colours,
                     .extras = image->extras,
                     .premultiplied = image->premultiplied,
                     .plays = image->plays,
                     .seconds = image->seconds};
    TRY(put(arena, image->profile, image->profile_size, &parcel.profile));
    TRY(put(arena, image->exif.data, image->exif.size, &parcel.exif));
    TRY(put(arena, image->xmp.data, image->xmp.size, &parcel.xmp));
    TRY(put(arena, image->text.data, image->text.size, &parcel.text));
    return put(arena, &parcel, sizeof parcel, at);
}

static Status decode(const Job *job, Bytes file, Arena *arena, Reply *reply) {
    Input input = input_of(file);
    Image *image = NULL;
    if (!job->whole)
        return codec_measure(&input, job->pages, &reply->format, &reply->measure);
    image_source_set(&arena->source);
    TRY(codec_unpack(file, job->pages, job->max, &image));
    for (size_t *link = &reply->first; image; image = image->next) {
        TRY(put_image(arena, image, link));
        link = &((Parcel *)(arena->base + *link))->next;
    }
    return STATUS_OK;
}

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 }; /* its shadow is memory, too */
#else
enum { SANITIZED = 0 };
#endif

static bool limit(int resource, size_t value) {
    const struct rlimit both = {value, value};
    return setrlimit((__rlimit_resource_t)resource, &both) == 0;
}

/* To calculate, to allocate, and to make threads, as some decoders do (clone is told from fork by its flags; clone3,
 * whose flags a filter cannot see, is said not to be there; so is what libraries print by). Whoever asks for anything
 * else is ended. */
static bool give_up_rights(void) {
    static const int allowed[] = {
        SYS_mmap,  SYS_munmap,     SYS_mremap,          SYS_mprotect,    SYS_madvise,           SYS_brk,
        SYS_futex, SYS_getrandom,  SYS_clock_gettime,   SYS_sched_yield, SYS_sysinfo,           SYS_rt_sigreturn,
        SYS_exit,  SYS_exit_group, SYS_set_robust_list, SYS_rseq,        SYS_sched_getaffinity, SYS_rt_sigprocmask,
        SYS_gettid};
    static const int absent[] = {SYS_clone3, SYS_rt_sigaction, SYS_prctl, SYS_write, SYS_writev, SYS_unshare};
    enum { ABSENT = sizeof absent / sizeof *absent, BEGIN = 4, HEAD = BEGIN + ABSENT + 5 };
    enum { COUNT = sizeof allowed / sizeof *allowed };
    struct sock_filter filter[HEAD + COUNT + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
#ifdef __x86_64__
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
#else
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_AARCH64, 1, 0),
#endif
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        [BEGIN + ABSENT] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, COUNT + 2, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    for (int i = 0; i < ABSENT; i++) /* the last one jumps over what the others jump to */
        filter[BEGIN + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)absent[i],
                                                         (unsigned char)(ABSENT - 1 - i), i + 1 == ABSENT);
    for (int i = 0; i < COUNT; i++)
        filter[HEAD + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i],
                                                        (unsigned char)(COUNT - i), 0);
    filter[HEAD + COUNT] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    filter[HEAD + COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

enum { EXIT_DONE, EXIT_REFUSED /* the system does not let us confine it */ };

static int run_decoder(const Job *job, int file, int shared) {
    struct stat info;
    unsigned char *base = mmap(NULL, job->shared, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    void *bytes = fstat(file, &info) == 0 && info.st_size > 0
                      ? mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0)
                      : MAP_FAILED;
    const size_t memory = memory_sum(job->whole ? job->max : HEADER_BYTES, BESIDES_BYTES);
    if (base == MAP_FAILED || bytes == MAP_FAILED || close_range(0, ~0U, 0) != 0 ||
        !(SANITIZED || limit(RLIMIT_DATA, memory)) || !limit(RLIMIT_CPU, job->seconds + 1) || !limit(RLIMIT_CORE, 0) ||
        !limit(RLIMIT_NOFILE, 0))
        return EXIT_REFUSED;
    signal(SIGALRM, SIG_DFL);
    alarm(job->seconds);
    mallopt(M_ARENA_MAX, 1); /* glibc reads a file of /proc before it gives back memory of another thread's arena */
    if (!give_up_rights())
        return EXIT_REFUSED;
    Reply *reply = (Reply *)base;
    Arena arena = {.source = {take, give}, .base = base, .used = REPLY_BYTES, .size = job->shared};
    reply->status = decode(job, (Bytes){bytes, (size_t)info.st_size}, &arena, reply);
    if (reply->status != STATUS_OK)
        snprintf(reply->why, sizeof reply->why, "%s", status_message());
    reply->complete = true;
    return EXIT_DONE;
}

/* ---- the server ---- */

static _Noreturn void guard(const Job *job, const int descriptors[DESCRIPTORS]) {
    int status = -1;
    const pid_t decoder = fork();
    if (decoder == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(run_decoder(job, descriptors[0], descriptors[1]));
    }
    alarm(job->seconds + 2); /* a decoder that blocks its own goes with the guard */
    while (decoder > 0 && waitpid(decoder, &status, 0) < 0 && errno == EINTR) {
    }
    (void)send(descriptors[2], &status, sizeof status, MSG_NOSIGNAL);
    _exit(0);
}

typedef union Control {
    struct cmsghdr header; /* for its alignment */
    char bytes[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
} Control;

static bool receive(int socket, Job *job, int descriptors[DESCRIPTORS]) {
    Control control;
    struct iovec data = {job, sizeof *job};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t got;
    while ((got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
    }
    const struct cmsghdr *header = got == sizeof *job ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header || header->cmsg_len != CMSG_LEN(DESCRIPTORS * sizeof(int)))
        return false;
    memcpy(descriptors, CMSG_DATA(header), DESCRIPTORS * sizeof(int));
    return true;
}

/* Ends with the process that it serves; signals are that one's concern. */
static _Noreturn void serve(int socket) {
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD /* nobody waits for guards */};
    Job job = {0};
    int descriptors[DESCRIPTORS];
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    while (receive(socket, &job, descriptors)) {
        const pid_t pid = fork();
        if (pid == 0) {
            signal(SIGCHLD, SIG_DFL);
            close(socket);
            guard(&job, descriptors);
        }
        for (int i = 0; i < DESCRIPTORS; i++)
            close(descriptors[i]);
    }
    _exit(0);
}

/* ---- the process that wants pictures ---- */

static bool send_request(int socket, const Job *job, const int descriptors[DESCRIPTORS]) {
    Control control;
    Job copy = *job;
    struct iovec data = {&copy, sizeof copy};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    memset(&control, 0, sizeof control);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(DESCRIPTORS * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, DESCRIPTORS * sizeof(int));
    ssize_t sent;
    while ((sent = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
    }
    return sent == sizeof copy;
}

/* How the decoder ended, as waitpid says; -1: nobody knows. */
static int wait_for_end(int socket, unsigned seconds) {
    struct pollfd waits = {socket, POLLIN, 0};
    int status, ready;
    while ((ready = poll(&waits, 1, (int)(seconds + 5) * 1000)) < 0 && errno == EINTR) {
    }
    return ready > 0 && recv(socket, &status, sizeof status, 0) == sizeof status ? status : -1;
}

static Status judge(int status, unsigned seconds) {
    const int signal = status != -1 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DONE)
        return STATUS_OK;
    if (status != -1 && WIFEXITED(status))
        return fail(STATUS_DEVICE, "the system does not let a decoder be confined (--sandbox)");
    return signal == SIGALRM || signal == SIGXCPU ? fail(STATUS_INPUT, "decoding took longer than %u s", seconds)
           : signal == SIGSYS                     ? fail(STATUS_INPUT, "the decoder asked for what it must not have")
           : signal > 0                           ? fail(STATUS_INPUT, "the decoder crashed (%s)", strsignal(signal))
                                                  : fail(STATUS_INPUT, "the decoder was lost");
}

/* Memory that has a descriptor, and keeps its size. */
static int create_shared(size_t bytes) {
    const int shared = memfd_create("glint", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (shared >= 0 && ftruncate(shared, (off_t)bytes) == 0 &&
        fcntl(shared, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return shared;
    if (shared >= 0)
        close(shared);
    return -1;
}

static Status run_job(const Sandbox *sandbox, const Job *job, int file, int shared) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return fail(STATUS_DEVICE, "no socket for a decoder: %m");
    const bool sent = send_request(sandbox->server, job, (const int[DESCRIPTORS]){file, shared, pair[1]});
    close(pair[1]);
    const int status = sent ? wait_for_end(pair[0], job->seconds) : -1;
    close(pair[0]);
    return sent ? judge(status, job->seconds) : fail(STATUS_DEVICE, "the sandbox is gone");
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

/* What comes back is the word of a process that may have been taken over: nothing of it is believed. */
typedef struct Shared {
    const unsigned char *base;
    size_t size, left; /* left: bytes of pixels that may still come */
} Shared;

static bool lies_within(const Shared *shared, size_t at, size_t size) {
    return at <= shared->size && size <= shared->size - at;
}

static Status not_credible(void) {
    return fail(STATUS_INPUT, "the decoder's answer makes no sense");
}

static Status get_block(const Shared *shared, size_t at, size_t size, ImageBlock *block) {
    if (at == 0)
        return STATUS_OK;
    return lies_within(shared, at, size) ? image_block_set(block, shared->base + at, size) : not_credible();
}

static Status get_profile(const Shared *shared, const Parcel *parcel, Image *image) {
    ImageBlock profile = {0};
    TRY(get_block(shared, parcel->profile, parcel->profile_size, &profile));
    image->profile = profile.data;
    image->profile_size = profile.size;
    return STATUS_OK;
}

static Status get_image(Shared *shared, const Parcel *parcel, Image **image) {
    if (parcel->shape.type >= PIXEL_TYPES)
        return not_credible();
    TRY(shape_exists(parcel->shape));
    const size_t bytes = shape_bytes(parcel->shape);
    if (!lies_within(shared, parcel->pixels, bytes) || bytes > shared->left)
        return not_credible();
    shared->left -= bytes;
    TRY(image_create_unfilled(parcel->shape, image));
    memcpy((*image)->view.pixels, shared->base + parcel->pixels, bytes);
    (*image)->resolution = parcel->resolution;
    (*image)->colours = parcel->colours;
    (*image)->extras = parcel->extras;
    (*image)->premultiplied = parcel->premultiplied;
    (*image)->plays = parcel->plays;
    (*image)->seconds = parcel->seconds >= 0 ? parcel->seconds : 0;
    TRY(get_profile(shared, parcel, *image));
    TRY(get_block(shared, parcel->exif, parcel->exif_size, &(*image)->exif));
    TRY(get_block(shared, parcel->xmp, parcel->xmp_size, &(*image)->xmp));
    return get_block(shared, parcel->text, parcel->text_size, &(*image)->text);
}

/* Each parcel lies before the next, so that they end. */
static Status get_images(Shared *shared, size_t first, Image **image) {
    size_t before = 0;
    if (first == 0)
        return not_credible();
    for (size_t at = first; at != 0; image = &(*image)->next) {
        Parcel parcel;
        if (at <= before || !lies_within(shared, at, sizeof parcel))
            return not_credible();
        memcpy(&parcel, shared->base + at, sizeof parcel);
        TRY(get_image(shared, &parcel, image));
        before = at;
        at = parcel.next;
    }
    return STATUS_OK;
}

static Status get_reply(const Shared *shared, Reply *reply) {
    memcpy(reply, shared->base, sizeof *reply);
    reply->why[sizeof reply->why - 1] = '\0';
    if (!reply->complete || (unsigned)reply->status > STATUS_INTERRUPTED)
        return not_credible();
    return reply->status == STATUS_OK ? STATUS_OK : fail(reply->status, "%s", reply->why);
}

static Status check_measure(const Reply *reply) {
    return reply->format < format_count && reply->measure.count > 0 && reply->measure.shape.type < PIXEL_TYPES
               ? shape_exists(reply->measure.shape)
               : not_credible();
}

/* Runs the job, and reads what came of it; `image` is NULL where the header alone is asked for. */
static Status ask(const Sandbox *sandbox, const Job *job, int file, Reply *reply, Image **image) {
    const int descriptor = create_shared(job->shared);
    if (descriptor < 0)
        return fail(STATUS_DEVICE, "no shared memory for a decoder: %m");
    Shared shared = {MAP_FAILED, job->shared, job->max};
    Status status = run_job(sandbox, job, file, descriptor);
    if (status == STATUS_OK) {
        void *base = mmap(NULL, job->shared, PROT_READ, MAP_SHARED, descriptor, 0);
        shared.base = base;
        status = base != MAP_FAILED ? get_reply(&shared, reply) : fail(STATUS_DEVICE, "no shared memory: %m");
        if (status == STATUS_OK)
            status = image ? get_images(&shared, reply->first, image) : check_measure(reply);
        if (base != MAP_FAILED)
            munmap(base, job->shared);
    }
    close(descriptor);
    if (status != STATUS_OK && image)
        image_destroy(image);
    return status;
}

/* With the descriptor of the file, or of a copy of what a stream gave. */
static Status ask_of(const CodecBox *box, const Input *input, const Job *job, Reply *reply, Image **image) {
    const Sandbox *sandbox = (const Sandbox *)box;
    int file = input->descriptor;
    if (input->seekable)
        return ask(sandbox, job, file, reply, image);
    Status status = copy_bytes(input->bytes, &file);
    if (status == STATUS_OK)
        status = ask(sandbox, job, file, reply, image);
    if (file >= 0)
        close(file);
    return status;
}

static Status measure_there(CodecBox *box, Input *input, Pages pages, size_t *format, Measure *measure) {
    const Job job = {.pages = pages, .shared = REPLY_BYTES, .seconds = ((const Sandbox *)box)->seconds};
    Reply reply;
    if (input->size == 0)
        return fail(STATUS_INPUT, "the file is empty");
    if (!input->seekable) /* the decoder cannot wait for more */
        TRY(input_read(input, memory_budget()));
    TRY(ask_of(box, input, &job, &reply, NULL));
    *format = reply.format;
    *measure = reply.measure;
    measure->pages = pages;
    return STATUS_OK;
}

static Status unpack_there(CodecBox *box, Input *input, Pages pages, size_t max, Image **image) {
    const size_t shared = memory_sum(memory_product(2, max), BESIDES_BYTES); /* of which what is used takes memory */
    const Job job = {true, pages, max, shared, ((const Sandbox *)box)->seconds};
    Reply reply;
    return ask_of(box, input, &job, &reply, image);
}

Status sandbox_open(unsigned seconds, Sandbox **sandbox) {
    int pair[2];
    *sandbox = calloc(1, sizeof **sandbox);
    if (!*sandbox || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        free(*sandbox);
        *sandbox = NULL;
        return fail(STATUS_DEVICE, "no memory for a sandbox");
    }
    (void)memory_budget(); /* read while files can be, as is the time zone, which Little CMS asks for */
    tzset();
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(pair[0]);
        serve(pair[1]);
    }
    close(pair[1]);
    **sandbox = (Sandbox){{measure_there, unpack_there}, pair[0], pid, seconds};
    if (pid > 0)
        return STATUS_OK;
    sandbox_close(sandbox);
    return fail(STATUS_DEVICE, "no process for a sandbox: %m");
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
