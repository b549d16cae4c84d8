/* measured.h: which levels of the trace are fastest on a GPU. */
#ifndef GLINT_GPU_TRACE_MEASURED_H
#define GLINT_GPU_TRACE_MEASURED_H

#include "core/device/backend.h"

extern const Predictor trace_measured;

#endif
