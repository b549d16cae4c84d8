/* totals.c: totals of parts, added up and stored. */
#include "cpu/course/reduce/totals.h"

#include "cpu/isa.h"

const Totals totals_none = {.minimum = {INFINITY, INFINITY, INFINITY, INFINITY},
                            .maximum = {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};

void totals_add(Totals *to, const Totals *more) {
    for (int c = 0; c < REDUCE_CHANNELS; c++) {
        to->sum[c] += more->sum[c];
        to->squares[c] += more->squares[c];
        to->count[c] += more->count[c];
        to->real_sum[c] += more->real_sum[c];
        to->real_squares[c] += more->real_squares[c];
        to->minimum[c] = fmin(to->minimum[c], more->minimum[c]);
        to->maximum[c] = fmax(to->maximum[c], more->maximum[c]);
    }
}

void totals_store(const Stage *stage, const Totals *totals) {
    const Shape in = stage->in[0].shape;
    const bool real = in.type == PIXEL_F32, ends = reduce_job(stage)->what & REDUCE_EXTREMA;
    for (int c = 0; c < in.channels; c++)
        reduction_store(stage->out, c,
                        (Reduction){.count = (double)totals->count[c],
                                    .sum = real ? totals->real_sum[c] : (double)totals->sum[c],
                                    .squares = real ? totals->real_squares[c] : (double)totals->squares[c],
                                    .minimum = ends ? totals->minimum[c] : 0,
                                    .maximum = ends ? totals->maximum[c] : 0});
}

const TotalsTable *totals_table(void) {
    const TotalsTable *const sets[ISA_LEVELS] = {&totals_portable, &totals_avx2, &totals_avx512};
    return sets[isa_detect()];
}
