/* trial.c: fork, and how the child ends. */
#include "core/base/trial.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SURVIVED = 97 }; /* the child's exit status behind the attempt, which may itself end it with 0 */

/* Faults end the child, whatever the parent does about them, without a core dump; so does the alarm. */
static void arm(unsigned seconds) {
    static const int ending[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM};
    sigset_t all;
    sigemptyset(&all);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        signal(ending[i], SIG_DFL);
        sigaddset(&all, ending[i]);
    }
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    alarm(seconds);
}

bool trial_survived(void (*attempt)(void), unsigned seconds, int *signal) {
    int how = 0;
    *signal = 0;
    const pid_t child = fork();
    if (child < 0)
        return true;
    if (child == 0) {
        arm(seconds);
        attempt();
        _exit(SURVIVED);
    }
    while (waitpid(child, &how, 0) < 0)
        if (errno != EINTR)
            return true;
    *signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    return WIFEXITED(how) && WEXITSTATUS(how) == SURVIVED;
}
