/* limits.c: rules for system calls, a row each, and limits of the system's own. */
#include "kernel/host/limits.h"

#include "core/base/call_filter.h"

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STARTS = 1, SIGNALS, REACHES, STAYS };

static const char *const deeds[] = {
    [STARTS] = "starts a process",
    [SIGNALS] = "sends a signal to another process",
    [REACHES] = "reaches into another process",
    [STAYS] = "wants to outlive the program",
};

#define RAISE(deed) (SECCOMP_RET_TRAP | (deed))

static void filter_calls(void) {
    const uint32_t all = UINT32_MAX, allow = SECCOMP_RET_ALLOW, absent = SECCOMP_RET_ERRNO | ENOSYS;
    const uint32_t self = (uint32_t)getpid();
    const CallRule rules[] = {
        {SYS_clone, 0, CLONE_THREAD, CLONE_THREAD, allow},
        {SYS_clone, CALL_ANY, 0, 0, RAISE(STARTS)},
        {SYS_clone3, CALL_ANY, 0, 0, absent}, /* its flags cannot be seen; without it, clone is asked */
#ifdef SYS_fork
        {SYS_fork, CALL_ANY, 0, 0, RAISE(STARTS)},
        {SYS_vfork, CALL_ANY, 0, 0, RAISE(STARTS)},
#endif
        {SYS_execve, CALL_ANY, 0, 0, RAISE(STARTS)},
        {SYS_execveat, CALL_ANY, 0, 0, RAISE(STARTS)},
        {SYS_kill, 0, all, self, allow},
        {SYS_kill, CALL_ANY, 0, 0, RAISE(SIGNALS)},
        {SYS_tgkill, 0, all, self, allow},
        {SYS_tgkill, CALL_ANY, 0, 0, RAISE(SIGNALS)},
        {SYS_tkill, CALL_ANY, 0, 0, RAISE(SIGNALS)},
        {SYS_rt_sigqueueinfo, CALL_ANY, 0, 0, RAISE(SIGNALS)},
        {SYS_rt_tgsigqueueinfo, CALL_ANY, 0, 0, RAISE(SIGNALS)},
        {SYS_pidfd_send_signal, CALL_ANY, 0, 0, RAISE(SIGNALS)},
        {SYS_ptrace, CALL_ANY, 0, 0, RAISE(REACHES)},
        {SYS_process_vm_readv, CALL_ANY, 0, 0, RAISE(REACHES)},
        {SYS_process_vm_writev, CALL_ANY, 0, 0, RAISE(REACHES)},
        {SYS_pidfd_getfd, CALL_ANY, 0, 0, RAISE(REACHES)},
        {SYS_prlimit64, 0, all, 0, allow},
        {SYS_prlimit64, 0, all, self, allow},
        {SYS_prlimit64, CALL_ANY, 0, 0, RAISE(REACHES)},
        {SYS_prctl, 0, all, PR_SET_PDEATHSIG, RAISE(STAYS)},
    };
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    (void)call_filter_install((CallRules){rules, sizeof rules / sizeof *rules}, (CallRules){NULL, 0}, allow, 0);
}

static void limit(__rlimit_resource_t resource, rlim_t value) {
    struct rlimit both;
    if (getrlimit(resource, &both) != 0)
        return;
    both.rlim_max = both.rlim_max < value ? both.rlim_max : value;
    both.rlim_cur = both.rlim_max;
    (void)setrlimit(resource, &both);
}

void limits_begin(void) {
    const rlim_t machine = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE);
    limit(RLIMIT_CORE, 0);
    if (!SANITIZED) /* its shadow memory would count */
        limit(RLIMIT_DATA, machine / 2);
    filter_calls();
}

const char *limits_deed(const siginfo_t *info) {
    const int deed = info->si_errno;
    return deed > 0 && deed < (int)(sizeof deeds / sizeof *deeds) ? deeds[deed] : NULL;
}
