/* rows.isa.c: rows in one instruction set, in sums of float and of double. */
#include "cpu/diffuse/rows.h"
#include "cpu/isa.h"
#include "cpu/polynomial.h"

#include <stdint.h>
#include <string.h>

enum { VALUES = 1024 }; /* of three rows that stay in the nearest cache */

#define SUMS_FLOAT 1
#include "cpu/real.h"

#include "cpu/diffuse/rows_real.h"

#undef SUMS_FLOAT
#define SUMS_FLOAT 0
#include "cpu/real.h"

#include "cpu/diffuse/rows_real.h"

/* Whole numbers of 16 bits would round differently in single precision. */
static void run(const DiffuseStep *step, size_t top, size_t bottom) {
    if (diffuse_is_wide(step->stage))
        run_rows_f64(step, top, bottom);
    else
        run_rows_f32(step, top, bottom);
}

DiffuseRows *const ISA_NAME(diffuse_rows) = run;
