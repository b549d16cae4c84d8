/* order.c: a radix sort of numbers, and spheres moved once. */
#include "core/scene/particles/order.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

typedef struct Numbered {
    uint32_t number, index;
} Numbered;

static bool rises(const Sphere *spheres, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (spheres[i].material < spheres[i - 1].material)
            return false;
    return true;
}

/* By one digit; equal ones stay as they came. */
static void sort_digit(const Numbered *from, Numbered *to, size_t count, int shift) {
    size_t begins[DIGITS + 1] = {0};
    for (size_t i = 0; i < count; i++)
        begins[(from[i].number >> shift & (DIGITS - 1)) + 1]++;
    for (size_t digit = 0; digit < DIGITS; digit++)
        begins[digit + 1] += begins[digit];
    for (size_t i = 0; i < count; i++)
        to[begins[from[i].number >> shift & (DIGITS - 1)]++] = from[i];
}

static void sort(Sphere *spheres, Sphere *copy, Numbered *from, Numbered *to, size_t count) {
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++) {
        from[i] = (Numbered){spheres[i].material, (uint32_t)i};
        all |= from[i].number;
    }
    for (int shift = 0; shift < 32 && all >> shift; shift += DIGIT_BITS) {
        sort_digit(from, to, count, shift);
        Numbered *sorted = to;
        to = from;
        from = sorted;
    }
    memcpy(copy, spheres, count * sizeof *spheres);
    for (size_t i = 0; i < count; i++)
        spheres[i] = copy[from[i].index];
}

Status order_spheres(Sphere *spheres, size_t count) {
    if (rises(spheres, count))
        return STATUS_OK;
    Sphere *copy = malloc(count * sizeof *copy);
    Numbered *numbered = calloc(2 * count, sizeof *numbered);
    const bool has_memory = copy && numbered;
    if (has_memory)
        sort(spheres, copy, numbered, numbered + count, count);
    free(numbered);
    free(copy);
    return has_memory ? STATUS_OK : fail(STATUS_DEVICE, "no memory to order %zu particles", count);
}
