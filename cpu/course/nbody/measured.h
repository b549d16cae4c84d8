/* measured.h: how long levels of nbody take on a CPU. */
#ifndef GLINT_CPU_COURSE_NBODY_MEASURED_H
#define GLINT_CPU_COURSE_NBODY_MEASURED_H

#include "core/device/backend.h"

extern const Predictor cpu_nbody_measured;

#endif
