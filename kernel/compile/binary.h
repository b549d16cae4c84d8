/* binary.h: a kernel file's target, and the code that a compiler makes of it. */
#ifndef GLINT_KERNEL_COMPILE_BINARY_H
#define GLINT_KERNEL_COMPILE_BINARY_H

#include "core/base/bytes.h"
#include "core/base/stop.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum KernelKind { KERNEL_PTX, KERNEL_CPU } KernelKind; /* of a .cu file, and of a .c file */

/* A file is compiled for each type and number of channels, since both are constants in it. */
typedef struct KernelTarget {
    KernelKind kind;
    int capability;       /* PTX: of the device, as 90; a compiler that knows only lesser ones takes its greatest */
    const char *type;     /* "u8", "u16" or "f32" */
    int channels;         /* 1 to 4 */
    const char *compiler; /* its name in the table; NULL: the first that works */
    double seconds;       /* after which it is ended; 0: COMPILE_SECONDS */
    const Stop *stop;     /* ends it, too; or NULL */
    bool fresh;           /* do not take a result from the cache */
    bool again;           /* others will follow: a compiler that takes long to begin is begun ahead */
} KernelTarget;

enum { COMPILE_SECONDS = 30, KERNEL_NAME = 64 };

/* A sentence of the compiler about a line. */
typedef struct KernelDiagnostic {
    char *file; /* as the compiler names it: the kernel's file, or one that it includes */
    int line;   /* 1 is the first; 0: of no line */
    int column; /* 1 is the first; 0: of no column */
    bool error; /* else a warning */
    char *text;
} KernelDiagnostic;

/* A kernel of the file, as KERNEL describes it (kernel/glint/kernel.h). */
typedef struct KernelEntry {
    char name[KERNEL_NAME];
    int operation;           /* GLINT_convolve, ... */
    int block[2], pixels[2]; /* threads of a block and pixels of a thread, in x and y; of the CPU 1 */
    int shared;              /* bytes; -n: n for each value of a block and its neighbours (HALO) */
    int line;                /* where it begins */
} KernelEntry;

typedef struct KernelBinary {
    Bytes bytes;       /* PTX as text, with a zero behind that does not count; or a shared object */
    char compiler[64]; /* "NVRTC 13.0" */
    KernelEntry *kernels;
    size_t kernel_count; /* at least 1 */
    KernelDiagnostic *diagnostics;
    size_t diagnostic_count;
    char *log;   /* as the compiler says it, or "" */
    bool cached; /* no compiler ran */
    double ms;   /* of the whole call */
} KernelBinary;

#endif
