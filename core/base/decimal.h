/* decimal.h: decimal numbers of large texts, as near as f64 can have them, in a tenth of strtod's time. */
#ifndef GLINT_CORE_BASE_DECIMAL_H
#define GLINT_CORE_BASE_DECIMAL_H

#include <stdbool.h>

/* Reads the number that begins at `*at`: "12", "-.5", "1e-3", "1D4" of Fortran, "nan", "inf" of any case. It rounds to
 * nearest even, as strtod does. *at moves behind it. False if no number begins there. A character that belongs to no
 * number ends the text: a zero will do. Bytes before `end` may be read, also those behind the number: eight at once. */
bool decimal_read(const char **at, const char *end, double *number);

#endif
