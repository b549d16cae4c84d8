/* network.isa.c: the networks in one instruction set, for each kind of key. */
#include "cpu/rank/network.h"

#include "cpu/extrema.h"
#include "cpu/keys.h"
#include "cpu/vector.h"

#define INLINE static inline __attribute__((always_inline, unused))

enum { ASK_AHEAD = 6 }; /* rows */

/* order_key of several pixels. */
INLINE Vector_i32 order_keys(Vector_i32 bits) {
    const Vector_i32 nan = (bits & 0x7fffffff) > 0x7f800000;
    return ((bits ^ (bits >> 31 & 0x7fffffff)) & ~nan) | (nan & ORDER_NAN);
}

/* KEYS makes keys of pixels, and PIXELS pixels of keys. */
#define KEY        uint8_t
#define VECTOR     Vector_u8
#define LOW        lesser_u8
#define HIGH       greater_u8
#define KEYS(x)    (x)
#define PIXELS(x)  (x)
#define NAME(name) name##_u8
#include "cpu/rank/network_keys.h"
#define KEY        uint16_t
#define VECTOR     Vector_u16
#define LOW        lesser_u16
#define HIGH       greater_u16
#define KEYS(x)    (x)
#define PIXELS(x)  (x)
#define NAME(name) name##_u16
#include "cpu/rank/network_keys.h"
#define KEY        int32_t
#define VECTOR     Vector_i32
#define LOW        lesser_i32
#define HIGH       greater_i32
#define KEYS(x)    order_keys(x)
#define PIXELS(x)  ((x) ^ ((x) >> 31 & 0x7fffffff))
#define NAME(name) name##_f32
#include "cpu/rank/network_keys.h"

static void run(const NetworkTile *tile, size_t x, size_t y, char *scratch) {
    static NetworkRun *const runs[PIXEL_TYPES] = {tile_u8, tile_u16, tile_f32};
    runs[tile->stage->out.shape.type](tile, x, y, scratch);
    stream_end();
}

NetworkRun *const ISA_NAME(network_run) = run;
