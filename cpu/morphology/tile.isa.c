/* tile.isa.c: the tiles in one instruction set: tile_keys.h for each kind of key, minima and maxima. */
#include "cpu/morphology/tile.h"

#include "cpu/extrema.h"
#include "cpu/keys.h"
#include "cpu/numbers.h"

#include <math.h>

#define KEY                         uint8_t
#define VECTOR                      Vector_u8
#define EXTREME                     lesser_u8
#define ARE_NUMBERS(vectors, count) true
#define NUMBER_EXTREME(a, b)        lesser_u8(a, b)
#define NAME(name)                  name##_u8_minimum
#include "cpu/morphology/tile_keys.h"
#define KEY                         uint8_t
#define VECTOR                      Vector_u8
#define EXTREME                     greater_u8
#define ARE_NUMBERS(vectors, count) true
#define NUMBER_EXTREME(a, b)        greater_u8(a, b)
#define NAME(name)                  name##_u8_maximum
#include "cpu/morphology/tile_keys.h"
#define KEY                         uint16_t
#define VECTOR                      Vector_u16
#define EXTREME                     lesser_u16
#define ARE_NUMBERS(vectors, count) true
#define NUMBER_EXTREME(a, b)        lesser_u16(a, b)
#define NAME(name)                  name##_u16_minimum
#include "cpu/morphology/tile_keys.h"
#define KEY                         uint16_t
#define VECTOR                      Vector_u16
#define EXTREME                     greater_u16
#define ARE_NUMBERS(vectors, count) true
#define NUMBER_EXTREME(a, b)        greater_u16(a, b)
#define NAME(name)                  name##_u16_maximum
#include "cpu/morphology/tile_keys.h"
#define KEY                         int32_t
#define VECTOR                      Vector_i32
#define EXTREME                     lesser_i32
#define ARE_NUMBERS(vectors, count) are_numbers(vectors, count)
#define NUMBER_EXTREME(a, b)        (Vector_i32) lesser((Floats)(a), (Floats)(b))
#define NAME(name)                  name##_f32_minimum
#include "cpu/morphology/tile_keys.h"
#define KEY                         int32_t
#define VECTOR                      Vector_i32
#define EXTREME                     greater_i32
#define ARE_NUMBERS(vectors, count) are_numbers(vectors, count)
#define NUMBER_EXTREME(a, b)        (Vector_i32) greater((Floats)(a), (Floats)(b))
#define NAME(name)                  name##_f32_maximum
#include "cpu/morphology/tile_keys.h"

#define BY_KEYS(name)                                                                                                  \
    static void name(const MorphologyTile *tile, size_t x, size_t y, char *scratch) {                                  \
        static MorphologyRun *const runs[PIXEL_TYPES][2] = {{name##_u8_minimum, name##_u8_maximum},                    \
                                                            {name##_u16_minimum, name##_u16_maximum},                  \
                                                            {name##_f32_minimum, name##_f32_maximum}};                 \
        runs[tile->stage->out.shape.type][morphology_job(tile->stage)->maximum](tile, x, y, scratch);                  \
        stream_end();                                                                                                  \
    }
BY_KEYS(chords)
BY_KEYS(running)

MorphologyRun *const ISA_NAME(morphology_runs)[MORPHOLOGY_RUNS] = {chords, running};
