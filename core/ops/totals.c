/* totals.c: the pictures that can be added up, and the verdict on their totals. */
#include "core/ops/totals.h"

Status totals_check(const char *op, const Shape in[STAGE_INPUTS], bool pair) {
    if (pair && !shape_equal(in[0], in[1]))
        return fail(STATUS_INPUT, "%s: takes two pictures of one size and type, not %zux%zu %sx%d and %zux%zu %sx%d",
                    op, in[0].width, in[0].height, pixel_type_name(in[0].type), in[0].channels, in[1].width,
                    in[1].height, pixel_type_name(in[1].type), in[1].channels);
    if (in[0].width * in[0].height > UINT32_MAX)
        return fail(STATUS_USAGE, "%s: a picture of %zux%zu has more pixels than sums can hold, %u", op, in[0].width,
                    in[0].height, UINT32_MAX);
    return STATUS_OK;
}

Verdict totals_compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)max_in;
    return verdict_of_totals(want, got, stage->in[0].shape.type == PIXEL_F32 ? 1e-9 : 0);
}
