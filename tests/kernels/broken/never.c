// want: kernel never has not ended after 0.5 s \(--kernel-time\)
#include <glint/kernel.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
KERNEL(point, never) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock); /* a lock that nobody gives back */
}
