/* device.h: the CPU's queue as the files of cpu/ share it. */
#ifndef GLINT_CPU_DEVICE_H
#define GLINT_CPU_DEVICE_H

#include "core/device/backend.h"

typedef struct Team Team;                 /* cpu/team.h */
typedef struct FormulaCodes FormulaCodes; /* cpu/formula/codes.h */

typedef struct CpuQueue {
    Queue queue; /* first, so that a Queue * is ours */
    double marks[BACKEND_MARKS];
    void *scratch; /* cpu/scratch.c */
    size_t scratch_bytes;
    bool spilled;           /* it lies in a file */
    Team *team;             /* cpu/team.c; NULL until there is work to share */
    FormulaCodes *formulas; /* cpu/formula/codes.c; NULL until one runs */
} CpuQueue;

enum { FRAME_ALIGNMENT = 64 };

#endif
