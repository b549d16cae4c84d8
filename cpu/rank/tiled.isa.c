/* tiled.isa.c: carries out networks in one instruction set, for each kind of key. */
#include "cpu/rank/tiled.h"

#include "cpu/extrema.h"
#include "cpu/keys.h"
#include "cpu/vector.h"

#define KEY        uint8_t
#define VECTOR     Vector_u8
#define LOW        lesser_u8
#define HIGH       greater_u8
#define NAME(name) name##_u8
#include "cpu/rank/tiled_keys.h"
#define KEY        uint16_t
#define VECTOR     Vector_u16
#define LOW        lesser_u16
#define HIGH       greater_u16
#define NAME(name) name##_u16
#include "cpu/rank/tiled_keys.h"
#define KEY        int32_t
#define VECTOR     Vector_i32
#define LOW        lesser_i32
#define HIGH       greater_i32
#define NAME(name) name##_f32
#include "cpu/rank/tiled_keys.h"

static void run(const TiledTile *tile, size_t x, size_t y, char *scratch) {
    static TiledRun *const runs[PIXEL_TYPES] = {tile_u8, tile_u16, tile_f32};
    runs[tile->stage->out.shape.type](tile, x, y, scratch);
    stream_end();
}

TiledRun *const ISA_NAME(tiled_run) = run;
