/* compiler.h: a compiler as a row: how it is found, and the arguments that it takes. */
#ifndef GLINT_KERNEL_COMPILE_COMPILER_H
#define GLINT_KERNEL_COMPILE_COMPILER_H

#include "kernel/compile/binary.h"
#include "kernel/compile/child.h"

#include <limits.h>

/* One run of a compiler. The folder has glint/kernel.h and clang_cuda.h. */
typedef struct CompileJob {
    const char *file;   /* the compiler's, as it was found */
    const char *source; /* the kernel's file */
    const char *home;   /* the folder that it lies in */
    const char *folder; /* the compiler's own */
    const char *output;
    const KernelTarget *target;
} CompileJob;

typedef struct Compiler {
    const char *name, *help;
    KernelKind kind;
    bool shell; /* it passes the names of files to a shell, within double quotes */
    /* Where it is; false: *why says where it was looked for. */
    bool (*find)(char path[PATH_MAX], const char **why);
    /* The program to be run; NULL: the file that was found. */
    const char *program;
    /* The first words of its arguments. */
    void (*begin)(Arguments *to, const char *file);
    size_t ahead; /* as Child.ahead: how many `begin` adds, where the program takes long to begin */
    /* The others, to compile. To `begin`, "--version" alone may be added. */
    void (*compile)(Arguments *to, const CompileJob *job);
} Compiler;

extern const Compiler compiler_nvrtc, compiler_nvcc, compiler_clang, compiler_cc;

/* -DGLINT_TYPE=... -DGLINT_CHANNELS=... */
void arguments_add_shape(Arguments *to, const KernelTarget *target);

/* The texts of glint/kernel.h and of clang_cuda.h, which the program has in it. */
extern const char kernel_header_text[], clang_header_text[];

#endif
