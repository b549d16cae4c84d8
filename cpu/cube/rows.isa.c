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

/* By colour, where the first of two entries lies, counted in floats from the table's first, and how far from it. */
typedef struct Places {
    int32_t at[3][PLANES_RUN];
    double part[3][PLANES_RUN];
} Places;

typedef int32_t Mask4 __attribute__((vector_size(16)));

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

/* Places of all bytes, and how pixels of a run are weighed: the entries along the edges, and their weights. */
typedef struct Bytes {
    int32_t at[3][256];
    float part[3][256];
    int32_t entry[4][PLANES_RUN];
    float weight[4][PLANES_RUN];
} Bytes;

static void find_bytes(const Stage *stage, const Table *table, Bytes *bytes) {
    Planes planes;
    Places places;
    for (int first = 0; first < 256; first += PLANES_RUN) {
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < PLANES_RUN; i++)
                planes.v[c][i] = first + i;
        find_places(stage, table, &planes, 3, PLANES_RUN, &places);
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < PLANES_RUN; i++) {
                bytes->at[c][first + i] = places.at[c][i];
                bytes->part[c][first + i] = (float)places.part[c][i];
            }
    }
}

/* As in_cell, for a run. */
static void find_weights(const Table *table, const uint8_t *from, size_t channels, size_t count, Bytes *bytes) {
    float parts[3][PLANES_RUN];
    const int32_t step_r = table->steps[0], step_g = table->steps[1], step_b = table->steps[2], corner = table->corner;
    for (size_t i = 0; i < count; i++, from += channels) {
        bytes->entry[0][i] = bytes->at[0][from[0]] + bytes->at[1][from[1]] + bytes->at[2][from[2]];
        for (int c = 0; c < 3; c++)
            parts[c][i] = bytes->part[c][from[c]];
    }
    for (size_t i = 0; i < count; i++) {
        const float r = parts[0][i], g = parts[1][i], b = parts[2][i];
        const float more = r >= g ? r : g, less = r >= g ? g : r;
        const float high = more >= b ? more : b, low = less >= b ? b : less;
        const float middle = more >= b ? less >= b ? less : b : more;
        const int32_t up = r >= g ? step_r : step_g, down = r >= g ? step_g : step_r;
        bytes->entry[1][i] = more >= b ? up : step_b;
        bytes->entry[2][i] = corner - (less >= b ? step_b : down);
        bytes->weight[0][i] = 1 - high;
        bytes->weight[1][i] = high - middle;
        bytes->weight[2][i] = middle - low;
        bytes->weight[3][i] = low;
    }
    for (size_t i = 0; i < count; i++) {
        bytes->entry[1][i] += bytes->entry[0][i];
        bytes->entry[2][i] += bytes->entry[0][i];
        bytes->entry[3][i] = bytes->entry[0][i] + corner;
    }
}

static inline Four entry_f32(const float *from) {
#if defined(__SSE2__)
    const __m128 two = _mm_castpd_ps(_mm_load_sd((const double *)(const void *)from));
    return (Four)_mm_movelh_ps(two, _mm_load_ss(from + 2));
#else
    return (Four){from[0], from[1], from[2], 0};
#endif
}

static inline bool all_three(Mask4 lanes) {
#if defined(__SSE2__)
    return (_mm_movemask_ps((__m128)lanes) & 7) == 7;
#else
    return lanes[0] && lanes[1] && lanes[2];
#endif
}

/* A pixel as the reference has it. */
static void store_exact(const Stage *stage, const uint8_t *from, uint8_t *to) {
    const CubeJob *job = cube_job(stage);
    const double in[3] = {from[0], from[1], from[2]};
    double out[3];
    cube_pixel(job, stage->in[1].pixels, stage->in[1].stride / sizeof(float), 3, in, out);
    for (int c = 0; c < 3; c++)
        to[c] = (uint8_t)(int32_t)planes_rounded(out[c], 255);
}

/* Colours of bytes: f32 decides unless a sum lies so near to a half that double may round elsewhere. */
INLINE void run_bytes(const Stage *stage, const Table *table, Bytes *bytes, const uint8_t *from, uint8_t *to,
                      size_t count, size_t channels) {
    const float white = (float)table->white, margin = white * 0x1p-19F;
    find_weights(table, from, channels, count, bytes);
    for (size_t i = 0; i < count; i++, from += channels, to += channels) {
        Four sum = {0}, size = {0};
        for (int k = 0; k < 4; k++) {
            const Four entry = entry_f32(table->entries + bytes->entry[k][i]), part = bytes->weight[k][i] * entry;
            sum += part;
            size += (Four)((Mask4)part & 0x7fffffff);
        }
        sum *= white;
        /* Eight roundings, of 2^-24 each, of sums up to `size`, and some room. */
        const Four whole = (sum + 0x1.8p23F) - 0x1.8p23F, off = (Four)((Mask4)(sum - whole) & 0x7fffffff);
        const Mask4 is_sure = off < 0.5F - margin * size;
        store_four_u8(sum, to, 3);
        if (!all_three(is_sure))
            store_exact(stage, from, to);
        if (channels == 4)
            to[3] = from[3];
    }
}

static void row_of_bytes(const Stage *stage, const Table *table, size_t y) {
    const Shape shape = stage->in[0].shape;
    const uint8_t *from = view_row(stage->in[0], y);
    uint8_t *to = view_row(stage->out, y);
    Bytes bytes;
    find_bytes(stage, table, &bytes);
    for (size_t x = 0; x < shape.width; x += PLANES_RUN) {
        const size_t count = shape.width - x < PLANES_RUN ? shape.width - x : PLANES_RUN;
        if (shape.channels == 3)
            run_bytes(stage, table, &bytes, from + 3 * x, to + 3 * x, count, 3);
        else
            run_bytes(stage, table, &bytes, from + 4 * x, to + 4 * x, count, 4);
    }
}

static void row(const Stage *stage, size_t y) {
    const Shape shape = stage->in[0].shape;
    const Table table = table_of(stage);
    Planes planes;
    Places places;
    if (shape.type == PIXEL_U8 && shape.channels >= 3 && cube_job(stage)->dimensions == 3) {
        row_of_bytes(stage, &table, y);
        return;
    }
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
