/* slow_metadata.c: a file system on which each call that names a file takes SLOW_MS milliseconds (1), by LD_PRELOAD.
 * Calls by descriptor, and those on the system's own folders, take no longer; nor do calls within libc (realpath). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static void wait_for(const char *path) {
    static const char *const own[] = {"/proc", "/sys", "/usr", "/lib", "/etc", "/dev/null", "/dev/urandom"};
    const char *text = getenv("SLOW_MS");
    const long ns = (long)((text ? atof(text) : 1) * 1e6);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strncmp(path, own[i], strlen(own[i])) == 0)
            return;
    nanosleep(&(struct timespec){ns / 1000000000, ns % 1000000000}, NULL);
}

/* The function of that name behind this one, after the wait. */
#define NEXT(name, path) (wait_for(path), (__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

/* Calls with a mode behind the flags, as open(2) has them. */
#define MODE(flags, mode)                                                                                              \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    const mode_t mode = (flags) & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                                    \
    va_end(rest)

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        MODE(flags, mode);                                                                                             \
        return NEXT(name, path)(path, flags, mode);                                                                    \
    }
#define OPENAT(name)                                                                                                   \
    int name(int folder, const char *path, int flags, ...) {                                                           \
        MODE(flags, mode);                                                                                             \
        return NEXT(name, path)(folder, path, flags, mode);                                                            \
    }
#define STAT(name, kind)                                                                                               \
    int name(const char *restrict path, struct kind *restrict info) {                                                  \
        return NEXT(name, path)(path, info);                                                                           \
    }
#define FSTATAT(name, kind)                                                                                            \
    int name(int folder, const char *restrict path, struct kind *restrict info, int flags) {                           \
        return NEXT(name, path)(folder, path, info, flags);                                                            \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)
FSTATAT(fstatat, stat)
FSTATAT(fstatat64, stat64)

int access(const char *path, int mode) {
    return NEXT(access, path)(path, mode);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    return NEXT(mkdirat, path)(folder, path, mode);
}

int unlinkat(int folder, const char *path, int flags) {
    return NEXT(unlinkat, path)(folder, path, flags);
}

int linkat(int from, const char *path, int to, const char *name, int flags) {
    return NEXT(linkat, name)(from, path, to, name, flags);
}

int renameat(int from, const char *path, int to, const char *name) {
    return NEXT(renameat, name)(from, path, to, name);
}

int renameat2(int from, const char *path, int to, const char *name, unsigned flags) {
    return NEXT(renameat2, name)(from, path, to, name, flags);
}
