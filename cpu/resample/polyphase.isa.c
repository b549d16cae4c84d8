/* polyphase.isa.c: a tile in one instruction set: turning blocks, rounding and storing here, all else in
 * polyphase_real.h, for sums in f32 and in double. */
#include "cpu/resample/polyphase.h"
#include "cpu/pack.h"
#include "cpu/turn.h"

#include <string.h>

/* Sums with their bias become a row of the result; behind them are readable values up to a multiple of PACK. */
static void store_f32_u8(const float *sums, size_t count, void *row) {
    uint8_t *to = row, rest[PACK];
    size_t i = 0;
    for (; i + PACK <= count; i += PACK)
        pack_u8(sums + i, to + i);
    if (i < count) {
        pack_u8(sums + i, rest);
        memcpy(to + i, rest, count - i);
    }
}

static void store_f64_u16(const double *sums, size_t count, void *row) {
    uint16_t *to = row, rest[PACK];
    size_t i = 0;
    for (; i + PACK <= count; i += PACK)
        pack_u16(sums + i, to + i);
    if (i < count) {
        pack_u16(sums + i, rest);
        memcpy(to + i, rest, (count - i) * sizeof *to);
    }
}

static void store_f32(const float *sums, PixelType type, size_t count, void *row) {
    if (type == PIXEL_U8)
        store_f32_u8(sums, count, row);
    else
        memcpy(row, sums, count * sizeof *sums);
}

static void store_f64(const double *sums, PixelType type, size_t count, void *row) {
    if (type == PIXEL_U16)
        store_f64_u16(sums, count, row);
    else if (type == PIXEL_U8)
        for (size_t i = 0; i < count; i++)
            ((uint8_t *)row)[i] = (uint8_t)lrint(fmin(fmax(sums[i], 0), 255));
    else
        for (size_t i = 0; i < count; i++)
            ((float *)row)[i] = (float)sums[i];
}

#define SUMS_FLOAT 1
#include "cpu/real.h"

#include "cpu/resample/polyphase_real.h"

#undef SUMS_FLOAT
#define SUMS_FLOAT 0
#include "cpu/real.h"

#include "cpu/resample/polyphase_real.h"

static void run(const PolyphaseJob *job, size_t x, size_t y, void *scratch) {
    if (job->wide)
        run_tile_f64(job, x, y, scratch);
    else
        run_tile_f32(job, x, y, scratch);
}

PolyphaseRun *const ISA_NAME(polyphase_run) = run;
