/* measured.h: how long two levels of the trace take on a CPU. */
#ifndef GLINT_CPU_TRACE_MEASURED_H
#define GLINT_CPU_TRACE_MEASURED_H

#include "core/device/backend.h"

extern const Predictor cpu_trace_measured;

#endif
