/* network_three.h: medians of 3 x 3 for one kind of value. Included with VECTOR, LOW, HIGH and NAME defined, as
 * networks.h is, which comes with it. */
#include "cpu/rank/networks.h"

INLINE VECTOR NAME(middle)(VECTOR a, VECTOR b, VECTOR c) {
    return HIGH(LOW(a, b), LOW(HIGH(a, b), c));
}

typedef struct NAME(Three) {
    VECTOR v[3];
} NAME(Three);

/* The results of the second and the third of four rows. */
INLINE void NAME(middle_two)(NAME(Three) a, NAME(Three) b, NAME(Three) c, NAME(Three) d, VECTOR results[2]) {
    const VECTOR lows = HIGH(b.v[0], c.v[0]), highs = LOW(b.v[2], c.v[2]);
    const VECTOR low = LOW(b.v[1], c.v[1]), high = HIGH(b.v[1], c.v[1]);
    results[0] = NAME(middle)(HIGH(a.v[0], lows), HIGH(low, LOW(high, a.v[1])), LOW(a.v[2], highs));
    results[1] = NAME(middle)(HIGH(d.v[0], lows), HIGH(low, LOW(high, d.v[1])), LOW(d.v[2], highs));
}

/* The results of six rows, but the first and the last; three values of each row are in a window. */
INLINE void NAME(four_results)(VECTOR values[6][3], VECTOR results[4]) {
    NAME(Three) sorted[6];
#pragma GCC unroll 6
    for (size_t j = 0; j < 6; j++)
        NAME(sort_3)(values[j], sorted[j].v);
    NAME(middle_two)(sorted[0], sorted[1], sorted[2], sorted[3], results);
    NAME(middle_two)(sorted[2], sorted[3], sorted[4], sorted[5], results + 2);
}
