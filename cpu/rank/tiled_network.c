/* tiled_network.c: makes the network of a window and a rank.
 * L. Sugy, A Fast Parallel Median Filtering Algorithm Using Hierarchical Tiling, SIGGRAPH 2025. The windows of a tile
 * of results share cells, its core, which is sorted once. Each half of the tile shares more: these cells are sorted,
 * and merged into the core. So on down to the single result. Keys that can no longer have the rank are left out. Merges
 * are K. E. Batcher's (Sorting networks and their applications, AFIPS 1968). */
#include "core/base/array.h"
#include "cpu/rank/tiled.h"

#include <stdlib.h>
#include <string.h>

/* Sorted keys: those numbered first to first + count - 1 of `all`, which may have the rank. */
typedef struct Sorted {
    int *keys;
    int first, count, all;
} Sorted;

/* An exchange of the keys a and b. Key number inputs + 2 i is the lesser one of exchange i, the next one the greater.
 */
typedef struct Pair {
    int a, b;
} Pair;

typedef struct Builder {
    const Mask *window;
    int cells, rank, inputs, rows;
    Pair *pairs;
    size_t count, capacity;
    int *lists; /* memory for lists of keys, one behind the other */
    size_t listed, room;
    int order[MASK_MAX]; /* of a box's row: the place of its i-th key in order */
    int results[TILED_ROWS_MAX];
    bool is_box, is_short;
} Builder;

int tiled_rows(int height) {
    int rows = 1;
    while (rows < TILED_ROWS_MAX && 2 * rows <= height)
        rows *= 2;
    return rows;
}

/* Its rows of keys, and cores of halves while two lists merge. */
size_t tiled_slots(const Mask *window) {
    const size_t rows = (size_t)(window->height + tiled_rows(window->height) - 1);
    return rows * (size_t)window->width + 4 * (size_t)element_count(window) + 64;
}

static int *list(Builder *builder, int count) {
    if (builder->listed + (size_t)count > builder->room) {
        builder->is_short = true;
        builder->listed = 0;
    }
    int *keys = builder->lists + builder->listed;
    builder->listed += (size_t)count;
    return keys;
}

/* Returns the lesser key's number. */
static int exchange(Builder *builder, int a, int b) {
    if (!ARRAY_ROOM(builder->pairs, builder->capacity, builder->count + 1)) {
        builder->is_short = true;
        return builder->inputs;
    }
    builder->pairs[builder->count] = (Pair){a, b};
    return builder->inputs + 2 * (int)builder->count++;
}

/* Merges every `step`-th key of a and of b, na and nb of them, to `to`. */
static void merge(Builder *builder, const int *a, int na, const int *b, int nb, int step, int *to) {
    if (na == 0 || nb == 0) {
        for (int i = 0; i < na + nb; i++)
            to[i] = na ? a[(ptrdiff_t)i * step] : b[(ptrdiff_t)i * step];
        return;
    }
    if (na == 1 && nb == 1) {
        to[0] = exchange(builder, a[0], b[0]);
        to[1] = to[0] + 1;
        return;
    }
    const int evens = (na + 1) / 2 + (nb + 1) / 2, odds = na / 2 + nb / 2;
    const size_t before = builder->listed;
    int *even = list(builder, evens), *odd = list(builder, odds);
    merge(builder, a, (na + 1) / 2, b, (nb + 1) / 2, 2 * step, even);
    merge(builder, na > 1 ? a + step : a, na / 2, nb > 1 ? b + step : b, nb / 2, 2 * step, odd);
    int n = 0, pairs = odds < evens - 1 ? odds : evens - 1;
    to[n++] = even[0];
    for (int i = 0; i < pairs; i++, n += 2) {
        to[n] = exchange(builder, odd[i], even[i + 1]);
        to[n + 1] = to[n] + 1;
    }
    for (int i = pairs; i < odds; i++)
        to[n++] = odd[i];
    for (int i = pairs + 1; i < evens; i++)
        to[n++] = even[i];
    builder->listed = before;
}

static void sort(Builder *builder, int *keys, int count) {
    if (count < 2)
        return;
    const int half = count / 2;
    const size_t before = builder->listed;
    int *merged = list(builder, count);
    sort(builder, keys, half);
    sort(builder, keys + half, count - half);
    merge(builder, keys, half, keys + half, count - half, 1, merged);
    memcpy(keys, merged, (size_t)count * sizeof *keys);
    builder->listed = before;
}

/* Leaves out the keys that too many are below or above. */
static Sorted prune(const Builder *builder, Sorted sorted) {
    const int others = builder->cells - sorted.all;
    const int low = builder->rank > others ? builder->rank - others : 0;
    const int high = builder->rank < sorted.all - 1 ? builder->rank : sorted.all - 1;
    const int last = sorted.first + sorted.count - 1;
    const int begin = low > sorted.first ? low : sorted.first, end = high < last ? high : last;
    return (Sorted){sorted.keys + (begin - sorted.first), begin, end - begin + 1, sorted.all};
}

/* The key numbered `rank` of the union: the smallest of the greater ones of all pairs that may split it there. */
static int choose(Builder *builder, Sorted a, Sorted b, int rank) {
    int found = -1;
    for (int i = 0; i <= rank + 1; i++) {
        const int j = rank + 1 - i;
        if (i > a.count || j > b.count)
            continue;
        const int key = j == 0   ? a.keys[i - 1]
                        : i == 0 ? b.keys[j - 1]
                                 : exchange(builder, a.keys[i - 1], b.keys[j - 1]) + 1;
        found = found < 0 ? key : exchange(builder, found, key);
    }
    return found;
}

static Sorted join(Builder *builder, Sorted a, Sorted b) {
    if (a.all == 0 || b.all == 0)
        return a.all == 0 ? b : a;
    const int all = a.all + b.all, first = a.first + b.first;
    if (all == builder->cells) {
        int *key = list(builder, 1);
        *key = choose(builder, a, b, builder->rank - first);
        return (Sorted){key, builder->rank, 1, all};
    }
    int *keys = list(builder, a.count + b.count);
    merge(builder, a.keys, a.count, b.keys, b.count, 1, keys);
    return prune(builder, (Sorted){keys, first, a.count + b.count, all});
}

/* Whether all windows of the results [begin, end) have a cell of a row of keys; none have all. */
static bool shared(const Builder *builder, int begin, int end, int i, int row) {
    bool has = begin < end;
    for (int t = begin; has && t < end; t++)
        has = row >= t && row - t < builder->window->height && element_has(builder->window, i, row - t);
    return has;
}

/* The cells of a row that the windows of [begin, end) share, and those of [without, until) do not. */
static Sorted sort_row(Builder *builder, int begin, int end, int without, int until, int row) {
    const int width = builder->window->width;
    Sorted sorted = {list(builder, width), 0, 0, 0};
    for (int i = 0; i < width; i++)
        if (shared(builder, begin, end, i, row) && !shared(builder, without, until, i, row))
            sorted.keys[sorted.count++] = row * width + builder->order[i];
    if (!builder->is_box)
        sort(builder, sorted.keys, sorted.count);
    sorted.all = sorted.count;
    return prune(builder, sorted);
}

static Sorted join_rows(Builder *builder, const Sorted *rows, int count) {
    if (count < 2)
        return count ? rows[0] : (Sorted){NULL, 0, 0, 0};
    const int half = (count + 1) / 2;
    const Sorted upper = join_rows(builder, rows, half);
    return join(builder, upper, join_rows(builder, rows + half, count - half));
}

/* The results [begin, end), whose tile is a half of [from, until) with this core. */
static void split(Builder *builder, int begin, int end, int from, int until, Sorted core) {
    Sorted rows[MASK_MAX + TILED_ROWS_MAX];
    int count = 0;
    for (int row = 0; row < builder->rows; row++) {
        const Sorted added = sort_row(builder, begin, end, from, until, row);
        if (added.all > 0)
            rows[count++] = added;
    }
    core = join(builder, core, join_rows(builder, rows, count));
    const int middle = (begin + end) / 2;
    if (end - begin == 1) {
        const Sorted found = prune(builder, core);
        builder->results[begin] = found.keys ? found.keys[0] : 0;
        return;
    }
    split(builder, begin, middle, begin, end, core);
    split(builder, middle, end, begin, end, core);
}

/* Gives keys their slots and exchanges their order, and leaves out those that no result needs. */
typedef struct Placing {
    const Builder *builder;
    uint32_t *reads; /* of each key: how many exchanges are still to read it */
    uint16_t *of, *vacant;
    bool *is_ready; /* of each key */
    size_t vacancies, slots, count;
    TiledExchange *to;
} Placing;

static uint16_t take_slot(Placing *at, size_t key) {
    if (!at->reads[key])
        return TILED_NONE;
    return at->vacancies ? at->vacant[--at->vacancies] : (uint16_t)at->slots++;
}

static void read_key(Placing *at, size_t key) {
    if (--at->reads[key] == 0 && key >= (size_t)at->builder->inputs)
        at->vacant[at->vacancies++] = at->of[key];
}

static void place_pair(Placing *at, size_t i) {
    const Pair pair = at->builder->pairs[i];
    const size_t low = (size_t)at->builder->inputs + 2 * i;
    read_key(at, (size_t)pair.a);
    read_key(at, (size_t)pair.b);
    for (size_t key = low; key < low + 2; key++) {
        at->of[key] = take_slot(at, key);
        at->is_ready[key] = true;
    }
    at->to[at->count++] = (TiledExchange){at->of[pair.a], at->of[pair.b], at->of[low], at->of[low + 1]};
}

/* 0: both keys are needed; 1: the lesser; 2: the greater; TILED_KINDS: none. */
static int kind_of(const Placing *at, size_t i) {
    const uint32_t *reads = at->reads + at->builder->inputs + 2 * i;
    return reads[0] && reads[1] ? 0 : reads[0] ? 1 : reads[1] ? 2 : TILED_KINDS;
}

/* Looks ahead for exchanges of the same kind, so that runs are long; not far, so that few keys wait. */
static void place_all(Placing *at, TiledRuns *runs) {
    enum { AHEAD = 96 };
    const Builder *builder = at->builder;
    size_t first = 0;
    for (runs->count = 0; first < builder->count; runs->count += TILED_KINDS)
        for (int kind = 0; kind < TILED_KINDS; kind++) {
            const size_t before = at->count;
            size_t seen = 0;
            for (size_t i = first; i < builder->count && seen < AHEAD; i++) {
                const Pair pair = builder->pairs[i];
                const bool is_placed = at->is_ready[(size_t)builder->inputs + 2 * i];
                if (is_placed || kind_of(at, i) == TILED_KINDS) {
                    first += i == first;
                    continue;
                }
                seen++;
                if (kind_of(at, i) == kind && at->is_ready[pair.a] && at->is_ready[pair.b]) {
                    place_pair(at, i);
                    first += i == first;
                }
            }
            runs->counts[runs->count + (size_t)kind] = (uint16_t)(at->count - before);
        }
}

static void count_reads(const Builder *builder, const int *results, int rows, uint32_t *reads) {
    for (int i = 0; i < rows; i++)
        reads[results[i]]++;
    for (size_t i = builder->count; i-- > 0;) {
        const size_t low = (size_t)builder->inputs + 2 * i;
        if (reads[low] || reads[low + 1]) {
            reads[builder->pairs[i].a]++;
            reads[builder->pairs[i].b]++;
        }
    }
}

static Status place_keys(const Builder *builder, const int *results, int rows, TiledNetwork *network) {
    const size_t keys = (size_t)builder->inputs + 2 * builder->count;
    Placing at = {.builder = builder,
                  .reads = calloc(keys, sizeof *at.reads),
                  .of = calloc(keys, sizeof *at.of),
                  .vacant = calloc(keys, sizeof *at.vacant),
                  .is_ready = calloc(keys, sizeof *at.is_ready),
                  .slots = (size_t)builder->inputs,
                  .to = network->exchanges = calloc(builder->count + 1, sizeof *at.to)};
    network->runs.counts = calloc(TILED_KINDS * (builder->count + 1), sizeof *network->runs.counts);
    const bool has_room = at.reads && at.of && at.vacant && at.is_ready && at.to && network->runs.counts;
    if (has_room) {
        for (int i = 0; i < builder->inputs; i++) {
            at.of[i] = (uint16_t)i;
            at.is_ready[i] = true;
        }
        count_reads(builder, results, rows, at.reads);
        place_all(&at, &network->runs);
        network->slots = at.slots;
        for (int i = 0; i < rows; i++)
            network->results[i] = at.of[results[i]];
    }
    free(at.reads);
    free(at.of);
    free(at.vacant);
    free(at.is_ready);
    return has_room ? STATUS_OK : fail(STATUS_DEVICE, "out of memory for a network of %d values", builder->cells);
}

/* Sorts a box's row in its own slots: each exchange leaves its keys where they were. */
static Status place_sorting(Builder *builder, TiledNetwork *network) {
    const int width = builder->window->width;
    int keys[MASK_MAX];
    uint16_t *of;
    builder->inputs = width;
    for (int i = 0; i < width; i++)
        keys[i] = i;
    sort(builder, keys, width);
    network->sorting = calloc(builder->count + 1, sizeof *network->sorting);
    network->sorting_runs.counts = calloc(TILED_KINDS, sizeof *network->sorting_runs.counts);
    of = calloc((size_t)width + 2 * builder->count + 2, sizeof *of);
    if (builder->is_short || !network->sorting || !network->sorting_runs.counts || !of) {
        free(of);
        return fail(STATUS_DEVICE, "out of memory for a network of %d values", builder->cells);
    }
    for (int i = 0; i < width; i++)
        of[i] = (uint16_t)i;
    for (size_t i = 0; i < builder->count; i++) {
        const uint16_t a = of[builder->pairs[i].a], b = of[builder->pairs[i].b];
        of[(size_t)width + 2 * i] = a;
        of[(size_t)width + 2 * i + 1] = b;
        network->sorting[i] = (TiledExchange){a, b, a, b};
    }
    network->sorting_runs.counts[0] = (uint16_t)builder->count;
    network->sorting_runs.count = TILED_KINDS;
    for (int i = 0; i < width; i++)
        builder->order[i] = of[keys[i]];
    free(of);
    return STATUS_OK;
}

static Status build(Builder *builder, TiledNetwork *network) {
    builder->count = 0;
    if (builder->is_box)
        TRY(place_sorting(builder, network));
    builder->count = 0;
    builder->listed = 0;
    builder->inputs = builder->rows * builder->window->width;
    split(builder, 0, network->rows, 0, 0, (Sorted){NULL, 0, 0, 0});
    return builder->is_short ? fail(STATUS_DEVICE, "out of memory for a network of %d values", builder->cells)
                             : place_keys(builder, builder->results, network->rows, network);
}

Status tiled_network_create(const Mask *window, int rank, TiledNetwork *network) {
    Builder builder = {.window = window,
                       .cells = element_count(window),
                       .rank = rank,
                       .rows = window->height + tiled_rows(window->height) - 1,
                       .is_box = element_is_box(window)};
    *network = (TiledNetwork){.width = window->width, .height = window->height, .rows = tiled_rows(window->height)};
    /* Each half of a tile lists its rows, and joins lists that together are a window's at most. */
    const size_t side = (size_t)builder.rows + MASK_MAX;
    builder.room = 2 * TILED_ROWS_MAX * (side * (size_t)window->width + (size_t)builder.cells * 16);
    builder.lists = malloc(builder.room * sizeof *builder.lists);
    for (int i = 0; i < window->width; i++)
        builder.order[i] = i;
    Status status = builder.lists ? build(&builder, network)
                                  : fail(STATUS_DEVICE, "out of memory for a network of %d values", builder.cells);
    free(builder.lists);
    free(builder.pairs);
    if (status != STATUS_OK)
        tiled_network_free(network);
    return status;
}

void tiled_network_free(TiledNetwork *network) {
    free(network->sorting);
    free(network->exchanges);
    free(network->sorting_runs.counts);
    free(network->runs.counts);
    *network = (TiledNetwork){.rows = 0};
}
