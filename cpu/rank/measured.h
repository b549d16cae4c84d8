/* measured.h: how long ranks take by which level, by measurements. */
#ifndef GLINT_CPU_RANK_MEASURED_H
#define GLINT_CPU_RANK_MEASURED_H

#include "core/device/backend.h"

extern const Predictor cpu_rank_measured;

#endif
