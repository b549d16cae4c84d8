/* rows.isa.c: rows in one instruction set, in sums of float and of double. */
#include "cpu/diffuse/rows.h"
#include "cpu/isa.h"
#include "cpu/polynomial.h"

#include <stdint.h>
#include <string.h>

enum { VALUES = 1024 }; /* of three rows that stay in the nearest cache */

#define REAL       float
#define UNSIGNED   uint32_t
#define MANTISSA   23
#define ONE_APART  12582912.0F
#define POWER_MIN  (-126.0F)
#define POLYNOMIAL POWER_OF_TWO_F32
#define NAME(x)    x##_f32
#include "cpu/diffuse/rows_real.h"
#undef REAL
#undef UNSIGNED
#undef MANTISSA
#undef ONE_APART
#undef POWER_MIN
#undef POLYNOMIAL
#undef NAME

#define REAL       double
#define UNSIGNED   uint64_t
#define MANTISSA   52
#define ONE_APART  6755399441055744.0
#define POWER_MIN  (-1022.0)
#define POLYNOMIAL POWER_OF_TWO_F64
#define NAME(x)    x##_f64
#include "cpu/diffuse/rows_real.h"

/* Whole numbers of 16 bits would round differently in single precision. */
static void run(const DiffuseStep *step, size_t top, size_t bottom) {
    if (diffuse_is_wide(step->stage))
        run_rows_f64(step, top, bottom);
    else
        run_rows_f32(step, top, bottom);
}

DiffuseRows *const ISA_NAME(diffuse_rows) = run;
