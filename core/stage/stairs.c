/* stairs.c: where the steps of a rising function begin. Floats that are not negative order as their bits do. */
#include "core/stage/stairs.h"

#include <math.h>
#include <stdbool.h>

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

Status stairs_create(double (*value)(const void *context, double v), const void *context, Stairs *stairs) {
    const uint32_t infinite = bits_of(INFINITY);
    uint32_t low = 0;
    for (int k = 0; k < 255; k++) {
        uint32_t high = infinite;
        while (low < high) { /* the first that comes to more than k */
            const uint32_t middle = low + (high - low) / 2;
            if (rint(value(context, (double)float_of(middle))) > k)
                high = middle;
            else
                low = middle + 1;
        }
        stairs->edges[k] = float_of(low);
    }
    stairs->edges[255] = INFINITY;
    stairs->foot = float_of(bits_of(stairs->edges[0]) - 1);
    stairs->first = bits_of(stairs->foot) >> STAIRS_KEPT;
    const uint32_t places = (low >> STAIRS_KEPT) - stairs->first + 1;
    bool whole = low < infinite && places <= STAIRS_PLACES;
    for (uint32_t place = 0, step = 0; place < places && whole; place++) {
        const uint32_t begin = step;
        stairs->below[place] = (uint8_t)step;
        while (step < 255 && bits_of(stairs->edges[step]) >> STAIRS_KEPT == stairs->first + place)
            step++;
        whole = step <= begin + 1;
    }
    return whole ? STATUS_OK : fail(STATUS_DEVICE, "a function's results are no stairs of 256 steps");
}
