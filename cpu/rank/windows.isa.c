/* windows.isa.c: a strip in one instruction set, with counts of bytes and of 16 bits. */
#include "cpu/rank/windows.h"

#include "cpu/extrema.h"
#include "cpu/isa.h"
#include "cpu/keys.h"
#include "cpu/vector.h"

#include <string.h>

/* The counts that are at most others: any of them, all of them; 1 added where they are. */
#if defined(ISA_avx512)
typedef __mmask64 Found;
#    define ALL_u8              (~(__mmask64)0)
#    define ALL_u16             (((__mmask64)1 << 32) - 1)
#    define NOT_ABOVE_u8(a, b)  _mm512_cmple_epu8_mask((__m512i)(a), (__m512i)(b))
#    define NOT_ABOVE_u16(a, b) (__mmask64) _mm512_cmple_epu16_mask((__m512i)(a), (__m512i)(b))
#    define STEP_WHERE_u8(values, where)                                                                               \
        (Vector_u8) _mm512_mask_sub_epi8((__m512i)(values), where, (__m512i)(values), _mm512_set1_epi8(-1))
#    define STEP_WHERE_u16(values, where)                                                                              \
        (Vector_u16)                                                                                                   \
            _mm512_mask_sub_epi16((__m512i)(values), (__mmask32)(where), (__m512i)(values), _mm512_set1_epi16(-1))
INLINE bool found_any(Found found) {
    return found != 0;
}
INLINE bool found_all(Found found, Found all) {
    return found == all;
}
#else
typedef Vector_u8 Found;
#    define ALL_u8                        0
#    define ALL_u16                       0
#    define NOT_ABOVE_u8(a, b)            (Found)(lesser_u8(a, b) == (a))
#    define NOT_ABOVE_u16(a, b)           (Found)(lesser_u16(a, b) == (a))
#    define STEP_WHERE_u8(values, where)  ((values) - (Vector_u8)(where))
#    define STEP_WHERE_u16(values, where) ((values) - (Vector_u16)(where))
/* Each lane as a bit, or a byte's lanes as one. */
INLINE unsigned found_bits(Found found) {
#    if defined(ISA_avx2)
    return (unsigned)_mm256_movemask_epi8((__m256i)found);
#    elif defined(__SSE2__)
    return (unsigned)_mm_movemask_epi8((__m128i)found);
#    else
    unsigned bits = 0;
    for (int i = 0; i < VECTOR_BYTES; i++)
        bits |= (unsigned)(found[i] & 1) << i;
    return bits;
#    endif
}
INLINE bool found_any(Found found) {
    return found_bits(found) != 0;
}
INLINE bool found_all(Found found, int all) {
    (void)all;
    return found_bits(found) == (unsigned)((1ull << VECTOR_BYTES) - 1);
}
#endif

static void load_row(const WindowsStrip *strip, ptrdiff_t y, uint8_t *to) {
    const Stage *stage = strip->stage;
    const RankJob *job = rank_job(stage);
    const size_t channels = (size_t)stage->out.shape.channels;
    const ptrdiff_t x = (ptrdiff_t)strip->x - job->window->width / 2;
    y += (ptrdiff_t)strip->y - job->window->height / 2;
    keys_load(stage->in[0], job->border, x, y, strip->columns, channels == 1 ? to : strip->row);
    for (size_t i = 0; channels > 1 && i < strip->columns; i++)
        to[i] = strip->row[i * channels + (size_t)strip->channel];
}

static void store_results(const WindowsStrip *strip, size_t y) {
    const size_t channels = (size_t)strip->stage->out.shape.channels;
    uint8_t *to = (uint8_t *)view_row(strip->stage->out, strip->y + y) + strip->x * channels + strip->channel;
    if (channels == 1)
        memcpy(to, strip->results, strip->width);
    else
        for (size_t x = 0; x < strip->width; x++)
            to[x * channels] = strip->results[x];
}

#define COUNT      uint8_t
#define COUNTS     Vector_u8
#define NAME(name) name##_u8
#include "cpu/rank/windows_counts.h"
#define COUNT      uint16_t
#define COUNTS     Vector_u16
#define NAME(name) name##_u16
#include "cpu/rank/windows_counts.h"

static void run(const WindowsStrip *strip) {
    if (windows_are_narrow(rank_job(strip->stage)->window))
        run_strip_u8(strip);
    else
        run_strip_u16(strip);
}

WindowsRun *const ISA_NAME(windows_run) = run;
