/* passes.isa.c: outer products in one instruction set, for each type of values; all else in passes_real.h. */
#include "cpu/convolve/passes.h"

#include "cpu/widen.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Registers for PASS_ROWS x VECTORS sums, VECTORS values and a weight: AVX-512 has 32, the others 16. */
#if defined(ISA_avx512)
#    define VECTORS 4
#else
#    define VECTORS 2
#endif

/* How sums down the columns are made: of fewer rows than PASS_ROWS; of more; of so many that sums are grouped; of
 * mirrored weights. */
typedef enum DownKind { DOWN_SHORT, DOWN_TALL, DOWN_GROUPED, DOWN_MIRRORED } DownKind;

/* Most weights of these: as many values, PASS_ROWS - 1 more, and a few sums fill the registers of AVX-512. */
enum { MIRRORED_MAX = 15 };

static inline Floats widen_f32(const float *from) {
    return load(from);
}

#define SPLICE(low, high, by) _mm512_alignr_epi32((__m512i)(high), (__m512i)(low), by)
#define IN                    uint8_t
#define REAL                  float
#define WHOLE                 uint8_t
#define WIDEN                 widen_u8
#define NARROW_TO             narrow_u8
#define NAME(of)              of##_u8
#include "cpu/convolve/passes_real.h"

#define SPLICE(low, high, by) _mm512_alignr_epi64((__m512i)(high), (__m512i)(low), by)
#define IN                    uint16_t
#define REAL                  double
#define WHOLE                 uint16_t
#define WIDEN                 widen_u16
#define NARROW_TO             narrow_u16
#define NAME(of)              of##_u16
#include "cpu/convolve/passes_real.h"

#define SPLICE(low, high, by) _mm512_alignr_epi32((__m512i)(high), (__m512i)(low), by)
#define IN                    float
#define REAL                  float
#define WIDEN                 widen_f32
#define NAME(of)              of##_f32
#include "cpu/convolve/passes_real.h"

static void run(const PassJob *job, size_t x, size_t y, void *scratch) {
    const PixelType type = stage_shape_read(job->stage).type;
    if (type == PIXEL_U8)
        run_tile_u8(job, x, y, scratch);
    else if (type == PIXEL_U16)
        run_tile_u16(job, x, y, scratch);
    else
        run_tile_f32(job, x, y, scratch);
    stream_end();
}

PassRun *const ISA_NAME(pass_run) = run;
