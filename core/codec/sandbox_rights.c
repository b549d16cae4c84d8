/* sandbox_rights.c: the calls that the server of the sandbox and its decoders may make (seccomp(2),
 * seccomp_unotify(2)). */
#include "core/codec/sandbox_rights.h"

#include "core/base/call_filter.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ANY = CALL_ANY };

static const uint32_t allow = SECCOMP_RET_ALLOW, end_it = SECCOMP_RET_KILL_PROCESS, ask = SECCOMP_RET_USER_NOTIF,
                      absent = SECCOMP_RET_ERRNO | ENOSYS, invalid = SECCOMP_RET_ERRNO | EINVAL,
                      no_more = SECCOMP_RET_ERRNO | EAGAIN;

enum {
    /* as pthread_create makes threads, and nothing else */
    THREAD = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
             CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
    MEMORY = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_FIXED | MAP_FIXED_NOREPLACE
};

/* Flags of clone3 cannot be seen; without it, clone is asked. */
static const CallRule of_decoders[] = {{SYS_mmap, 2, PROT_EXEC, PROT_EXEC, end_it},
                                       {SYS_mmap, 3, ~(uint32_t)MEMORY, 0, allow},
                                       {SYS_mprotect, 2, ~(uint32_t)(PROT_READ | PROT_WRITE), 0, allow},
                                       {SYS_madvise, 2, UINT32_MAX, MADV_DONTNEED, allow},
                                       {SYS_madvise, 2, UINT32_MAX, MADV_FREE, allow},
                                       {SYS_madvise, ANY, 0, 0, invalid},
                                       {SYS_munmap, ANY, 0, 0, allow},
                                       {SYS_mremap, ANY, 0, 0, allow},
                                       {SYS_brk, ANY, 0, 0, allow},
                                       {SYS_futex, ANY, 0, 0, allow},
                                       {SYS_getrandom, ANY, 0, 0, allow},
                                       {SYS_clock_gettime, ANY, 0, 0, allow},
                                       {SYS_sched_yield, ANY, 0, 0, allow},
                                       {SYS_sched_getaffinity, ANY, 0, 0, allow},
                                       {SYS_sysinfo, ANY, 0, 0, allow},
                                       {SYS_rt_sigreturn, ANY, 0, 0, allow},
                                       {SYS_rt_sigprocmask, ANY, 0, 0, allow},
                                       {SYS_gettid, ANY, 0, 0, allow},
                                       {SYS_set_robust_list, ANY, 0, 0, allow},
                                       {SYS_rseq, ANY, 0, 0, allow},
                                       {SYS_exit, ANY, 0, 0, allow},
                                       {SYS_exit_group, ANY, 0, 0, allow},
#if SANITIZED /* calls of the sanitizer's runtime, when threads begin and end, and to report */
                                       {SYS_sigaltstack, ANY, 0, 0, allow},
                                       {SYS_getpid, ANY, 0, 0, allow},
                                       {SYS_prlimit64, ANY, 0, 0, absent},
                                       {SYS_write, 0, UINT32_MAX, STDERR_FILENO, allow},
#endif
                                       {SYS_clone3, ANY, 0, 0, absent},
                                       {SYS_rt_sigaction, ANY, 0, 0, absent},
                                       {SYS_prctl, ANY, 0, 0, absent},
                                       {SYS_write, ANY, 0, 0, absent},
                                       {SYS_writev, ANY, 0, 0, absent},
                                       {SYS_unshare, ANY, 0, 0, absent}};

/* Besides, of two filters the stricter one counts. */
static const CallRule threads_are_asked_for[] = {{SYS_clone, 0, UINT32_MAX, THREAD, ask}},
                      threads_are_allowed[] = {{SYS_clone, 0, UINT32_MAX, THREAD, allow}},
                      threads_are_not[] = {{SYS_clone, 0, UINT32_MAX, THREAD, no_more}};

#define RULES(list) ((CallRules){list, sizeof(list) / sizeof *(list)})

int rights_begin(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capset, &header, none) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return call_filter_install(RULES(threads_are_asked_for), (CallRules){NULL, 0}, allow,
                               SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

/* The number of threads of the process that this thread belongs to. */
static size_t count_threads(unsigned thread) {
    char path[40];
    struct stat info;
    snprintf(path, sizeof path, "/proc/%u/task", thread);
    return stat(path, &info) == 0 && info.st_nlink > 2 ? info.st_nlink - 2 : SIZE_MAX;
}

void rights_answer(int threads) {
    enum { ALONE = 16, EACH = 8, ROOM = 256 /* of later kernels, whose structures may grow */ };
    union {
        struct seccomp_notif asked;
        char room[ROOM];
    } in = {.room = {0}};
    union {
        struct seccomp_notif_resp said;
        char room[ROOM];
    } out = {.room = {0}};
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (ioctl(threads, SECCOMP_IOCTL_NOTIF_RECV, &in) != 0) /* it has ended since */
        return;
    const bool fits = count_threads(in.asked.pid) < ALONE + EACH * (size_t)(processors > 0 ? processors : 1);
    out.said.id = in.asked.id;
    out.said.error = fits ? 0 : -EAGAIN;
    out.said.flags = fits ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0; /* flags are values: they stay as they were seen */
    (void)ioctl(threads, SECCOMP_IOCTL_NOTIF_SEND, &out);
}

/* To the value, or to less if that is the limit already. */
static bool limit(__rlimit_resource_t resource, size_t value) {
    struct rlimit both;
    if (getrlimit(resource, &both) != 0)
        return false;
    both.rlim_max = both.rlim_max < value ? both.rlim_max : value;
    both.rlim_cur = both.rlim_max;
    return setrlimit(resource, &both) == 0;
}

bool rights_give_up(size_t memory, bool threads) {
    const CallRules of_threads = threads ? RULES(threads_are_allowed) : RULES(threads_are_not);
    return limit(RLIMIT_AS, memory) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, 0) &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           call_filter_install(of_threads, RULES(of_decoders), end_it, 0) == 0;
}
