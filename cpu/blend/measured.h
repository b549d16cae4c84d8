/* measured.h: how long the levels rows and table of blend take, by measurements. */
#ifndef GLINT_CPU_BLEND_MEASURED_H
#define GLINT_CPU_BLEND_MEASURED_H

#include "core/device/backend.h"

enum { BLEND_TABLE_SIDE = 256, BLEND_TABLE_ENTRIES = BLEND_TABLE_SIDE * BLEND_TABLE_SIDE };

extern const Predictor cpu_blend_measured;

#endif
