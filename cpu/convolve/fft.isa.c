/* fft.isa.c: tiles by their spectra in one instruction set, in floats and in doubles. */
#include "cpu/convolve/fft.h"
#include "cpu/turn.h"
#include "cpu/widen.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* AT_ONCE values of one channel from PICKED_BYTES, which lie within as many pixels. For u16, it takes twice as many as
 * 16 bytes hold of three and four channels. */
enum { AT_ONCE = 4, PICKED_BYTES = 16 };
typedef uint8_t Bytes __attribute__((vector_size(PICKED_BYTES)));
typedef int32_t FewInts __attribute__((vector_size(4 * AT_ONCE)));
typedef float FewFloats __attribute__((vector_size(4 * AT_ONCE)));

static inline Bytes load_bytes(const void *from) {
    Bytes bytes;
    memcpy(&bytes, from, sizeof bytes);
    return bytes;
}
#define PICK_U8(from, step)                                                                                            \
    ((FewInts)__builtin_shufflevector(load_bytes(from), (Bytes){0}, 0, 16, 16, 16, (step), 16, 16, 16, 2 * (step), 16, \
                                      16, 16, 3 * (step), 16, 16, 16))
#define PICK_U16(from, step)                                                                                           \
    ((FewInts)__builtin_shufflevector(__builtin_shufflevector(load_bytes(from), (Bytes){0}, 0, 1, 16, 16, 2 * (step),  \
                                                              2 * (step) + 1, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16), \
                                      __builtin_shufflevector(load_bytes((from) + 2 * (step)), (Bytes){0}, 0, 1, 16,   \
                                                              16, 2 * (step), 2 * (step) + 1, 16, 16, 16, 16, 16, 16,  \
                                                              16, 16, 16, 16),                                         \
                                      0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23))
#define PICK_F32(from, step) ((FewFloats){(from)[0], (from)[step], (from)[2 * (step)], (from)[3 * (step)]})

/* A row of pixels, of which each channel lies `apart` bytes from the next. */
#define INTERLEAVE(Type, channels)                                                                                     \
    for (size_t i = 0; i < count; i++)                                                                                 \
        for (size_t c = 0; c < (channels); c++)                                                                        \
            ((Type *)to)[i * (channels) + c] = ((const Type *)(const void *)(from + c * apart))[i];
#define INTERLEAVE_CHANNELS(Type)                                                                                      \
    if (channels == 2)                                                                                                 \
        INTERLEAVE(Type, 2)                                                                                            \
    else if (channels == 3)                                                                                            \
        INTERLEAVE(Type, 3)                                                                                            \
    else                                                                                                               \
        INTERLEAVE(Type, 4)

static void interleave_row(const char *restrict from, size_t apart, size_t size, size_t channels, size_t count,
                           void *restrict to) {
    if (size == 1)
        INTERLEAVE_CHANNELS(uint8_t)
    else if (size == 2)
        INTERLEAVE_CHANNELS(uint16_t)
    else
        INTERLEAVE_CHANNELS(float)
}
#undef INTERLEAVE
#undef INTERLEAVE_CHANNELS

/* The results of all channels of a tile into the picture. */
static void interleave(const FftJob *job, size_t across, size_t down, const char *results) {
    const ImageView out = job->stage->out;
    const size_t x = across * job->width, y = down * job->height, channels = (size_t)out.shape.channels;
    const size_t size = pixel_type_size(out.shape.type), left = x < out.shape.width ? out.shape.width - x : 0;
    const size_t width = left < job->width ? left : job->width;
    for (size_t row = 0; width > 0 && row < job->height && y + row < out.shape.height; row++)
        interleave_row(results + row * job->width * size, fft_results_bytes(job), size, channels, width,
                       (char *)view_row(out, y + row) + x * channels * size);
}

_Static_assert(NARROW *VECTOR_BYTES / 4 <= FFT_LINE_MORE, "as much is read at once");

/* A line of results as pixels of one channel; may read FFT_LINE_MORE more of it. */
static void store_line_f32(const float *line, PixelType type, size_t count, void *to) {
    uint8_t bytes[FFT_LENGTH + FFT_LINE_MORE];
    if (type == PIXEL_F32) {
        memcpy(to, line, count * sizeof *line);
        return;
    }
    for (size_t i = 0; i < count; i += (size_t)NARROW * LANES)
        narrow_u8((const Floats *)(const void *)(line + i), bytes + i);
    memcpy(to, bytes, count);
}

static void store_line_f64(const double *line, PixelType type, size_t count, void *to) {
    uint16_t words[FFT_LENGTH + FFT_LINE_MORE];
    if (type == PIXEL_F32) {
        for (size_t i = 0; i < count; i++)
            ((float *)to)[i] = (float)line[i];
        return;
    }
    for (size_t i = 0; i < count; i += (size_t)NARROW * LANES / 2)
        narrow_u16((const Doubles *)(const void *)(line + i), words + i);
    if (type == PIXEL_U16)
        memcpy(to, words, count * sizeof *words);
    else
        for (size_t i = 0; i < count; i++)
            ((uint8_t *)to)[i] = (uint8_t)(words[i] < 255 ? words[i] : 255);
}

#define SUMS_FLOAT 1
#include "cpu/real.h"

#include "cpu/convolve/fft_real.h"

#undef SUMS_FLOAT
#define SUMS_FLOAT 0
#include "cpu/real.h"

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
