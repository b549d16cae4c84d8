/* vec.h: three floats and noise, for the pictures that make_assets draws. */
#ifndef GLINT_TOOLS_ASSETS_VEC_H
#define GLINT_TOOLS_ASSETS_VEC_H

#include "core/math/ray.h"

#define PI 3.14159265f

static inline Vec add(Vec a, Vec b) {
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline Vec sub(Vec a, Vec b) {
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline Vec mul(Vec a, Vec b) {
    return vec(a.x * b.x, a.y * b.y, a.z * b.z);
}
static inline Vec scale(Vec a, float s) {
    return vec(a.x * s, a.y * s, a.z * s);
}
static inline Vec along(Vec from, Vec direction, float t) {
    return add(from, scale(direction, t));
}
static inline float dot(Vec a, Vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline float length(Vec a) {
    return sqrtf(dot(a, a));
}
static inline Vec unit(Vec a) {
    return scale(a, 1 / length(a));
}
static inline Vec cross(Vec a, Vec b) {
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline float mixf(float a, float b, float t) {
    return a + (b - a) * t;
}
static inline Vec mix(Vec a, Vec b, float t) {
    return add(a, scale(sub(b, a), t));
}
static inline float clampf(float v, float least, float most) {
    return v < least ? least : v > most ? most : v;
}
static inline float smooth(float from, float to, float v) {
    const float t = clampf((v - from) / (to - from), 0, 1);
    return t * t * (3 - 2 * t);
}

/* Two unit vectors at right angles to `n` and each other. */
static inline void basis(Vec n, Vec *u, Vec *v) {
    *u = unit(fabsf(n.x) > 0.7f ? cross(n, vec(0, 1, 0)) : cross(n, vec(1, 0, 0)));
    *v = cross(n, *u);
}

/* Three whole numbers to one in [0, 1). */
static inline float hash3(int x, int y, int z) {
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (float)((h ^ h >> 15) >> 8) * 0x1p-24f;
}

/* Value noise in [0, 1], one value a unit. */
static inline float noise3(Vec p) {
    const float fx = floorf(p.x), fy = floorf(p.y), fz = floorf(p.z);
    const int x = (int)fx, y = (int)fy, z = (int)fz;
    float tx = p.x - fx, ty = p.y - fy, tz = p.z - fz;
    tx = tx * tx * (3 - 2 * tx);
    ty = ty * ty * (3 - 2 * ty);
    tz = tz * tz * (3 - 2 * tz);
    float plane[2];
    for (int k = 0; k < 2; k++)
        plane[k] = mixf(mixf(hash3(x, y, z + k), hash3(x + 1, y, z + k), tx),
                        mixf(hash3(x, y + 1, z + k), hash3(x + 1, y + 1, z + k), tx), ty);
    return mixf(plane[0], plane[1], tz);
}

/* `octaves` of noise, each twice as fine and half as strong; in [0, 1]. */
static inline float fbm(Vec p, int octaves) {
    float sum = 0, weight = 0.5f, total = 0;
    for (int i = 0; i < octaves; i++, weight *= 0.5f) {
        sum += weight * noise3(p);
        total += weight;
        p = add(scale(p, 2.03f), vec(17.1f, 5.3f, 9.7f));
    }
    return sum / total;
}

/* Distances to the nearest and second nearest of points scattered one a unit cube (Worley 1996). */
static inline void worley(Vec p, float *first, float *second) {
    const int x = (int)floorf(p.x), y = (int)floorf(p.y), z = (int)floorf(p.z);
    *first = *second = 9;
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                const int a = x + i, b = y + j, c = z + k;
                const Vec at =
                    vec((float)a + hash3(a, b, c), (float)b + hash3(b + 71, c, a), (float)c + hash3(c, a + 37, b));
                const Vec d = sub(at, p);
                const float square = dot(d, d);
                if (square < *first) {
                    *second = *first;
                    *first = square;
                } else if (square < *second) {
                    *second = square;
                }
            }
    *first = sqrtf(*first);
    *second = sqrtf(*second);
}

#endif
