/* rows.isa.c: runs of pixels through a table. Loops that become vectors find the places of a run's values; then a
 * vector holds the three values of an entry, pixel by pixel. Comparisons without a branch find the corners of its cell
 * that a colour lies between: pictures are noisy, and a wrong guess costs more. Sums are double and nothing is
 * contracted to multiply-adds (CMakeLists.txt), so that every value is the reference's. Where a table is flat, all
 * results lie equally near to a half. */
#include "cpu/cube/rows.h"
#include "core/ops/histogram.h"
#include "cpu/four.h"
#include "cpu/isa.h"
#include "cpu/planes.h"

#define INLINE static inline __attribute__((always_inline))

/* By colour, where the first of two entries lies, counted in floats from the table's first, and how far from it. */
typedef struct Places {
    int32_t at[3][PLANES_RUN];
    double part[3][PLANES_RUN];
} Places;

/* The table as rows read it. */
typedef struct Table {
    const float *entries; /* behind the domain */
    int32_t steps[3];     /* floats from entry to entry along each colour */
    int32_t corner;       /* all of them: to the opposite corner of a cell */
    double white;
} Table;

static Table table_of(const Stage *stage) {
    const CubeJob *job = cube_job(stage);
    const int32_t stride = (int32_t)(stage->in[1].stride / sizeof(float));
    const bool line = job->dimensions == 1;
    return (Table){.entries = (const float *)stage->in[1].pixels + stride,
                   .steps = {3, line ? 3 : stride, line ? 3 : stride * job->side},
                   .corner = 3 + stride + stride * job->side,
                   .white = job->white};
}

/* As cube_place has it; NaN where a value of the line, or of the colour, is NaN. */
static void find_places(const Stage *stage, const Table *table, const Planes *planes, int colours, size_t count,
                        Places *places) {
    const CubeJob *job = cube_job(stage);
    const float *domain = stage->in[1].pixels;
    const double last = job->side - 1;
    for (int c = 0; c < 3; c++) {
        const double *v = planes->v[colours == 3 ? c : 0];
        const double low = domain[c], range = (double)domain[3 + c] - low, white = job->white;
        for (size_t i = 0; i < count; i++) {
            const double part = (v[i] / white - low) / range, at = part > 0 ? part < 1 ? part * last : last : 0;
            const int32_t first = at < last - 1 ? (int32_t)at : job->side - 2;
            places->at[c][i] = first * table->steps[c];
            places->part[c][i] = at - first;
        }
    }
    for (int c = 0; c < colours && stage->in[0].shape.type == PIXEL_F32; c++)
        for (size_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++)
                if (planes->v[c][i] != planes->v[c][i] && (k == c || colours < 3 || job->dimensions > 1))
                    places->part[k][i] = (double)NAN;
}

static inline WideFour entry(const float *from) {
    return (WideFour){(double)from[0], (double)from[1], (double)from[2], 0};
}

/* Along the edges of the cell, the largest part first, the earlier colour if they are equal. */
INLINE WideFour in_cell(const Table *table, const Places *places, size_t i) {
    const double r = places->part[0][i], g = places->part[1][i], b = places->part[2][i];
    const double more = r >= g ? r : g, less = r >= g ? g : r;
    const double high = more >= b ? more : b, low = less >= b ? b : less;
    const double middle = more >= b ? less >= b ? less : b : more;
    const int32_t up = r >= g ? table->steps[0] : table->steps[1], down = r >= g ? table->steps[1] : table->steps[0];
    const int32_t first = more >= b ? up : table->steps[2], last = less >= b ? table->steps[2] : down;
    const float *from = table->entries + places->at[0][i] + places->at[1][i] + places->at[2][i];
    return (1 - high) * entry(from) + (high - middle) * entry(from + first) +
           (middle - low) * entry(from + table->corner - last) + low * entry(from + table->corner);
}

INLINE WideFour on_line(const Table *table, const Places *places, size_t i) {
    WideFour made = {0};
    for (int c = 0; c < 3; c++) {
        const float *from = table->entries + places->at[c][i] + c;
        made[c] = (double)from[0] + places->part[c][i] * ((double)from[3] - (double)from[0]);
    }
    return made;
}

static inline void store_u8(WideFour four, uint8_t *to, int count) {
    for (int c = 0; c < count; c++)
        to[c] = (uint8_t)(int32_t)planes_rounded(four[c], 255);
}
static inline void store_f32(WideFour four, float *to, int count) {
    for (int c = 0; c < count; c++)
        to[c] = (float)four[c];
}
static inline void store_u16(WideFour four, uint16_t *to, int count) {
    store_four_u16(four, to, count);
}

#define DEFINE(name, Type)                                                                                             \
    INLINE void run_##name(const Stage *stage, const Table *table, const Places *places, size_t x, size_t y,           \
                           size_t count, int channels, bool line) {                                                    \
        const int colours = channels % 2 ? channels : channels - 1;                                                    \
        const Type *from = view_row(stage->in[0], y);                                                                  \
        Type *to = view_row(stage->out, y); /* NOLINT(bugprone-macro-parentheses): a type */                           \
        from += x * (size_t)channels;                                                                                  \
        to += x * (size_t)channels;                                                                                    \
        for (size_t i = 0; i < count; i++, from += channels, to += channels) {                                         \
            WideFour made = table->white * (line ? on_line(table, places, i) : in_cell(table, places, i));             \
            if (colours < 3)                                                                                           \
                made[0] = 0.2126 * made[0] + 0.7152 * made[1] + 0.0722 * made[2];                                      \
            store_##name(made, to, colours);                                                                           \
            if (colours < channels)                                                                                    \
                to[colours] = from[colours];                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    static void channels_##name(const Stage *stage, const Table *table, const Places *places, size_t x, size_t y,      \
                                size_t count) {                                                                        \
        const int channels = stage->out.shape.channels;                                                                \
        if (cube_job(stage)->dimensions == 1)                                                                          \
            run_##name(stage, table, places, x, y, count, channels, true);                                             \
        else if (channels == 4)                                                                                        \
            run_##name(stage, table, places, x, y, count, 4, false);                                                   \
        else if (channels == 3)                                                                                        \
            run_##name(stage, table, places, x, y, count, 3, false);                                                   \
        else                                                                                                           \
            run_##name(stage, table, places, x, y, count, channels, false);                                            \
    }

DEFINE(u8, uint8_t)
DEFINE(u16, uint16_t)
DEFINE(f32, float)

static void row(const Stage *stage, size_t y) {
    const Shape shape = stage->in[0].shape;
    const Table table = table_of(stage);
    Planes planes;
    Places places;
    for (size_t x = 0; x < shape.width; x += PLANES_RUN) {
        const size_t count = shape.width - x < PLANES_RUN ? shape.width - x : PLANES_RUN;
        planes_split(stage->in[0], x, y, count, &planes);
        find_places(stage, &table, &planes, shape_colours(shape), count, &places);
        if (shape.type == PIXEL_U8)
            channels_u8(stage, &table, &places, x, y, count);
        else if (shape.type == PIXEL_U16)
            channels_u16(stage, &table, &places, x, y, count);
        else
            channels_f32(stage, &table, &places, x, y, count);
    }
}

CubeRow *const ISA_NAME(cube_row) = row;
