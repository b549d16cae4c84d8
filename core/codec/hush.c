/* hush.c: a thread with a table of descriptors of its own. */
#include "core/codec/hush.h"

#include "core/base/thread.h"
#include "core/image/image.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

enum { STACK_BYTES = 2 << 20 }; /* a sandbox has few */

typedef struct Hush {
    Status (*work)(void *context);
    void *context;
    PixelSource *source;
    Status status;
    int error; /* errno, which is a thread's own, too: it tells reasons that libraries do not */
    char message[1024];
} Hush;

/* Messages are a thread's own. */
static void *run(void *of) {
    Hush *hush = of;
    if (unshare(CLONE_FILES) == 0)
        close(STDERR_FILENO);
    (void)image_source_set(hush->source);
    errno = 0;
    hush->status = hush->work(hush->context);
    hush->error = errno;
    if (hush->status != STATUS_OK)
        snprintf(hush->message, sizeof hush->message, "%s", status_message());
    return NULL;
}

Status hushed(Status (*work)(void *context), void *context) {
    Hush hush = {.work = work, .context = context, .source = image_source_set(NULL)};
    pthread_attr_t attributes;
    pthread_t thread;
    (void)image_source_set(hush.source);
    if (pthread_attr_init(&attributes) != 0)
        return work(context);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const bool begun = thread_begin(&thread, &attributes, run, &hush);
    pthread_attr_destroy(&attributes);
    if (!begun)
        return work(context);
    pthread_join(thread, NULL);
    errno = hush.error;
    return hush.status == STATUS_OK ? STATUS_OK : fail(hush.status, "%s", hush.message);
}
