/* tile_real.h: a tile in sums of REAL (tile.isa.c), whose name is NAME(...). */

enum { NAME(WIDTH) = NLMEANS_COLUMNS + 2 * NLMEANS_PATCH_MAX + 16 };

/* A tile's memory: sums of weights and of weighted values; squared differences, of the rows around the tile. */
typedef struct NAME(Work) {
    REAL weights[NLMEANS_ROWS][NLMEANS_COLUMNS];
    REAL sums[4][NLMEANS_ROWS][NLMEANS_COLUMNS];
    /* Sums of one row of offsets: in long sums, like values would all round alike. */
    REAL part_weights[NLMEANS_ROWS][NLMEANS_COLUMNS];
    REAL part[4][NLMEANS_ROWS][NLMEANS_COLUMNS];
    REAL squares[NLMEANS_ROWS + 2 * NLMEANS_PATCH_MAX][NAME(WIDTH)];
    REAL columns[NAME(WIDTH)];
} NAME(Work);

static void NAME(load)(const Stage *stage, ptrdiff_t left, ptrdiff_t top, size_t rows, REAL *to) {
    const Border border = nlmeans_job(stage)->border;
    const ImageView in = stage->in[0];
    const int channels = in.shape.channels;
    const size_t pitch = nlmeans_pitch(nlmeans_job(stage)), plane = pitch * nlmeans_rows(nlmeans_job(stage));
    for (size_t j = 0; j < rows; j++) {
        const ptrdiff_t sy = border_index(border.mode, top + (ptrdiff_t)j, (ptrdiff_t)in.shape.height);
        for (size_t i = 0; i < pitch; i++) {
            const ptrdiff_t sx = border_index(border.mode, left + (ptrdiff_t)i, (ptrdiff_t)in.shape.width);
            for (int c = 0; c < channels; c++)
                to[(size_t)c * plane + j * pitch + i] =
                    (REAL)(sx < 0 || sy < 0 ? (double)border.value : view_value(in, (size_t)sx, (size_t)sy, c));
        }
    }
}

/* A row of squared differences between the tile and itself moved by `offset`. */
static inline __attribute__((always_inline)) void NAME(square)(const REAL *from, ptrdiff_t offset, size_t plane,
                                                               int channels, int count, REAL *restrict to) {
    for (int x = 0; x < count; x++) {
        REAL sum = 0;
        for (int c = 0; c < channels; c++) {
            const REAL d = from[(size_t)c * plane + (size_t)x] - from[(ptrdiff_t)((size_t)c * plane) + x + offset];
            sum += d * d;
        }
        to[x] = sum;
    }
}

/* Sums over the patch: of `side` rows, then of as many neighbours in that sum. */
static inline __attribute__((always_inline)) void NAME(sum_rows)(const REAL *squares, int side, int count,
                                                                 REAL *restrict to) {
    for (int x = 0; x < count; x++) {
        REAL sum = 0;
        for (int j = 0; j < side; j++)
            sum += squares[j * NAME(WIDTH) + x];
        to[x] = sum;
    }
}

static inline __attribute__((always_inline)) void NAME(weigh)(const REAL *columns, int side, REAL slope,
                                                              const REAL *values, size_t plane, int channels, int count,
                                                              REAL *restrict weights, REAL *restrict sums) {
    for (int x = 0; x < count; x++) {
        REAL sum = 0;
        for (int i = 0; i < side; i++)
            sum += columns[x + i];
        const REAL power = sum * slope, shifted = power + ONE_APART, rest = power - (shifted - ONE_APART);
        union {
            REAL real;
            UNSIGNED bits;
        } part = {POLYNOMIAL(rest)}, whole = {shifted};
        part.bits += whole.bits << MANTISSA;
        const REAL weight = power < POWER_MIN ? 0 : part.real;
        weights[x] += weight;
        for (int c = 0; c < channels; c++)
            sums[c * NLMEANS_ROWS * NLMEANS_COLUMNS + x] += weight * values[(size_t)c * plane + (size_t)x];
    }
}

/* One offset; `centre` is the tile's first pixel in the first plane. */
static inline __attribute__((always_inline)) void NAME(offset)(const Stage *stage, NAME(Work) * work,
                                                               const REAL *centre, ptrdiff_t offset, int channels,
                                                               int side, int columns, int rows) {
    const size_t pitch = nlmeans_pitch(nlmeans_job(stage)), plane = pitch * nlmeans_rows(nlmeans_job(stage));
    const ptrdiff_t corner = (ptrdiff_t)(side / 2) * (ptrdiff_t)(pitch + 1);
    const REAL slope = (REAL)nlmeans_slope(nlmeans_job(stage), channels);
    for (int y = 0; y < rows + side - 1; y++)
        NAME(square)
    (centre - corner + (ptrdiff_t)((size_t)y * pitch), offset, plane, channels, columns + side - 1, work->squares[y]);
    for (int y = 0; y < rows; y++) {
        NAME(sum_rows)(work->squares[y], side, columns + side - 1, work->columns);
        NAME(weigh)
        (work->columns, side, slope, centre + (ptrdiff_t)((size_t)y * pitch) + offset, plane, channels, columns,
         work->part_weights[y], work->part[0][y]);
    }
}

/* Loops of known lengths for the common patches and channels. */
#define OFFSET(channels, side)                                                                                         \
    static void NAME(offset_##channels##_##side)(const Stage *stage, NAME(Work) * work, const REAL *centre,            \
                                                 ptrdiff_t offset, int all, int count, int columns, int rows) {        \
        NAME(offset)                                                                                                   \
        (stage, work, centre, offset, (channels) > 0 ? (channels) : all, (side) > 0 ? (side) : count, columns, rows);  \
    }
OFFSET(1, 7)
OFFSET(3, 7)
OFFSET(1, 0)
OFFSET(3, 0)
OFFSET(0, 0)

static void NAME(store)(ImageView out, size_t x, size_t y, int count, int row, const NAME(Work) * work) {
    const size_t channels = (size_t)out.shape.channels;
    void *to = view_row(out, y);
    for (size_t c = 0; c < channels; c++)
        for (int i = 0; i < count; i++) {
            const REAL value = work->sums[c][row][i] / work->weights[row][i];
            const REAL white = out.shape.type == PIXEL_U8 ? 255 : 65535;
            const REAL low = value > 0 ? value : 0, stored = low < white ? low : white;
            const int32_t whole = (int32_t)(stored + ONE_APART - ONE_APART);
            const size_t at = (x + (size_t)i) * channels + c;
            if (out.shape.type == PIXEL_U8)
                ((uint8_t *)to)[at] = (uint8_t)whole;
            else if (out.shape.type == PIXEL_U16)
                ((uint16_t *)to)[at] = (uint16_t)whole;
            else
                ((float *)to)[at] = (float)value;
        }
}

static void NAME(add)(const REAL *part, size_t count, REAL *restrict sums) {
    for (size_t i = 0; i < count; i++)
        sums[i] += part[i];
}

static void NAME(run_tile)(const Stage *stage, size_t x, size_t y, void *scratch) {
    const NlmeansJob *job = nlmeans_job(stage);
    const Shape shape = stage->out.shape;
    const int columns = shape.width - x < NLMEANS_COLUMNS ? (int)(shape.width - x) : NLMEANS_COLUMNS;
    const int rows = shape.height - y < NLMEANS_ROWS ? (int)(shape.height - y) : NLMEANS_ROWS;
    const int reach = job->search + job->patch, side = 2 * job->patch + 1, channels = shape.channels;
    const size_t pitch = nlmeans_pitch(job);
    NAME(Work) *work = scratch;
    REAL *planes = (REAL *)(void *)((char *)scratch + sizeof *work);
    NAME(load)(stage, (ptrdiff_t)x - reach, (ptrdiff_t)y - reach, (size_t)rows + 2 * (size_t)reach, planes);
    memset(work->weights, 0, sizeof work->weights);
    memset(work->sums, 0, sizeof work->sums);
    const REAL *centre = planes + (size_t)reach * (pitch + 1);
    for (int j = -job->search; j <= job->search; j++) {
        memset(work->part_weights, 0, sizeof work->part_weights);
        memset(work->part, 0, sizeof work->part);
        for (int i = -job->search; i <= job->search; i++)
            (channels == 1   ? side == 7 ? NAME(offset_1_7) : NAME(offset_1_0)
               : channels == 3 ? side == 7 ? NAME(offset_3_7) : NAME(offset_3_0)
                               : NAME(offset_0_0))(stage, work, centre, (ptrdiff_t)j * (ptrdiff_t)pitch + i, channels,
                                                 side, columns, rows);
        NAME(add)(&work->part_weights[0][0], NLMEANS_ROWS * NLMEANS_COLUMNS, &work->weights[0][0]);
        NAME(add)(&work->part[0][0][0], (size_t)channels * NLMEANS_ROWS * NLMEANS_COLUMNS, &work->sums[0][0][0]);
    }
    for (int j = 0; j < rows; j++)
        NAME(store)(stage->out, x, y + (size_t)j, columns, j, work);
}

#undef OFFSET
