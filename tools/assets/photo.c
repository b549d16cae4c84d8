/* photo.c: fruit on a wooden table by a window: a small path tracer that draws the picture filters are judged on.
 * Centimetres; y is up. Diffuse surfaces under a clear coat; the window is sampled directly.
 * A scene that glint traces cannot take its place. Filters are judged on fine texture: the grain of wood, woven cloth,
 * pores and dust. glint's surfaces have one colour each, and its shapes are spheres and triangles. */
#include "tools/assets/photo.h"
#include "core/base/share.h"
#include "tools/assets/assets.h"

#include <stdlib.h>

enum { WIDTH = 1280, HEIGHT = 853, BOUNCES = 5 };

static const float far_away = 1e9f;

typedef struct Met {
    float t;
    const Thing *thing;
    Vec normal;
} Met;

/* A ball around things[first .. first + count): rays that miss it skip them. */
typedef struct Group {
    Vec at;
    float radius;
    int first, count;
} Group;

enum { THINGS_MAX = 256, GROUPS_MAX = 8 };

typedef struct Still {
    Thing things[THINGS_MAX];
    Group groups[GROUPS_MAX];
    int count, groups_count;
} Still;

/* ---- intersection ---- */

static bool ball_span(Vec centre, float radius, Vec from, Vec to, float *near, float *far) {
    const Vec d = sub(from, centre);
    const float b = dot(d, to), room = b * b - dot(d, d) + radius * radius;
    if (room <= 0)
        return false;
    *near = -b - sqrtf(room);
    *far = -b + sqrtf(room);
    return *far > 0;
}

static void keep(Met *hit, float t, const Thing *thing, Vec normal) {
    if (t > 1e-3f && t < hit->t)
        *hit = (Met){t, thing, normal};
}

static void meet_ball(const Thing *thing, Vec from, Vec to, Met *hit) {
    float near, far;
    if (ball_span(thing->at, thing->radius, from, to, &near, &far))
        keep(hit, near, thing, unit(sub(along(from, to, near), thing->at)));
}

static void meet_half(const Thing *thing, Vec from, Vec to, Met *hit) {
    float near, far;
    if (!ball_span(thing->at, thing->radius, from, to, &near, &far))
        return;
    if (dot(sub(along(from, to, near), thing->at), thing->axis) < 0)
        keep(hit, near, thing, unit(sub(along(from, to, near), thing->at)));
    const float t = dot(sub(thing->at, from), thing->axis) / dot(to, thing->axis);
    if (t > near && t < far)
        keep(hit, t, thing, thing->axis);
}

static void meet_leaf(const Thing *thing, Vec from, Vec to, Met *hit) {
    const float half_length = 2.9f, half_width = 1.25f;
    float ts[2];
    if (!ball_span(thing->at, thing->radius, from, to, &ts[0], &ts[1]))
        return;
    for (int i = 0; i < 2; i++) {
        const Vec p = sub(along(from, to, ts[i]), thing->at);
        const float x = dot(p, thing->side) / half_length, y = dot(p, cross(thing->axis, thing->side)) / half_width;
        const float outline = x > -1 && x < 1 ? (1 - x * x) * (1.05f - 0.35f * x) : 0;
        if (dot(p, thing->axis) > 0 && fabsf(y) < outline)
            keep(hit, ts[i], thing, unit(p));
    }
}

static Vec to_local(const Thing *thing, Vec v) {
    return vec(dot(v, thing->side), dot(v, thing->axis), dot(v, cross(thing->side, thing->axis)));
}

static void meet_shape(const Thing *thing, Vec from, Vec to, Met *hit) {
    float near, far;
    if (!ball_span(thing->at, thing->radius, from, to, &near, &far) || near > hit->t)
        return;
    const Vec origin = to_local(thing, sub(from, thing->at)), direction = to_local(thing, to);
    float t = fmaxf(near, 2e-3f);
    for (int step = 0; step < 160 && t < far; step++) {
        const Vec p = along(origin, direction, t);
        const float d = thing->distance(p);
        if (d < 4e-4f) {
            const float e = 2e-3f;
            const Vec slope = vec(thing->distance(vec(p.x + e, p.y, p.z)) - thing->distance(vec(p.x - e, p.y, p.z)),
                                  thing->distance(vec(p.x, p.y + e, p.z)) - thing->distance(vec(p.x, p.y - e, p.z)),
                                  thing->distance(vec(p.x, p.y, p.z + e)) - thing->distance(vec(p.x, p.y, p.z - e)));
            const Vec n = unit(slope);
            if (dot(n, direction) < 0) /* just leaving the surface that the ray started on */
                keep(hit, t, thing,
                     add(add(scale(thing->side, n.x), scale(thing->axis, n.y)),
                         scale(cross(thing->side, thing->axis), n.z)));
            if (dot(n, direction) < 0)
                return;
        }
        t += fmaxf(d, 1.5e-3f);
    }
}

static void meet_table(const Thing *thing, Vec from, Vec to, Met *hit) {
    const float t = -from.y / to.y;
    if (along(from, to, t).z > thing->at.z)
        keep(hit, t, thing, vec(0, 1, 0));
}

static void meet_cloth(const Thing *thing, Vec from, Vec to, Met *hit) {
    const float t = (thing->at.y - from.y) / to.y;
    float u, v;
    cloth_place(thing, along(from, to, t), &u, &v);
    const float hem = 0.05f * (noise3(vec(u * 9, v * 9, 1)) - 0.5f);
    if (fabsf(u) < 12.5f + hem && fabsf(v) < 9.0f + hem)
        keep(hit, t, thing, vec(0, 1, 0));
}

static void meet_wall(const Thing *thing, Vec from, Vec to, Met *hit) {
    keep(hit, (thing->at.z - from.z) / to.z, thing, vec(0, 0, 1));
}

typedef void Meet(const Thing *thing, Vec from, Vec to, Met *hit);
static Meet *const meets[] = {
    [KIND_BALL] = meet_ball,   [KIND_HALF] = meet_half,   [KIND_LEAF] = meet_leaf, [KIND_SHAPE] = meet_shape,
    [KIND_TABLE] = meet_table, [KIND_CLOTH] = meet_cloth, [KIND_WALL] = meet_wall,
};

static Met meet_all(const Still *still, Vec from, Vec to) {
    Met hit = {far_away, NULL, {0, 0, 0}};
    for (int g = 0; g < still->groups_count; g++) {
        const Group *group = &still->groups[g];
        float near, far;
        if (group->radius > 0 && (!ball_span(group->at, group->radius, from, to, &near, &far) || near > hit.t))
            continue;
        for (int i = group->first; i < group->first + group->count; i++)
            meets[still->things[i].kind](&still->things[i], from, to, &hit);
    }
    return hit;
}

/* ---- light ---- */

static const struct {
    float x, bottom, top, back, front; /* a rectangle in the plane of x */
} window = {-62, 9, 88, -44, 30};

/* The light through the window at a place of it: sky over pale houses, two by three panes between bars. */
static Vec window_light(float y, float z) {
    const float u = (z - window.back) / (window.front - window.back),
                v = (y - window.bottom) / (window.top - window.bottom);
    const float bar_u = fabsf(u * 2 - 1) * 0.5f * (window.front - window.back);
    const float row = v * 3 - floorf(v * 3), bar_v = fminf(row, 1 - row) * (window.top - window.bottom) / 3;
    if (bar_u < 1.6f || (bar_v < 1.3f && v > 0.05f && v < 0.95f))
        return vec(0.25f, 0.24f, 0.22f);
    const Vec sky = mix(vec(13.5f, 13.0f, 12.0f), vec(9.5f, 11.5f, 14.5f), v);
    return scale(sky, 0.35f + 0.65f * smooth(0.12f, 0.3f, v));
}

/* The rest of the room, unlit but for the light that the walls throw back. */
static Vec room_light(Vec to) {
    return mix(vec(0.30f, 0.25f, 0.20f), vec(0.42f, 0.40f, 0.37f), clampf(0.5f + 0.5f * to.y - 0.4f * to.x, 0, 1));
}

static bool through_window(Vec from, Vec to, float farthest, Vec *light) {
    const float t = (window.x - from.x) / to.x;
    const Vec p = along(from, to, t);
    if (t <= 1e-3f || t > farthest || p.y < window.bottom || p.y > window.top || p.z < window.back ||
        p.z > window.front)
        return false;
    *light = window_light(p.y, p.z);
    return true;
}

static Vec window_sample(const Still *still, Vec at, Vec normal, Pcg *pcg) {
    const float y = mixf(window.bottom, window.top, pcg_float(pcg)),
                z = mixf(window.back, window.front, pcg_float(pcg));
    const Vec way = sub(vec(window.x, y, z), at);
    const float distance = length(way);
    const Vec to = scale(way, 1 / distance);
    const float facing = dot(normal, to);
    if (facing <= 0 || meet_all(still, along(at, normal, 2e-3f), to).t < distance - 0.1f)
        return vec(0, 0, 0);
    const float area = (window.top - window.bottom) * (window.front - window.back);
    return scale(window_light(y, z), facing * -to.x * area / (distance * distance * PI));
}

static Vec cosine_direction(Vec normal, Pcg *pcg) {
    Vec u, v;
    basis(normal, &u, &v);
    const float turn = 2 * PI * pcg_float(pcg), square = pcg_float(pcg), r = sqrtf(square);
    return add(add(scale(u, r * cosf(turn)), scale(v, r * sinf(turn))), scale(normal, sqrtf(1 - square)));
}

/* A mirror direction about a facet drawn from the GGX distribution (Walter et al. 2007); *weight is its share of
 * light. */
static Vec coat_direction(Vec normal, Vec out, float roughness, Pcg *pcg, float *weight) {
    const float a = roughness * roughness, xi = pcg_float(pcg), turn = 2 * PI * pcg_float(pcg);
    const float cosine = sqrtf((1 - xi) / (1 + (a * a - 1) * xi)), sine = sqrtf(1 - cosine * cosine);
    Vec u, v;
    basis(normal, &u, &v);
    const Vec half = add(add(scale(u, sine * cosf(turn)), scale(v, sine * sinf(turn))), scale(normal, cosine));
    const float along_half = dot(out, half);
    const Vec to = sub(scale(half, 2 * along_half), out);
    const float n_to = dot(normal, to), n_out = fmaxf(dot(normal, out), 0.02f);
    if (n_to <= 0 || along_half <= 0) {
        *weight = 0;
        return to;
    }
    const float k = a / 2, visible = n_to / (n_to * (1 - k) + k) * n_out / (n_out * (1 - k) + k);
    *weight = fminf(visible * along_half / (n_out * cosine), 4);
    return to;
}

static Vec follow(const Still *still, Vec from, Vec to, Pcg *pcg) {
    Vec light = vec(0, 0, 0), carry = vec(1, 1, 1);
    bool counts_window = true; /* after a diffuse bounce the window has been sampled already */
    bool diffused = false;
    for (int bounce = 0; bounce < BOUNCES; bounce++) {
        const Met hit = meet_all(still, from, to);
        Vec seen;
        if (through_window(from, to, hit.t, &seen)) {
            const float peak = fmaxf(seen.x, fmaxf(seen.y, seen.z)), most = diffused ? 3 : 15; /* few bright paths */
            return counts_window ? add(light, mul(carry, scale(seen, fminf(1, most / peak)))) : light;
        }
        if (!hit.thing)
            return add(light, mul(carry, room_light(to)));
        const Vec at = along(from, to, hit.t), out = scale(to, -1);
        const Vec face = dot(hit.normal, to) > 0 ? scale(hit.normal, -1) : hit.normal;
        Finish look = hit.thing->surface(hit.thing, at, hit.normal);
        if (dot(look.normal, hit.normal) < 0 || dot(hit.normal, to) > 0)
            look.normal = dot(look.normal, face) < 0 ? scale(look.normal, -1) : look.normal;
        if (dot(look.normal, out) < 0.03f)
            look.normal = unit(along(look.normal, out, 0.03f - dot(look.normal, out)));
        const float grazing = powf(1 - clampf(dot(look.normal, out), 0, 1), 5);
        const float mirror = look.coat + (1 - look.coat) * grazing * (1 - 0.75f * look.roughness);
        const float chance = clampf(0.15f + mirror, 0, 0.9f);
        from = along(at, face, 2e-3f);
        if (pcg_float(pcg) < chance) {
            float weight;
            to = coat_direction(look.normal, out, look.roughness, pcg, &weight);
            if (weight <= 0 || dot(to, face) <= 0)
                return light;
            carry = scale(carry, weight * mirror / chance);
            counts_window = true;
        } else {
            carry = scale(mul(carry, look.albedo), (1 - mirror) / (1 - chance));
            light = add(light, mul(carry, window_sample(still, at, look.normal, pcg)));
            to = cosine_direction(look.normal, pcg);
            if (dot(to, face) <= 0)
                return light;
            counts_window = false;
            diffused = true;
        }
        if (bounce >= 2) { /* Russian roulette */
            const float go_on = clampf(fmaxf(carry.x, fmaxf(carry.y, carry.z)), 0.05f, 1);
            if (pcg_float(pcg) > go_on)
                return light;
            carry = scale(carry, 1 / go_on);
        }
    }
    return light;
}

/* ---- the arrangement ---- */

static Thing *put(Still *still, Kind kind, Vec at, float radius, Vec axis, Vec side, Surface *surface,
                  Distance *distance) {
    Thing *thing = &still->things[still->count++];
    axis = unit(axis);
    side = unit(sub(side, scale(axis, dot(side, axis))));
    *thing = (Thing){kind, at, radius, axis, side, surface, distance, (float)still->count * 1.37f};
    return thing;
}

static void close_group(Still *still, Vec at, float radius) {
    const Group *last = still->groups_count ? &still->groups[still->groups_count - 1] : NULL;
    const int first = last ? last->first + last->count : 0;
    still->groups[still->groups_count++] = (Group){at, radius, first, still->count - first};
}

static void put_apple(Still *still, Vec at, Vec axis, Vec side) {
    put(still, KIND_SHAPE, at, 4.3f, axis, side, red_apple, apple);
    put(still, KIND_SHAPE, along(at, unit(axis), 2.75f), 1.7f, add(unit(axis), scale(unit(side), 0.15f)), side, twig,
        stem);
}

static void put_leaf(Still *still, Vec at, Vec axis, Vec side) {
    const float bend = 5.5f;
    put(still, KIND_LEAF, along(at, unit(axis), -bend), bend, axis, side, leaf, NULL);
}

static bool is_free(const Still *still, Vec at, float radius) {
    for (int i = 0; i < still->count; i++) {
        const Thing *thing = &still->things[i];
        const float reach = thing->surface == glaze ? 5.5f : thing->surface == leaf ? 0 : fminf(thing->radius, 4.0f);
        const Vec d = sub(thing->at, at);
        if (thing->kind <= KIND_SHAPE &&
            d.x * d.x + d.z * d.z < (reach + radius) * (reach + radius) * (thing->radius < 2 ? 1.0f : 0.95f))
            return false;
    }
    return true;
}

static void arrange(Still *still) {
    const Vec up = vec(0, 1, 0), right = vec(1, 0, 0);
    put(still, KIND_TABLE, vec(0, 0, -46), 0, up, right, table, NULL);
    put(still, KIND_WALL, vec(0, 0, -100), 0, up, right, wall, NULL);
    put(still, KIND_CLOTH, vec(-3.5f, 0.10f, 9.5f), 0, vec(0.28f, 0, 1), vec(1, 0, -0.28f), cloth, NULL);
    close_group(still, vec(0, 0, 0), 0);

    put(still, KIND_SHAPE, vec(-7, 9.62f, -6), 9.95f, up, right, glaze, bowl);
    put(still, KIND_BALL, vec(-9.9f, 5.42f, -7.2f), 3.9f, vec(0.3f, 0.9f, 0.5f), right, orange, NULL);
    put_apple(still, vec(-3.95f, 5.7f, -7.0f), vec(0.25f, 1, 0.32f), vec(1, 0, 0.3f));
    put_apple(still, vec(-7.0f, 5.75f, -2.6f), vec(-0.30f, 0.9f, 0.42f), vec(0.6f, 0, 1));
    put(still, KIND_SHAPE, vec(-6.9f, 11.0f, -5.9f), 5.0f, vec(0.1f, 1, 0.1f), vec(1, 0.12f, 0.35f), yellow_lemon,
        lemon);
    close_group(still, vec(-7, 8.0f, -6), 12.5f);

    put(still, KIND_SHAPE, vec(7.3f, 3.5f, -8.5f), 7.4f, vec(0.06f, 1, 0.04f), vec(1, 0, -0.4f), green_pear, pear);
    put(still, KIND_SHAPE, vec(8.1f, 11.0f, -8.4f), 1.7f, vec(0.4f, 1, 0.1f), right, twig, stem);
    put(still, KIND_BALL, vec(14.6f, 3.9f, -3.0f), 3.9f, vec(-0.35f, 0.85f, 0.4f), right, orange, NULL);
    put_leaf(still, vec(12.9f, 8.2f, -1.1f), vec(0.1f, 1, 0.35f), vec(-1, 0.18f, 0.55f));
    put(still, KIND_HALF, vec(-0.4f, 3.72f, 10.0f), 3.7f, vec(0.10f, 0.52f, 0.85f), vec(1, 0.2f, 0), cut_orange, NULL);
    put(still, KIND_SHAPE, vec(-12.5f, 2.70f, 4.4f), 4.7f, up, vec(1, 0, -0.8f), yellow_lemon, lemon);
    put_leaf(still, vec(5.6f, 0.95f, 13.2f), vec(0.1f, 1, 0.12f), vec(1, 0.05f, -0.5f));
    close_group(still, vec(2.5f, 5, 1.5f), 20.5f);

    Pcg pcg = pcg_seed(7, 11);
    /* Grapes: a heap with its long axis to the right; each is dropped and rests where it first touches others. */
    const int first = still->count;
    for (int tries = 0; still->count < first + 46 && tries < 4000; tries++) {
        const float t = pcg_float(&pcg), radius = 0.98f + 0.22f * pcg_float(&pcg);
        const float aside = 3.2f * (1 - 0.6f * t) * (2 * pcg_float(&pcg) - 1);
        Vec at = vec(6.8f + 8.6f * t, radius, 5.6f + aside + 1.2f * t);
        for (int i = first; i < still->count; i++)
            if (length(sub(still->things[i].at, at)) < 0.93f * (still->things[i].radius + radius)) {
                at.y += 0.05f;
                i = first - 1;
            }
        if (at.y > radius + 3.4f * (1 - 0.75f * t))
            continue;
        put(still, KIND_BALL, at, radius, vec(pcg_float(&pcg) - 0.5f, pcg_float(&pcg) - 0.5f, 0.5f), right, grape,
            NULL);
    }
    close_group(still, vec(11, 2.5f, 6), 7.6f);

    for (int tries = 0, made = 0; made < 34 && tries < 6000; tries++) {
        const float radius = 0.62f + 0.24f * pcg_float(&pcg), turn = 2 * PI * pcg_float(&pcg),
                    r = 5.8f * sqrtf(pcg_float(&pcg));
        const Vec at = vec(-6.4f + 1.25f * r * cosf(turn), radius + 0.10f, 11.6f + 0.8f * r * sinf(turn));
        if (!is_free(still, at, radius))
            continue;
        put(still, KIND_BALL, at, radius, vec(pcg_float(&pcg) - 0.5f, pcg_float(&pcg), pcg_float(&pcg) - 0.1f),
            vec(1, 0.1f, 0.2f), berry, NULL);
        made++;
    }
    close_group(still, vec(-6.4f, 0.8f, 11.6f), 9.5f);
}

/* ---- the camera ---- */

static Vec expose(const Still *still, float px, float py, int samples, Pcg *pcg) {
    const Vec eye = vec(2.0f, 20.0f, 47.0f), aim = vec(0.8f, 5.3f, 0);
    const Vec forward = unit(sub(aim, eye)), right = unit(cross(forward, vec(0, 1, 0))), up = cross(right, forward);
    const float half_width = 0.405f, focus = 41.5f, aperture = 0.42f;
    Vec sum = vec(0, 0, 0);
    for (int i = 0; i < samples; i++) {
        const float x = (2 * (px + pcg_float(pcg)) / WIDTH - 1) * half_width;
        const float y = (1 - 2 * (py + pcg_float(pcg)) / HEIGHT) * half_width * HEIGHT / WIDTH;
        const float turn = 2 * PI * pcg_float(pcg), r = aperture * sqrtf(pcg_float(pcg));
        const Vec shift = add(scale(right, r * cosf(turn)), scale(up, r * sinf(turn)));
        const Vec point = scale(add(forward, add(scale(right, x), scale(up, y))), focus);
        const Vec light = follow(still, add(eye, shift), unit(sub(point, shift)), pcg);
        const float peak = fmaxf(light.x, fmaxf(light.y, light.z)), most = 14; /* fireflies */
        sum = add(sum, peak > most ? scale(light, most / peak) : light);
    }
    return scale(sum, 1 / (float)samples);
}

/* The filmic curve of Hable (2010), white at 6. */
static float film(float v) {
    const float a = 0.22f, b = 0.30f, c = 0.10f, d = 0.20f, e = 0.01f, f = 0.30f, white = 6;
#define CURVE(x) (((x) * (a * (x) + c * b) + d * e) / ((x) * (a * (x) + b) + d * f) - e / f)
    return CURVE(v) / CURVE(white);
#undef CURVE
}

static float encode_srgb(float v) {
    v = clampf(v, 0, 1);
    return v <= 0.0031308f ? 12.92f * v : 1.055f * powf(v, 1 / 2.4f) - 0.055f;
}

/* Adds the glow of a lens: light spread by a wide bell, in two passes of a sliding sum repeated thrice. */
static void glow(float *pixels, float *soft, float *line) {
    const int radius = 14;
    for (int i = 0; i < 3 * WIDTH * HEIGHT; i++)
        soft[i] = pixels[i];
    for (int pass = 0; pass < 6; pass++) {
        const bool across = pass < 3;
        const int lines = across ? HEIGHT : WIDTH, count = across ? WIDTH : HEIGHT, step = across ? 3 : 3 * WIDTH;
        for (int l = 0; l < 3 * lines; l++) {
            float *at = soft + (across ? l / 3 * 3 * WIDTH : l / 3 * 3) + l % 3;
            for (int i = 0; i < count; i++)
                line[i] = at[i * step];
            for (int i = 0; i < count; i++) {
                float sum = 0;
                for (int k = -radius; k <= radius; k++)
                    sum += line[i + k < 0 ? 0 : i + k >= count ? count - 1 : i + k];
                at[i * step] = sum / (float)(2 * radius + 1);
            }
        }
    }
    for (int i = 0; i < 3 * WIDTH * HEIGHT; i++)
        pixels[i] = mixf(pixels[i], soft[i], 0.05f);
}

/* Exposure, falloff to the corners, film, grain. */
static void develop(const float *pixels, ImageView picture) {
    Pcg pcg = pcg_seed(3, 12);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const float u = (float)x / WIDTH - 0.5f, v = ((float)y / HEIGHT - 0.5f) * HEIGHT / WIDTH;
            const float exposure = 1.95f * (1 - 0.9f * (u * u + v * v));
            float bell = -2;
            for (int i = 0; i < 4; i++)
                bell += pcg_float(&pcg);
            for (int c = 0; c < 3; c++) {
                const float value = encode_srgb(film(exposure * pixels[3 * (y * WIDTH + x) + c]));
                const float contrast = value + 0.12f * (value - 0.5f) * 4 * value * (1 - value);
                view_set_value(picture, (size_t)x, (size_t)y, c, (double)(255 * contrast + 2.6f * bell));
            }
        }
}

typedef struct Exposure {
    const Still *still;
    int quality;
    float *pixels;
} Exposure;

static void expose_row(const void *job, size_t y) {
    const Exposure *exposure = job;
    for (int x = 0; x < WIDTH; x++) {
        Pcg pcg = pcg_seed((uint64_t)y * WIDTH + (uint64_t)x, 13);
        const Vec light = expose(exposure->still, (float)x, (float)y, exposure->quality, &pcg);
        float *pixel = &exposure->pixels[3 * (y * WIDTH + (size_t)x)];
        pixel[0] = light.x;
        pixel[1] = light.y;
        pixel[2] = light.z;
    }
}

Status asset_photo(int quality, Image **picture) {
    Still *still = calloc(1, sizeof *still);
    float *pixels = calloc(3 * WIDTH * HEIGHT, sizeof *pixels), *soft = calloc(3 * WIDTH * HEIGHT, sizeof *soft);
    float line[WIDTH > HEIGHT ? WIDTH : HEIGHT];
    Status status = fail(STATUS_DEVICE, "photo: no memory");
    if (still && pixels && soft)
        status = image_create((Shape){WIDTH, HEIGHT, 3, PIXEL_U8}, picture);
    if (status == STATUS_OK) {
        arrange(still);
        share_pieces(HEIGHT, expose_row, &(Exposure){still, quality, pixels});
        glow(pixels, soft, line);
        develop(pixels, (*picture)->view);
    }
    free(still);
    free(pixels);
    free(soft);
    return status;
}
