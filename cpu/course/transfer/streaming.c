/* streaming.c: stores that pass the caches by: a line that is written whole need not be read before. */
#include "core/base/timing.h"
#include "cpu/course/transfer/invert.h"
#include "cpu/team.h"

#if defined(__SSE2__)
#    include <emmintrin.h>

enum { WIDE = 16 };

static __m128i inverted(const unsigned char *from, PixelType type) {
    const __m128i values = _mm_loadu_si128((const __m128i *)(const void *)from);
    return type == PIXEL_F32 ? _mm_castps_si128(_mm_sub_ps(_mm_set1_ps(1), _mm_castsi128_ps(values)))
                             : _mm_xor_si128(values, _mm_set1_epi8(-1));
}

static void invert_row(const Stage *stage, size_t y) {
    const PixelType type = stage->out.shape.type;
    const unsigned char *from = view_row(stage->in[0], y);
    unsigned char *to = view_row(stage->out, y);
    const size_t bytes = shape_row_bytes(stage->out.shape), odd = -(uintptr_t)to % WIDE;
    size_t i = odd < bytes ? odd : bytes;
    invert_values(from, to, i, type);
    for (; i + WIDE <= bytes; i += WIDE)
        _mm_stream_si128((__m128i *)(void *)(to + i), inverted(from + i, type));
    invert_values(from + i, to + i, bytes - i, type);
    _mm_sfence(); /* before another thread is told that the row is there */
}
#else
static void invert_row(const Stage *stage, size_t y) {
    const Shape shape = stage->out.shape;
    invert_values(view_row(stage->in[0], y), view_row(stage->out, y), shape_row_bytes(shape), shape.type);
}
#endif

static Status run(Queue *queue, const Stage *stage) {
    const double begin = clock_ms();
    cpu_share_stage(queue, stage, invert_row);
    timeline_add(transfer_job(stage)->timeline, 'K', 0, 0, clock_ms() - begin);
    return STATUS_OK;
}

const Level cpu_transfer_streaming = {
    .op = &op_transfer,
    .name = "streaming",
    .idea = "with stores that pass the caches by: a line that is written whole need not be read before",
    .run = run,
};
