/* running_sums.h: the tile's code for one type of values. Included by running.isa.c with IN, SUM, NAME and FINISH
 * defined, or FINISH_ROW, which adds up along the row itself. */

typedef SUM NAME(Vector) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(SUM)), may_alias));
typedef SUM NAME(Pixel) __attribute__((vector_size(4 * sizeof(SUM)), aligned(sizeof(SUM)), may_alias));

/* A tile at work. Rows' first value is the one under the mask's left end. */
typedef struct NAME(Tile) {
    const RunningJob *job;
    ptrdiff_t begin, end, inner, outer; /* pixels of a row of sums, and those of them that lie in the picture */
    ptrdiff_t channels;
    SUM *columns, *sums;
    char *packed; /* a row of results */
} NAME(Tile);

/* The picture's row y, from pixel `inner` on; NULL where the border's value stands. */
static const IN *NAME(row)(const NAME(Tile) * tile, ptrdiff_t y) {
    const ImageView in = tile->job->stage->in[0];
    const ptrdiff_t at = border_index(convolve_job(tile->job->stage)->border.mode, y, (ptrdiff_t)in.shape.height);
    return at < 0 ? NULL : (const IN *)view_row(in, (size_t)at) + tile->inner * tile->channels;
}

/* The row that enters comes to the sums, and the one that leaves goes. NULL is a row of `outside`. */
static void NAME(move_row)(const IN *restrict enters, const IN *restrict leaves, SUM outside, size_t count,
                           SUM *restrict columns) {
    if (enters && leaves)
        for (size_t i = 0; i < count; i++)
            columns[i] = (SUM)(columns[i] + (SUM)enters[i] - (SUM)leaves[i]);
    else
        for (size_t i = 0; i < count; i++)
            columns[i] = (SUM)(columns[i] + (enters ? (SUM)enters[i] : outside) - (leaves ? (SUM)leaves[i] : outside));
}

static void NAME(add_row)(const IN *restrict enters, SUM outside, size_t count, SUM *restrict columns) {
    for (size_t i = 0; i < count; i++)
        columns[i] = (SUM)(columns[i] + (enters ? (SUM)enters[i] : outside));
}

/* The sums beyond the picture's sides. */
static void NAME(fill_sides)(const NAME(Tile) * tile) {
    const ConvolveJob *convolve = convolve_job(tile->job->stage);
    const SUM outside = (SUM)((SUM)convolve->mask->height * (SUM)convolve->border.value);
    for (ptrdiff_t x = tile->begin; x < tile->end; x++) {
        if (x == tile->inner)
            x = tile->outer;
        if (x == tile->end)
            break;
        const ptrdiff_t from = border_index(convolve->border.mode, x, (ptrdiff_t)tile->job->stage->in[0].shape.width);
        SUM *to = tile->columns + (x - tile->begin) * tile->channels;
        const SUM *same = tile->columns + (from - tile->begin) * tile->channels;
        for (ptrdiff_t c = 0; c < tile->channels; c++)
            to[c] = from < 0 ? outside : same[c];
    }
}

#ifndef FINISH_ROW
/* Sums along the row, of `reach` values a channel: few of them again each time, four vectors at once. */
static void NAME(along_few)(const SUM *restrict columns, size_t channels, size_t count, size_t reach,
                            SUM *restrict sums) {
    enum { VECTORS = 4, PER = VECTOR_BYTES / sizeof(SUM) };
    for (size_t i = 0; i < count; i += VECTORS * PER) {
        NAME(Vector) sum[VECTORS];
        const SUM *from = columns + i;
#    pragma GCC unroll 4
        for (size_t v = 0; v < VECTORS; v++)
            sum[v] = *(const NAME(Vector) *)(from + v * PER);
        for (size_t k = 1; k < reach; k++) {
            from += channels;
#    pragma GCC unroll 4
            for (size_t v = 0; v < VECTORS; v++)
                sum[v] += *(const NAME(Vector) *)(from + v * PER);
        }
#    pragma GCC unroll 4
        for (size_t v = 0; v < VECTORS; v++)
            *(NAME(Vector) *)(sums + i + v * PER) = sum[v];
    }
}

/* Many by the values that enter and leave: four differences, each added to those behind it, go to the sum before
 * them. */
static void NAME(along_one)(const SUM *restrict columns, size_t count, size_t reach, SUM *restrict sums) {
    SUM first = 0;
    for (size_t i = 0; i < reach; i++)
        first = (SUM)(first + columns[i]);
    const NAME(Pixel) none = {0};
    NAME(Pixel) running = first - none;
    sums[0] = first;
    for (size_t i = 0; i < count; i += 4) {
        NAME(Pixel) moved = *(const NAME(Pixel) *)(columns + i + reach) - *(const NAME(Pixel) *)(columns + i);
        moved += __builtin_shufflevector(moved, none, 4, 0, 1, 2);
        moved += __builtin_shufflevector(moved, none, 4, 5, 0, 1);
        moved += running;
        *(NAME(Pixel) *)(sums + i + 1) = moved;
        running = __builtin_shufflevector(moved, moved, 3, 3, 3, 3);
    }
}

static void NAME(along_two)(const SUM *restrict columns, size_t count, size_t reach, SUM *restrict sums) {
    SUM running[2] = {0};
    for (size_t i = 0; i < 2 * reach; i++)
        running[i & 1] = (SUM)(running[i & 1] + columns[i]);
    for (size_t i = 0; i < count; i++) {
        sums[i] = running[i & 1];
        running[i & 1] = (SUM)(running[i & 1] + (SUM)(columns[i + 2 * reach] - columns[i]));
    }
}

/* Sums along a row with a vector for a pixel of three or four channels: the fourth of three belongs to the next
 * pixel. */
static inline __attribute__((always_inline)) void NAME(along_pixels)(const SUM *restrict columns, size_t channels,
                                                                     size_t count, size_t reach, SUM *restrict sums) {
    NAME(Pixel) running = {0};
    for (size_t i = 0; i < reach; i++)
        running += *(const NAME(Pixel) *)(columns + i * channels);
    for (size_t i = 0; i < count; i += channels) {
        *(NAME(Pixel) *)(sums + i) = running;
        running += *(const NAME(Pixel) *)(columns + i + reach * channels) - *(const NAME(Pixel) *)(columns + i);
    }
}

static void NAME(sum_along)(const NAME(Tile) * tile, size_t count, size_t reach) {
    enum { FEW = 12, FEW_PIXELS = 5 };
    const size_t channels = (size_t)tile->channels;
    if (reach <= (channels < 3 ? FEW : FEW_PIXELS))
        NAME(along_few)(tile->columns, channels, count, reach, tile->sums);
    else if (channels == 1)
        NAME(along_one)(tile->columns, count, reach, tile->sums);
    else if (channels == 2)
        NAME(along_two)(tile->columns, count, reach, tile->sums);
    else if (channels == 3)
        NAME(along_pixels)(tile->columns, 3, count, reach, tile->sums);
    else
        NAME(along_pixels)(tile->columns, 4, count, reach, tile->sums);
}
#endif

/* A running sum keeps every value that was not finite, also once it has left the window. */
static bool NAME(is_finite)(const SUM *columns, size_t count) {
    bool finite = true;
    for (size_t i = 0; i < count; i++)
        finite &= 0 * columns[i] == 0;
    return finite;
}

static bool NAME(tile)(const RunningJob *job, size_t x, size_t y, void *scratch) {
    const Mask *mask = convolve_job(job->stage)->mask;
    const Shape shape = job->stage->out.shape;
    const size_t rows = shape.height - y < job->rows ? shape.height - y : job->rows;
    const size_t pixels = shape.width - x < job->width ? shape.width - x : job->width;
    const size_t channels = (size_t)shape.channels, pixel = channels * pixel_type_size(shape.type);
    const ptrdiff_t top = (ptrdiff_t)y - mask->height / 2, width = (ptrdiff_t)shape.width;
    const SUM outside = (SUM)convolve_job(job->stage)->border.value;
    NAME(Tile) tile = {.job = job, .channels = shape.channels, .columns = scratch};
    tile.sums = tile.columns + job->length;
    tile.packed = (char *)(tile.sums + job->length);
    tile.begin = (ptrdiff_t)x - mask->width / 2;
    tile.end = tile.begin + (ptrdiff_t)pixels + mask->width - 1;
    tile.inner = tile.begin > 0 ? tile.begin : 0;
    tile.outer = tile.end < width ? tile.end : width;
    SUM *inside = tile.columns + (tile.inner - tile.begin) * tile.channels;
    const size_t count = (size_t)(tile.outer - tile.inner) * channels;
    memset(tile.columns, 0, job->length * sizeof *tile.columns);
    for (int j = 0; j < mask->height; j++)
        NAME(add_row)(NAME(row)(&tile, top + j), outside, count, inside);
    for (size_t r = 0; r < rows; r++) {
        const ptrdiff_t leaves = top + (ptrdiff_t)r;
        NAME(fill_sides)(&tile);
#ifdef FINISH_ROW
        FINISH_ROW(job, tile.columns, channels, pixels * channels, (size_t)mask->width, tile.packed);
#else
        NAME(sum_along)(&tile, pixels * channels, (size_t)mask->width);
        FINISH(job, tile.sums, pixels * channels, tile.packed);
#endif
        char *to = (char *)view_row(job->stage->out, y + r) + x * pixel;
        if (job->stream)
            stream(to, tile.packed, pixels * pixel);
        else
            memcpy(to, tile.packed, pixels * pixel);
        if (r + 1 == rows)
            break;
        const IN *next = NAME(row)(&tile, leaves + mask->height + 2); /* rows lie too far apart to be foreseen */
        for (size_t i = 0; next && i < count; i += 64 / sizeof *next)
            __builtin_prefetch(next + i);
        NAME(move_row)(NAME(row)(&tile, leaves + mask->height), NAME(row)(&tile, leaves), outside, count, inside);
    }
    return NAME(is_finite)(inside, count);
}

#undef IN
#undef SUM
#undef NAME
#undef FINISH
#undef FINISH_ROW
