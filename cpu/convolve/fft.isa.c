/* fft.isa.c: tiles by their spectra in one instruction set, in floats and in doubles. */
#include "cpu/convolve/fft.h"
#include "cpu/pack.h"
#include "cpu/turn.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* `count` whole numbers, every channel-th place. */
#define SPREAD(Type)                                                                                                   \
    for (size_t i = 0; i < count; i++)                                                                                 \
        ((Type *)to)[i * channels] = ((const Type *)from)[i];

static void spread_channel(const void *restrict from, size_t size, size_t channels, size_t count, void *restrict to) {
    if (channels == 1)
        memcpy(to, from, count * size);
    else if (size == 1)
        SPREAD(uint8_t)
    else if (size == 2)
        SPREAD(uint16_t)
    else
        SPREAD(uint32_t)
}
#undef SPREAD

/* Results into every channel-th place; may read up to PACK more of `line`. */
static void store_line_f32(const float *line, PixelType type, size_t channels, size_t count, void *to) {
    uint8_t bytes[FFT_LENGTH + PACK];
    if (type == PIXEL_F32) {
        spread_channel(line, sizeof *line, channels, count, to);
        return;
    }
    for (size_t i = 0; i < count; i += PACK)
        pack_u8(line + i, bytes + i);
    spread_channel(bytes, 1, channels, count, to);
}

static void store_line_f64(const double *line, PixelType type, size_t channels, size_t count, void *to) {
    float floats[FFT_LENGTH];
    uint16_t words[FFT_LENGTH + PACK];
    if (type == PIXEL_F32)
        for (size_t i = 0; i < count; i++)
            floats[i] = (float)line[i];
    else
        for (size_t i = 0; i < count; i += PACK)
            pack_u16(line + i, words + i);
    if (type == PIXEL_U8)
        for (size_t i = 0; i < count; i++)
            ((uint8_t *)to)[i * channels] = (uint8_t)(words[i] < 255 ? words[i] : 255);
    else if (type == PIXEL_U16)
        spread_channel(words, sizeof *words, channels, count, to);
    else
        spread_channel(floats, sizeof *floats, channels, count, to);
}

#define REAL       float
#define NEAR       0x1.8p23
#define TURN       TURN_F32
#define STORE_LINE store_line_f32
#define NAME(x)    x##_f32
#include "cpu/convolve/fft_real.h"
#undef REAL
#undef NEAR
#undef TURN
#undef STORE_LINE
#undef NAME

#define REAL       double
#define NEAR       0x1.8p52
#define TURN       TURN_F64
#define STORE_LINE store_line_f64
#define NAME(x)    x##_f64
#include "cpu/convolve/fft_real.h"

static void prepare(const FftJob *job, void *scratch) {
    if (job->wide)
        prepare_f64(job, scratch);
    else
        prepare_f32(job, scratch);
}

static bool tile(const FftJob *job, size_t across, size_t down, void *scratch) {
    return job->wide ? tile_f64(job, across, down, scratch) : tile_f32(job, across, down, scratch);
}

static const FftCode code = {prepare, tile};
const FftCode *const ISA_NAME(fft_code) = &code;
