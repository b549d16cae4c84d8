/* failing_calls.c: a library for LD_PRELOAD that makes system calls fail, those that the program itself makes (not its
 * libraries). Environment variables say which:
 *   FAULT_CALL=KIND   the kind whose calls are counted: open, read, write, fsync, rename, link, mkdir, close
 *   FAULT_AT=K        the K-th of them fails; 0, or nothing: none
 *   FAULT_ERROR=N     with this errno (EIO)
 *   FAULT_COUNT=FILE  gets their number, once the program ends
 *   FAULT_ALWAYS=...  what the file system lacks, separated by spaces: tmpfile (O_TMPFILE), noreplace
 *                     (RENAME_NOREPLACE), link
 *   FAULT_SHORT=1     every write takes 7 bytes at most
 *   FAULT_SHORT_READS=N  every read gives N bytes at most
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls;
static uintptr_t program_begin, program_end;

static int find_program(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        if (program_begin == 0 || begin < program_begin)
            program_begin = begin;
        if (begin + info->dlpi_phdr[i].p_memsz > program_end)
            program_end = begin + info->dlpi_phdr[i].p_memsz;
    }
    return 1; /* the first one is the program */
}

__attribute__((constructor)) static void begin(void) {
    dl_iterate_phdr(find_program, NULL);
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", atomic_load(&calls));
        fclose(file);
    }
}

static bool from_program(const void *caller) {
    return (uintptr_t)caller >= program_begin && (uintptr_t)caller < program_end;
}

static bool lacks(const char *what, const void *caller) {
    const char *list = getenv("FAULT_ALWAYS");
    return list && strstr(list, what) && from_program(caller);
}

/* Whether this call is the one that fails; errno is set then. */
static bool strikes(const char *kind, const void *caller) {
    const char *call = getenv("FAULT_CALL"), *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERROR");
    if (!call || strcmp(call, kind) != 0 || !from_program(caller))
        return false;
    if (atomic_fetch_add(&calls, 1) + 1 != (at ? atol(at) : 0))
        return false;
    errno = error ? atoi(error) : EIO;
    return true;
}

static bool fails_with(int error) {
    errno = error;
    return true;
}

/* The C library names parameters in its own way. NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

#define CALLER         __builtin_return_address(0)
#define REAL(function) ((__typeof__(&(function)))dlsym(RTLD_NEXT, #function))

static mode_t mode_of(int flags, va_list arguments) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return strikes("open", CALLER) ? -1 : REAL(open)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    if ((flags & O_TMPFILE) == O_TMPFILE && lacks("tmpfile", CALLER) && fails_with(EOPNOTSUPP))
        return -1;
    return strikes("open", CALLER) ? -1 : REAL(openat)(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
    return strikes("open", CALLER) ? NULL : REAL(fopen)(path, mode);
}

/* How much a read gives. */
static size_t given(size_t size, const void *caller) {
    const char *most = getenv("FAULT_SHORT_READS");
    const size_t max = most && from_program(caller) ? strtoul(most, NULL, 10) : size;
    return max < size ? max : size;
}

ssize_t read(int descriptor, void *data, size_t size) {
    const size_t max = given(size, CALLER);
    return strikes("read", CALLER) ? -1 : REAL(read)(descriptor, data, max);
}

ssize_t pread(int descriptor, void *data, size_t size, off_t at) {
    const size_t max = given(size, CALLER);
    return strikes("read", CALLER) ? -1 : REAL(pread)(descriptor, data, max, at);
}

/* How much of it a write takes. */
static size_t taken(size_t size, void *caller) {
    return getenv("FAULT_SHORT") && from_program(caller) && size > 7 ? 7 : size;
}

ssize_t write(int descriptor, const void *data, size_t size) {
    const size_t max = taken(size, CALLER);
    return strikes("write", CALLER) ? -1 : REAL(write)(descriptor, data, max);
}

ssize_t pwrite(int descriptor, const void *data, size_t size, off_t at) {
    const size_t max = taken(size, CALLER);
    return strikes("write", CALLER) ? -1 : REAL(pwrite)(descriptor, data, max, at);
}

int fsync(int descriptor) {
    return strikes("fsync", CALLER) ? -1 : REAL(fsync)(descriptor);
}

int fdatasync(int descriptor) {
    return strikes("fsync", CALLER) ? -1 : REAL(fdatasync)(descriptor);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    return strikes("rename", CALLER) ? -1 : REAL(renameat)(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    if (flags && lacks("noreplace", CALLER) && fails_with(EINVAL))
        return -1;
    return strikes("rename", CALLER) ? -1 : REAL(renameat2)(from_folder, from, to_folder, to, flags);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    if (lacks("link", CALLER) && fails_with(EPERM))
        return -1;
    return strikes("link", CALLER) ? -1 : REAL(linkat)(from_folder, from, to_folder, to, flags);
}

int mkdir(const char *path, mode_t mode) {
    return strikes("mkdir", CALLER) ? -1 : REAL(mkdir)(path, mode);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    return strikes("mkdir", CALLER) ? -1 : REAL(mkdirat)(folder, path, mode);
}

int close(int descriptor) {
    const bool struck = strikes("close", CALLER);
    const int error = errno, result = REAL(close)(descriptor); /* as Linux does, it is closed all the same */
    errno = struck ? error : errno;
    return struck ? -1 : result;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
