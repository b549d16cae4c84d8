/* tile_keys.h: the tiles' code for one kind of key and one extremum. Included by tile.isa.c with KEY, VECTOR, EXTREME,
 * ARE_NUMBERS, NUMBER_EXTREME and NAME defined, which it undefines. Pixels without NaN need no keys: ARE_NUMBERS tells
 * of some vectors whether they have none, and NUMBER_EXTREME is the extremum of two pixels. */

/* to[i] = extremum of from[i + offset] over the offsets, in values; `to` may be `from`, since offsets are not negative.
 * Whole vectors: up to one behind `values` is written. */
INLINE VECTOR NAME(combined)(const KEY *from, const size_t *offsets, int count, bool numbers) {
    VECTOR found = *(const VECTOR *)(from + offsets[0]);
#pragma GCC unroll 5
    for (int k = 1; k < count; k++) {
        const VECTOR next = *(const VECTOR *)(from + offsets[k]);
        found = numbers ? NUMBER_EXTREME(found, next) : EXTREME(found, next);
    }
    return found;
}
INLINE void NAME(combine)(const KEY *from, KEY *to, size_t values, const size_t *offsets, int count, bool numbers) {
    for (size_t i = 0; i < values; i += VECTOR_BYTES / sizeof(KEY))
        *(VECTOR *)(to + i) = NAME(combined)(from + i, offsets, count, numbers);
}

/* Results in the picture, where nothing is written beyond them, and past the caches if `past`. */
INLINE void NAME(deliver)(const KEY *from, KEY *to, size_t values, const size_t *offsets, int count, bool past) {
    const size_t step = VECTOR_BYTES / sizeof(KEY), head = past ? (-(uintptr_t)to % VECTOR_BYTES) / sizeof(KEY) : 0;
    size_t i = head < values ? head : values;
    VECTOR some = NAME(combined)(from, offsets, count, true);
    memcpy(to, &some, i * sizeof(KEY));
    for (; i + step <= values; i += step) {
        const VECTOR found = NAME(combined)(from + i, offsets, count, true);
        if (past)
            stream_vector(to + i, (Ints)found);
        else
            *(VECTOR *)(to + i) = found;
    }
    some = NAME(combined)(from + i, offsets, count, true);
    memcpy(to + i, &some, (values - i) * sizeof(KEY));
}

/* `width` pixels as up to five runs, of which each is made of shorter ones in place: how many, and their offsets. */
INLINE int NAME(run_offsets)(KEY *from, size_t values, int width, size_t channels, bool numbers, size_t offsets[5]) {
    int run = 1;
    for (; 5 * run < width; run *= 4) { /* runs of 4, 16, 64 */
        const size_t kept = values + (size_t)(width - 4 * run) * channels;
        for (size_t k = 0; k < 4; k++)
            offsets[k] = k * (size_t)run * channels;
        NAME(combine)(from, from, kept, offsets, 4, numbers);
    }
    const int count = (width + run - 1) / run;
    for (int k = 0; k < count; k++)
        offsets[k] = (size_t)(k < count - 1 ? k * run : width - run) * channels;
    return count;
}

/* A loop for each count of offsets. */
#define BY_COUNT(loop)                                                                                                 \
    do {                                                                                                               \
        if (count == 1)                                                                                                \
            loop(1);                                                                                                   \
        else if (count == 2)                                                                                           \
            loop(2);                                                                                                   \
        else if (count == 3)                                                                                           \
            loop(3);                                                                                                   \
        else if (count == 4)                                                                                           \
            loop(4);                                                                                                   \
        else                                                                                                           \
            loop(5);                                                                                                   \
    } while (0)

/* The running extremum of `width` pixels of a row of keys; of a row of numbers, into the picture. */
static void NAME(run_along)(KEY *from, KEY *to, size_t values, int width, size_t channels) {
    size_t offsets[5];
    const int count = NAME(run_offsets)(from, values, width, channels, false, offsets);
#define COMBINE(n) NAME(combine)(from, to, values, offsets, n, false)
    BY_COUNT(COMBINE);
#undef COMBINE
}
static void NAME(numbers_along)(KEY *from, KEY *to, size_t values, int width, size_t channels, bool past) {
    size_t offsets[5];
    const int count = NAME(run_offsets)(from, values, width, channels, true, offsets);
#define DELIVER(n)      NAME(deliver)(from, to, values, offsets, n, false)
#define DELIVER_PAST(n) NAME(deliver)(from, to, values, offsets, n, true)
    if (past && (uintptr_t)to % sizeof(KEY) == 0)
        BY_COUNT(DELIVER_PAST);
    else
        BY_COUNT(DELIVER);
#undef DELIVER
#undef DELIVER_PAST
}
#undef BY_COUNT

static void NAME(combine_two)(const KEY *a, const KEY *b, KEY *to, size_t values) {
    for (size_t i = 0; i < values; i += VECTOR_BYTES / sizeof(KEY))
        *(VECTOR *)(to + i) = EXTREME(*(const VECTOR *)(a + i), *(const VECTOR *)(b + i));
}

/* A tile at work. */
typedef struct NAME(Work) {
    const MorphologyTile *tile;
    const MorphologyJob *job;
    size_t x, y, width, rows, channels, values; /* values of an output row */
    char *scratch;
} NAME(Work);

INLINE KEY *NAME(row)(const NAME(Work) * work, size_t number) {
    return (KEY *)(void *)(work->scratch + number * work->tile->length);
}

static NAME(Work) NAME(begin)(const MorphologyTile *tile, size_t x, size_t y, char *scratch) {
    const Shape shape = tile->stage->out.shape;
    NAME(Work) work = {.tile = tile, .job = morphology_job(tile->stage), .x = x, .y = y, .scratch = scratch};
    work.width = tile->width < shape.width - x ? tile->width : shape.width - x;
    work.rows = tile->rows < shape.height - y ? tile->rows : shape.height - y;
    work.channels = (size_t)shape.channels;
    work.values = work.width * work.channels;
    return work;
}

/* The source row under row `j` of the element laid on output row `row` of the tile. */
static void NAME(load)(const NAME(Work) * work, size_t row, int j, KEY *to) {
    const Mask *element = work->job->element;
    keys_load(work->tile->stage->in[0], work->job->border, (ptrdiff_t)work->x - element->width / 2,
              (ptrdiff_t)(work->y + row) + j - element->height / 2, work->width + (size_t)element->width - 1, to);
}

static void NAME(store)(const NAME(Work) * work, size_t row, const KEY *keys) {
    const ImageView out = work->tile->stage->out;
    store_row((char *)view_row(out, work->y + row) + work->x * work->channels * sizeof(KEY), (const char *)keys,
              work->values * sizeof(KEY), sizeof(KEY) == 4, work->tile->stream);
}

/* ---- boxes ---- */

/* Row `j` under output row `row`, its extrema along the row. */
static void NAME(load_run)(const NAME(Work) * work, size_t row, int j, KEY *source, KEY *to) {
    NAME(load)(work, row, j, source);
    NAME(run_along)(source, to, work->values, work->job->element->width, work->channels);
}

/* Two output rows at a time, which share all rows but one. `height` is a constant. */
INLINE void NAME(direct)(const NAME(Work) * work, int height) {
    KEY *ring[DIRECT_MAX + 1], *source = NAME(row)(work, (size_t)height + 1);
    KEY *results[2] = {NAME(row)(work, (size_t)height + 2), NAME(row)(work, (size_t)height + 3)};
    for (int j = 0; j <= height; j++)
        ring[j] = NAME(row)(work, (size_t)j);
    for (int j = 0; j < height - 1; j++)
        NAME(load_run)(work, 0, j, source, ring[j]);
    for (size_t row = 0; row < work->rows; row += 2) {
        NAME(load_run)(work, row, height - 1, source, ring[height - 1]);
        NAME(load_run)(work, row, height, source, ring[height]);
        for (size_t i = 0; i < work->values; i += VECTOR_BYTES / sizeof(KEY)) {
            const VECTOR first = *(const VECTOR *)(ring[0] + i), last = *(const VECTOR *)(ring[height] + i);
            VECTOR common = *(const VECTOR *)(ring[height > 1 ? 1 : 0] + i);
#pragma GCC unroll 8
            for (int j = 2; j < height; j++)
                common = EXTREME(common, *(const VECTOR *)(ring[j] + i));
            *(VECTOR *)(results[0] + i) = height > 1 ? EXTREME(first, common) : first;
            *(VECTOR *)(results[1] + i) = height > 1 ? EXTREME(last, common) : last;
        }
        NAME(store)(work, row, results[0]);
        if (row + 1 < work->rows)
            NAME(store)(work, row + 1, results[1]);
        for (int turn = 0; turn < 2; turn++) {
            KEY *spare = ring[0];
            for (int j = 0; j < height; j++)
                ring[j] = ring[j + 1];
            ring[height] = spare;
        }
    }
}

/* The extrema of columns of height + 1 rows but the last, and but the first. False where one is NaN. At least a vector
 * of values. */
INLINE bool NAME(down)(const KEY *const *from, KEY *const to[2], size_t values, int height) {
    const size_t step = VECTOR_BYTES / sizeof(KEY);
    bool numbers = true;
    for (size_t at = 0; at < values; at += step) {
        const size_t i = at + step <= values ? at : values - step;
        VECTOR rows[DIRECT_MAX + 1];
#pragma GCC unroll 8
        for (int j = 0; j <= height; j++)
            rows[j] = *(const VECTOR *)(from[j] + i);
        numbers &= ARE_NUMBERS(rows, height + 1);
        VECTOR common = rows[height > 1 ? 1 : 0];
#pragma GCC unroll 8
        for (int j = 2; j < height; j++)
            common = NUMBER_EXTREME(common, rows[j]);
        const VECTOR first = rows[0], last = rows[height];
        *(VECTOR *)(to[0] + i) = height > 1 ? NUMBER_EXTREME(first, common) : first;
        *(VECTOR *)(to[1] + i) = height > 1 ? NUMBER_EXTREME(last, common) : last;
    }
    return numbers;
}

/* The columns that the results of a tile need, [first, last), and those of them in the picture, [begin, end). */
typedef struct NAME(Span) {
    ptrdiff_t first, last, begin, end;
} NAME(Span);

/* The columns beyond the picture, each a copy of one inside, or `beyond`. False where that is in another tile. */
static bool NAME(continue_row)(const NAME(Work) * work, NAME(Span) span, const KEY *beyond, KEY *row) {
    const ptrdiff_t width = (ptrdiff_t)work->tile->stage->in[0].shape.width;
    for (ptrdiff_t x = span.first; x < span.last; x = x + 1 == span.begin ? span.end : x + 1) {
        const ptrdiff_t at = border_index(work->job->border.mode, x, width);
        if (at >= 0 && (at < span.begin || at >= span.end))
            return false;
        memcpy(row + (size_t)(x - span.first) * work->channels,
               at < 0 ? beyond : row + (size_t)(at - span.first) * work->channels, work->channels * sizeof(KEY));
    }
    return true;
}

/* Numbers of a tile, two output rows at a time, from where they lie in the picture. False, and the tile is to be made
 * by keys, where a value is NaN or a row is shorter than a vector. So it is where a border continues the tile from far
 * away. */
INLINE bool NAME(numbers)(const NAME(Work) * work, int height) {
    const ImageView in = work->tile->stage->in[0], out = work->tile->stage->out;
    const Border border = work->job->border;
    const int width = work->job->element->width;
    NAME(Span) span = {.first = (ptrdiff_t)work->x - width / 2, .end = (ptrdiff_t)in.shape.width};
    span.last = span.first + (ptrdiff_t)work->width + width - 1;
    span.begin = span.first > 0 ? span.first : 0;
    span.end = span.last < span.end ? span.last : span.end;
    const size_t values = (size_t)(span.end - span.begin) * work->channels;
    KEY *beyond = NAME(row)(work, 0), *rows[2] = {NAME(row)(work, 1), NAME(row)(work, 2)};
    if (values < VECTOR_BYTES / sizeof(KEY) || isnan(border.value))
        return false;
    if (border_index(border.mode, -1, (ptrdiff_t)in.shape.height) < 0) {
        keys_load(in, border, span.begin, -1, (size_t)(span.end - span.begin), beyond);
        store_row((char *)beyond, (const char *)beyond, values * sizeof(KEY), sizeof(KEY) == 4, false);
    }
    for (size_t row = 0; row < work->rows; row += 2) {
        const KEY *from[DIRECT_MAX + 1];
        KEY *const to[2] = {rows[0] + (size_t)(span.begin - span.first) * work->channels,
                            rows[1] + (size_t)(span.begin - span.first) * work->channels};
        for (int j = 0; j <= height; j++) {
            const ptrdiff_t y =
                border_index(border.mode, (ptrdiff_t)(work->y + row) + j - height / 2, (ptrdiff_t)in.shape.height);
            from[j] = y < 0 ? beyond : (const KEY *)view_row(in, (size_t)y) + (size_t)span.begin * work->channels;
        }
        if (!NAME(down)(from, to, values, height))
            return false;
        for (size_t k = 0; k < 2 && row + k < work->rows; k++) {
            if (!NAME(continue_row)(work, span, beyond, rows[k]))
                return false;
            NAME(numbers_along)
            (rows[k], (KEY *)view_row(out, work->y + row + k) + work->x * work->channels, work->values, width,
             work->channels, work->tile->stream);
        }
    }
    return true;
}

/* Two output rows at a time, of a height that is a constant. */
INLINE void NAME(low)(const NAME(Work) * work, int height) {
    if (!NAME(numbers)(work, height))
        NAME(direct)(work, height);
}

/* Three comparisons whatever the height. They make extrema from each row to the end of its block of `height` rows, and
 * from the begin of the next block on (M. van Herk, Pattern Recognition Letters 13, 1992; J. Gil and M. Werman, IEEE
 * PAMI 15, 1993). As a row's extremum to its block's end is used, the row that entered takes its place. */
static void NAME(blocks)(const NAME(Work) * work) {
    const size_t height = (size_t)work->job->element->height;
    KEY *source = NAME(row)(work, height), *begun = NAME(row)(work, height + 1), *result = NAME(row)(work, height + 2);
    for (size_t j = 0; j < height; j++)
        NAME(load_run)(work, 0, (int)j, source, NAME(row)(work, j));
    for (size_t row = 0; row < work->rows; row++) {
        const size_t j = row % height;
        if (j == 0)
            for (size_t k = height - 1; k-- > 0;)
                NAME(combine_two)(NAME(row)(work, k), NAME(row)(work, k + 1), NAME(row)(work, k), work->values);
        if (j == 0)
            NAME(store)(work, row, NAME(row)(work, 0));
        else {
            NAME(combine_two)(NAME(row)(work, j), begun, result, work->values);
            NAME(store)(work, row, result);
        }
        if (row + 1 == work->rows)
            break;
        NAME(load_run)(work, row + 1, (int)height - 1, source, NAME(row)(work, j));
        if (j == 0)
            memcpy(begun, NAME(row)(work, 0), work->values * sizeof(KEY));
        else
            NAME(combine_two)(begun, NAME(row)(work, j), begun, work->values);
    }
}

static void NAME(running)(const MorphologyTile *tile, size_t x, size_t y, char *scratch) {
    const NAME(Work) work = NAME(begin)(tile, x, y, scratch);
    switch (work.job->element->height) {
    case 1:
        NAME(low)(&work, 1);
        break;
    case 3:
        NAME(low)(&work, 3);
        break;
    case 5:
        NAME(low)(&work, 5);
        break;
    case 7:
        NAME(low)(&work, 7);
        break;
    default:
        NAME(blocks)(&work);
    }
}

/* ---- elements of any shape ---- */

/* A row of the ring for each power of two: extrema of so many pixels. */
static void NAME(load_powers)(const NAME(Work) * work, size_t row, int j, size_t slot) {
    const size_t powers = (size_t)work->tile->powers;
    const size_t all = work->values + ((size_t)work->job->element->width - 1) * work->channels;
    NAME(load)(work, row, j, NAME(row)(work, slot * powers));
    for (size_t power = 1; power < powers; power++) {
        const size_t half = ((size_t)1 << (power - 1)) * work->channels;
        const KEY *from = NAME(row)(work, slot * powers + power - 1);
        const size_t kept = all - (2 * half - work->channels);
        const size_t offsets[2] = {0, half};
        NAME(combine)(from, NAME(row)(work, slot * powers + power), kept, offsets, 2, false);
    }
}

static void NAME(chords)(const MorphologyTile *tile, size_t x, size_t y, char *scratch) {
    enum { GROUP = 4 }; /* vectors at a time */
    const NAME(Work) work = NAME(begin)(tile, x, y, scratch);
    const size_t height = (size_t)work.job->element->height, step = VECTOR_BYTES / sizeof(KEY);
    KEY *result = NAME(row)(&work, height * (size_t)tile->powers);
    for (size_t j = 0; j + 1 < height; j++)
        NAME(load_powers)(&work, 0, (int)j, j);
    for (size_t row = 0; row < work.rows; row++) {
        NAME(load_powers)(&work, row, (int)height - 1, (row + height - 1) % height);
        for (size_t i = 0; i < work.values; i += GROUP * step) {
            VECTOR found[GROUP] = {0};
            for (int k = 0; k < tile->reach_count; k++) {
                const Reach reach = tile->reaches[k];
                const size_t slot = (row + (size_t)reach.row) % height;
                const KEY *from = NAME(row)(&work, slot * (size_t)tile->powers + (size_t)reach.power) + i +
                                  (size_t)reach.cell * work.channels;
#pragma GCC unroll 4
                for (size_t v = 0; v < GROUP; v++) {
                    const VECTOR keys = *(const VECTOR *)(from + v * step);
                    found[v] = k == 0 ? keys : EXTREME(found[v], keys);
                }
            }
#pragma GCC unroll 4
            for (size_t v = 0; v < GROUP; v++)
                *(VECTOR *)(result + i + v * step) = found[v];
        }
        NAME(store)(&work, row, result);
    }
}

#undef KEY
#undef VECTOR
#undef EXTREME
#undef ARE_NUMBERS
#undef NUMBER_EXTREME
#undef NAME
