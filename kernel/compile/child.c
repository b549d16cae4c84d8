/* child.c: posix_spawn, a pipe for the child's words, and a process group to be killed as one. */
#include "kernel/compile/child.h"

#include "core/base/interrupt.h"
#include "core/base/timing.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 20 }; /* between two looks at the reasons to stop */

/* ---- arguments ---- */

static void take(Arguments *arguments, char *text) {
    if (!text || arguments->count == ARGUMENTS_MAX) {
        free(text);
        arguments->failed = true;
        return;
    }
    arguments->list[arguments->count++] = text;
}

void arguments_add(Arguments *arguments, const char *format, ...) {
    char *text = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        text = NULL;
    va_end(list);
    take(arguments, text);
}

void arguments_add_words(Arguments *arguments, const char *text) {
    static const char blanks[] = " \t\n";
    if (!text)
        return;
    for (size_t length; text += strspn(text, blanks), length = strcspn(text, blanks), length > 0; text += length)
        take(arguments, strndup(text, length));
}

void arguments_free(Arguments *arguments) {
    for (size_t i = 0; i < arguments->count; i++)
        free(arguments->list[i]);
    *arguments = (Arguments){0};
}

/* ---- the environment ---- */

/* The environment of this process, but for the language and the folder of temporary files. Free the list, not its
 * texts; `own` has to live as long. */
static char **environment_with(char *const own[], size_t own_count) {
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **list = malloc((count + own_count + 1) * sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        if (strncmp(environ[i], "LC_", 3) != 0 && strncmp(environ[i], "LANGUAGE=", 9) != 0 &&
            strncmp(environ[i], "TMPDIR=", 7) != 0)
            list[kept++] = environ[i];
    for (size_t i = 0; list && i < own_count; i++)
        list[kept++] = own[i];
    if (list)
        list[kept] = NULL;
    return list;
}

/* ---- start ---- */

/* Reads from `input`; below 0: from nothing. */
static int spawn(const Child *child, char **environment, int input, int words, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    int error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = input < 0 ? posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
                          : posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
        error = error ? error : posix_spawn_file_actions_adddup2(&actions, words, STDOUT_FILENO);
        error = error ? error : posix_spawn_file_actions_adddup2(&actions, words, STDERR_FILENO);
        error = error ? error : posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
        error = error ? error : posix_spawnattr_setsigmask(&attributes, &none);
        error = error ? error : posix_spawnattr_setsigdefault(&attributes, &all);
        error = error ? error : posix_spawnattr_setpgroup(&attributes, 0);
        error = error ? error
                      : posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                                  POSIX_SPAWN_SETPGROUP);
        error = error ? error
                      : posix_spawn(pid, child->program, &actions, &attributes, child->arguments->list, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static Status start(const Child *child, int input, pid_t *pid, int *words) {
    int ends[2];
    char *folder = NULL, locale[] = "LC_ALL=C";
    if (asprintf(&folder, "TMPDIR=%s", child->folder) < 0)
        return fail(STATUS_DEVICE, "no memory for a compiler");
    char *const own[] = {folder, locale};
    char **environment = environment_with(own, sizeof own / sizeof *own);
    int error = environment && !child->arguments->failed ? 0 : ENOMEM;
    if (error == 0 && pipe2(ends, O_CLOEXEC) != 0)
        error = errno;
    if (error == 0) {
        error = spawn(child, environment, input, ends[1], pid);
        close(ends[1]);
        *words = ends[0];
        if (error != 0)
            close(ends[0]);
    }
    free(environment);
    free(folder);
    return error == 0 ? STATUS_OK : fail(STATUS_DEVICE, "%s cannot be started: %s", child->program, strerror(error));
}

/* ---- begun ahead ---- */

/* One program at most, which waits for its arguments. */
static struct {
    pthread_mutex_t lock;
    pid_t pid; /* 0: none */
    int words, task;
    char *begun; /* the arguments that it has, a zero behind each */
    size_t length;
} ready = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Arguments from `from` up to `to`, a zero behind each; NULL without memory. */
static char *join(const Arguments *arguments, size_t from, size_t to, size_t *length) {
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    for (size_t i = from; stream && i < to; i++)
        fwrite(arguments->list[i], 1, strlen(arguments->list[i]) + 1, stream);
    if (!stream || fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static bool send_all(int socket, const char *text, size_t length) {
    size_t sent = 0;
    for (ssize_t some = 1; text && sent < length && some > 0; sent += some > 0 ? (size_t)some : 0)
        some = send(socket, text + sent, length - sent, MSG_NOSIGNAL);
    return text && sent == length;
}

/* Takes the program that waits, if it is the same, and gives it the rest of its arguments; one that is not goes. */
static bool take_ready(const Child *child, pid_t *pid, int *words) {
    size_t length = 0, rest_length = 0;
    char *begun = join(child->arguments, 0, child->ahead, &length);
    char *rest = join(child->arguments, child->ahead, child->arguments->count, &rest_length);
    bool taken = false;
    pthread_mutex_lock(&ready.lock);
    if (ready.pid) {
        taken = begun && length == ready.length && memcmp(begun, ready.begun, length) == 0 &&
                send_all(ready.task, rest, rest_length);
        close(ready.task);
        free(ready.begun);
        *pid = ready.pid;
        *words = ready.words;
        if (!taken) {
            (void)kill(-ready.pid, SIGKILL);
            (void)waitpid(ready.pid, NULL, 0);
            close(ready.words);
        }
        ready.pid = 0;
    }
    pthread_mutex_unlock(&ready.lock);
    free(begun);
    free(rest);
    return taken;
}

/* A failure is none of this run's: the next one begins the program then. */
static void begin_ahead(const Child *child) {
    Arguments some = {.count = child->ahead};
    Child next = *child;
    int ends[2];
    memcpy(some.list, child->arguments->list, child->ahead * sizeof *some.list);
    next.arguments = &some;
    pthread_mutex_lock(&ready.lock);
    if (!ready.pid && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
        ready.begun = join(&some, 0, some.count, &ready.length);
        ready.task = ends[0];
        if (!ready.begun || start(&next, ends[1], &ready.pid, &ready.words) != STATUS_OK) {
            ready.pid = 0;
            close(ready.task);
            free(ready.begun);
        }
        close(ends[1]);
    }
    pthread_mutex_unlock(&ready.lock);
}

/* ---- until its end ---- */

/* Reads what there is; true while there may be more. The rest of a flood of words is dropped. */
static bool hear(int words, Bytes *said, size_t *capacity) {
    char text[4096];
    const ssize_t got = read(words, text, sizeof text);
    if (got < 0)
        return errno == EINTR;
    if ((size_t)got <= SAID_MAX - said->size && !bytes_append(said, capacity, text, (size_t)got))
        return false;
    return got > 0;
}

static bool asked_to_stop(const Child *child) {
    return interrupted() || (child->stop && atomic_load(&child->stop->asked));
}

/* Its words and its end, whichever comes last; false if it was asked to stop, and still runs. */
static bool follow(const Child *child, pid_t pid, int words, ChildEnd *end) {
    const double deadline = clock_ms() + child->seconds * 1e3;
    size_t capacity = 0;
    bool speaks = true, runs = true;
    while (speaks || runs) {
        struct pollfd wait = {.fd = speaks ? words : -1, .events = POLLIN};
        if (poll(&wait, 1, speaks ? PATIENCE_MS : 1) > 0)
            speaks = hear(words, &end->said, &capacity);
        else if (runs && waitpid(pid, &end->how, WNOHANG) == pid)
            runs = false;
        else if (!runs) /* a program that it has left behind holds the pipe */
            break;
        end->late = runs && clock_ms() > deadline;
        if (runs && (end->late || asked_to_stop(child)))
            return false;
    }
    return true;
}

Status child_run(const Child *child, ChildEnd *end) {
    pid_t pid;
    int words = -1;
    *end = (ChildEnd){0};
    if (!child->ahead || !take_ready(child, &pid, &words))
        TRY(start(child, -1, &pid, &words));
    const bool ended = follow(child, pid, words, end);
    (void)kill(-pid, SIGKILL); /* its group: the programs that it has started, too */
    if (!ended)
        while (waitpid(pid, &end->how, 0) < 0 && errno == EINTR)
            continue;
    close(words);
    if (child->ahead && ended)
        begin_ahead(child);
    size_t capacity = end->said.size;
    if (!bytes_append(&end->said, &capacity, "", 1))
        return fail(STATUS_DEVICE, "no memory for a compiler's words");
    end->said.size--;
    return ended || end->late ? STATUS_OK : fail(STATUS_INTERRUPTED, "stopped while a kernel was compiled");
}
