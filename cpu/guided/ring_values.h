/* ring_values.h: the tile's code for one type of values. ring.isa.c includes it, and defines the types of values, their
 * sums, fits and quotients. It also defines how a row is converted, whether it may stay as it is stored, and whether
 * the guide is another picture. */

/* Row y of a picture, as wide as the tile reads it, beyond the edges as the border says. It is the row itself, if it
 * needs no change, else in `room`. */
static const IN *NAME(fetch)(const Tile *tile, ImageView view, ptrdiff_t y, IN *room) {
    const Border border = guided_job(tile->stage)->border;
    const ptrdiff_t width = (ptrdiff_t)view.shape.width, end = tile->left + (ptrdiff_t)tile->width;
    const ptrdiff_t inner = tile->left > 0 ? tile->left : 0, outer = end < width ? end : width;
    const ptrdiff_t row = border_index(border.mode, y, (ptrdiff_t)view.shape.height);
    const size_t channels = tile->channels;
    if (row < 0) {
        for (size_t i = 0; i < tile->width * channels; i++)
            room[i] = (IN)border.value;
        return room;
    }
    const size_t pixel = (size_t)view.shape.channels * pixel_type_size(view.shape.type);
    const char *from = view_row(view, (size_t)row);
    if (STORED && inner == tile->left && outer == end)
        return (const IN *)(const void *)(from + (size_t)inner * pixel);
    CONVERT_ROW(view, from + (size_t)inner * pixel, (size_t)(outer - inner),
                room + (size_t)(inner - tile->left) * channels, channels);
    for (ptrdiff_t x = tile->left; x < end; x++) {
        if (x == inner)
            x = outer;
        if (x == end)
            break;
        const ptrdiff_t at = border_index(border.mode, x, width);
        IN *to = room + (size_t)(x - tile->left) * channels;
        if (at >= inner && at < outer) /* as most are that stand in for others */
            for (size_t c = 0; c < channels; c++)
                to[c] = room[(size_t)(at - tile->left) * channels + c];
        else if (at >= 0)
            CONVERT_ROW(view, from + (size_t)at * pixel, 1, to, channels);
        for (size_t c = 0; at < 0 && c < channels; c++)
            to[c] = (IN)border.value;
    }
    return room;
}

static void NAME(move_row)(const IN *restrict enters, const IN *restrict leaves, size_t count, MOMENT *restrict sums,
                           MOMENT *restrict squares) {
    for (size_t i = 0; i < count; i++) {
        const MOMENT in = (MOMENT)enters[i], out = (MOMENT)leaves[i];
        sums[i] += in - out;
        squares[i] += in * in - out * out;
    }
}
#if JOINT
static void NAME(move_products)(const IN *const enters[2], const IN *const leaves[2], size_t count,
                                MOMENT *restrict sums, MOMENT *restrict products) {
    const IN *restrict guide_in = enters[0], *restrict guide_out = leaves[0];
    const IN *restrict in = enters[1], *restrict out = leaves[1];
    for (size_t i = 0; i < count; i++) {
        sums[i] += in[i] - out[i];
        products[i] += guide_in[i] * in[i] - guide_out[i] * out[i];
    }
}
#endif

/* Rows that enter and leave go to the columns' sums: those of the picture y, and that `side` rows above. */
static void NAME(enter)(const Tile *tile, ptrdiff_t y, bool leave) {
    const ImageView pictures[2] = {guided_guide(tile->stage), tile->stage->in[0]};
    const size_t count = tile->width * tile->channels;
    MOMENT *sums = tile->columns_moments;
    const IN *enters[2], *leaves[2];
    for (int k = 0; k < 1 + JOINT; k++) {
        void *const *rooms = k == 0 ? tile->guide : tile->picture;
        enters[k] = NAME(fetch)(tile, pictures[k], y, rooms[0]);
        leaves[k] = leave ? NAME(fetch)(tile, pictures[k], y - (ptrdiff_t)tile->side, rooms[1]) : tile->zeros;
    }
    NAME(move_row)(enters[0], leaves[0], count, sums, sums + tile->pitch);
#if JOINT
    NAME(move_products)(enters, leaves, count, sums + 2 * tile->pitch, sums + 3 * tile->pitch);
#endif
}

/* The fits of windows go to the columns' sums, and those go that lay in their slot. */
static void NAME(fit)(const Tile *tile, size_t slot) {
    const size_t pixels = tile->width - tile->side + 1, pitch = tile->pitch;
    const double size = (double)(tile->side * tile->side), share = 1 / size;
    const double epsilon = guided_job(tile->stage)->epsilon * size * size;
    const MOMENT *restrict sums = tile->moments;
    FIT *restrict ring_a = (FIT *)tile->ring + 2 * slot * pitch, *restrict ring_b = ring_a + pitch;
    double *restrict sums_a = tile->columns_fits, *restrict sums_b = sums_a + pitch;
    for (int k = 0; k < 1 + JOINT; k++)
        ALONG_ROW((const MOMENT *)tile->columns_moments + (size_t)(2 * k) * pitch, pitch, tile->channels, pixels,
                  tile->side, (MOMENT *)tile->moments + (size_t)(2 * k) * pitch);
    for (size_t i = 0; i < pixels * tile->channels; i++) {
        const double sum = WHOLE(sums[i]), variance = WHOLE(sums[pitch + i]) * size - sum * sum;
#if JOINT
        const double picture = sums[2 * pitch + i], covariance = sums[3 * pitch + i] * size - sum * picture;
#else
        const double picture = sum, covariance = variance;
#endif
        const FIT a = (FIT)((QUOTIENT)covariance / (QUOTIENT)(variance + epsilon));
        const FIT b = (FIT)((picture - (double)a * sum) * share);
        sums_a[i] += (double)a - (double)ring_a[i];
        sums_b[i] += (double)b - (double)ring_b[i];
        ring_a[i] = a;
        ring_b[i] = b;
    }
}

/* The results of row y. */
static void NAME(finish)(const Tile *tile, size_t x, size_t y) {
    const size_t count = tile->columns * tile->channels, pitch = tile->pitch;
    const double share = 1 / (double)(tile->side * tile->side);
    const IN *restrict guide =
        NAME(fetch)(tile, guided_guide(tile->stage), (ptrdiff_t)y, tile->guide[0]) + (tile->side - 1) * tile->channels;
    const double *restrict a = tile->fits, *restrict b = a + pitch;
    along_f64(tile->columns_fits, pitch, tile->channels, tile->columns, tile->side, tile->fits);
    if (tile->stage->out.shape.type == PIXEL_U16)
        for (size_t i = 0; i < count; i++)
            tile->doubles[i] = (a[i] * (double)guide[i] + b[i]) * share;
    else
        for (size_t i = 0; i < count; i++)
            tile->floats[i] = (float)((a[i] * (double)guide[i] + b[i]) * share);
    store_row(tile, x, y);
}

/* A running sum keeps every value that was not finite, also once it has left the window. */
static bool NAME(is_finite)(const Tile *tile) {
    const MOMENT *sums = tile->columns_moments;
    bool finite = true;
    for (size_t i = 0; i < 4 * tile->pitch; i++)
        finite &= 0 * sums[i] == 0;
    return finite;
}

static bool NAME(tile)(const Stage *stage, size_t x, size_t y, void *scratch) {
    const size_t around = 2 * (size_t)guided_job(stage)->radius, most = ring_rows(stage);
    const size_t rows = stage->out.shape.height - y < most ? stage->out.shape.height - y : most;
    Tile tile;
    lay_out(stage, x, scratch, &tile);
    for (size_t r = 0; r < rows + 2 * around; r++) {
        NAME(enter)(&tile, (ptrdiff_t)(y + r) - (ptrdiff_t)around, r >= tile.side);
        if (r >= around)
            NAME(fit)(&tile, (r - around) % tile.side);
        if (r >= 2 * around)
            NAME(finish)(&tile, x, y + r - 2 * around);
    }
    return NAME(is_finite)(&tile);
}

#undef IN
#undef NAME
#undef MOMENT
#undef ALONG_ROW
#undef FIT
#undef QUOTIENT
#undef CONVERT_ROW
#undef STORED
#undef JOINT
#undef WHOLE
