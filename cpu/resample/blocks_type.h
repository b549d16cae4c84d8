/* blocks_type.h: a row of means of one type. Included by blocks.isa.c with TYPE of the pixels, SUM of a block and
 * WHOLE defined. Sums of f32 are weighed from the beginning, so that none overflows. */

typedef SUM NAME(Sums) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(TYPE)), may_alias));
typedef SUM NAME(Quad) __attribute__((vector_size(4 * sizeof(SUM)), aligned(sizeof(SUM)), may_alias));
typedef TYPE NAME(Values)
    __attribute__((vector_size(VECTOR_BYTES / sizeof(SUM) * sizeof(TYPE)), aligned(sizeof(TYPE)), may_alias));

#define LANES (VECTOR_BYTES / sizeof(SUM))

/* A rectangle of an input. */
typedef struct NAME(Rows) {
    const char *first;
    ptrdiff_t stride; /* bytes */
    size_t count;
    SUM weight; /* 1 of whole numbers */
} NAME(Rows);

INLINE const TYPE *NAME(row_at)(const NAME(Rows) * rows, size_t row, size_t i) {
    return (const TYPE *)(const void *)(rows->first + (ptrdiff_t)row * rows->stride) + i;
}

/* The sum of value i, and its neighbours in a vector, over `count` rows. */
INLINE NAME(Sums) NAME(sum_at)(const NAME(Rows) * rows, size_t count, size_t i) {
    NAME(Sums) sum = {0};
    for (size_t row = 0; row < count; row++)
        sum += __builtin_convertvector(*(const NAME(Values) *)NAME(row_at)(rows, row, i), NAME(Sums)) * rows->weight;
    return sum;
}

INLINE void NAME(add_rows_of)(const NAME(Rows) * rows, size_t count, size_t values, SUM *to) {
    size_t i = 0;
    for (; i + LANES <= values; i += LANES)
        *(NAME(Sums) *)(to + i) = NAME(sum_at)(rows, count, i);
    for (; i < values; i++) {
        SUM sum = 0;
        for (size_t row = 0; row < count; row++)
            sum = (SUM)(sum + (SUM)*NAME(row_at)(rows, row, i) * rows->weight);
        to[i] = sum;
    }
}

static void NAME(add_rows)(const NAME(Rows) * rows, size_t values, SUM *to) {
    if (rows->count == 2)
        NAME(add_rows_of)(rows, 2, values, to);
    else if (rows->count == 3)
        NAME(add_rows_of)(rows, 3, values, to);
    else
        NAME(add_rows_of)(rows, rows->count, values, to);
}

/* Sums of pairs of single values, straight from the rows. */
INLINE void NAME(add_pairs_of)(const NAME(Rows) * rows, size_t count, size_t pixels, SUM *to) {
    size_t p = 0;
    for (; p + LANES <= pixels; p += LANES) {
#if WHOLE
        const int bits = 8 * sizeof(TYPE);
        NAME(Sums) sum = {0};
        for (size_t row = 0; row < count; row++) {
            const NAME(Sums) both = *(const NAME(Sums) *)(const void *)NAME(row_at)(rows, row, 2 * p);
            sum += (both & (SUM)((1U << bits) - 1)) + (both >> bits);
        }
#else
        const NAME(Sums) a = NAME(sum_at)(rows, count, 2 * p), b = NAME(sum_at)(rows, count, 2 * p + LANES);
        const NAME(Sums) sum = __builtin_shufflevector(a, b, EVEN) + __builtin_shufflevector(a, b, ODD);
#endif
        *(NAME(Sums) *)(to + p) = sum;
    }
    for (; p < pixels; p++) {
        SUM sum = 0;
        for (size_t row = 0; row < count; row++) {
            const TYPE *pair = NAME(row_at)(rows, row, 2 * p);
            sum = (SUM)(sum + (SUM)pair[0] * rows->weight + (SUM)pair[1] * rows->weight);
        }
        to[p] = sum;
    }
}

static void NAME(add_pairs)(const NAME(Rows) * rows, size_t pixels, SUM *to) {
    if (rows->count == 2)
        NAME(add_pairs_of)(rows, 2, pixels, to);
    else
        NAME(add_pairs_of)(rows, rows->count, pixels, to);
}

/* `pixels` sums of `across` neighbours, of `channels` values each. 1 and 2 are summed one by one, 3 and 4 in one
 * vector, which may reach beyond the pixel. */
INLINE void NAME(add_values)(const SUM *from, size_t pixels, size_t across, size_t channels, SUM *to) {
    for (size_t p = 0; p < pixels; p++, from += across * channels)
        for (size_t c = 0; c < channels; c++) {
            SUM sum = from[c];
            for (size_t k = 1; k < across; k++)
                sum = (SUM)(sum + from[k * channels + c]);
            to[p * channels + c] = sum;
        }
}
INLINE void NAME(add_quads)(const SUM *from, size_t pixels, size_t across, size_t channels, SUM *to) {
    for (size_t p = 0; p < pixels; p++, from += across * channels) {
        NAME(Quad) sum = *(const NAME(Quad) *)from;
        for (size_t k = 1; k < across; k++)
            sum += *(const NAME(Quad) *)(from + k * channels);
        *(NAME(Quad) *)(to + p * channels) = sum;
    }
}

static void NAME(add_columns)(const SUM *from, size_t pixels, size_t across, size_t channels, SUM *to) {
    if (channels == 1 && across == 3)
        NAME(add_values)(from, pixels, 3, 1, to);
    else if (channels < 3)
        NAME(add_values)(from, pixels, across, channels, to);
    else if (channels == 3 && across == 2)
        NAME(add_quads)(from, pixels, 2, 3, to);
    else if (channels == 3 && across == 3)
        NAME(add_quads)(from, pixels, 3, 3, to);
    else if (channels == 4 && across == 2)
        NAME(add_quads)(from, pixels, 2, 4, to);
    else
        NAME(add_quads)(from, pixels, across, channels, to);
}

/* Sums become means, halves rounded up. */
INLINE void NAME(store)(const SUM *sums, size_t count, size_t block, TYPE *to) {
#if WHOLE
    if ((block & (block - 1)) == 0) {
        const int shift = __builtin_ctzl(block);
        for (size_t i = 0; i < count; i++)
            to[i] = (TYPE)((SUM)(sums[i] + (SUM)(block / 2)) >> shift);
        return;
    }
    const float part = 1 / (float)block, half = (float)(block / 2) + 0.5F;
    for (size_t i = 0; i < count; i++)
        to[i] = (TYPE)(int32_t)(((float)(int32_t)sums[i] + half) * part);
#else
    (void)block;
    memcpy(to, sums, count * sizeof *to);
#endif
}

static void NAME(run)(const BlocksJob *job, size_t y, void *scratch) {
    const ImageView in = job->stage->in[0], out = job->stage->out;
    const size_t channels = (size_t)out.shape.channels, width = out.shape.width;
    SUM *means = scratch, *sums = means + 4 * BLOCKS_COLUMNS + BLOCKS_STEP;
    size_t x = 0;
    if (job->across == 2 && job->down == 2)
        x = halve(view_crop(in, job->left, job->top + 2 * y, 2 * width, 2), view_row(out, y), job->stream);
    for (; x < width; x += BLOCKS_COLUMNS) {
        const size_t pixels = width - x < BLOCKS_COLUMNS ? width - x : BLOCKS_COLUMNS;
        const ImageView part =
            view_crop(in, job->left + x * job->across, job->top + y * job->down, pixels * job->across, job->down);
        const NAME(Rows) rows = {view_row(part, 0), (ptrdiff_t)part.stride, job->down,
                                 WHOLE ? 1 : (SUM)1 / (SUM)(job->across * job->down)};
        if (channels == 1 && job->across == 2)
            NAME(add_pairs)(&rows, pixels, means);
        else {
            NAME(add_rows)(&rows, pixels * job->across * channels, sums);
            NAME(add_columns)(sums, pixels, job->across, channels, means);
        }
        NAME(store)(means, pixels * channels, job->across * job->down, (TYPE *)view_row(out, y) + x * channels);
    }
}

#undef LANES
