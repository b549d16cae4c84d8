/* cell.isa.c: the four results of a run are fetched one word a value, and weighted by a loop that becomes vectors. */
#include "cpu/tile_lookup/cell.h"

#include "cpu/isa.h"

enum { RUN = 64 };

static inline float byte(uint32_t word, int k) {
    return (float)(int32_t)(word >> 8 * k & 255);
}

static inline __attribute__((always_inline)) void weigh(const uint8_t *from, uint8_t *to, size_t apart,
                                                        const uint32_t *table, const float *right, float down) {
    uint32_t words[RUN];
    uint8_t results[RUN];
    for (size_t i = 0; i < RUN; i++)
        words[i] = table[from[i * apart]];
    for (size_t i = 0; i < RUN; i++) {
        const float a = byte(words[i], 0), b = byte(words[i], 1), c = byte(words[i], 2), d = byte(words[i], 3);
        const float top = a + right[i] * (b - a), bottom = c + right[i] * (d - c);
        const float sum = top + down * (bottom - top) + 0x1.8p23F; /* rounds halves to even; the value is in its bits */
        results[i] = (uint8_t)(int32_t)(sum - 0x1.8p23F);
    }
    for (size_t i = 0; i < RUN; i++)
        to[i * apart] = results[i];
}

static void run(const uint8_t *from, uint8_t *to, size_t count, size_t apart, const uint32_t *table, const float *right,
                float down) {
    size_t i = 0;
    for (; i + RUN <= count; i += RUN, from += RUN * apart, to += RUN * apart)
        if (apart == 1)
            weigh(from, to, 1, table, right + i, down);
        else if (apart == 3)
            weigh(from, to, 3, table, right + i, down);
        else
            weigh(from, to, apart, table, right + i, down);
    if (i < count) {
        uint8_t last[2][RUN] = {{0}};
        float weights[RUN] = {0};
        for (size_t k = 0; k < count - i; k++) {
            last[0][k] = from[k * apart];
            weights[k] = right[i + k];
        }
        weigh(last[0], last[1], 1, table, weights, down);
        for (size_t k = 0; k < count - i; k++)
            to[k * apart] = last[1][k];
    }
}

CellRun *const ISA_NAME(cell_run) = run;
