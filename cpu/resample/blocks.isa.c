/* blocks.isa.c: blocks_type.h for each type of pixels. Whole numbers are added exactly, and divided by one product. The
 * product of the sum and a half more is off by less than a half of a sum's step (blocks.c, accepts). */
#include "cpu/resample/blocks.h"
#include "cpu/isa.h"

#include <string.h>
#if defined(ISA_avx512)
#    include <immintrin.h>
#endif

#if VECTOR_BYTES == 64
#    define EVEN 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#    define ODD  1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#elif VECTOR_BYTES == 32
#    define EVEN 0, 2, 4, 6, 8, 10, 12, 14
#    define ODD  1, 3, 5, 7, 9, 11, 13, 15
#else
#    define EVEN 0, 2, 4, 6
#    define ODD  1, 3, 5, 7
#endif

#include "cpu/resample/halves_u8.h"

/* The means of two rows where that is quick: how many pixels, from the first on, were made. */
#if defined(ISA_avx512)
#    include "cpu/resample/halves_wide.h"
#else
static size_t halve_wide(ImageView rows, void *to, bool stream) {
    (void)rows, (void)to, (void)stream;
    return 0;
}
#endif
static size_t halve(ImageView rows, char *to, bool stream) {
    const size_t done = halve_wide(rows, to, stream), width = rows.shape.width;
    if (rows.shape.type != PIXEL_U8)
        return done;
    return done + halve_u8(view_crop(rows, 2 * done, 0, width - 2 * done, 2),
                           (uint8_t *)to + done * (size_t)rows.shape.channels);
}

#define TYPE    uint8_t
#define SUM     uint16_t
#define WHOLE   1
#define NAME(x) x##_u8
#include "cpu/resample/blocks_type.h"
#undef TYPE
#undef SUM
#undef WHOLE
#undef NAME

#define TYPE    uint16_t
#define SUM     uint32_t
#define WHOLE   1
#define NAME(x) x##_u16
#include "cpu/resample/blocks_type.h"
#undef TYPE
#undef SUM
#undef WHOLE
#undef NAME

#define TYPE    float
#define SUM     float
#define WHOLE   0
#define NAME(x) x##_f32
#include "cpu/resample/blocks_type.h"

BlocksRun *const ISA_NAME(blocks_run)[PIXEL_TYPES] = {
    [PIXEL_U8] = run_u8, [PIXEL_U16] = run_u16, [PIXEL_F32] = run_f32};
