/* shade.h: a path of light in each lane: core/math/sampler.h, surface.h and path.h for vectors.
 * For *.isa.c files. Owns the arithmetic of surfaces, scattering and random points; where the text of core/math/
 * branches, this one computes both sides and blends. Formulas and sources are explained there. */
#ifndef GLINT_CPU_TRACE_SHADE_H
#define GLINT_CPU_TRACE_SHADE_H

#include "core/math/path.h"
#include "cpu/trace/bvh16_traversal.h"
#include "cpu/trace/records.h"

typedef uint32_t UInts __attribute__((vector_size(VECTOR_BYTES)));
typedef double Doubles __attribute__((vector_size(2 * VECTOR_BYTES)));

/* ---- vectors of vectors ---- */

static inline Floats3 lanes3(Vec v) {
    return (Floats3){spread(v.x), spread(v.y), spread(v.z)};
}
static inline Floats3 minus3(Floats3 a, Floats3 b) {
    return (Floats3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline Floats3 scale3(Floats3 a, Floats s) {
    return (Floats3){a.x * s, a.y * s, a.z * s};
}
static inline Floats3 each3(Floats3 a, Floats3 b) {
    return (Floats3){a.x * b.x, a.y * b.y, a.z * b.z};
}
/* a + s * b */
static inline Floats3 along3(Floats3 a, Floats s, Floats3 b) {
    return (Floats3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline Floats3 cross3(Floats3 a, Floats3 b) {
    return (Floats3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline Floats3 blend3(Which mask, Floats3 yes, Floats3 no) {
    return (Floats3){blend(mask, yes.x, no.x), blend(mask, yes.y, no.y), blend(mask, yes.z, no.z)};
}
static inline Floats3 unit3(Floats3 a) {
    return scale3(a, 1.0f / square_root(dot(a, a)));
}
static inline Floats3 mirror3(Floats3 direction, Floats3 normal) {
    return along3(direction, -2.0f * dot(direction, normal), normal);
}
static inline Floats clamped(Floats value, float min, float max) {
    return lesser(greater(value, spread(min)), spread(max));
}
static inline Floats root_above_0(Floats value) {
    return square_root(greater(value, spread(0)));
}
static inline Floats of_int(Ints value) {
    return __builtin_convertvector(value, Floats);
}

/* Sine and cosine of `turns` full turns, from 0 to 1. Taylor's series of the distance from the nearest quarter turn
 * gives them, off by less than 1e-7. */
static inline void sine_cosine(Floats turns, Floats *sine, Floats *cosine) {
    const Ints quarter = __builtin_convertvector(4.0f * turns + 0.5f, Ints);
    const Floats x = (2 * PI_F) * (turns - 0.25f * of_int(quarter)), xx = x * x;
    const Floats s = x + x * xx * (-1.0f / 6 + xx * (1.0f / 120 + xx * (-1.0f / 5040 + xx * (1.0f / 362880))));
    const Floats c = 1.0f + xx * (-0.5f + xx * (1.0f / 24 + xx * (-1.0f / 720 + xx * (1.0f / 40320))));
    const Which odd = same_int(quarter & 1, spread_int(1));
    const UInts negative_sine = (UInts)(quarter & 2) << 30, negative_cosine = (UInts)((quarter + 1) & 2) << 30;
    *sine = (Floats)((UInts)blend(odd, c, s) ^ negative_sine);
    *cosine = (Floats)((UInts)blend(odd, s, c) ^ negative_cosine);
}

/* ---- random points (core/math/sampler.h) ---- */

static inline UInts hash(UInts a, uint32_t b) {
    UInts x = a ^ (b + 0x9E3779B9u + (a << 6) + (a >> 2));
    x = (x ^ (x >> 16)) * 0x7FEB352Du;
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    return x ^ (x >> 16);
}

static inline UInts reverse_bits(UInts x) {
#if defined(ISA_avx2)
    const __m256i low = _mm256_set1_epi8(15), bytes = (__m256i)x;
    const __m256i swap = _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 3, 2, 1, 0, 7, 6, 5, 4,
                                          11, 10, 9, 8, 15, 14, 13, 12);
    const __m256i nibbles = _mm256_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15, 0, 8, 4, 12, 2, 10,
                                             6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
    const __m256i lower = _mm256_shuffle_epi8(nibbles, _mm256_and_si256(bytes, low));
    const __m256i upper = _mm256_shuffle_epi8(nibbles, _mm256_and_si256(_mm256_srli_epi32(bytes, 4), low));
    return (UInts)_mm256_shuffle_epi8(_mm256_or_si256(_mm256_slli_epi32(lower, 4), upper), swap);
#else
    x = (x << 16) | (x >> 16);
    x = ((x & 0x00FF00FFu) << 8) | ((x & 0xFF00FF00u) >> 8);
    x = ((x & 0x0F0F0F0Fu) << 4) | ((x & 0xF0F0F0F0u) >> 4);
    x = ((x & 0x33333333u) << 2) | ((x & 0xCCCCCCCCu) >> 2);
    return ((x & 0x55555555u) << 1) | ((x & 0xAAAAAAAAu) >> 1);
#endif
}

/* sampler_scramble between its two reversals. */
static inline UInts scramble_reversed(UInts x, UInts seed) {
    x += seed;
    x ^= x * 0x6C50B47Cu;
    x ^= x * 0xB82F1E52u;
    x ^= x * 0xC7AFE638u;
    return x ^ x * 0x8D22F6E6u;
}

static inline Floats unit_interval(UInts reversed) {
    return __builtin_convertvector((Ints)(reverse_bits(reversed) >> 8), Floats) * 0x1p-24f;
}

/* sampler_point; `sample` has its bits reversed. */
static inline void random_point(UInts sample, UInts seed, Floats *x, Floats *y) {
    const UInts shuffled = reverse_bits(scramble_reversed(sample, seed));
    UInts pascal = shuffled;
    pascal ^= pascal >> 1 & 0x55555555u;
    pascal ^= pascal >> 2 & 0x33333333u;
    pascal ^= pascal >> 4 & 0x0F0F0F0Fu;
    pascal ^= pascal >> 8 & 0x00FF00FFu;
    pascal ^= pascal >> 16;
    *x = unit_interval(scramble_reversed(shuffled, hash(seed, 1)));
    *y = unit_interval(scramble_reversed(pascal, hash(seed, 2)));
}

/* ---- surfaces (core/math/surface.h) ---- */

typedef struct Rays {
    Floats3 origin, direction;
    Ints left;
    Floats far;
} Rays;

/* The surfaces that the lanes' rays have hit. */
typedef struct Surfaces {
    Floats3 at, outward; /* the normal */
    Floats3 normal;      /* to the side on which the ray came */
    Which inside;
    Floats3 colour;
    Floats diffuse, specular, roughness, refraction, transmittance, emission;
    Ints index, material;
    Floats radius;
} Surfaces;

/* sphere_settle */
static inline Floats3 settled(Floats3 centre, Floats radius, Floats3 at, Floats3 direction, Floats distance) {
    const Floats3 out = minus3(at, centre);
    const Doubles x = __builtin_convertvector(at.x, Doubles) - __builtin_convertvector(centre.x, Doubles);
    const Doubles y = __builtin_convertvector(at.y, Doubles) - __builtin_convertvector(centre.y, Doubles);
    const Doubles z = __builtin_convertvector(at.z, Doubles) - __builtin_convertvector(centre.z, Doubles);
    const Doubles r = __builtin_convertvector(radius, Doubles);
    const Floats power = __builtin_convertvector(x * x + y * y + z * z - r * r, Floats);
    const Floats max = 0x1p-10f * distance, slope = dot(out, direction);
    const Floats wanted = greater(-0.5f * power / slope, -max);
    const Floats step = blend(same(slope, spread(0)), spread(0), lesser(wanted, max));
    const Floats rest = power + step * (2.0f * slope + step);
    return along3(along3(at, step, direction), -0.5f * rest / (radius * radius), out);
}

static inline void ground_colours(const Ground *ground, Floats3 at, Floats3 *colour) {
    const Floats x = at.x / ground->side, z = at.z / ground->side;
    const Ints column = __builtin_convertvector(x, Ints), row = __builtin_convertvector(z, Ints);
    const Floats none = spread(0), one = spread(1); /* truncation is one above the floor of negative numbers */
    const Ints lower = (Ints)blend(less(x, of_int(column)), one, none) ^ (Ints)blend(less(z, of_int(row)), one, none);
    const Ints odd = ((column ^ row) & 1) ^ (((Ints)lower >> 23) & 1);
    const Which is_odd = same_int(odd, spread_int(1));
    *colour = blend3(is_odd, lanes3(colour_of(ground->odd)), lanes3(colour_of(ground->even)));
}

_Static_assert(sizeof(Sphere) == RECORD_BYTES && sizeof(Material) >= RECORD_BYTES,
               "a sphere, and a material's first half, are records");
enum { MATERIAL_WORDS = sizeof(Material) / 4 };

/* The surfaces where the rays hit; index HIT_GROUND is the ground. */
static inline Surfaces surfaces_hit(const ShadingContext *context, const Rays *rays, Floats distance, Ints index) {
    static const Sphere unhit = {.radius = 1};
    const Which ground = same_int(index, spread_int((int32_t)HIT_GROUND));
    const bool any_ground = bits_of(ground) != 0;
    uint32_t places[LANES], kinds[LANES];
    Surfaces surfaces;
    const Ints spheres = blend_int(ground, spread_int(0), index);
    memcpy(places, &spheres, sizeof places);
    const Records sphere = load_records(context->sphere_count > 0 ? context->spheres : &unhit, sizeof(Sphere), places);
    const Floats3 centre = {sphere.field[0], sphere.field[1], sphere.field[2]};
    const Floats3 hit = along3(rays->origin, distance, rays->direction);
    Ints material = (Ints)sphere.field[7];
    surfaces.index = index;
    surfaces.radius = sphere.field[3];
    surfaces.colour = (Floats3){sphere.field[4], sphere.field[5], sphere.field[6]};
    surfaces.at = settled(centre, surfaces.radius, hit, rays->direction, distance);
    surfaces.outward = unit3(minus3(surfaces.at, centre));
    if (any_ground) {
        Floats3 colour;
        const Floats3 on = {hit.x, spread(context->ground.height), hit.z};
        ground_colours(&context->ground, on, &colour);
        material = blend_int(ground, spread_int((int32_t)context->ground.material), material);
        surfaces.radius = blend(ground, spread(0), surfaces.radius);
        surfaces.colour = blend3(ground, colour, surfaces.colour);
        surfaces.at = blend3(ground, on, surfaces.at);
        surfaces.outward = blend3(ground, lanes3(vec(0, 1, 0)), surfaces.outward);
    }
    surfaces.material = material;
    memcpy(kinds, &material, sizeof kinds);
    const Records of = load_records(context->materials, sizeof(Material), kinds);
    surfaces.diffuse = of.field[1];
    surfaces.specular = of.field[2];
    surfaces.roughness = of.field[4];
    surfaces.refraction = of.field[5];
    surfaces.transmittance = of.field[6];
    surfaces.emission = of.field[7];
    surfaces.inside = less(spread(0), dot(surfaces.outward, rays->direction));
    surfaces.normal = blend3(surfaces.inside, scale3(surfaces.outward, spread(-1)), surfaces.outward);
    return surfaces;
}

/* surface_leave */
static inline Rays leaving(const Surfaces *surfaces, Floats3 direction) {
    const Floats3 at = surfaces->at, normal = surfaces->outward;
    const Floats cosine = dot(normal, direction);
    const Floats x = absolute(at.x), y = absolute(at.y), z = absolute(at.z);
    const Floats among = absolute(normal.x) * x + absolute(normal.y) * y + absolute(normal.z) * z;
    const Floats slack = 0x1p-21f * among + 0x1p-50f * (x + y + z);
    const Which inward = less(cosine, spread(0));
    const Which across = inward & less(spread(0), surfaces->radius);
    return (Rays){along3(at, blend(inward, -slack, slack), normal), direction, surfaces->index,
                  blend(across, -2.0f * surfaces->radius * cosine, spread(INFINITY))};
}

/* sphere_entry: lanes that begin near the sphere go by double precision, one after the other. */
static inline Floats distance_before(Floats3 centre, Floats radius, const Rays *rays) {
    const Floats3 to = minus3(centre, rays->origin);
    const Floats along = dot(to, rays->direction), square = radius * radius;
    const Floats3 aside = along3(to, -along, rays->direction);
    const Floats discriminant = square - dot(aside, aside), slack = 0x1p-20f * (absolute(along) + radius);
    Floats distance = along - square_root(greater(discriminant, spread(0)) + (2.0f * radius + slack) * slack) - slack;
    unsigned near = bits_of(less(absolute(along * along - discriminant), SPHERE_NEAR * square));
    for (; near; near &= near - 1) {
        const int lane = __builtin_ctz(near);
        const Ray ray = ray_from(vec(rays->origin.x[lane], rays->origin.y[lane], rays->origin.z[lane]),
                                 vec(rays->direction.x[lane], rays->direction.y[lane], rays->direction.z[lane]));
        distance[lane] = sphere_entry(vec(centre.x[lane], centre.y[lane], centre.z[lane]), radius[lane], ray);
    }
    return distance;
}

/* vec_basis */
static inline void basis3(Floats3 n, Floats3 *s, Floats3 *t) {
    const Floats sign = (Floats)(((Ints)n.z & INT32_MIN) | (Ints)spread(1));
    const Floats a = -1.0f / (sign + n.z), b = n.x * n.y * a;
    *s = (Floats3){1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x};
    *t = (Floats3){b, sign + n.y * n.y * a, -n.y};
}

/* vec_from_local */
static inline Floats3 from_local(Floats3 n, Floats x, Floats y, Floats z) {
    Floats3 s, t;
    basis3(n, &s, &t);
    return along3(along3(scale3(s, x), y, t), z, n);
}

/* cone_draw */
static inline Floats3 cone_direction(Floats3 axis, Floats wide, Floats u, Floats v) {
    Floats sine, cosine;
    const Floats deep = u * wide, radius = square_root(deep * (2.0f - deep));
    sine_cosine(v, &sine, &cosine);
    return from_local(axis, radius * cosine, radius * sine, 1.0f - deep);
}

/* power_heuristic */
static inline Floats weight_of(Floats density, Floats other) {
    const Floats ratio = other / density;
    return 1.0f / (1.0f + ratio * ratio);
}

static inline Vec lane_of(Floats3 v, int lane) {
    return vec(v.x[lane], v.y[lane], v.z[lane]);
}

/* sky_light of gradients. */
static inline Floats3 sky_gradient(const ShadingContext *context, Floats3 direction) {
    if (context->sky.kind == SKY_NONE)
        return lanes3(vec(0, 0, 0));
    const Floats up = greater(direction.y, spread(0));
    return along3(scale3(lanes3(colour_of(context->sky.horizon)), 1.0f - up), up,
                  lanes3(colour_of(context->sky.zenith)));
}

/* ---- scattering (core/math/path.h) ---- */

static inline Floats3 cosine_direction(Floats3 normal, Floats u, Floats v) {
    Floats sine, cosine;
    const Floats radius = square_root(u);
    sine_cosine(v, &sine, &cosine);
    return from_local(normal, radius * cosine, radius * sine, root_above_0(1.0f - u));
}

static inline Floats visible(Floats cosine, Floats alpha) {
    const Floats square = cosine * cosine;
    return 2.0f / (1.0f + square_root(1.0f + alpha * alpha * (1.0f - square) / square));
}

/* path_grazing */
static inline Floats grazing_part(Floats cosine) {
    const Floats left = 1.0f - clamped(cosine, 0, 1), square = left * left;
    return square * square * left;
}

static inline Floats3 schlick(const Surfaces *surfaces, Floats cosine) {
    const Floats grazing = grazing_part(cosine);
    const Floats3 rest = minus3(lanes3(vec(1, 1, 1)), surfaces->colour);
    return scale3(along3(surfaces->colour, grazing, rest), surfaces->specular);
}

/* The films of lanes: their rows, and which lanes have one. */
typedef struct Films {
    const float *albedos;
    Ints rows;
    Which on;
    bool any;
} Films;

/* thin_film_at, of rows that begin at these places. */
static inline Floats film_share(const Films *films, Ints rows, Floats cosine) {
    const Floats place = clamped(cosine, 0, 1) * (float)(THIN_FILM_STEPS - 1);
    const Ints below = __builtin_convertvector(lesser(place, spread(THIN_FILM_STEPS - 2)), Ints);
    const Floats first = pick(films->albedos, rows + below), next = pick(films->albedos, rows + below + 1);
    return first + (place - of_int(below)) * (next - first);
}

/* thin_film_on_channel */
static inline Floats film_channel(const Films *films, int channel, Floats bright, Floats cosine, bool mean) {
    const Floats x = square_root(clamped(bright, 0, 1));
    const Floats sum = 1.5707288f + x * (-0.2121144f + x * (0.0742610f + x * -0.0187293f));
    const Floats place = greater(1.0f - square_root(1.0f - x) * sum * (2 / PI_F), spread(0)) * (THIN_FILM_METALS - 1);
    const Ints below = __builtin_convertvector(lesser(place, spread(THIN_FILM_METALS - 2)), Ints);
    const Ints row = films->rows + below * (3 * THIN_FILM_ROW) + channel * THIN_FILM_ROW, on = row + 3 * THIN_FILM_ROW;
    const Floats first = mean ? pick(films->albedos, row + THIN_FILM_MEAN) : film_share(films, row, cosine);
    const Floats second = mean ? pick(films->albedos, on + THIN_FILM_MEAN) : film_share(films, on, cosine);
    return first + (place - of_int(below)) * (second - first);
}

/* thin_film_on_metal, or thin_film_mean */
static inline Floats3 film_on_metal(const Films *films, const Surfaces *surfaces, Floats cosine, bool mean) {
    const Floats3 colour = surfaces->colour;
    return scale3((Floats3){film_channel(films, 0, colour.x, cosine, mean),
                            film_channel(films, 1, colour.y, cosine, mean),
                            film_channel(films, 2, colour.z, cosine, mean)},
                  surfaces->specular);
}

/* path_mirrored */
static inline Floats3 mirrored_by_metal(const Surfaces *surfaces, const Films *films, Floats cosine) {
    const Floats3 plain = schlick(surfaces, cosine);
    return films->any ? blend3(films->on, film_on_metal(films, surfaces, cosine, false), plain) : plain;
}

static inline Floats alpha_of(const Surfaces *surfaces) {
    return greater(surfaces->roughness * surfaces->roughness, spread(1e-4f));
}

/* path_facet */
static inline Floats3 drawn_facet(const Surfaces *surfaces, Floats3 direction, Floats u, Floats v) {
    const Floats3 n = surfaces->normal;
    const Floats alpha = alpha_of(surfaces);
    Floats3 s, t;
    basis3(n, &s, &t);
    const Floats3 stretched =
        unit3((Floats3){-alpha * dot(direction, s), -alpha * dot(direction, t), -dot(direction, n)});
    const Floats square = stretched.x * stretched.x + stretched.y * stretched.y;
    const Which tilted = less(spread(1e-12f), square);
    const Floats inverse = 1.0f / square_root(blend(tilted, square, spread(1)));
    const Floats3 across = {blend(tilted, -stretched.y * inverse, spread(1)),
                            blend(tilted, stretched.x * inverse, spread(0)), spread(0)};
    const Floats3 along = cross3(stretched, across);
    Floats sine, cosine;
    sine_cosine(v, &sine, &cosine);
    const Floats radius = square_root(u), half = 0.5f * (1.0f + stretched.z);
    const Floats p = radius * cosine, q = (1.0f - half) * root_above_0(1.0f - p * p) + half * radius * sine;
    const Floats3 facet = along3(along3(scale3(across, p), q, along), root_above_0(1.0f - p * p - q * q), stretched);
    const Floats3 local = unit3((Floats3){alpha * facet.x, alpha * facet.y, greater(facet.z, spread(0))});
    return along3(along3(scale3(s, local.x), local.y, t), local.z, n);
}

/* path_metal; false in lanes whose direction goes below the surface. */
static inline Which metal_direction(const Surfaces *surfaces, const Films *films, Floats3 direction, Floats u, Floats v,
                                    Floats3 *out, Floats3 *weight) {
    const Floats3 facet = drawn_facet(surfaces, direction, u, v);
    *out = unit3(mirror3(direction, facet));
    const Floats facing = dot(*out, surfaces->normal);
    *weight = scale3(mirrored_by_metal(surfaces, films, -dot(direction, facet)), visible(facing, alpha_of(surfaces)));
    return less(spread(0), facing);
}

/* The index before the surface by the one behind. */
static inline Floats eta_of(const Surfaces *surfaces) {
    return blend(surfaces->inside, surfaces->refraction, 1.0f / surfaces->refraction);
}

/* path_transmittance */
static inline Floats3 coming_through(const Surfaces *surfaces, Floats eta) {
    return scale3(surfaces->colour, surfaces->transmittance * eta * eta);
}

/* material_is_rough_glass, of glass */
static inline Which refracting_facets(const Surfaces *surfaces) {
    return at_most(spread(MATERIAL_ROUGH), surfaces->roughness) &
           (less(spread(1.001f), surfaces->refraction) | less(surfaces->refraction, spread(0.999f)));
}

/* fresnel */
static inline Floats mirrored_share(Floats cosine, Floats eta, Floats *onward) {
    const Floats square = 1.0f - eta * eta * (1.0f - cosine * cosine);
    *onward = root_above_0(square);
    const Floats along = (cosine - eta * *onward) / (cosine + eta * *onward);
    const Floats across = (eta * cosine - *onward) / (eta * cosine + *onward);
    return blend(at_most(square, spread(0)), spread(1), 0.5f * (along * along + across * across));
}

/* path_mirrored_by_glass, and *chance as path_chance */
static inline Floats3 mirrored_by_glass(const Films *films, Floats cosine, Floats eta, Floats *onward, Floats *chance) {
    const Floats plain = mirrored_share(cosine, eta, onward);
    Floats3 mirrored = {plain, plain, plain};
    *chance = plain;
    if (films->any) {
        const Floats thin = blend(less(eta, spread(1)), cosine, *onward);
        const Floats3 film = {film_share(films, films->rows, thin),
                              film_share(films, films->rows + THIN_FILM_ROW, thin),
                              film_share(films, films->rows + 2 * THIN_FILM_ROW, thin)};
        const Which on = films->on & less(plain, spread(1));
        mirrored = blend3(on, film, mirrored);
        *chance = blend(films->on, (mirrored.x + mirrored.y + mirrored.z) * (1.0f / 3), plain);
    }
    return mirrored;
}

/* path_split */
static inline Floats3 split_colours(const Films *films, Floats3 mirrored, Floats chance, Which passes) {
    const Floats3 one = lanes3(vec(1, 1, 1));
    const Floats least = spread(1e-6f);
    const Floats3 through = scale3(minus3(one, mirrored), 1.0f / greater(1.0f - chance, least));
    const Floats3 sent = blend3(passes, through, scale3(mirrored, 1.0f / greater(chance, least)));
    return films->any ? blend3(films->on, sent, one) : one;
}

/* path_glass; false in lanes whose direction goes to the other side. */
static inline Which glass_direction(const Surfaces *surfaces, const Films *films, Floats3 direction, Floats u, Floats v,
                                    Floats chance, Floats3 *out, Floats3 *weight, Which *passes) {
    const Floats3 facet = drawn_facet(surfaces, direction, u, v);
    const Floats cosine = -dot(direction, facet), eta = eta_of(surfaces);
    Floats onward, mirrors;
    const Floats3 mirrored = mirrored_by_glass(films, cosine, eta, &onward, &mirrors);
    *passes = ~less(chance, mirrors);
    const Floats3 refracted = along3(scale3(direction, eta), eta * cosine - onward, facet);
    *out = unit3(blend3(*passes, refracted, mirror3(direction, facet)));
    const Floats up = dot(*out, surfaces->normal), facing = blend(*passes, -up, up);
    const Floats3 sent = blend3(*passes, coming_through(surfaces, eta), lanes3(vec(1, 1, 1)));
    *weight =
        each3(scale3(sent, visible(facing, alpha_of(surfaces))), split_colours(films, mirrored, mirrors, *passes));
    return less(spread(0), facing);
}

/* A member of the lanes' materials, `offset` bytes from their beginnings. */
static inline Floats of_materials(const ShadingContext *context, const Surfaces *surfaces, size_t offset) {
    return pick((const float *)context->materials + offset / 4, surfaces->material * MATERIAL_WORDS);
}

/* path_film, but for the lanes `coats`. */
static inline Films films_of(const ShadingContext *context, const Surfaces *surfaces, Which coats) {
    Films films = {context->albedos, spread_int(0), less(spread(1), spread(0)), false};
    if (!context->rich)
        return films;
    films.on = less(spread(0), of_materials(context, surfaces, offsetof(Material, film))) & ~coats;
    films.any = bits_of(films.on) != 0;
    if (films.any)
        films.rows =
            blend_int(films.on, (Ints)of_materials(context, surfaces, offsetof(Material, film_rows)), films.rows);
    return films;
}

/* Where the materials' rows of albedos begin, and the first row in lanes that are not in `rough`. */
static inline Ints rows_in(const ShadingContext *context, const Surfaces *surfaces, Which rough) {
    return blend_int(rough, (Ints)of_materials(context, surfaces, offsetof(Material, albedos)), spread_int(0));
}

/* albedo_at */
static inline Floats share_at(const float *albedos, Ints row, Floats cosine, Floats alpha) {
    const Floats square = cosine * cosine, steps = spread(ALBEDO_STEPS - 2);
    const Floats stretched = cosine / square_root(alpha * alpha * (1.0f - square) + square);
    const Floats place = (cosine + stretched) * (0.5f * (ALBEDO_STEPS - 1));
    const Ints below = __builtin_convertvector(lesser(place, steps), Ints);
    const Floats first = pick(albedos, row + below), next = pick(albedos, row + below + 1);
    return first + (place - of_int(below)) * (next - first);
}

/* path_regained of metal; 1 in lanes that are not in `rough`. */
static inline Floats3 light_regained(const ShadingContext *context, const Surfaces *surfaces, const Films *films,
                                     Which rough, Floats cosine) {
    const Ints row = rows_in(context, surfaces, rough);
    const Floats once = share_at(context->albedos, row, cosine, alpha_of(surfaces));
    const Floats mean = pick(context->albedos, row + ALBEDO_MEAN), lost = mean * (1.0f - once) / once;
    Floats3 facet =
        scale3(along3(lanes3(vec(1, 1, 1)), spread(20), surfaces->colour), surfaces->specular * (1.0f / 21));
    if (films->any)
        facet = blend3(films->on, film_on_metal(films, surfaces, cosine, true), facet);
    const Floats3 more = {facet.x * lost / (1.0f - facet.x * (1.0f - mean)),
                          facet.y * lost / (1.0f - facet.y * (1.0f - mean)),
                          facet.z * lost / (1.0f - facet.z * (1.0f - mean))};
    return along3(lanes3(vec(1, 1, 1)), blend(rough, spread(1), spread(0)), more);
}

/* path_draws_coat, where surfaces are diffuse or of metal. The factor is 1 in the other lanes. */
static inline Which draw_coats(const ShadingContext *context, Surfaces *surfaces, Floats cosine, Floats *chance,
                               Floats *factor) {
    const Floats covers = of_materials(context, surfaces, offsetof(Material, coat)), one = spread(1);
    const Floats roughness = of_materials(context, surfaces, offsetof(Material, coat_roughness));
    const Which rough = less(spread(0), covers) & at_most(spread(MATERIAL_ROUGH), roughness);
    Floats share = MATERIAL_COAT_MIRRORS + (1 - MATERIAL_COAT_MIRRORS) * grazing_part(cosine);
    if (bits_of(rough)) {
        const Ints found = (Ints)of_materials(context, surfaces, offsetof(Material, coat_albedos));
        const Ints rows = blend_int(rough, found, spread_int(0));
        share = blend(rough, share_at(context->albedos, rows, cosine, greater(roughness * roughness, spread(1e-4f))),
                      share);
    }
    const Floats coat = covers * share;
    const Which drawn = less(*chance, coat);
    const Floats mirrors = spread(MATERIAL_COAT_MIRRORS);
    *chance = blend(drawn, *chance, *chance - coat) / blend(drawn, coat, 1.0f - coat);
    *factor = blend(drawn, 1.0f / coat, one);
    surfaces->colour = blend3(drawn, (Floats3){mirrors, mirrors, mirrors}, surfaces->colour);
    surfaces->diffuse = blend(drawn, spread(0), surfaces->diffuse);
    surfaces->specular = blend(drawn, covers, surfaces->specular);
    surfaces->roughness = blend(drawn, roughness, surfaces->roughness);
    return drawn;
}

/* Lobe: metal in the lanes that mirror, or glass in all. */
typedef struct Lobes {
    Which mirrors;
    bool glass;
    Films films;
} Lobes;

/* path_facets */
static inline Floats seen_facets(const Surfaces *surfaces, Floats3 direction, Floats3 facet) {
    const Floats alpha = alpha_of(surfaces), square = alpha * alpha;
    const Floats seen = greater(-dot(direction, surfaces->normal), spread(1e-6f));
    const Floats3 tilt = cross3(facet, surfaces->normal);
    const Floats up = dot(facet, surfaces->normal), width = up * up * square + dot(tilt, tilt);
    return visible(seen, alpha) * square / (4.0f * seen * PI_F * width * width);
}

/* path_scatter_glass */
static inline Floats scattered_by_glass(const Surfaces *surfaces, const Films *films, Floats3 direction, Floats3 to,
                                        Floats3 *share) {
    const Floats eta = eta_of(surfaces), facing = dot(surfaces->normal, to);
    const Which passes = less(facing, spread(0));
    const Floats3 sum = along3(to, blend(passes, -eta, spread(-1)), direction);
    const Floats turn = blend(less(dot(sum, surfaces->normal), spread(0)), spread(-1), spread(1));
    const Floats3 facet = scale3(unit3(sum), turn);
    const Floats seen = -dot(direction, facet), leaves = dot(to, facet), both = eta * seen + leaves;
    Floats onward, mirrors;
    const Floats3 mirrored = mirrored_by_glass(films, seen, eta, &onward, &mirrors);
    const Floats refracted = -4.0f * leaves * seen * (1.0f - mirrors) / (both * both);
    const Which possible = less(spread(0), seen) & (~passes | less(leaves, spread(0)));
    const Floats part = blend(passes, refracted, mirrors) * seen_facets(surfaces, direction, facet);
    const Floats density = blend(possible, part, spread(0));
    const Floats3 sent = blend3(passes, coming_through(surfaces, eta), lanes3(vec(1, 1, 1)));
    *share = each3(scale3(sent, PI_F * visible(absolute(facing), alpha_of(surfaces)) * density),
                   split_colours(films, mirrored, mirrors, passes));
    return density;
}

/* path_scatter: the share in *share; returns the density. */
static inline Floats scattered_to(const Surfaces *surfaces, Floats3 direction, const Lobes *lobes, Floats3 to,
                                  Floats3 *share) {
    if (lobes->glass)
        return scattered_by_glass(surfaces, &lobes->films, direction, to, share);
    const Floats facing = dot(surfaces->normal, to);
    Floats density = facing * (1 / PI_F);
    *share = (Floats3){facing, facing, facing};
    if (bits_of(lobes->mirrors)) {
        const Floats3 facet = unit3(minus3(to, direction));
        const Floats metal = seen_facets(surfaces, direction, facet), alpha = alpha_of(surfaces);
        const Floats3 sent = scale3(mirrored_by_metal(surfaces, &lobes->films, -dot(direction, facet)),
                                    PI_F * visible(facing, alpha) * metal);
        density = blend(lobes->mirrors, metal, density);
        *share = blend3(lobes->mirrors, sent, *share);
    }
    return density;
}

/* Whether the surfaces send light into these directions. */
static inline Which sends_to(const Surfaces *surfaces, const Lobes *lobes, Floats3 to) {
    const Which facing = less(spread(0), dot(surfaces->normal, to));
    return lobes->glass ? less(spread(0), spread(1)) : facing;
}

#endif
