/* scaled_real.h: the steps with sums of type REAL, for scaled.isa.c. */

typedef REAL NAME(Vector) __attribute__((vector_size(VECTOR_BYTES)));
typedef REAL NAME(Anywhere) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));
enum {
    NAME(LANES) = VECTOR_BYTES / sizeof(REAL),
    NAME(BLOCK) = SCALED_BLOCK / sizeof(REAL),
    NAME(VECTORS) = SCALED_BLOCK / VECTOR_BYTES
};

/* The weights as sums take them: by tap, then by phase. */
static void NAME(weights)(const GaussianGrid *grid, const double *from, REAL to[GRID_TAPS_MAX][GRID_STEP_MAX]) {
    for (int p = 0; p < grid->step; p++)
        for (int t = 0; t < grid->taps; t++)
            to[t][p] = (REAL)from[p * grid->taps + t];
}

/* A block of values at most of a row, or of the border beyond the picture. */
static inline void NAME(load)(const Stage *stage, ptrdiff_t y, size_t at, size_t count, REAL *to) {
    const Border border = gaussian_job(stage)->border;
    const ptrdiff_t sy = border_index(border.mode, y, (ptrdiff_t)stage->in[0].shape.height);
    const void *row = view_row(stage->in[0], sy < 0 ? 0 : (size_t)sy);
    if (sy < 0)
        for (size_t i = 0; i < count; i++)
            to[i] = (REAL)border.value;
    else if (stage->in[0].shape.type == PIXEL_U8)
        for (size_t i = 0; i < count; i++)
            to[i] = (REAL)((const uint8_t *)row)[at + i];
    else if (stage->in[0].shape.type == PIXEL_U16)
        for (size_t i = 0; i < count; i++)
            to[i] = (REAL)((const uint16_t *)row)[at + i];
    else
        for (size_t i = 0; i < count; i++)
            to[i] = (REAL)((const float *)row)[at + i];
}

/* Adds `count` rows to the sums of two taps: a value that is read serves both. */
static inline void NAME(add_rows)(NAME(Vector) rows[SCALED_ROWS][NAME(VECTORS)], REAL (*weights)[GRID_STEP_MAX],
                                  int first, int count, NAME(Vector) * even, NAME(Vector) * odd) {
    for (int v = 0; v < NAME(VECTORS); v += SIDE) {
        NAME(Vector) sums[SIDE], others[SIDE];
        for (int i = 0; i < SIDE; i++) {
            sums[i] = even[v + i];
            others[i] = odd[v + i];
        }
        for (int p = 0; p < count; p++)
            for (int i = 0; i < SIDE; i++) {
                sums[i] += weights[0][first + p] * rows[p][v + i];
                others[i] += weights[1][first + p] * rows[p][v + i];
            }
        for (int i = 0; i < SIDE; i++) {
            even[v + i] = sums[i];
            odd[v + i] = others[i];
        }
    }
}

/* Segment s of the rows, from pixel s * step on, belongs to the grid's rows s to s + taps - 1. Rows that are being
 * summed are in turns of `taps`. */
static void NAME(down)(const ScaledJob *job, size_t block) {
    const Stage *stage = job->stage;
    const GaussianGrid *grid = &job->y;
    const long height = (long)stage->in[0].shape.height, points = gaussian_grid_count(grid, (size_t)height);
    const BorderMode mode = gaussian_job(stage)->border.mode;
    const size_t at = block * NAME(BLOCK), count = job->line - at < NAME(BLOCK) ? job->line - at : NAME(BLOCK);
    NAME(Vector) sums[GRID_TAPS_MAX][NAME(VECTORS)] = {{{0}}}, rows[SCALED_ROWS][NAME(VECTORS)] = {{{0}}};
    REAL weights[GRID_TAPS_MAX][GRID_STEP_MAX] = {{0}}, whole[GRID_TAPS_MAX][GRID_STEP_MAX] = {{0}};
    NAME(weights)(grid, grid->down, weights);
    for (int t = 0; t < grid->taps; t++) /* of all rows of a segment where they are alike */
        for (int p = 0; p < grid->step; p++)
            whole[t][0] += weights[t][p];
    for (long s = 1 - grid->taps; s < points; s++) {
        const long y = s * grid->step;
        const bool alike = (y >= height || y + grid->step <= 0) && mode != BORDER_MIRROR && mode != BORDER_WRAP;
        const int all = alike ? 1 : grid->step;
        for (int first = 0, next; first < all; first = next) {
            next = all - first < SCALED_ROWS ? all : first + SCALED_ROWS;
            for (int p = first; p < next; p++)
                NAME(load)(stage, y + p, at, count, (REAL *)rows[p - first]);
            for (int t = 0; t < grid->taps; t += 2) { /* taps are even */
                NAME(Vector) *even = sums[(s + t + grid->taps) % grid->taps];
                NAME(Vector) *odd = sums[(s + t + 1 + grid->taps) % grid->taps];
                NAME(add_rows)(rows, (alike ? whole : weights) + t, first, next - first, even, odd);
            }
        }
        NAME(Vector) *done = sums[(s + grid->taps) % grid->taps];
        if (s >= 0)
            memcpy((REAL *)job->plane + (size_t)s * job->line + at, done, count * sizeof(REAL));
        memset(done, 0, sizeof sums[0]);
    }
}

/* `rows` rows of the plane from `first` on, side by side. */
static void NAME(turn)(const ScaledJob *job, long first, long rows, NAME(Vector) * side) {
    const REAL *from = (const REAL *)job->plane + (size_t)first * job->line;
    for (size_t i = 0; i < job->line; i++)
        for (long r = 0; r < NAME(LANES); r++)
            side[i][r] = from[(size_t)(r < rows ? r : 0) * job->line + i];
}
static void NAME(turn_back)(const ScaledJob *job, long first, long rows, const NAME(Vector) * side) {
    REAL *to = (REAL *)job->plane + (size_t)first * job->line;
    for (long r = 0; r < rows; r++)
        for (size_t i = 0; i < job->line; i++)
            to[(size_t)r * job->line + i] = side[i][r];
}

/* The sums have `taps` points more on both sides. */
static void NAME(to_points)(const ScaledJob *job, const NAME(Vector) * side, NAME(Vector) * sums) {
    const Shape shape = job->stage->in[0].shape;
    const GaussianGrid *grid = &job->x;
    const Border border = gaussian_job(job->stage)->border;
    const long points = gaussian_grid_count(grid, shape.width);
    const int channels = shape.channels, taps = grid->taps;
    const NAME(Vector) * pixels[GRID_STEP_MAX], outside = (NAME(Vector)){0} + (REAL)border.value;
    const NAME(Vector) beyond[4] = {outside, outside, outside, outside};
    REAL weights[GRID_TAPS_MAX][GRID_STEP_MAX] = {{0}};
    NAME(weights)(grid, grid->down, weights);
    memset(sums, 0, (size_t)(points + 2L * taps) * (size_t)channels * sizeof *sums);
    for (long s = 1 - taps; s < points; s++) {
        for (int p = 0; p < grid->step; p++) {
            const ptrdiff_t x = border_index(border.mode, s * grid->step + p, (ptrdiff_t)shape.width);
            pixels[p] = x < 0 ? beyond : side + x * channels;
        }
        for (int c = 0; c < channels; c++)
            for (int t = 0; t < taps; t += 2) { /* taps are even */
                NAME(Vector) *to = sums + (s + t + taps) * channels + c, even = to[0], odd = to[channels];
                for (int p = 0; p < grid->step; p++) {
                    even += weights[t][p] * pixels[p][c];
                    odd += weights[t + 1][p] * pixels[p][c];
                }
                to[0] = even;
                to[channels] = odd;
            }
    }
}

static void NAME(from_points)(const ScaledJob *job, const NAME(Vector) * sums, NAME(Vector) * side) {
    const GaussianGrid *grid = &job->x;
    const long width = (long)job->stage->in[0].shape.width;
    const int channels = job->stage->in[0].shape.channels;
    REAL weights[GRID_TAPS_MAX][GRID_STEP_MAX] = {{0}};
    NAME(weights)(grid, grid->up, weights);
    sums += grid->taps * channels;
    for (long x = 0; x < width; x += grid->step, sums += channels)
        for (int p = 0; p < grid->step && x + p < width; p += 2) {
            const bool both = p + 1 < grid->step && x + p + 1 < width;
            NAME(Vector) *to = side + (x + p) * channels, *next = both ? to + channels : to;
            for (int c = 0; c < channels; c++) {
                NAME(Vector) first = {0}, second = {0};
                for (int t = 0; t < grid->taps; t++) {
                    first += weights[t][p] * sums[t * channels + c];
                    second += weights[t][p + both] * sums[t * channels + c];
                }
                next[c] = second;
                to[c] = first;
            }
        }
}

static void NAME(along)(const ScaledJob *job, size_t block, void *scratch) {
    const long first = (long)block * NAME(LANES), all = gaussian_grid_count(&job->y, job->stage->in[0].shape.height);
    const long rows = all - first < NAME(LANES) ? all - first : NAME(LANES);
    NAME(Vector) *side = scratch, *sums = side + job->line;
    NAME(turn)(job, first, rows, side);
    NAME(to_points)(job, side, sums);
    NAME(from_points)(job, sums, side);
    NAME(turn_back)(job, first, rows, side);
}

/* `count` sums, from value `at` on of a row of the result. */
static inline void NAME(store)(const Stage *stage, size_t y, size_t at, size_t count, const REAL *sums) {
    const size_t whole_packs = count / PACK * PACK;
    WHOLE whole[PACK], *row = (WHOLE *)view_row(stage->out, y) + at;
    if (stage->out.shape.type == PIXEL_F32) {
        for (size_t i = 0; i < count; i++)
            ((float *)view_row(stage->out, y))[at + i] = (float)sums[i];
        return;
    }
    for (size_t i = 0; i < whole_packs; i += PACK)
        PACK_TO(sums + i, row + i);
    if (whole_packs < count) {
        PACK_TO(sums + whole_packs, whole);
        memcpy(row + whole_packs, whole, (count - whole_packs) * sizeof *whole);
    }
}

/* The picture's rows of segment `s` from the plane's rows, a block after the other: these stay in the first-level
 * cache. A value that is read serves two rows. Behind the plane's last row there is room for a block. */
static void NAME(up)(const ScaledJob *job, size_t s) {
    const GaussianGrid *grid = &job->y;
    const size_t height = job->stage->out.shape.height, first = s * (size_t)grid->step;
    const size_t end = first + (size_t)grid->step < height ? first + (size_t)grid->step : height;
    for (size_t at = 0; at < job->line; at += NAME(BLOCK)) {
        const size_t count = job->line - at < NAME(BLOCK) ? job->line - at : NAME(BLOCK);
        for (size_t y = first; y < end; y += 2) {
            const bool both = y + 1 < end;
            const double *weights = grid->up + (y - first) * (size_t)grid->taps, *next = weights + both * grid->taps;
            NAME(Vector) sums[2][NAME(VECTORS)];
            for (int v = 0; v < NAME(VECTORS); v += SIDE) {
                const REAL *from = (const REAL *)job->plane + s * job->line + at + v * NAME(LANES);
                NAME(Vector) sum[SIDE] = {{0}}, other[SIDE] = {{0}};
                for (int t = 0; t < grid->taps; t++, from += job->line)
                    for (int i = 0; i < SIDE; i++) {
                        const NAME(Vector) value = ((const NAME(Anywhere) *)from)[i];
                        sum[i] += (REAL)weights[t] * value;
                        other[i] += (REAL)next[t] * value;
                    }
                memcpy(sums[0] + v, sum, sizeof sum);
                memcpy(sums[1] + v, other, sizeof other);
            }
            NAME(store)(job->stage, y, at, count, (const REAL *)sums[0]);
            if (both)
                NAME(store)(job->stage, y + 1, at, count, (const REAL *)sums[1]);
        }
    }
}
