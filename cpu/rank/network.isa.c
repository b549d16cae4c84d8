/* network.isa.c: the networks in one instruction set, for each kind of key. */
#include "cpu/rank/network.h"

#include "cpu/extrema.h"
#include "cpu/keys.h"
#include "cpu/numbers.h"
#include "cpu/vector.h"

enum { ASK_AHEAD = 6 }; /* rows */

/* order_key of several pixels. */
INLINE Vector_i32 order_keys(Vector_i32 bits) {
    const Vector_i32 nan = (bits & 0x7fffffff) > 0x7f800000;
    return ((bits ^ (bits >> 31 & 0x7fffffff)) & ~nan) | (nan & ORDER_NAN);
}

/* f32 that are no NaN are sorted as they are. */
#define VECTOR     Floats
#define LOW        lesser
#define HIGH       greater
#define NAME(name) name##_numbers
#include "cpu/rank/network_three.h"
#undef VECTOR
#undef LOW
#undef HIGH
#undef NAME

/* Results of 3 x 3 if none of the values is NaN. The left and the right ones have the middle ones among them, unless a
 * vector is shorter than two pixels. */
INLINE bool take_numbers(Vector_i32 pixels[6][3], Vector_i32 results[4]) {
    enum { CHECKED = LANES < 8 ? 3 : 2 };
    Vector_i32 checked[6 * CHECKED];
    Floats numbers[6][3], sorted[4];
#pragma GCC unroll 18
    for (int k = 0; k < 6 * CHECKED; k++)
        checked[k] = pixels[k / CHECKED][CHECKED == 3 ? k % 3 : k % 2 * 2];
    if (!are_numbers(checked, 6 * CHECKED))
        return false;
#pragma GCC unroll 18
    for (int k = 0; k < 18; k++)
        numbers[k / 3][k % 3] = (Floats)pixels[k / 3][k % 3];
    four_results_numbers(numbers, sorted);
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++)
        results[j] = (Vector_i32)sorted[j];
    return true;
}

/* TO_KEYS makes pixels keys, and PIXELS pixels of keys; TAKE_NUMBERS makes results without them. */
#define KEY                           uint8_t
#define VECTOR                        Vector_u8
#define LOW                           lesser_u8
#define HIGH                          greater_u8
#define TO_KEYS(pixels)               (void)(pixels)
#define PIXELS(x)                     (x)
#define TAKE_NUMBERS(pixels, results) false
#define NAME(name)                    name##_u8
#include "cpu/rank/network_keys.h"
#define KEY                           uint16_t
#define VECTOR                        Vector_u16
#define LOW                           lesser_u16
#define HIGH                          greater_u16
#define TO_KEYS(pixels)               (void)(pixels)
#define PIXELS(x)                     (x)
#define TAKE_NUMBERS(pixels, results) false
#define NAME(name)                    name##_u16
#include "cpu/rank/network_keys.h"
#define KEY                           int32_t
#define VECTOR                        Vector_i32
#define LOW                           lesser_i32
#define HIGH                          greater_i32
#define TO_KEYS(pixels)               (pixels) = order_keys(pixels)
#define PIXELS(x)                     ((x) ^ ((x) >> 31 & 0x7fffffff))
#define TAKE_NUMBERS(pixels, results) take_numbers(pixels, results)
#define NAME(name)                    name##_f32
#include "cpu/rank/network_keys.h"

static void run(const NetworkTile *tile, size_t x, size_t y, char *scratch) {
    static NetworkRun *const runs[PIXEL_TYPES] = {tile_u8, tile_u16, tile_f32};
    runs[tile->stage->out.shape.type](tile, x, y, scratch);
    stream_end();
}

NetworkRun *const ISA_NAME(network_run) = run;
