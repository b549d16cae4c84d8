/* peak.h: the arithmetic that the processor reaches when nothing else holds it up.
 * Owns the ceiling of the CPU's roofline. */
#ifndef GLINT_CPU_PEAK_H
#define GLINT_CPU_PEAK_H

#include "core/device/backend.h"

/* Does `rounds` rounds of independent f32 multiply-adds; returns their sum, so that they are done. *flops is how many
 * operations that was. */
typedef float PeakRun(long rounds, double *flops);
extern PeakRun *const peak_run_portable, *const peak_run_avx2, *const peak_run_avx512;

/* Telemetry.peak */
Status cpu_peak(Queue *queue, double *flops);

#endif
