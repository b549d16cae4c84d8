/* measured.h: how long dense convolutions take by which level, by measurements. */
#ifndef GLINT_CPU_CONVOLVE_MEASURED_H
#define GLINT_CPU_CONVOLVE_MEASURED_H

#include "core/device/backend.h"

extern const Predictor cpu_convolve_measured;

#endif
