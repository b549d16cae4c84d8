/* spacing.c: distances of a few points to all others. */
#include "core/scene/particles/spacing.h"

#include "core/base/share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 32, PIECES = 64 };

typedef struct Search {
    const Sphere *spheres;
    size_t count;
    float x[SAMPLES], y[SAMPLES], z[SAMPLES];
    float (*squares)[SAMPLES]; /* of each piece */
} Search;

static void search_piece(const void *job, size_t piece) {
    const Search *search = job;
    float squares[SAMPLES];
    for (int k = 0; k < SAMPLES; k++)
        squares[k] = INFINITY;
    for (size_t i = search->count * piece / PIECES; i < search->count * (piece + 1) / PIECES; i++) {
        const Sphere *s = &search->spheres[i];
        for (int k = 0; k < SAMPLES; k++) {
            const float x = s->x - search->x[k], y = s->y - search->y[k], z = s->z - search->z[k];
            const float square = x * x + y * y + z * z;
            squares[k] = square > 0 && square < squares[k] ? square : squares[k];
        }
    }
    memcpy(search->squares[piece], squares, sizeof squares);
}

static int by_size(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

float spacing_radius(const Sphere *spheres, size_t count) {
    float squares[PIECES][SAMPLES], nearest[SAMPLES];
    Search search = {.spheres = spheres, .count = count, .squares = squares};
    for (size_t k = 0; k < SAMPLES; k++) {
        const Sphere *s = &spheres[(size_t)((double)count * ((double)k + 0.5) / SAMPLES)];
        search.x[k] = s->x;
        search.y[k] = s->y;
        search.z[k] = s->z;
        nearest[k] = INFINITY;
    }
    share_pieces(PIECES, search_piece, &search);
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k < SAMPLES; k++)
            nearest[k] = fminf(nearest[k], squares[i][k]);
    qsort(nearest, SAMPLES, sizeof *nearest, by_size);
    size_t found = 0;
    while (found < SAMPLES && isfinite(nearest[found]))
        found++;
    if (found == 0)
        return 1;
    return fminf(fmaxf(0.5f * sqrtf(nearest[found / 2]), SPHERE_RADIUS_MIN), SPHERE_FARTHEST);
}
