/* scaled.isa.c: the steps of scaled in one instruction set, in f32 and in double. */
#include "cpu/gaussian/scaled.h"
#include "cpu/pack.h"

#include <string.h>

enum { SIDE = 4 /* vectors of sums of two kinds that are made at once */ };

#define SUMS_FLOAT 1
#include "cpu/real.h"

#include "cpu/gaussian/scaled_real.h"

#undef SUMS_FLOAT
#define SUMS_FLOAT 0
#include "cpu/real.h"

#include "cpu/gaussian/scaled_real.h"

const ScaledSteps ISA_NAME(scaled_steps)[2] = {{VECTOR_BYTES, down_f32, along_f32, up_f32},
                                               {VECTOR_BYTES, down_f64, along_f64, up_f64}};
