/* winners_values.h: the tile's code for one type of values. Included by winners.isa.c with IN, SUM and NAME defined. */

static void NAME(split)(const IN *restrict from, size_t count, size_t channels, IN *restrict to) {
    switch (channels) {
#define SPLIT(channels)                                                                                                \
    for (size_t i = 0; i < count; i++)                                                                                 \
        for (size_t c = 0; c < (channels); c++)                                                                        \
            to[c * PITCH + i] = from[i * (channels) + c];                                                              \
    break
    case 1:
        memcpy(to, from, count * sizeof *to);
        break;
    case 2:
        SPLIT(2);
    case 3:
        SPLIT(3);
    default:
        SPLIT(4);
#undef SPLIT
    }
}

/* The values that row y of the picture brings, beyond its edges as the border says. */
static void NAME(fetch)(const Tile *tile, ptrdiff_t y) {
    const ImageView in = tile->stage->in[0];
    const Border border = kuwahara_job(tile->stage)->border;
    const ptrdiff_t width = (ptrdiff_t)in.shape.width, end = tile->left + (ptrdiff_t)tile->width;
    const ptrdiff_t inner = tile->left > 0 ? tile->left : 0, outer = end < width ? end : width;
    const ptrdiff_t row = border_index(border.mode, y, (ptrdiff_t)in.shape.height);
    const size_t channels = (size_t)tile->channels;
    const IN *from = row < 0 ? NULL : (const IN *)view_row(in, (size_t)row);
    IN *to = tile->fresh;
    if (from)
        NAME(split)(from + (size_t)inner * channels, (size_t)(outer - inner), channels, to + (inner - tile->left));
    for (ptrdiff_t x = tile->left; x < end; x++) {
        if (from && x == inner)
            x = outer;
        if (x == end)
            break;
        const ptrdiff_t at = from ? border_index(border.mode, x, width) : -1;
        for (size_t c = 0; c < channels; c++)
            to[c * PITCH + (size_t)(x - tile->left)] = at < 0 ? (IN)border.value : from[(size_t)at * channels + c];
    }
}

/* The fresh values come to the columns' sums, and those that have left the window go. */
static void NAME(enter)(const Tile *tile, size_t slot) {
    for (size_t c = 0; c < (size_t)tile->channels; c++) {
        const IN *restrict fresh = (const IN *)tile->fresh + c * PITCH;
        IN *restrict entered = (IN *)tile->entered + (slot * (size_t)tile->channels + c) * PITCH;
        SUM *restrict sums = (SUM *)tile->columns_sums + c * PITCH;
        for (size_t i = 0; i < tile->width; i++) {
            sums[i] = (SUM)(sums[i] + (SUM)fresh[i] - (SUM)entered[i]);
            entered[i] = fresh[i];
        }
    }
}

/* A running sum keeps every value that was not finite, also once it has left the window. */
static bool NAME(is_finite)(const Tile *tile) {
    const SUM *sums = tile->columns_sums;
    bool finite = true;
    for (size_t i = 0; i < (size_t)tile->channels * PITCH; i++)
        finite &= 0 * sums[i] == 0;
    return finite;
}

static bool NAME(tile)(const Stage *stage, size_t x, size_t y, void *scratch) {
    const Shape shape = stage->out.shape;
    const size_t radius = (size_t)kuwahara_job(stage)->radius, side = radius + 1;
    const size_t rows = shape.height - y < WINNERS_ROWS ? shape.height - y : WINNERS_ROWS;
    Tile tile;
    lay_out(stage, x, scratch, &tile);
    for (size_t r = 0; r < rows + 2 * radius; r++) {
        NAME(fetch)(&tile, (ptrdiff_t)(y + r) - tile.radius);
        NAME(enter)(&tile, r % side);
        NAME(enter_luma)(&tile, r % side);
        if (r < radius)
            continue;
        for (size_t c = 0; c < (size_t)tile.channels; c++) {
            SUM *sums = (SUM *)tile.sums + c * PITCH;
            NAME(along)((const SUM *)tile.columns_sums + c * PITCH, tile.side, tile.boxes, sums);
            NAME(find_means)(sums, (unsigned)(side * side), shape.type, tile.boxes, tile.means + c * PITCH);
        }
        along_long(tile.columns_squares, tile.side, tile.boxes, tile.squares);
        NAME(sum_luma)(&tile);
        find_variances(&tile);
        finish_row(&tile, (r - radius) % radius);
        if (r >= 2 * radius)
            store_row(&tile, x, y + r - 2 * radius);
    }
    return NAME(is_finite)(&tile);
}

#undef IN
#undef SUM
#undef NAME
