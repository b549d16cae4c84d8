/* device.h: a kind of device as the process in which kernels run sees it. A row of functions a kind: the CPU (cpu.c),
 * an NVIDIA GPU (cuda.c), the emulated one (emulated.c). Each returns false with the fault in the answer. */
#ifndef GLINT_KERNEL_HOST_DEVICE_H
#define GLINT_KERNEL_HOST_DEVICE_H

#include "kernel/host/task.h"

/* A launch, and who is told of each run. */
typedef struct HostCall {
    const KernelTask *task;
    TaskParameter *parameters; /* of the task, with pointers into the device's memory */
    KernelRecord *record;      /* or NULL */
    void (*ran)(void);
} HostCall;

typedef struct HostDevice {
    const char *name; /* of the backend */
    bool (*open)(int index, KernelAnswer *answer);
    /* Takes the code of the task, in place of the code before. */
    bool (*load)(const KernelTask *task, const void *binary, KernelAnswer *answer);
    /* Memory whose bytes are HOST_POISON, with no other memory next to it. */
    bool (*take)(size_t bytes, const char *parameter, void **memory, KernelAnswer *answer);
    bool (*put)(void *to, const void *from, size_t bytes, KernelAnswer *answer);
    /* Also finds what was written around the memory. */
    bool (*get)(void *to, const void *from, size_t bytes, KernelAnswer *answer);
    void (*give_back)(void); /* all that was taken */
    /* Fills a variable in constant memory; nothing where the code has none of that name. A small one is a fault. */
    bool (*constant)(const char *name, const void *values, size_t bytes, KernelAnswer *answer);
    bool (*run)(const HostCall *call, KernelAnswer *answer);
} HostDevice;

extern const HostDevice host_cpu, host_emulated, host_cuda;

/* Notes a fault, and returns false. */
__attribute__((format(printf, 3, 4))) bool host_fault(KernelAnswer *answer, KernelFaultKind kind, const char *format,
                                                      ...);
/* Notes that a kernel reads, writes or touches (`deed`) memory in front of or behind a parameter's; returns false. */
bool host_astray(KernelAnswer *answer, const char *deed, const char *parameter, const void *memory, size_t bytes,
                 const void *at);
/* Whether a kernel's variable of `room` bytes holds as many as glint has for it; else notes the fault. */
bool host_fits(KernelAnswer *answer, const char *name, size_t room, size_t bytes);
/* The blocks that cover the work of the task, and the bytes of dynamic shared memory of one. */
void host_grid(const KernelTask *task, unsigned grid[3], size_t *shared);

#endif
