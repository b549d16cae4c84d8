/* measured.h: how long dense convolutions take by which level, by measurements. */
#ifndef GLINT_CPU_CONVOLVE_MEASURED_H
#define GLINT_CPU_CONVOLVE_MEASURED_H

#include "core/device/backend.h"

extern const Predictor cpu_convolve_measured;

/* ns of one thread for so many taps a value, one after the other. */
double convolve_taps_ns(const Stage *stage, double taps);

#endif
