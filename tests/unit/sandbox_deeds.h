/* sandbox_deeds.h: deeds of a decoder that was taken over, and the words for each, for test_sandbox.c. */
#ifndef GLINT_TESTS_UNIT_SANDBOX_DEEDS_H
#define GLINT_TESTS_UNIT_SANDBOX_DEEDS_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define SECRET "GLINT_TEST_SECRET" /* a variable that the decoder must not see */

static void crash(void) {
    volatile char *nothing = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *nothing = 1;
}

static void hang(void) {
    for (volatile unsigned i = 0;; i++) {
    }
}

static void wait_for_ever(void) {
    sigset_t all;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
}

static void open_a_file(void) {
    (void)syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
}

static void go_online(void) {
    (void)!socket(AF_INET, SOCK_STREAM, 0);
}

static void make_a_process(void) {
    (void)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

static void make_another_kind_of_thread(void) {
    (void)syscall(SYS_clone, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_NEWUSER, NULL, NULL, NULL, NULL);
}

static void kill_who_asked(void) {
    (void)kill(getppid(), SIGKILL);
}

static void share_memory(void) {
    (void)!mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void grow_down(void) {
    (void)!mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);
}

static void write_code(void) {
    static char page[1 << 13];
    const size_t aligned = ((size_t)page + 4095) / 4096 * 4096;
    (void)mprotect((void *)aligned, 4096, PROT_READ | PROT_WRITE | PROT_EXEC); /* NOLINT(performance-no-int-to-ptr) */
}

/* Calls that are refused without an end: abort() is the end then. */
static void write_somewhere(void) {
    if (syscall(SYS_write, STDOUT_FILENO, "x", 1) < 0)
        abort();
}

static void merge_pages(void) {
    static char page[1 << 13];
    const size_t aligned = ((size_t)page + 4095) / 4096 * 4096;
    if (madvise((void *)aligned, 4096, MADV_MERGEABLE) != 0) /* NOLINT(performance-no-int-to-ptr) */
        abort();
}

static void leave(void) {
    _exit(0);
}

/* Far more than the picture takes. */
static void take_memory(void) {
    enum { STEP = 1 << 20, STEPS = 4096 };
    for (int i = 0; i < STEPS; i++) {
        char *volatile memory = malloc(STEP); /* else the compiler knows that nobody reads it */
        if (!memory)
            abort();
        memset(memory, 1, STEP);
    }
}

/* As addresses: nothing of it is used. */
static void take_addresses(void) {
    if (mmap(NULL, (size_t)1 << 36, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
        abort();
}

static void *sleep_on(void *lock) {
    pthread_mutex_lock(lock);
    return NULL;
}

static long processors; /* known before there are rights to give up */

/* The sandbox allows 16, and eight for each processor. */
static void make_threads(void) {
    enum { FEW = 4 };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    pthread_mutex_lock(&lock);
    for (long i = 0; i < 2 * (16 + 8 * processors); i++) {
        pthread_t thread;
        if (pthread_create(&thread, &small, sleep_on, &lock) != 0 && i >= FEW)
            abort();
    }
}

/* The process that asked is not known here. */
static void look_around(void) {
    if (getenv(SECRET) || getenv("PATH") || strcmp(program_invocation_name, "glint: sandbox") != 0)
        return;
    abort();
}

/* By the red value of the first pixel. */
static const struct {
    void (*do_it)(void);
    const char *says;
} deeds[] = {{crash, "crashed"},
             {hang, "longer than 1 s"},
             {wait_for_ever, "longer than 1 s"},
             {open_a_file, "forbidden system call"},
             {go_online, "forbidden system call"},
             {make_a_process, "forbidden system call"},
             {make_another_kind_of_thread, "forbidden system call"},
             {kill_who_asked, "forbidden system call"},
             {share_memory, "forbidden system call"},
             {grow_down, "forbidden system call"},
             {write_code, "forbidden system call"},
             {write_somewhere, "the decoder"},
             {merge_pages, "the decoder"},
             {abort, "the decoder"},
             {leave, "makes no sense"},
             {take_memory, "the decoder"},
             {take_addresses, "the decoder"},
             {make_threads, "the decoder"},
             {look_around, "the decoder"}};

#endif
