/* backend.h: the CPU as a backend, and the choice of its fastest level. */
#ifndef GLINT_CPU_BACKEND_H
#define GLINT_CPU_BACKEND_H

#include "core/backend.h"

extern const Backend cpu_backend;

/* The level that measurements say is fastest, NULL where it is the last that accepts the stage. */
const Level *cpu_choose(const Device *device, const Stage *stage);

#endif
