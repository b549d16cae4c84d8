/* op_parts.c: the functions that operations offer to pictures in strips, and counts added up. */
#include "core/stage/op_parts.h"

const OpParts *op_parts(const Op *op) {
    static const OpParts none;
    return op->parts ? op->parts : &none;
}

bool stage_gathers(const Stage *stage) {
    const OpParts *parts = op_parts(stage->op);
    return parts->stitch || (parts->join && (!parts->joins || parts->joins(stage)));
}

void counts_join(ImageView result, ImageView part) {
    for (size_t y = 0; y < result.shape.height; y++) {
        uint32_t *sums = view_row(result, y);
        const uint32_t *counts = view_row(part, y);
        for (size_t x = 0; x < result.shape.width; x++)
            sums[x] += counts[x];
    }
}
