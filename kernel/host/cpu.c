/* cpu.c: kernels in C, as shared objects. A kernel's threads each do a band of its work. */
#include "kernel/host/device.h"

#include "core/base/interrupt.h"
#include "core/base/timing.h"
#include "kernel/host/limits.h"
#include "kernel/parameters.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* ---- memory, with none around it ---- */

enum { PLACES = TASK_PARAMETERS, PAGE = 4096, GAP = 1 << 20 };

/* The last byte lies in front of addresses that nobody may touch, and its first page behind others. */
typedef struct Place {
    const char *parameter;
    unsigned char *memory; /* the caller's */
    size_t bytes;
    unsigned char *mapped; /* from one gap to the other */
    size_t whole;
} Place;

static Place places[PLACES];
static int place_count;
static KernelAnswer *asked; /* the answer of the run under way */

static bool cpu_take(size_t bytes, const char *parameter, void **memory, KernelAnswer *answer) {
    const size_t inner = (bytes + PAGE - 1) / PAGE * PAGE, whole = inner + 2 * (size_t)GAP;
    unsigned char *mapped = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED || mprotect(mapped + GAP, inner, PROT_READ | PROT_WRITE) != 0)
        return host_fault(answer, KERNEL_NO_DEVICE, "cannot have %zu bytes for %s", bytes, parameter);
    memset(mapped + GAP, HOST_POISON, inner);
    places[place_count++] = (Place){parameter, mapped + GAP + inner - bytes, bytes, mapped, whole};
    *memory = places[place_count - 1].memory;
    return true;
}

static void cpu_give_back(void) {
    while (place_count > 0) {
        const Place *place = &places[--place_count];
        munmap(place->mapped, place->whole);
    }
}

static bool cpu_put(void *to, const void *from, size_t bytes, KernelAnswer *answer) {
    (void)answer;
    memcpy(to, from, bytes);
    return true;
}

static bool cpu_get(void *to, const void *from, size_t bytes, KernelAnswer *answer) {
    for (int i = 0; i < place_count; i++)
        for (const unsigned char *at = places[i].memory; at > places[i].mapped + GAP && places[i].memory == from;)
            if (*--at != HOST_POISON)
                return host_fault(answer, KERNEL_OUT_OF_BOUNDS, "writes %td bytes in front of %s",
                                  (const unsigned char *)from - at, places[i].parameter);
    memcpy(to, from, bytes);
    return true;
}

/* ---- faults ---- */

enum { STACK_SLACK = 1 << 16, SIGNAL_STACK = 1 << 16 };

static _Thread_local uintptr_t stack_top; /* where the kernel's part of this thread's stack begins */

static const char *deed_of(const ucontext_t *context) {
#if defined(__x86_64__)
    return context->uc_mcontext.gregs[REG_ERR] & 2 ? "writes"
                                                   : "reads"; /* the page fault's error code: Intel SDM 4.7 */
#else
    (void)context;
    return "touches";
#endif
}

static bool is_on_stack(const ucontext_t *context, const unsigned char *at) {
#if defined(__x86_64__)
    const uintptr_t pointer = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    const uintptr_t pointer = (uintptr_t)context->uc_mcontext.sp;
#else
    const uintptr_t pointer = (uintptr_t)context->uc_link;
#endif
    return (uintptr_t)at + STACK_SLACK >= pointer && (uintptr_t)at < stack_top;
}

/* Gives this thread a stack for the handler, since the kernel may use up the thread's own; the one before. */
static stack_t guard_stack(unsigned char room[SIGNAL_STACK]) {
    const stack_t stack = {.ss_sp = room, .ss_size = SIGNAL_STACK};
    stack_t before = {.ss_flags = SS_DISABLE};
    stack_top = (uintptr_t)room;
    (void)sigaltstack(&stack, &before);
    return before;
}

/* The process has nothing left to lose: it tells what it knows, and ends. Threads that fail alike wait for that. */
static void on_fault(int signal, siginfo_t *info, void *context) {
    static atomic_flag told = ATOMIC_FLAG_INIT;
    const unsigned char *at = info->si_addr;
    const Place *near = NULL;
    while (atomic_flag_test_and_set(&told))
        pause();
    for (int i = 0; i < place_count && signal == SIGSEGV; i++)
        if (at >= places[i].mapped && at < places[i].mapped + places[i].whole)
            near = &places[i];
    if (near)
        host_astray(asked, deed_of(context), near->parameter, near->memory, near->bytes, at);
    else if (signal == SIGSEGV && is_on_stack(context, at))
        host_fault(asked, KERNEL_CRASH, "overflows its stack");
    else if (signal == SIGSYS && limits_deed(info))
        host_fault(asked, KERNEL_CRASH, "%s, which no kernel may", limits_deed(info));
    else if (signal == SIGSEGV)
        host_fault(asked, KERNEL_OUT_OF_BOUNDS, "%s address %p, where no memory is", deed_of(context),
                   (const void *)at);
    else
        host_fault(asked, KERNEL_CRASH, "is ended by a signal (%s)", strsignal(signal));
    _exit(1);
}

static bool cpu_open(int index, KernelAnswer *answer) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK)};
    (void)index, (void)answer;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    limits_begin();
    return true;
}

/* ---- code ---- */

static void *library;

static bool cpu_load(const KernelTask *task, const void *binary, KernelAnswer *answer) {
    char path[32];
    const int file = memfd_create("kernel", MFD_CLOEXEC);
    const bool written = file >= 0 && interruptible_write(file, "kernel", binary, task->binary_bytes) == STATUS_OK;
    asked = answer;
    if (library)
        dlclose(library);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    library = written ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (file >= 0)
        close(file);
    return library || host_fault(answer, KERNEL_OTHER, "cannot be loaded: %s", dlerror());
}

/* Code in C has no constant memory. */
static bool cpu_constant(const char *name, const void *values, size_t bytes, KernelAnswer *answer) {
    (void)name, (void)values, (void)bytes, (void)answer;
    return true;
}

/* ---- running ---- */

typedef void (*Function)(void);

#define CALL(operation, type, ...)                                                                                     \
    static void call_##operation(Function function, const TaskParameter *p, KernelPart part) {                         \
        ((type)function)(__VA_ARGS__, part);                                                                           \
    }
typedef void (*Convolve)(KernelPicture, KernelPicture, KernelMask, KernelPart);
typedef void (*PointKernel)(KernelPicture, KernelPicture, KernelPoint, KernelPart);
typedef void (*Reduce)(KernelVector, float *, KernelPart);
typedef void (*Dot)(KernelVector, KernelVector, float *, KernelPart);
typedef void (*Blend)(KernelPicture, KernelPicture, KernelPicture, float, KernelPart);
typedef void (*Multiply)(KernelMatrix, KernelMatrix, KernelMatrix, KernelPart);
typedef void (*Move)(KernelPicture, KernelPicture, KernelPart);
typedef void (*Histogram)(KernelPicture, unsigned *, KernelPart);
typedef void (*Trace)(KernelSpheres, KernelCamera, KernelPicture, KernelPart);
CALL(convolve, Convolve, p[0].value.picture, p[1].value.picture, p[2].value.mask)
CALL(point, PointKernel, p[0].value.picture, p[1].value.picture, p[2].value.point)
CALL(reduce, Reduce, p[0].value.vector, p[1].value.pointer)
CALL(dot, Dot, p[0].value.vector, p[1].value.vector, p[2].value.pointer)
CALL(blend, Blend, p[0].value.picture, p[1].value.picture, p[2].value.picture, p[3].value.number)
CALL(multiply, Multiply, p[0].value.matrix, p[1].value.matrix, p[2].value.matrix)
CALL(move, Move, p[0].value.picture, p[1].value.picture)
CALL(histogram, Histogram, p[0].value.picture, p[1].value.pointer)
CALL(trace, Trace, p[0].value.spheres, p[1].value.camera, p[2].value.picture)

static void (*const calls[GLINT_OPERATIONS])(Function, const TaskParameter *, KernelPart) = {
    [GLINT_convolve] = call_convolve, [GLINT_point] = call_point,         [GLINT_reduce] = call_reduce,
    [GLINT_dot] = call_dot,           [GLINT_blend] = call_blend,         [GLINT_multiply] = call_multiply,
    [GLINT_move] = call_move,         [GLINT_histogram] = call_histogram, [GLINT_trace] = call_trace,
};

enum { THREADS_MAX = 256 };

/* The threads of a run share this. */
typedef struct Team {
    const HostCall *call;
    KernelAnswer *answer;
    Function function;
    int extent, threads;
    pthread_barrier_t barrier;
} Team;

typedef struct Member {
    Team *team;
    int number;
} Member;

static int extent_of(const TaskParameter *work) {
    return work->kind == PARAMETER_VECTOR   ? work->value.vector.count
           : work->kind == PARAMETER_MATRIX ? work->value.matrix.height
                                            : work->value.picture.height;
}

/* Each part of a sum, or of counts, goes to a place of its own. */
static int result_of(const KernelTask *task) {
    const KernelParameter *rows = kernel_parameters[task->kernel.operation].parameters;
    for (int i = 0; i < task->count; i++)
        if (rows[i].kind == PARAMETER_SUMS || rows[i].kind == PARAMETER_COUNTS)
            return i;
    return -1;
}

static KernelPart part_of(const Team *team, int number) {
    const long long extent = team->extent;
    return (KernelPart){(int)(extent * number / team->threads), (int)(extent * (number + 1) / team->threads)};
}

/* Sums and counts of the parts go together in the first one's place. */
static void gather(const Team *team, TaskParameter *result) {
    float *sums = result->value.pointer;
    unsigned *counts = result->value.pointer;
    const size_t bins = (size_t)team->call->task->channels * 256;
    for (int t = 1; t < team->threads; t++) {
        if (result->kind == PARAMETER_SUMS) {
            sums[0] += sums[t];
            sums[t] = 0;
        } else
            for (size_t i = 0; i < bins; i++)
                counts[i] += counts[(size_t)t * bins + i];
    }
}

static void *member_runs(void *argument) {
    const Member *member = argument;
    Team *team = member->team;
    const HostCall *call = team->call;
    const int result = result_of(call->task);
    const size_t bins = (size_t)call->task->channels * 256;
    TaskParameter own[TASK_PARAMETERS];
    unsigned char handler[SIGNAL_STACK];
    const stack_t before = guard_stack(handler);
    memcpy(own, call->parameters, sizeof own);
    if (result >= 0 && own[result].kind == PARAMETER_SUMS)
        own[result].value.pointer = (float *)own[result].value.pointer + member->number;
    else if (result >= 0)
        own[result].value.pointer = (unsigned *)own[result].value.pointer + (size_t)member->number * bins;
    for (unsigned run = 0; run < call->task->runs; run++) {
        if (result >= 0) /* 0 at first */
            memset(own[result].value.pointer, 0,
                   own[result].kind == PARAMETER_SUMS ? sizeof(float) : bins * sizeof(unsigned));
        pthread_barrier_wait(&team->barrier);
        const double from = clock_ms();
        calls[call->task->kernel.operation](team->function, own, part_of(team, member->number));
        pthread_barrier_wait(&team->barrier);
        if (member->number == 0) {
            if (result >= 0)
                gather(team, &call->parameters[result]);
            team->answer->ms[run] = clock_ms() - from;
            team->answer->runs = run + 1;
            call->ran();
        }
        pthread_barrier_wait(&team->barrier); /* the others leave their sums until they are gathered */
    }
    (void)sigaltstack(&before, NULL);
    stack_top = 0;
    return NULL;
}

static bool cpu_run(const HostCall *call, KernelAnswer *answer) {
    const KernelTask *task = call->task;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    Team team = {.call = call, .answer = answer};
    Member members[THREADS_MAX];
    pthread_t threads[THREADS_MAX];
    int started = 1;
    asked = answer;
    *(void **)&team.function = dlsym(library, task->kernel.name);
    if (!team.function)
        return host_fault(answer, KERNEL_OTHER, "is not in its file");
    team.extent = extent_of(&call->parameters[kernel_parameters[task->kernel.operation].work]);
    team.threads = (int)(processors < 1 ? 1 : processors > THREADS_MAX ? THREADS_MAX : processors);
    team.threads = team.threads < team.extent ? team.threads : team.extent > 0 ? team.extent : 1;
    pthread_barrier_init(&team.barrier, NULL, (unsigned)team.threads);
    members[0] = (Member){&team, 0};
    for (; started < team.threads; started++) {
        members[started] = (Member){&team, started};
        if (pthread_create(&threads[started], NULL, member_runs, &members[started]) != 0)
            return host_fault(answer, KERNEL_NO_DEVICE, "cannot have %d threads", team.threads);
    }
    member_runs(&members[0]);
    for (int t = 1; t < started; t++)
        pthread_join(threads[t], NULL);
    return true;
}

const HostDevice host_cpu = {
    .name = "cpu",
    .open = cpu_open,
    .load = cpu_load,
    .take = cpu_take,
    .put = cpu_put,
    .get = cpu_get,
    .give_back = cpu_give_back,
    .constant = cpu_constant,
    .run = cpu_run,
};
