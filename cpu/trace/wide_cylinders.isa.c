/* wide_cylinders.isa.c: rows of scenes with cylinders, for each instruction set. */
#include "cpu/trace/wide_rows.h"

extern const WideTable ISA_NAME(trace_wide_cylinders);
const WideTable ISA_NAME(trace_wide_cylinders) = {trace_rows};
