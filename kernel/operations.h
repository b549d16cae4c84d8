/* operations.h: the operations that kernels carry out, and a file to begin with for each. */
#ifndef GLINT_KERNEL_OPERATIONS_H
#define GLINT_KERNEL_OPERATIONS_H

#include "kernel/compile/binary.h"

typedef struct KernelOperation {
    const char *name, *help;
    const char *starters[2]; /* by KernelKind: a file of one kernel that does the operation */
} KernelOperation;

extern const KernelOperation kernel_operations[]; /* by the numbers of glint/kernel.h: GLINT_convolve, ... */
extern const size_t kernel_operation_count;

/* The number of an operation; STATUS_USAGE with those that there are. */
Status kernel_operation_named(const char *name, int *operation);

#define OPERATION(name, help) extern const char starter_##name##_cu[], starter_##name##_c[];
#include "kernel/operations.def"
#undef OPERATION

#endif
