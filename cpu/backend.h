/* backend.h: the CPU as a backend. */
#ifndef GLINT_CPU_BACKEND_H
#define GLINT_CPU_BACKEND_H

#include "core/device/backend.h"

extern const Backend cpu_backend;

#endif
