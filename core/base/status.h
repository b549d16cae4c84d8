/* status.h: how a function says that it failed, and why.
 * Owns the status codes (which are the program's exit statuses) and the thread's last failure text. */
#ifndef GLINT_CORE_BASE_STATUS_H
#define GLINT_CORE_BASE_STATUS_H

/* The values are the exit statuses of the command line (docs/guide.md, "Exit status"). */
typedef enum Status {
    STATUS_OK = 0,
    STATUS_PARTIAL = 1, /* some inputs failed, the others are done; pictures differ more than they may */
    STATUS_USAGE = 2,   /* the request itself makes no sense: an option, a chain, a level that cannot do the job */
    STATUS_INPUT = 3,   /* a file or its contents cannot be used */
    STATUS_DEVICE = 4,  /* the device or the environment failed: no GPU, no display, no memory, no disk space */
    STATUS_INTERRUPTED = 130, /* stopped by SIGINT, SIGTERM or SIGHUP, or as core/base/stop.h says */
} Status;

/* Records one sentence (what, where, what would be right) for this thread and returns `status`. The place that knows a
 * fact thus reports it: return fail(STATUS_INPUT, "gaussian: sigma %g, want > 0", sigma). */
__attribute__((format(printf, 2, 3), warn_unused_result)) Status fail(Status status, const char *format, ...);

/* Puts a prefix ("in.png: ") before the recorded sentence, for callers that know the context, and returns `status`. */
__attribute__((format(printf, 2, 3), warn_unused_result)) Status fail_within(Status status, const char *format, ...);

/* The sentence that this thread's last fail() recorded, without its middle if it is longer than 1023 bytes; empty
 * before the first. Valid until the next fail(). */
const char *status_message(void);

/* Returns the status of `expression` from the calling function unless it is STATUS_OK. */
#define TRY(expression)                                                                                                \
    do {                                                                                                               \
        const Status try_status = (expression);                                                                        \
        if (try_status != STATUS_OK)                                                                                   \
            return try_status;                                                                                         \
    } while (0)

#endif
