/* pairs.isa.c: the tile by pairs in one instruction set. */
#include "cpu/nlmeans/pairs.h"

#include "cpu/polynomial.h"
#include "cpu/vector.h"

enum { SIDE = 2 * PAIRS_PATCH + 1, AHEAD = 4 /* rows that the sums of columns go at a time */ };

/* Log2 of the smallest weight that counts: next to the pixel's own, 1, f32 sees no smaller one. */
#define SMALLEST_POWER (-64.0F)

typedef struct Tile {
    const Stage *stage;
    int search, rows, vectors; /* rows and vectors of results */
    ptrdiff_t pitch, plane;    /* values between rows, and between planes */
    float slope;
    float *centre;  /* the tile's first pixel in the first plane */
    float *weights; /* sums of them; behind them, those of each channel: PAIRS_ROWS rows of PAIRS_COLUMNS */
    float *columns; /* sums of columns over a patch, SIDE - 1 rows of no use first */
    float *kept;    /* weights by offset and row of a block */
} Tile;

INLINE void put(float *to, Floats value) {
    memcpy(to, &value, sizeof value);
}

/* ---- into planes ---- */

/* A row of the tile and its surroundings, from the picture's row: inside, by loops for each type. */
#define INSIDE(Type)                                                                                                   \
    for (ptrdiff_t i = begin; i < end; i++)                                                                            \
        for (ptrdiff_t c = 0; c < channels; c++)                                                                       \
            to[c * tile->plane + i] = (float)((const Type *)row)[(left + i) * channels + c];

INLINE void load_inside(const Tile *tile, const void *row, ptrdiff_t left, ptrdiff_t begin, ptrdiff_t end,
                        ptrdiff_t channels, float *restrict to) {
    if (tile->stage->in[0].shape.type == PIXEL_U8) {
        INSIDE(uint8_t)
    } else {
        INSIDE(float)
    }
}

INLINE void load_row(const Tile *tile, ptrdiff_t left, ptrdiff_t y, int channels, float *to) {
    const Border border = nlmeans_job(tile->stage)->border;
    const ImageView in = tile->stage->in[0];
    const ptrdiff_t width = (ptrdiff_t)in.shape.width, sy = border_index(border.mode, y, (ptrdiff_t)in.shape.height);
    ptrdiff_t begin = left < 0 ? -left : 0, end = width - left < tile->pitch ? width - left : tile->pitch;
    if (sy < 0 || begin > tile->pitch || end < begin)
        begin = end = 0;
    for (ptrdiff_t i = 0; i < tile->pitch; i++) {
        if (i == begin)
            i = end;
        if (i == tile->pitch)
            break;
        const ptrdiff_t sx = border_index(border.mode, left + i, width);
        for (int c = 0; c < channels; c++)
            to[c * tile->plane + i] =
                sx < 0 || sy < 0 ? border.value : (float)view_value(in, (size_t)sx, (size_t)sy, c);
    }
    if (end > begin)
        load_inside(tile, view_row(in, (size_t)sy), left, begin, end, channels, to);
}

/* ---- weights ---- */

/* Squared differences between the pixels at `a` and at `b`, over all channels. */
INLINE Floats squares(const float *a, const float *b, ptrdiff_t plane, int channels) {
    Floats sum = {0};
    for (int c = 0; c < channels; c++) {
        const Floats d = load(a + c * plane) - load(b + c * plane);
        sum += d * d;
    }
    return sum;
}

/* Sums over SIDE rows, down a column of vectors: sums of 4 rows, and of the 3 above them. */
INLINE void add_column(const float *a, ptrdiff_t offset, ptrdiff_t pitch, ptrdiff_t plane, int channels, int rows,
                       float *to) {
    Floats one = {0}, two = {0}, pair = {0}, pair_two = {0}; /* rows above, and sums of two */
    Floats threes[AHEAD] = {{0}};                            /* sums of three, of the rows 1 to 4 above */
#define ROW(k)                                                                                                         \
    {                                                                                                                  \
        const Floats now = squares(a, a + offset, plane, channels), both = now + one, three = both + two;              \
        put(to, (both + pair_two) + threes[k]);                                                                        \
        threes[k] = three;                                                                                             \
        pair_two = pair, pair = both, two = one, one = now;                                                            \
        a += pitch, to += pitch;                                                                                       \
    }
    for (int y = 0; y < rows; y += AHEAD) {
        ROW(0)
        ROW(1)
        ROW(2)
        ROW(3)
    }
#undef ROW
}

/* The weights of a row of vectors, from the sums of its columns. */
INLINE void weigh(const float *columns, int vectors, float slope, float *to) {
    const Floats apart = spread(12582912.0F), most = spread(SMALLEST_POWER / slope), none = {0};
    for (int v = 0; v < vectors; v++, columns += LANES, to += LANES) {
        const Floats low = (load(columns) + load(columns + 1)) + (load(columns + 2) + load(columns + 3));
        const Floats high = (load(columns + 4) + load(columns + 5)) + load(columns + 6);
        const Floats sum = low + high, shifted = sum * slope + apart, rest = sum * slope - (shifted - apart);
        const Floats part = POWER_OF_TWO_F32_PAIRS(rest, rest * rest);
        const Floats weight = (Floats)((Ints)part + ((Ints)shifted << 23));
        put(to, blend(less(most, sum), none, weight));
    }
}

/* The weights of `rows` rows from row `y` on for the offset (i, j), between pixels of columns that this tile needs.
 * They begin with column 0, or i before it. */
INLINE void keep_weights(const Tile *tile, int i, int j, int y, int rows, int channels, float *to) {
    const int before = i > 0 ? i : 0, more = ((i > 0 ? i : -i) + LANES - 1) / LANES, vectors = tile->vectors + more;
    const float *from = tile->centre + (y - PAIRS_PATCH) * tile->pitch - before - PAIRS_PATCH;
    for (int x = 0; x < vectors * LANES + SIDE - 1; x += LANES)
        add_column(from + x, j * tile->pitch + i, tile->pitch, tile->plane, channels, rows + SIDE - 1,
                   tile->columns + x);
    for (int row = 0; row < rows; row++)
        weigh(tile->columns + (row + SIDE - 1) * tile->pitch, vectors, tile->slope, to + row * tile->pitch);
}

/* ---- sums ---- */

/* Adds a row's weights, and values weighted by them, to the sums of the row `y`. The weights of offset i begin at
 * weights[i * step + at], the values at values[i * move]. */
typedef struct Row {
    const float *weights, *values;
    ptrdiff_t step;
    int first, last, sign; /* offsets; 1: the values lie at the offset, and the weights here; -1: the other way */
} Row;

INLINE void add_vectors(const Tile *tile, const Row *row, int x, int count, int channels, float *to) {
    Floats weights[2] = {{0}}, sums[2][4] = {{{0}}};
    for (int i = row->first; i <= row->last; i++) {
        const int before = i > 0 ? i : 0;
        const float *w = row->weights + (i - row->first) * row->step + x + (row->sign > 0 ? before : before - i);
        const float *values = row->values + x + row->sign * i;
        for (int v = 0; v < count; v++) {
            const Floats weight = load(w + v * LANES);
            weights[v] += weight;
            for (int c = 0; c < channels; c++)
                sums[v][c] += weight * load(values + c * tile->plane + v * LANES);
        }
    }
    for (int v = 0; v < count; v++) {
        put(to + v * LANES, load(to + v * LANES) + weights[v]);
        for (int c = 0; c < channels; c++) {
            float *sum = to + (c + 1) * PAIRS_ROWS * PAIRS_COLUMNS + v * LANES;
            put(sum, load(sum) + sums[v][c]);
        }
    }
}

INLINE void add_row(const Tile *tile, const Row *row, int y, int channels) {
    float *to = tile->weights + (ptrdiff_t)y * PAIRS_COLUMNS;
    int x = 0;
    for (; x + 2 * LANES <= tile->vectors * LANES; x += 2 * LANES)
        add_vectors(tile, row, x, 2, channels, to + x);
    if (x < tile->vectors * LANES)
        add_vectors(tile, row, x, 1, channels, to + x);
}

/* All offsets of j rows down: those to the right alone, and the pixel itself, where j is 0. */
INLINE void add_offsets(const Tile *tile, int j, int channels) {
    const int first = j == 0 ? 0 : -tile->search, last = tile->search;
    const ptrdiff_t step = (ptrdiff_t)pairs_step(tile->search);
    for (int y = -j; y < tile->rows; y += PAIRS_BLOCK) {
        const int rows = tile->rows - y < PAIRS_BLOCK ? tile->rows - y : PAIRS_BLOCK;
        for (int i = first; i <= last; i++)
            keep_weights(tile, i, j, y, rows, channels, tile->kept + (i - first) * step);
        for (int row = 0; row < rows; row++) {
            const float *weights = tile->kept + row * tile->pitch;
            const float *here = tile->centre + (y + row) * tile->pitch, *there = here + j * tile->pitch;
            const int own = j == 0 ? 1 : first; /* a pixel's pair with itself counts once */
            if (y + row >= 0)
                add_row(tile, &(Row){weights, there, step, first, last, 1}, y + row, channels);
            if (y + row + j < tile->rows)
                add_row(tile, &(Row){weights + (own - first) * step, here, step, own, last, -1}, y + row + j, channels);
        }
    }
}

/* ---- out of planes ---- */

INLINE void store_row(const Tile *tile, size_t x, size_t y, int row, int channels) {
    const ImageView out = tile->stage->out;
    const int count = out.shape.width - x < PAIRS_COLUMNS ? (int)(out.shape.width - x) : PAIRS_COLUMNS;
    const float *weights = tile->weights + (ptrdiff_t)row * PAIRS_COLUMNS;
    for (int c = 0; c < channels; c++) {
        const float *sums = weights + (ptrdiff_t)(c + 1) * PAIRS_ROWS * PAIRS_COLUMNS;
        for (int i = 0; i < count; i++) {
            const float value = sums[i] / weights[i];
            const size_t at = (x + (size_t)i) * (size_t)channels + (size_t)c;
            if (out.shape.type == PIXEL_U8) {
                const float low = value > 0 ? value : 0, stored = low < 255 ? low : 255;
                ((uint8_t *)view_row(out, y))[at] = (uint8_t)(int32_t)(stored + 0x1.8p23F - 0x1.8p23F);
            } else
                ((float *)view_row(out, y))[at] = value;
        }
    }
}

INLINE void run_tile(const Stage *stage, size_t x, size_t y, int channels, float *scratch) {
    const NlmeansJob *job = nlmeans_job(stage);
    const Shape shape = stage->out.shape;
    const ptrdiff_t reach = job->search + PAIRS_PATCH, pitch = (ptrdiff_t)pairs_pitch(job->search);
    const int columns = shape.width - x < PAIRS_COLUMNS ? (int)(shape.width - x) : PAIRS_COLUMNS;
    Tile tile = {.stage = stage, .search = job->search, .pitch = pitch};
    tile.rows = shape.height - y < PAIRS_ROWS ? (int)(shape.height - y) : PAIRS_ROWS;
    tile.vectors = (columns + LANES - 1) / LANES;
    tile.plane = pitch * (ptrdiff_t)pairs_rows(job->search);
    tile.slope = (float)nlmeans_slope(job, channels);
    tile.centre = scratch + reach * (pitch + 1);
    tile.weights = scratch + channels * tile.plane;
    tile.columns = tile.weights + (ptrdiff_t)(channels + 1) * PAIRS_ROWS * PAIRS_COLUMNS;
    tile.kept = tile.columns + (PAIRS_BLOCK + SIDE - 1 + AHEAD) * pitch;
    for (ptrdiff_t row = 0; row < tile.rows + 2 * reach + AHEAD; row++)
        load_row(&tile, (ptrdiff_t)x - reach, (ptrdiff_t)y - reach + row, channels, scratch + row * pitch);
    memset(tile.weights, 0, (size_t)(channels + 1) * PAIRS_ROWS * PAIRS_COLUMNS * sizeof(float));
    for (int j = 0; j <= job->search; j++)
        add_offsets(&tile, j, channels);
    for (int row = 0; row < tile.rows; row++)
        store_row(&tile, x, y + (size_t)row, row, channels);
}

/* With channels as constants. */
static void tile_1(const Stage *stage, size_t x, size_t y, float *scratch) {
    run_tile(stage, x, y, 1, scratch);
}
static void tile_2(const Stage *stage, size_t x, size_t y, float *scratch) {
    run_tile(stage, x, y, 2, scratch);
}
static void tile_3(const Stage *stage, size_t x, size_t y, float *scratch) {
    run_tile(stage, x, y, 3, scratch);
}
static void tile_4(const Stage *stage, size_t x, size_t y, float *scratch) {
    run_tile(stage, x, y, 4, scratch);
}

static void run(const Stage *stage, size_t x, size_t y, float *scratch) {
    static PairsTile *const tiles[] = {tile_1, tile_2, tile_3, tile_4};
    tiles[stage->out.shape.channels - 1](stage, x, y, scratch);
}

PairsTile *const ISA_NAME(pairs_tile) = run;
