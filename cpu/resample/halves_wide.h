/* halves_wide.h: means of blocks of 2 x 2 values by AVX-512, straight from the rows to the result, as many as fill
 * vectors. Included by blocks.isa.c. Neighbours are brought side by side, where one instruction adds the two of each
 * pair. */

typedef struct Halves2 {
    const char *rows[2];
    size_t pixels; /* of the result */
    char *to;
    bool stream; /* past the caches */
} Halves2;

INLINE void put_vector(const Halves2 *job, char *to, __m512i vector) {
    if (job->stream)
        _mm512_stream_si512((__m512i *)(void *)to, vector);
    else
        _mm512_storeu_si512(to, vector);
}

/* Bytes 0 to 15 of four lanes. */
#define LANES_OF(...) _mm512_broadcast_i32x4(_mm_setr_epi8(__VA_ARGS__))

/* Adds pairs of bytes, or pairs of words; the words are signed then: 2 * 32768 are missing. */
INLINE __m512i pairs_u8(__m512i pairs) {
    return _mm512_maddubs_epi16(pairs, _mm512_set1_epi8(1));
}
INLINE __m512i pairs_u16(__m512i pairs) {
    return _mm512_madd_epi16(_mm512_xor_si512(pairs, _mm512_set1_epi16(INT16_MIN)), _mm512_set1_epi16(1));
}
INLINE __m512i means_u8(__m512i above, __m512i below) {
    return _mm512_srli_epi16(_mm512_add_epi16(_mm512_add_epi16(above, below), _mm512_set1_epi16(2)), 2);
}
INLINE __m512i means_u16(__m512i above, __m512i below) {
    const __m512i half = _mm512_set1_epi32(2 + 4 * 32768);
    return _mm512_srli_epi32(_mm512_add_epi32(_mm512_add_epi32(above, below), half), 2);
}

/* One byte or word a pixel, or four bytes: 64 bytes of results a turn. `turn` brings neighbours together. */
INLINE size_t halve_bytes_wide(const Halves2 *job, size_t pixel, bool words, bool turned) {
    const __m512i turn = LANES_OF(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    const size_t step = 64 / pixel;
    size_t p = 0;
    for (; p + step <= job->pixels; p += step) {
        __m512i sums[2][2], all;
        for (int row = 0; row < 2; row++)
            for (int k = 0; k < 2; k++) {
                __m512i from = _mm512_loadu_si512(job->rows[row] + 2 * pixel * p + (size_t)k * 64);
                if (turned)
                    from = _mm512_shuffle_epi8(from, turn);
                sums[row][k] = words ? pairs_u16(from) : pairs_u8(from);
            }
        if (words)
            all = _mm512_packus_epi32(means_u16(sums[0][0], sums[1][0]), means_u16(sums[0][1], sums[1][1]));
        else
            all = _mm512_packus_epi16(means_u8(sums[0][0], sums[1][0]), means_u8(sums[0][1], sums[1][1]));
        put_vector(job, job->to + pixel * p, _mm512_permutexvar_epi64(order, all));
    }
    return p;
}

/* Three values a pixel, of 32 pixels of bytes or 16 of words: 96 bytes of a row become 48. Blocks of 12 bytes go to the
 * four lanes, those in even places and those in odd ones. In the end they are brought together again. */
INLINE size_t halve_threes_wide(const Halves2 *job, size_t value) {
    const __m512i even = _mm512_setr_epi32(0, 1, 2, 2, 6, 7, 8, 8, 12, 13, 14, 14, 26, 27, 28, 28);
    const __m512i odd = _mm512_setr_epi32(3, 4, 5, 5, 9, 10, 11, 11, 15, 24, 25, 25, 29, 30, 31, 31);
    const __m512i turn = value == 1 ? LANES_OF(0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11, -1, -1, -1, -1)
                                    : LANES_OF(0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, -1, -1, -1, -1);
    const __m512i close = LANES_OF(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1);
    const __m512i order = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 3, 3, 3);
    const size_t step = 16 / value;
    size_t p = 0;
    for (; p + step <= job->pixels; p += step) {
        __m512i sums[2][2], all;
        for (int row = 0; row < 2; row++) {
            const char *from = job->rows[row] + 6 * p * value;
            const __m512i first = _mm512_loadu_si512(from), last = _mm512_loadu_si512(from + 32);
            const __m512i lanes[2] = {_mm512_permutex2var_epi32(first, even, last),
                                      _mm512_permutex2var_epi32(first, odd, last)};
            for (int k = 0; k < 2; k++) {
                const __m512i pairs = _mm512_shuffle_epi8(lanes[k], turn);
                sums[row][k] = value == 1 ? pairs_u8(pairs) : pairs_u16(pairs);
            }
        }
        if (value == 1)
            all = _mm512_packus_epi16(means_u8(sums[0][0], sums[1][0]), means_u8(sums[0][1], sums[1][1]));
        else
            all = _mm512_packus_epi32(means_u16(sums[0][0], sums[1][0]), means_u16(sums[0][1], sums[1][1]));
        all = _mm512_permutexvar_epi32(order, _mm512_shuffle_epi8(all, close));
        _mm512_mask_storeu_epi32(job->to + 3 * p * value, 0xFFF, all);
    }
    return p;
}

/* Sums of floats are weighed from the beginning, so that none overflows. */
INLINE __m512 sums_f32(const Halves2 *job, size_t byte) {
    const __m512 part = _mm512_set1_ps(0.25F);
    return _mm512_fmadd_ps(_mm512_loadu_ps(job->rows[1] + byte), part,
                           _mm512_mul_ps(_mm512_loadu_ps(job->rows[0] + byte), part));
}
INLINE size_t halve_floats_wide(const Halves2 *job) {
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    size_t p = 0;
    for (; p + 16 <= job->pixels; p += 16) {
        const __m512 first = sums_f32(job, 8 * p), last = sums_f32(job, 8 * p + 64);
        const __m512 all =
            _mm512_add_ps(_mm512_permutex2var_ps(first, even, last), _mm512_permutex2var_ps(first, odd, last));
        put_vector(job, job->to + 4 * p, _mm512_castps_si512(all));
    }
    return p;
}
/* Three floats a pixel: five pixels a turn, and a value of the sixth, which the next turn writes again. */
INLINE size_t halve_float_threes_wide(const Halves2 *job) {
    const __m512i wanted = _mm512_setr_epi32(0, 1, 2, 6, 7, 8, 12, 13, 14, 18, 19, 20, 24, 25, 26, 30);
    size_t p = 0;
    for (; p + 6 <= job->pixels; p += 5) {
        __m512 all[2]; /* left ones, right ones */
        for (size_t k = 0; k < 2; k++)
            all[k] =
                _mm512_permutex2var_ps(sums_f32(job, 24 * p + 12 * k), wanted, sums_f32(job, 24 * p + 12 * k + 64));
        _mm512_storeu_ps(job->to + 12 * p, _mm512_add_ps(all[0], all[1]));
    }
    return p;
}

/* How many pixels, from the first on, were made; none where a type and its channels have no such way. */
static size_t halve_wide(ImageView rows, void *to, bool stream) {
    const Halves2 job = {.rows = {view_row(rows, 0), view_row(rows, 1)},
                         .pixels = rows.shape.width / 2,
                         .to = to,
                         .stream = stream && (uintptr_t)to % sizeof(__m512i) == 0};
    const PixelType type = rows.shape.type;
    const size_t channels = (size_t)rows.shape.channels, value = pixel_type_size(type);
    size_t done = 0;
    if (type == PIXEL_F32)
        done = channels == 1 ? halve_floats_wide(&job) : channels == 3 ? halve_float_threes_wide(&job) : 0;
    else if (channels == 3)
        done = value == 1 ? halve_threes_wide(&job, 1) : halve_threes_wide(&job, 2);
    else if (channels == 1)
        done = value == 1 ? halve_bytes_wide(&job, 1, false, false) : halve_bytes_wide(&job, 2, true, false);
    else if (channels == 4 && value == 1)
        done = halve_bytes_wide(&job, 4, false, true);
    if (job.stream)
        _mm_sfence();
    return done;
}
