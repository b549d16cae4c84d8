/* wide_spheres.isa.c: rows of scenes of spheres, for each instruction set. */
#define SPHERES_ONLY
#include "cpu/trace/wide_rows.h"

extern const WideTable ISA_NAME(trace_wide);
const WideTable ISA_NAME(trace_wide) = {trace_rows};
