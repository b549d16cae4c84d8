/* measured.h: how long point programs take, by measurements. */
#ifndef GLINT_CPU_POINT_MEASURED_H
#define GLINT_CPU_POINT_MEASURED_H

#include "core/device/backend.h"

/* For the levels rows, table and steps. */
extern const Predictor cpu_point_measured;

/* Level.points_ms of levels that read each pixel of their input about `reads` times, since their tiles overlap. They
 * carry out all points. */
double points_around_ms(const Stage *stage, double reads);

#endif
