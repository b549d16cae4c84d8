/* failing_malloc.c: a library for LD_PRELOAD that lets one allocation fail.
 * GLINT_FAIL_ALLOCATION=K fails the K-th since main began; GLINT_COUNT_ALLOCATIONS=FILE gets the number of them all.
 * With GLINT_RETRY_ALLOCATIONS, each one that succeeds leaves ENOMEM, as glibc's second try in another arena does. */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* The names of glibc's own functions, for those that replace them. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong count;
static unsigned long failing;
static int retrying;
static int (*program)(int, char **, char **);

static int fails(void) {
    if (program && atomic_fetch_add(&count, 1) + 1 == failing) {
        errno = ENOMEM;
        return 1;
    }
    return 0;
}

static void *given(void *memory) {
    if (program && retrying)
        errno = ENOMEM;
    return memory;
}

void *malloc(size_t size) {
    return fails() ? NULL : given(__libc_malloc(size));
}

void *calloc(size_t nmemb, size_t size) {
    return fails() ? NULL : given(__libc_calloc(nmemb, size));
}

void *realloc(void *ptr, size_t size) {
    return fails() ? NULL : given(__libc_realloc(ptr, size));
}

void *aligned_alloc(size_t alignment, size_t size) {
    return fails() ? NULL : given(__libc_memalign(alignment, size));
}

static void report(void) {
    const char *path = getenv("GLINT_COUNT_ALLOCATIONS");
    const unsigned long total = atomic_load(&count);
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%lu\n", total);
        fclose(file);
    }
}

static int counted_main(int argc, char **argv, char **environment) {
    const char *text = getenv("GLINT_FAIL_ALLOCATION");
    int (*const run)(int, char **, char **) = program;
    failing = text ? strtoul(text, NULL, 10) : 0;
    retrying = getenv("GLINT_RETRY_ALLOCATIONS") != NULL;
    if (getenv("GLINT_COUNT_ALLOCATIONS"))
        atexit(report);
    atomic_store(&count, 0);
    return run(argc, argv, environment);
}

typedef int Main(int, char **, char **);
typedef int Start(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

/* glibc's own entry calls this with the main function that the loader found (LSB Core, __libc_start_main). */
Start __libc_start_main;

int __libc_start_main(Main *run, int argc, char **argv, void (*init)(void), void (*end)(void),
                      void (*dynamic_end)(void), void *stack) {
    Start *start;
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main"); /* as dlsym(3) shows */
    program = run;
    return start(counted_main, argc, argv, init, end, dynamic_end, stack);
}
