/* windows_counts.h: a strip with one kind of count. Included by windows.isa.c with COUNT, COUNTS and NAME defined,
 * which it undefines. */

/* The windows that a pixel enters or leaves. Bytes fit into 16 of them, whatever the vectors. */
typedef struct NAME(Reach) {
    char *counts; /* of the window furthest to the left that has column 0 */
    size_t stride, columns, vectors, apart;
    const COUNT *ones; /* a window's width of them, and zeros */
} NAME(Reach);

enum { NAME(STEP) = sizeof(COUNT) == 1 ? 16 : VECTOR_BYTES };
typedef COUNT NAME(Some) __attribute__((vector_size(NAME(STEP)), aligned(sizeof(COUNT)), may_alias));

INLINE void NAME(add)(const NAME(Reach) * reach, size_t value, size_t i, bool enters) {
    NAME(Some) *at = (NAME(Some) *)(void *)(reach->counts + value * reach->stride + i * sizeof(COUNT));
    const NAME(Some) *ones = (const NAME(Some) *)(const void *)reach->ones;
    const size_t vectors = sizeof(COUNT) == 1 ? 1 : reach->vectors;
    for (size_t k = 0; k < vectors; k++)
        at[k] = enters ? at[k] + ones[k] : at[k] - ones[k];
}

/* Pixels by turns from far apart: the counts of neighbours overlap, and a load waits for stores that it overlaps. */
static void NAME(enter)(const NAME(Reach) * reach, const uint8_t *entering) {
    for (size_t first = 0; first < reach->apart; first++)
        for (size_t i = first; i < reach->columns; i += reach->apart)
            NAME(add)(reach, entering[i], i, true);
}
static void NAME(enter_and_leave)(const NAME(Reach) * reach, const uint8_t *entering, const uint8_t *leaving) {
    for (size_t first = 0; first < reach->apart; first++)
        for (size_t i = first; i < reach->columns; i += reach->apart) {
            NAME(add)(reach, entering[i], i, true);
            NAME(add)(reach, leaving[i], i, false);
        }
}

/* Some windows side by side: how many of their values are less than `value`. No result of theirs is. */
typedef struct NAME(Group) {
    int value;
    COUNTS below;
} NAME(Group);

enum { NAME(WINDOWS) = VECTOR_BYTES / sizeof(COUNT), NAME(GROUPS) = 1024 / NAME(WINDOWS) };

/* The sums of `width` changes side by side, from each of a group's windows on. */
INLINE COUNTS NAME(sum_changes)(const int8_t *changes, size_t width) {
    typedef int8_t Changes __attribute__((vector_size(NAME(WINDOWS)), aligned(1), may_alias));
    typedef int16_t Sums __attribute__((vector_size(2 * NAME(WINDOWS))));
    enum { AT_ONCE = 127 }; /* that a byte has room for */
    COUNTS sum = {0};
    for (size_t begin = 0; begin < width; begin += AT_ONCE) {
        Changes part = {0};
        for (size_t i = begin; i < width && i < begin + AT_ONCE; i++)
            part += *(const Changes *)(const void *)(changes + i);
        if (sizeof(COUNT) == 1) {
            COUNTS same;
            memcpy(&same, &part, sizeof same);
            sum += same;
        } else {
            const Sums wide = __builtin_convertvector(part, Sums);
            COUNTS same;
            memcpy(&same, &wide, sizeof same);
            sum += same;
        }
    }
    return sum;
}

/* Rows enter and leave: the windows' values below the group's. */
INLINE void NAME(update)(const WindowsStrip *strip, NAME(Group) * group, size_t x, size_t width) {
    const Vector_u8 value = (Vector_u8)((uint8_t)group->value - (Vector_u8){0});
    for (size_t i = 0; i < NAME(WINDOWS) + width - 1; i += VECTOR_BYTES) {
        const Vector_u8 in = *(const Vector_u8 *)(const void *)(strip->entering + x + i);
        const Vector_u8 out = *(const Vector_u8 *)(const void *)(strip->leaving + x + i);
        /* Not at least as great: 1 is taken away where it is. */
        *(Vector_u8 *)(void *)(strip->changes + i) = STEP_WHERE_u8(((Vector_u8){0}), NOT_ABOVE_u8(value, out)) -
                                                     STEP_WHERE_u8(((Vector_u8){0}), NOT_ABOVE_u8(value, in));
    }
    group->below += NAME(sum_changes)(strip->changes, width);
}

INLINE void NAME(find)(NAME(Group) * group, const char *counts, size_t stride, unsigned rank, uint8_t *results) {
    const COUNTS ranks = (COUNTS)((COUNT)rank - (COUNTS){0});
#define COUNTS_OF(value) (*(const COUNTS *)(const void *)(counts + (size_t)(value)*stride))
    COUNTS below = group->below;
    int value = group->value;
    while (!found_all(NAME(NOT_ABOVE)(below, ranks), NAME(ALL)))
        below -= COUNTS_OF(--value);
    COUNTS next = below + COUNTS_OF(value);
    Found found = NAME(NOT_ABOVE)(next, ranks);
    while (found_all(found, NAME(ALL))) {
        below = next;
        next += COUNTS_OF(++value);
        found = NAME(NOT_ABOVE)(next, ranks);
    }
    group->below = below;
    group->value = value;
    COUNTS result = (COUNTS)((COUNT)value - (COUNTS){0});
    while (found_any(found)) {
        result = NAME(STEP_WHERE)(result, found);
        next += COUNTS_OF(++value);
        found = NAME(NOT_ABOVE)(next, ranks);
    }
#undef COUNTS_OF
    typedef uint8_t Bytes __attribute__((vector_size(NAME(WINDOWS))));
    const Bytes bytes = __builtin_convertvector(result, Bytes);
    memcpy(results, &bytes, sizeof bytes);
}

static void NAME(run_strip)(const WindowsStrip *strip) {
    const Mask *window = rank_job(strip->stage)->window;
    const size_t width = (size_t)window->width, first = strip->before - (width - 1), span = width * sizeof(COUNT);
    const size_t vectors = (span + NAME(STEP) - 1) / NAME(STEP);
    COUNT ones[MASK_MAX + VECTOR_BYTES] = {0};
    for (size_t i = 0; i < width; i++)
        ones[i] = 1;
    const NAME(Reach) reach = {.counts = strip->counts + first * sizeof(COUNT),
                               .stride = strip->stride,
                               .columns = strip->columns,
                               .vectors = vectors,
                               .apart = vectors * NAME(STEP) / sizeof(COUNT),
                               .ones = ones};
    NAME(Group) groups[NAME(GROUPS)];
    memset(groups, 0, sizeof groups);
    memset(strip->counts, 0, WINDOWS_VALUES * strip->stride);
    memset(strip->leaving, 0, strip->columns);
    for (int j = 0; j + 1 < window->height; j++) {
        load_row(strip, j, strip->entering);
        NAME(enter)(&reach, strip->entering);
    }
    for (size_t y = 0; y < strip->rows; y++) {
        load_row(strip, (ptrdiff_t)y + window->height - 1, strip->entering);
        if (y == 0) {
            NAME(enter)(&reach, strip->entering);
        } else {
            load_row(strip, (ptrdiff_t)y - 1, strip->leaving);
            NAME(enter_and_leave)(&reach, strip->entering, strip->leaving);
        }
        for (size_t x = 0; x < strip->width; x += NAME(WINDOWS)) {
            NAME(Group) *group = &groups[x / NAME(WINDOWS)];
            if (group->value > 0)
                NAME(update)(strip, group, x, width);
            NAME(find)
            (group, strip->counts + (strip->before + x) * sizeof(COUNT), strip->stride,
             (unsigned)rank_job(strip->stage)->rank, strip->results + x);
        }
        store_results(strip, y);
    }
}

#undef COUNT
#undef COUNTS
#undef NAME
