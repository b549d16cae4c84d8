/* gates.h: what the lab asks of an answer besides its result: rows of a table, none of which depends on a machine's
 * speed. */
#ifndef GLINT_APP_LAB_GATES_H
#define GLINT_APP_LAB_GATES_H

#include "kernel/host/task.h"

/* A fault that ends a run. */
typedef struct FaultGate {
    const char *name;
    KernelFaultKind kinds[3];
    const char *passed; /* in words */
} FaultGate;

/* A share of counts: `of` for each `per`, times a factor; or a block's bytes of shared memory. */
typedef struct CountGate {
    const char *name;
    KernelCount of;
    int per; /* a KernelCount, PER_PIXEL, PER_LANE, or PER_BLOCK */
    double factor;
    KernelCount worst; /* the count whose line is named */
    const char *unit;
    const char *why; /* it may be missed */
} CountGate;

enum { PER_PIXEL = -1, PER_LANE = -2, PER_BLOCK = -3 };

extern const FaultGate fault_gates[];
extern const size_t fault_gate_count;
const CountGate *count_gate_named(const char *name); /* NULL: there is none */
/* The gate's value, of so many pixels or elements. */
double count_gate_value(const CountGate *gate, const KernelFacts *facts, double pixels);

#endif
