/* ray.h: cameras, rays, and where they hit spheres.
 * Owns what a pixel looks along and the nearest of what it hits, for every backend. */
#ifndef GLINT_CORE_MATH_RAY_H
#define GLINT_CORE_MATH_RAY_H

#include "core/math/pcg.h"

#include <math.h>
#include <stddef.h>

#define PI_F 3.14159265358979323846f

typedef struct Vec {
    float x, y, z;
} Vec;

/* a * b + c: in one instruction where that is sure to exist. The C library's fmaf is a function call of a hundred
 * cycles on processors that the compiler does not know to have it. */
GLINT_HD float times_plus(float a, float b, float c) {
#ifdef __CUDA_ARCH__
    return fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

GLINT_HD Vec vec(float x, float y, float z) {
    const Vec v = {x, y, z};
    return v;
}
GLINT_HD Vec vec_minus(Vec a, Vec b) {
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}
GLINT_HD Vec vec_times(Vec a, float s) {
    return vec(a.x * s, a.y * s, a.z * s);
}
/* a + s * b */
GLINT_HD Vec vec_along(Vec a, float s, Vec b) {
    return vec(times_plus(s, b.x, a.x), times_plus(s, b.y, a.y), times_plus(s, b.z, a.z));
}
GLINT_HD float vec_dot(Vec a, Vec b) {
    return times_plus(a.x, b.x, times_plus(a.y, b.y, a.z * b.z));
}
/* Of linear light, x red, y green, z blue (ITU-R BT.709). */
GLINT_HD float vec_luminance(Vec light) {
    return 0.2126f * light.x + 0.7152f * light.y + 0.0722f * light.z;
}
GLINT_HD Vec vec_cross(Vec a, Vec b) {
    return vec(times_plus(a.y, b.z, -(a.z * b.y)), times_plus(a.z, b.x, -(a.x * b.z)),
               times_plus(a.x, b.y, -(a.y * b.x)));
}
/* The point of the unit circle at `turn` turns from x to y. On GPUs by the functions of multiples of pi, which need no
 * reduction of large arguments: that one takes a call and a stack. */
GLINT_HD void circle_point(float turn, float *x, float *y) {
#ifdef __CUDA_ARCH__
    sincospif(2 * turn, y, x);
#else
    *x = cosf(2 * PI_F * turn);
    *y = sinf(2 * PI_F * turn);
#endif
}
/* sqrt(a) and its reciprocal for a > 0; on GPUs off by two units in the last place at most, which costs a sixth. */
GLINT_HD float root_of(float a) {
#ifdef __CUDA_ARCH__
    return a * rsqrtf(a);
#else
    return sqrtf(a);
#endif
}
/* The same for a >= 0. */
GLINT_HD float root_from_0(float a) {
#ifdef __CUDA_ARCH__
    return a * rsqrtf(fmaxf(a, 0x1p-126f));
#else
    return sqrtf(a);
#endif
}
/* a / b; on GPUs off by two units in the last place at most, and 0 for b beyond 2^126: exact division is ten
 * instructions, and a call where a is 0. */
GLINT_HD float quotient(float a, float b) {
#ifdef __CUDA_ARCH__
    return __fdividef(a, b);
#else
    return a / b;
#endif
}
GLINT_HD float inverse_root_of(float a) {
#ifdef __CUDA_ARCH__
    return rsqrtf(a);
#else
    return 1.0f / sqrtf(a);
#endif
}
GLINT_HD Vec vec_unit(Vec a) {
    return vec_times(a, inverse_root_of(vec_dot(a, a)));
}

typedef enum CameraKind { CAMERA_ORTHOGRAPHIC, CAMERA_PERSPECTIVE, CAMERA_RANDOM } CameraKind;

/* Coordinates are the world's; y is up. */
typedef struct Camera {
    CameraKind kind;
    /* Orthographic, looking down -z from infinity: the pixel (px, py) sees the line through
     * x = centre_x + (px - width / 2) * unit, y = centre_y - (py - height / 2) * unit. */
    float centre_x, centre_y; /* at the picture's middle */
    float unit;               /* world units a pixel, > 0; the course's camera has 1 */
    /* Perspective: the middles of pixels, from a point. */
    Vec from, right, up, forward; /* the latter three at right angles and of length 1 */
    float tangent;                /* of half the angle that the picture's height takes */
    float lens, focus; /* for paths: the radius of a thin lens, 0 for a pinhole, and how far ahead all is sharp */
    /* Random, for measuring: origins uniform in a cube around the world's, directions uniform in another, then made as
     * long as 1; pixel after pixel from PCG32. */
    float side; /* of the cube */
    uint32_t seed;
} Camera;

/* Orthographic: where a pixel looks, the same on every machine. No side of a picture exceeds 2^31, and GPUs convert 32
 * bits faster than 64. */
GLINT_HD float camera_x(Camera camera, size_t px, size_t width) {
    return fmaf((float)(uint32_t)px - (float)(uint32_t)(width / 2), camera.unit, camera.centre_x);
}
GLINT_HD float camera_y(Camera camera, size_t py, size_t height) {
    return fmaf((float)(uint32_t)(height / 2) - (float)(uint32_t)py, camera.unit, camera.centre_y);
}

#define HIT_NONE   UINT32_MAX
#define HIT_GROUND (UINT32_MAX - 1)

typedef struct Ray {
    Vec origin, direction; /* the direction has length 1 */
    float t_min;           /* what lies before origin + t_min * direction is not seen */
    uint32_t left;         /* the primitive that the ray leaves and does not hit again; HIT_NONE: it leaves none */
    float far;             /* the distance to the far side of the sphere that it leaves inwards; INFINITY: none */
} Ray;

/* A ray that leaves no primitive, seen from its origin on. */
GLINT_HD Ray ray_from(Vec origin, Vec direction) {
    const Ray ray = {origin, direction, 0, HIT_NONE, INFINITY};
    return ray;
}

GLINT_HD Ray camera_ray_random(Camera camera, size_t pixel) {
    Pcg pcg = pcg_seed(camera.seed, pixel);
    Ray ray = ray_from(vec(0, 0, 0), vec(0, 0, 0));
    float *parts[] = {&ray.origin.x,    &ray.origin.y,    &ray.origin.z,
                      &ray.direction.x, &ray.direction.y, &ray.direction.z};
    for (int i = 0; i < 6; i++)
        *parts[i] = (pcg_float(&pcg) - 0.5f + 0x1p-25f) * (i < 3 ? camera.side : 1.0f); /* never all 0 */
    ray.direction = vec_unit(ray.direction);
    return ray;
}

/* Perspective: how long a pixel is at the distance 1. */
GLINT_HD float camera_pixel(Camera camera, size_t height) {
    return 2.0f * camera.tangent / (float)(uint32_t)height;
}

/* camera_ray_at, with camera_pixel() of the camera, which is a division. */
GLINT_HD Ray camera_ray_by(Camera camera, float pixel, size_t px, size_t py, float x, float y, size_t width,
                           size_t height) {
    if (camera.kind == CAMERA_RANDOM)
        return camera_ray_random(camera, (uint64_t)py * width + px);
    if (camera.kind == CAMERA_ORTHOGRAPHIC) {
        const Vec origin = vec(times_plus(x, camera.unit, camera_x(camera, px, width)),
                               times_plus(-y, camera.unit, camera_y(camera, py, height)), 0);
        Ray ray = ray_from(origin, vec(0, 0, -1));
        ray.t_min = -INFINITY;
        return ray;
    }
    const float wide = (float)(uint32_t)width, high = (float)(uint32_t)height;
    const float across = ((float)(uint32_t)px + 0.5f - 0.5f * wide + x) * pixel;
    const float upward = (0.5f * high - (float)(uint32_t)py - 0.5f - y) * pixel;
    return ray_from(camera.from,
                    vec_unit(vec_along(vec_along(camera.forward, across, camera.right), upward, camera.up)));
}

/* What the pixel looks along, or what the point `x` pixels to the right of its middle and `y` below does. */
GLINT_HD Ray camera_ray_at(Camera camera, size_t px, size_t py, float x, float y, size_t width, size_t height) {
    return camera_ray_by(camera, camera_pixel(camera, height), px, py, x, y, width, height);
}

GLINT_HD Ray camera_ray(Camera camera, size_t px, size_t py, size_t width, size_t height) {
    return camera_ray_at(camera, px, py, 0, 0, width, height);
}

/* The nearest sphere or triangle that a ray has hit so far. */
typedef struct Hit {
    float distance; /* along the ray */
    float root;     /* half the chord: |cosine of the angle between normal and ray| * radius */
    uint32_t index; /* HIT_NONE: the background */
} Hit;

GLINT_HD Hit hit_none(void) {
    const Hit none = {INFINITY, 0, HIT_NONE};
    return none;
}

/* What a ray hits if nothing else is in its way: the far side of the sphere that it leaves inwards. Since no primitive
 * is tested that the ray leaves, this is where every search begins. */
GLINT_HD Hit hit_start(Ray ray) {
    const Hit start = {ray.far, 0.5f * ray.far, ray.far < INFINITY ? ray.left : HIT_NONE};
    return start;
}

/* ---- spheres ---- */

/* How the ray passes a sphere, by the component of the way to its centre that is perpendicular to the ray: no
 * cancellation for small or distant spheres (Haines, Guenther and Akenine-Moeller, Precision Improvements for
 * Ray/Sphere Intersection, Ray Tracing Gems, chapter 7, 2019). */
typedef struct Passing {
    float along;        /* to where the ray is nearest to the centre */
    float discriminant; /* radius^2 less the square of the distance there; negative: it passes by */
} Passing;

GLINT_HD Passing sphere_pass(Vec centre, float radius, Ray ray) {
    const Vec to = vec_minus(centre, ray.origin);
    const float along = vec_dot(to, ray.direction);
    const Vec aside = vec_along(to, -along, ray.direction);
    const Passing passing = {along, times_plus(radius, radius, -vec_dot(aside, aside))};
    return passing;
}

/* The power of a point with respect to a sphere: |point - centre|^2 - radius^2, twice the radius times the height above
 * the surface for points near it. In double precision, which rounds it by 2^-53 radius^2: for a radius of 1e6, the
 * height by 1e-10. */
GLINT_HD float sphere_power(Vec centre, float radius, Vec point) {
    const double x = (double)point.x - (double)centre.x, y = (double)point.y - (double)centre.y;
    const double z = (double)point.z - (double)centre.z;
    return (float)(x * x + y * y + z * z - (double)radius * (double)radius);
}

/* Whether the origin is within a thirty-second of the radius of the surface. There the distance is a small difference
 * of large numbers, of which single precision leaves 17 bits at the limit and none at the surface. */
#define SPHERE_NEAR 0x1p-4f
GLINT_HD int sphere_is_near(Passing passing, float radius) {
    return fabsf(times_plus(passing.along, passing.along, -passing.discriminant)) < SPHERE_NEAR * radius * radius;
}

/* Where a ray's line enters and leaves a sphere, and half the chord. NaN: nowhere. */
typedef struct Chord {
    float enter, leave, root;
} Chord;

/* From the power of the origin, which is the product of both distances: the one of greater magnitude as a sum of equal
 * signs, the other by division (Press et al., Numerical Recipes, section 5.6). */
GLINT_HD Chord sphere_chord(Vec centre, float radius, Ray ray, float along) {
    const float power = sphere_power(centre, radius, ray.origin), discriminant = times_plus(along, along, -power);
    const float root = discriminant > 0 ? root_of(discriminant) : NAN, sum = along + copysignf(root, along);
    const float other = quotient(power, sum);
    const Chord chord = {fminf(sum, other), fmaxf(sum, other), root};
    return chord;
}

/* Takes a sphere by its chord if that is nearer; of equals the first in the scene wins, whatever the order in which
 * they come. */
GLINT_HD void hit_take(Hit *hit, Chord chord, uint32_t index, Ray ray) {
    const float distance = chord.enter < ray.t_min ? chord.leave : chord.enter; /* the former from within */
    if (!(distance >= ray.t_min) || distance > hit->distance || (distance == hit->distance && index > hit->index))
        return;
    hit->distance = distance;
    hit->root = chord.root;
    hit->index = index;
}

/* Takes the sphere if the ray hits it nearer than what it has hit, for rays that begin on no surface. Spheres of radius
 * 0 are never hit. */
GLINT_HD void hit_offer(Hit *hit, Vec centre, float radius, uint32_t index, Ray ray) {
    const Passing passing = sphere_pass(centre, radius, ray);
    if (!(passing.discriminant > 0))
        return;
    const float root = root_of(passing.discriminant);
    const Chord chord = {passing.along - root, passing.along + root, root};
    hit_take(hit, chord, index, ray);
}

/* The same for rays that may begin on or near a surface. The sphere that the ray leaves is not taken: the ray begins
 * near it, so that the test costs others nothing. */
GLINT_HD void hit_offer_near(Hit *hit, Vec centre, float radius, uint32_t index, Ray ray) {
    const Passing passing = sphere_pass(centre, radius, ray);
    if (!(passing.discriminant > 0))
        return;
    if (sphere_is_near(passing, radius)) {
        if (index != ray.left)
            hit_take(hit, sphere_chord(centre, radius, ray, passing.along), index, ray);
        return;
    }
    const float root = root_of(passing.discriminant);
    const Chord chord = {passing.along - root, passing.along + root, root};
    hit_take(hit, chord, index, ray);
}

/* No farther along the ray than where it enters the sphere that it is aimed at, whatever rounding says: for rays that
 * ask what is in between. The bound is that of the distance from the centre, off by 3 units in the last place of each
 * component of the way there. */
GLINT_HD float sphere_entry(Vec centre, float radius, Ray ray) {
    const Passing passing = sphere_pass(centre, radius, ray);
    if (sphere_is_near(passing, radius))
        return fminf(sphere_chord(centre, radius, ray, passing.along).enter * (1 - 0x1p-12f), passing.along);
    const float slack = 0x1p-20f * (fabsf(passing.along) + radius);
    return passing.along - root_of(fmaxf(passing.discriminant, 0) + (2 * radius + slack) * slack) - slack;
}

/* Puts a point of a ray that rounding has moved off the sphere back onto it: along the ray, as far as the ray leads
 * there, and by what is left along the normal. From one power: after a step s, it is greater by s (2 slope + s). */
GLINT_HD Vec sphere_settle(Vec centre, float radius, Vec at, Vec direction, float distance) {
    const float power = sphere_power(centre, radius, at), max = 0x1p-10f * distance;
    const Vec out = vec_minus(at, centre);
    const float slope = vec_dot(out, direction);
    const float step = slope == 0 ? 0 : fminf(fmaxf(quotient(-0.5f * power, slope), -max), max);
    const float rest = times_plus(step, times_plus(2.0f, slope, step), power);
    return vec_along(vec_along(at, step, direction), quotient(-0.5f * rest, radius * radius), out);
}

#endif
