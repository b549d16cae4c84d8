// want: kernel blocks_signals has not ended after 0.5 s \(--kernel-time\)
#include <glint/kernel.h>
#include <signal.h>
KERNEL(point, blocks_signals) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (int i = 1; i < 32; i++)
        signal(i, SIG_IGN);
    for (volatile int i = 0;; i++)
        ;
}
