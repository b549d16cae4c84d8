/* compile.h: kernel files into code: by NVRTC, nvcc or clang into PTX, by the C compiler into a shared object.
 * Owns the table of compilers, which are found at run time, and the cache of their results. A compiler is a process of
 * its own; a time limit ends it, and its files lie in a private folder that goes away. */
#ifndef GLINT_KERNEL_COMPILE_COMPILE_H
#define GLINT_KERNEL_COMPILE_COMPILE_H

#include "kernel/compile/binary.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The kind of a kernel file, by its name: STATUS_USAGE if it ends neither in .cu nor in .c. */
Status kernel_kind(const char *path, KernelKind *kind);
/* Compiles a file. STATUS_INPUT with the first error as the sentence if it has errors; *binary then has `diagnostics`
 * and `log`. STATUS_USAGE if the file is not of the target's kind, or there is no compiler of that name. STATUS_DEVICE
 * if no compiler works, STATUS_INTERRUPTED if `stop` was asked, or a signal was caught. Free *binary with
 * kernel_binary_free in any case. Any thread may call it. */
Status kernel_compile(const char *path, const KernelTarget *target, KernelBinary *binary);
void kernel_binary_free(KernelBinary *binary);

/* For lists: a compiler, whether it is here, and where, or why not. */
typedef struct KernelCompilerInfo {
    const char *name, *help;
    KernelKind kind;
    bool found;
    char where[PATH_MAX]; /* its file, or a sentence */
    char version[64];
} KernelCompilerInfo;

size_t kernel_compiler_count(void);
void kernel_compiler_info(size_t index, KernelCompilerInfo *info);

#endif
