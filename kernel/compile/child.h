/* child.h: another program, run to its end. No shell reads its arguments. */
#ifndef GLINT_KERNEL_COMPILE_CHILD_H
#define GLINT_KERNEL_COMPILE_CHILD_H

#include "core/base/bytes.h"
#include "core/base/status.h"
#include "core/base/stop.h"

#include <stdbool.h>
#include <stddef.h>

enum { ARGUMENTS_MAX = 96 };

/* A program's arguments, ended by NULL; the strings are owned. */
typedef struct Arguments {
    char *list[ARGUMENTS_MAX + 1];
    size_t count;
    bool failed; /* memory was short, or there were too many */
} Arguments;

__attribute__((format(printf, 2, 3))) void arguments_add(Arguments *arguments, const char *format, ...);
/* Adds the words between blanks; NULL: none. */
void arguments_add_words(Arguments *arguments, const char *text);
void arguments_free(Arguments *arguments);

typedef struct Child {
    const char *program; /* a path */
    const Arguments *arguments;
    const char *folder; /* for its temporary files */
    double seconds;     /* then it is killed, with the programs that it has started */
    const Stop *stop;   /* the same; or NULL */
    size_t ahead; /* so many arguments begin the program for the next run, which then gives it the others on standard
                     input, a zero behind each; 0: it begins when it is run */
} Child;

typedef struct ChildEnd {
    Bytes said; /* on standard output and error, at most SAID_MAX; a zero follows */
    int how;    /* as waitpid tells it */
    bool late;  /* it was killed since its time was over */
} ChildEnd;

enum { SAID_MAX = 1 << 20 };

/* STATUS_DEVICE if it cannot be started, STATUS_INTERRUPTED if it was asked to stop, or a signal was caught. Free
 * end->said with bytes_free in any case. */
Status child_run(const Child *child, ChildEnd *end);

#endif
