/* task.h: the words that the program and the process in which kernels run exchange.
 * Both map one piece of memory: a task, its answer, and behind them the code and the values of its parameters. Over a
 * socket go single letters: the program's GO, and the process's READY, RAN for each run, and DONE. */
#ifndef GLINT_KERNEL_HOST_TASK_H
#define GLINT_KERNEL_HOST_TASK_H

#include "kernel/compile/compile.h"
#include "kernel/layout.h"
#include "kernel/record.h"

#include <stdint.h>

enum { TASK_PARAMETERS = 4, TASK_RUNS = 256, TASK_TEXT = 400, TASK_ALIGNMENT = 4096 };
#define HOST_LATE "has not ended after %g s (--kernel-time)"
enum { HOST_POISON = 0xCD }; /* each byte of a result before the kernel writes it */
enum { TASK_GO = 'g', TASK_READY = 'r', TASK_RAN = 'n', TASK_DONE = 'd' };

typedef enum ParameterKind {
    PARAMETER_NONE,
    PARAMETER_PICTURE, /* values at `offset` */
    PARAMETER_MASK,    /* weights, then across and down */
    PARAMETER_POINT,
    PARAMETER_VECTOR,
    PARAMETER_SUMS,   /* a float for each block, or for each part */
    PARAMETER_NUMBER, /* a float */
    PARAMETER_MATRIX,
    PARAMETER_COUNTS, /* 256 a channel */
    PARAMETER_SPHERES,
    PARAMETER_CAMERA,
} ParameterKind;

typedef union ParameterValue {
    KernelPicture picture;
    KernelMask mask;
    KernelPoint point;
    KernelVector vector;
    KernelMatrix matrix;
    KernelSpheres spheres;
    KernelCamera camera;
    float number;
    void *pointer; /* of sums and counts */
} ParameterValue;

/* Pointers in `value` are set where the kernel runs. */
typedef struct TaskParameter {
    ParameterKind kind;
    size_t offset; /* of its values in the memory that both map */
    size_t bytes;  /* of them; 0: it has none */
    ParameterValue value;
} TaskParameter;

typedef struct KernelTask {
    uint64_t binary; /* the number of the code: another number is other code */
    size_t binary_offset, binary_bytes;
    KernelEntry kernel;
    int channels;
    TaskParameter parameters[TASK_PARAMETERS];
    int count; /* of them */
    unsigned runs;
    double seconds; /* that a block may work on the emulated GPU, as kernel_host_run fills it in */
    bool checks;    /* races are faults, where the device can tell them */
    bool counts;    /* KernelFacts.counted is wanted, where the device can tell it: that takes a launch several times as
                       long */
    size_t record_offset; /* of a KernelRecord of the last run, where the device can make it; 0: none is wanted */
    EmulatorWatch watch;  /* the accesses that it keeps */
} KernelTask;

typedef enum KernelFaultKind {
    KERNEL_NO_FAULT,
    KERNEL_OUT_OF_BOUNDS,
    KERNEL_MISALIGNED,
    KERNEL_RACE,
    KERNEL_DIVERGENT_BARRIER,
    KERNEL_TIME,
    KERNEL_RESOURCES, /* threads, registers or shared memory that the device does not have */
    KERNEL_CRASH,     /* a signal ended its process */
    KERNEL_EXIT,      /* it ended its process itself */
    KERNEL_NO_DEVICE, /* no fault of the kernel */
    KERNEL_OTHER,
} KernelFaultKind;

typedef struct KernelFault {
    KernelFaultKind kind;
    char text[TASK_TEXT]; /* what it did, as "reads 4 bytes behind in"; no full stop */
    int line;             /* of its file; 0: not known */
    bool placed;          /* block and thread are known */
    unsigned block[3], thread[3];
    uint64_t address; /* of the access; 0: not known */
} KernelFault;

/* A run's counts, as emulator/counters.h defines them. */
typedef enum KernelCount {
    COUNT_WARPS, /* instructions of warps */
    COUNT_LANES, /* of threads, in them */
    COUNT_IDLE,  /* lanes of these warps that have nothing to do */
    COUNT_GLOBAL_REQUESTS,
    COUNT_GLOBAL_SECTORS,
    COUNT_GLOBAL_ATOMICS, /* of threads */
    COUNT_SHARED_REQUESTS,
    COUNT_SHARED_CONFLICTS,
    COUNT_CONSTANT_REQUESTS,
    COUNT_ATOMIC_CONFLICTS,
    COUNT_BARRIERS, /* that warps come to */
    KERNEL_COUNTS
} KernelCount;

typedef struct KernelCounted {
    double sum;
    int line;       /* of the file, which has most of it; 0: not known */
    double on_line; /* its part */
} KernelCounted;

/* How a kernel uses its device; 0 where that is not known. */
typedef struct KernelFacts {
    int registers, max_threads;
    int blocks; /* resident on a multiprocessor at once */
    size_t shared_bytes, local_bytes;
    int capability;    /* of the device, as 90 */
    bool counts;       /* emulated: there are counts */
    bool no_value;     /* emulated: it read shared memory before that had a value */
    int no_value_line; /* first in this one of its file; 0: not known */
    KernelCounted counted[KERNEL_COUNTS];
} KernelFacts;

typedef struct KernelAnswer {
    KernelFault fault;
    KernelFacts facts;
    unsigned runs;        /* that ended */
    double ms[TASK_RUNS]; /* of each by the device's clock; 0 where it has none */
} KernelAnswer;

typedef struct TaskMemory {
    KernelTask task;
    KernelAnswer answer;
} TaskMemory;

/* The place behind `used` bytes for something of its own. */
static inline size_t task_place(size_t used) {
    return (used + TASK_ALIGNMENT - 1) / TASK_ALIGNMENT * TASK_ALIGNMENT;
}

#endif
