/* tiled_keys.h: a tile for one kind of key. Included by tiled.isa.c with KEY, VECTOR, LOW, HIGH and NAME defined, which
 * it undefines. Columns as many as a slot holds march down the tile, the network's rows at a step. */

/* The exchanges read and write memory: a slot stays in the first-level cache, and a vector is soon there. Runs of one
 * kind spare a branch for each. */
static void NAME(exchange)(const TiledExchange *at, const TiledRuns *runs, char *slots) {
    enum { VECTORS = TILED_BYTES / VECTOR_BYTES };
#define SLOT(number) ((VECTOR *)(void *)(slots + (size_t)(number)*TILED_BYTES))
    for (const uint16_t *run = runs->counts; run < runs->counts + runs->count; run += TILED_KINDS) {
        for (const TiledExchange *end = at + run[0]; at < end; at++) {
            const VECTOR *a = SLOT(at->a), *b = SLOT(at->b);
            VECTOR *low = SLOT(at->low), *high = SLOT(at->high);
#pragma GCC unroll 16
            for (int i = 0; i < VECTORS; i++) {
                const VECTOR one = a[i], other = b[i];
                low[i] = LOW(one, other);
                high[i] = HIGH(one, other);
            }
        }
        for (const TiledExchange *end = at + run[1]; at < end; at++) {
            const VECTOR *a = SLOT(at->a), *b = SLOT(at->b);
            VECTOR *low = SLOT(at->low);
#pragma GCC unroll 16
            for (int i = 0; i < VECTORS; i++)
                low[i] = LOW(a[i], b[i]);
        }
        for (const TiledExchange *end = at + run[2]; at < end; at++) {
            const VECTOR *a = SLOT(at->a), *b = SLOT(at->b);
            VECTOR *high = SLOT(at->high);
#pragma GCC unroll 16
            for (int i = 0; i < VECTORS; i++)
                high[i] = HIGH(a[i], b[i]);
        }
    }
#undef SLOT
}

/* Row `row` of the network's keys, from `keys` on. */
INLINE void NAME(load)(const TiledNetwork *network, const char *keys, size_t pixel, size_t row, char *slots) {
    char *to = slots + row * (size_t)network->width * TILED_BYTES;
    for (size_t i = 0; i < (size_t)network->width; i++)
        memcpy(to + i * TILED_BYTES, keys + i * pixel, TILED_BYTES);
    NAME(exchange)(network->sorting, &network->sorting_runs, to);
}

static void NAME(march)(const TiledTile *tile, const char *keys, size_t height, char *slots, char *results) {
    const TiledNetwork *network = tile->network;
    const size_t pixel = (size_t)tile->stage->out.shape.channels * sizeof(KEY);
    const size_t rows = (size_t)network->rows, before = (size_t)network->height - 1;
    const size_t row_bytes = (size_t)network->width * TILED_BYTES;
    for (size_t j = 0; j < before; j++)
        NAME(load)(network, keys + j * tile->length, pixel, j, slots);
    for (size_t y = 0; y < height; y += rows) {
        for (size_t j = before; j < before + rows; j++)
            NAME(load)(network, keys + (y + j) * tile->length, pixel, j, slots);
        NAME(exchange)(network->exchanges, &network->runs, slots);
        for (size_t j = 0; j < rows; j++)
            memcpy(results + (y + j) * tile->length, slots + (size_t)network->results[j] * TILED_BYTES, TILED_BYTES);
        memmove(slots, slots + rows * row_bytes, before * row_bytes);
    }
}

static void NAME(tile)(const TiledTile *tile, size_t x, size_t y, char *scratch) {
    const Stage *stage = tile->stage;
    const RankJob *job = rank_job(stage);
    const Shape shape = stage->out.shape;
    const size_t pixel = (size_t)shape.channels * sizeof(KEY), rows = (size_t)tile->network->rows;
    const size_t width = tile->width < shape.width - x ? tile->width : shape.width - x;
    const size_t height = tile->rows < shape.height - y ? tile->rows : shape.height - y;
    const int w = job->window->width, h = job->window->height;
    for (size_t j = 0; j < (height + rows - 1) / rows * rows + (size_t)h - 1; j++)
        keys_load(stage->in[0], job->border, (ptrdiff_t)x - w / 2, (ptrdiff_t)(y + j) - h / 2, width + (size_t)w - 1,
                  scratch + j * tile->length);
    for (size_t i = 0; i < width * pixel; i += TILED_BYTES)
        NAME(march)(tile, scratch + i, height, scratch + tile->slots, scratch + tile->results + i);
    for (size_t j = 0; j < height; j++)
        store_row((char *)view_row(stage->out, y + j) + x * pixel, scratch + tile->results + j * tile->length,
                  width * pixel, sizeof(KEY) == 4, tile->stream);
}

#undef KEY
#undef VECTOR
#undef LOW
#undef HIGH
#undef NAME
