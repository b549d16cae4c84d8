/* photo_surfaces.c: the forms of fruit, and colours and bumps of all surfaces in the picture. */
#include "tools/assets/photo.h"

/* ---- shapes ---- */

static float smooth_least(float a, float b, float k) {
    const float h = clampf(0.5f + 0.5f * (b - a) / k, 0, 1);
    return mixf(b, a, h) - k * h * (1 - h);
}

/* The outside of a spindle torus, narrower below, with five soft lobes. */
float apple(Vec p) {
    const float round = sqrtf(p.x * p.x + p.z * p.z);
    const float around = atan2f(p.z, p.x);
    const float q = round * (1.0f - 0.045f * p.y) * (1 + 0.012f * cosf(5 * around) * smooth(1, -3, p.y));
    const float a = q - 1.35f, y = p.y * 0.98f;
    return 0.8f * (sqrtf(a * a + y * y) - 2.55f);
}

float pear(Vec p) {
    const Vec neck = vec(p.x - 0.25f, p.y - 4.1f, p.z), tip = vec(p.x - 0.4f, p.y - 5.6f, p.z);
    const float body = smooth_least(length(p) - 3.5f, length(neck) - 1.75f, 2.6f);
    return 0.85f * smooth_least(body, length(tip) - 1.1f, 1.2f);
}

float lemon(Vec p) {
    const Vec stretched = vec(p.x * 0.74f, p.y, p.z);
    const float body = length(stretched) - 2.6f;
    const Vec right = vec(p.x - 3.75f, p.y, p.z), left = vec(p.x + 3.6f, p.y, p.z);
    return 0.85f * smooth_least(smooth_least(body, length(right) - 0.42f, 1.3f), length(left) - 0.5f, 0.9f);
}

/* A hollow ball cut open above, on a foot ring. */
float bowl(Vec p) {
    const float radius = 9.5f, rim = -3.2f, thick = 0.28f;
    const float round = sqrtf(p.x * p.x + p.z * p.z);
    const float width = sqrtf(radius * radius - rim * rim);
    float shell;
    if (rim * round < width * p.y) {
        const float dx = round - width, dy = p.y - rim;
        shell = sqrtf(dx * dx + dy * dy);
    } else {
        shell = fabsf(sqrtf(round * round + p.y * p.y) - radius);
    }
    const float fx = round - 4.0f, fy = p.y + 8.9f;
    const float box_x = fabsf(fx) - 0.25f, box_y = fabsf(fy) - 0.6f;
    const float foot =
        sqrtf(powf(fmaxf(box_x, 0), 2) + powf(fmaxf(box_y, 0), 2)) + fminf(fmaxf(box_x, box_y), 0) - 0.12f;
    return 0.95f * smooth_least(shell - thick, foot, 0.4f);
}

float stem(Vec p) {
    const float h = clampf(p.y, -1.2f, 1.3f);
    const Vec d = vec(p.x - 0.12f * h * h, p.y - h, p.z);
    return 0.8f * (length(d) - 0.14f - 0.05f * smooth(0.8f, 1.3f, h));
}

/* ---- surfaces ---- */

/* Leans the normal against the slope of a height given at `at` and a little aside. */
static Vec bumped(Vec normal, float here, float aside_u, float aside_v, float step, float height) {
    Vec u, v;
    basis(normal, &u, &v);
    const float k = height / step;
    return unit(sub(normal, add(scale(u, k * (aside_u - here)), scale(v, k * (aside_v - here)))));
}

static float pores(Vec p) {
    float first, second;
    worley(p, &first, &second);
    return smooth(0.0f, 0.55f, first) + 0.5f * noise3(scale(p, 0.6f));
}

static Vec pored(Vec at, Vec normal, float frequency, float height, float seed) {
    Vec u, v;
    basis(normal, &u, &v);
    const float step = 0.02f;
    const Vec p = add(scale(at, frequency), vec(seed, seed, seed));
    return bumped(normal, pores(p), pores(along(p, u, step * frequency)), pores(along(p, v, step * frequency)), step,
                  height);
}

Finish orange(const Thing *thing, Vec at, Vec normal) {
    const Vec local = sub(at, thing->at);
    const float blotch = fbm(add(scale(local, 0.5f), vec(thing->seed, 0, 0)), 4);
    const float top = dot(unit(local), thing->axis);
    Vec albedo = mix(vec(0.80f, 0.185f, 0.008f), vec(0.84f, 0.265f, 0.014f), blotch);
    albedo = mix(albedo, vec(0.42f, 0.36f, 0.05f), 0.5f * smooth(0.93f, 0.995f, top));
    if (top > 0.9935f)
        albedo = mix(vec(0.16f, 0.19f, 0.05f), vec(0.30f, 0.26f, 0.12f), noise3(scale(local, 9)));
    return (Finish){albedo, pored(local, normal, 4.2f, 0.017f, thing->seed), 0.045f, 0.30f};
}

/* The cut: rind, pith, ten segments of long vesicles between pale skins. */
Finish cut_orange(const Thing *thing, Vec at, Vec normal) {
    if (dot(normal, thing->axis) < 0.99f)
        return orange(thing, at, normal);
    const Vec local = sub(at, thing->at);
    const float x = dot(local, thing->side), y = dot(local, cross(thing->axis, thing->side));
    const float wobble = 0.03f * (fbm(scale(local, 2.2f), 3) - 0.5f);
    const float r = sqrtf(x * x + y * y) / thing->radius + wobble;
    const float turn = atan2f(y, x) / (2 * PI) * 10 + 0.22f * (fbm(scale(local, 0.7f), 2) - 0.5f);
    const float in_segment = fabsf(turn - floorf(turn) - 0.5f) * 2; /* 1 at the skins */
    const float skin_distance = (1 - in_segment) * r * 0.31f;
    float first, second;
    const Vec vesicle = vec(r * 6.0f, turn * 5.5f, 3.0f + floorf(turn));
    worley(vesicle, &first, &second);
    const float cell = smooth(0, 0.22f, second - first);
    const Vec pulp = mix(vec(0.88f, 0.42f, 0.10f), vec(0.80f, 0.19f, 0.008f), cell * (0.45f + 0.55f * noise3(vesicle)));
    const Vec pith = mix(vec(0.88f, 0.76f, 0.52f), vec(0.95f, 0.87f, 0.68f), noise3(scale(local, 8)));
    const float flesh =
        smooth(0.0f, 0.018f, skin_distance - 0.006f) * smooth(0.895f, 0.875f, r) * smooth(0.07f, 0.10f, r);
    Vec albedo = mix(pith, pulp, flesh);
    albedo = mix(albedo, vec(0.82f, 0.24f, 0.01f), smooth(0.955f, 0.97f, r));
    const Vec wet = bumped(normal, first, noise3(scale(local, 11)), noise3(scale(local, 13)), 1, 0.16f * flesh);
    return (Finish){albedo, wet, 0.05f, mixf(0.5f, 0.16f, flesh)};
}

Finish red_apple(const Thing *thing, Vec at, Vec normal) {
    const Vec p = sub(at, thing->at);
    const float around = atan2f(dot(p, cross(thing->axis, thing->side)), dot(p, thing->side));
    const float high = dot(p, thing->axis) / thing->radius;
    const float streak = fbm(vec(around * 9 + thing->seed, high * 1.6f, thing->seed), 5);
    const float patch = fbm(add(scale(p, 0.35f), vec(thing->seed, 3, 1)), 3);
    const float ripe = smooth(0.30f, 0.62f, 0.55f * patch + 0.45f * streak + 0.10f);
    Vec albedo = mix(vec(0.72f, 0.50f, 0.07f), vec(0.47f, 0.022f, 0.02f), ripe);
    albedo = mix(albedo, vec(0.30f, 0.008f, 0.012f), 0.6f * ripe * smooth(0.5f, 0.75f, streak));
    float first, second;
    worley(add(scale(p, 1.7f), vec(thing->seed, 0, 0)), &first, &second);
    albedo = mix(albedo, vec(0.80f, 0.60f, 0.30f), 0.75f * smooth(0.10f, 0.05f, first));
    const float hollow =
        smooth(0.9f, 0.2f, length(sub(p, scale(thing->axis, dot(p, thing->axis))))) * (high > 0 ? 1.0f : 0.5f);
    albedo = mix(albedo, vec(0.36f, 0.30f, 0.07f), 0.8f * hollow);
    return (Finish){albedo, normal, 0.05f, 0.13f + 0.1f * streak};
}

Finish green_pear(const Thing *thing, Vec at, Vec normal) {
    const Vec p = sub(at, thing->at);
    const float patch = fbm(add(scale(p, 0.4f), vec(thing->seed, 0, 0)), 4);
    Vec albedo = mix(vec(0.42f, 0.47f, 0.06f), vec(0.66f, 0.55f, 0.10f), smooth(0.3f, 0.7f, patch));
    albedo = mix(albedo, vec(0.60f, 0.20f, 0.06f),
                 0.75f * smooth(0.1f, 0.9f, dot(normal, unit(vec(0.75f, 0.15f, 0.45f))) * 0.8f + patch - 0.35f));
    float first, second;
    worley(scale(p, 2.6f), &first, &second);
    albedo = mix(albedo, vec(0.27f, 0.17f, 0.05f), 0.7f * smooth(0.16f, 0.06f, first));
    const float russet = smooth(0.52f, 0.66f, fbm(scale(p, 1.3f), 5)) * smooth(2.0f, 6.0f, dot(p, thing->axis));
    albedo = mix(albedo, vec(0.33f, 0.20f, 0.07f), 0.8f * russet);
    return (Finish){albedo, pored(p, normal, 3.0f, 0.006f, 2), 0.04f, 0.34f};
}

Finish yellow_lemon(const Thing *thing, Vec at, Vec normal) {
    const Vec p = sub(at, thing->at);
    const float patch = fbm(add(scale(p, 0.6f), vec(thing->seed, 0, 0)), 4);
    Vec albedo = mix(vec(0.80f, 0.50f, 0.018f), vec(0.84f, 0.58f, 0.04f), patch);
    albedo = mix(albedo, vec(0.50f, 0.52f, 0.06f), 0.6f * smooth(2.6f, 4.4f, fabsf(dot(p, thing->side))));
    return (Finish){albedo, pored(p, normal, 3.3f, 0.02f, thing->seed), 0.045f, 0.27f};
}

/* A dark berry under a pale bloom that hands have partly rubbed off. */
Finish berry(const Thing *thing, Vec at, Vec normal) {
    const Vec p = sub(at, thing->at);
    const float bloom = fbm(add(scale(p, 1.8f / thing->radius), vec(thing->seed * 7, thing->seed, 0)), 4);
    const float dusty = smooth(0.34f, 0.66f, bloom) * 0.8f;
    Vec albedo = mix(vec(0.018f, 0.014f, 0.045f), vec(0.16f, 0.20f, 0.36f), dusty);
    const float top = dot(unit(p), thing->axis);
    const float around = atan2f(dot(p, cross(thing->axis, thing->side)), dot(p, thing->side));
    const float crown = 0.90f + 0.035f * cosf(5 * around);
    albedo = mix(albedo, vec(0.02f, 0.012f, 0.02f), smooth(crown - 0.01f, crown + 0.015f, top));
    return (Finish){albedo, bumped(normal, bloom, noise3(scale(p, 9)), noise3(scale(p, 10)), 1, 0.05f), 0.045f,
                    mixf(0.2f, 0.62f, dusty)};
}

Finish grape(const Thing *thing, Vec at, Vec normal) {
    const Vec p = sub(at, thing->at);
    const float bloom = smooth(0.38f, 0.7f, fbm(add(scale(p, 1.1f), vec(thing->seed * 5, 1, thing->seed)), 4));
    const float rim =
        0.5f + 0.5f * dot(normal, unit(vec(0.8f, 0.2f, 0.1f))); /* light that went through gathers behind */
    Vec albedo = mix(vec(0.10f, 0.006f, 0.03f), vec(0.42f, 0.03f, 0.06f),
                     rim * (0.45f + 0.55f * hash3((int)(thing->seed * 91), 3, 4)));
    albedo = mix(albedo, vec(0.36f, 0.30f, 0.42f), 0.55f * bloom);
    return (Finish){albedo, normal, 0.05f, mixf(0.10f, 0.5f, bloom)};
}

Finish twig(const Thing *thing, Vec at, Vec normal) {
    const Vec p = sub(at, thing->at);
    return (Finish){mix(vec(0.11f, 0.06f, 0.025f), vec(0.24f, 0.16f, 0.07f), fbm(vec(p.x * 9, p.y * 2, p.z * 9), 3)),
                    normal, 0.03f, 0.6f};
}

Finish leaf(const Thing *thing, Vec at, Vec normal) {
    const Vec p = sub(at, thing->at);
    const float x = dot(p, thing->side), y = dot(p, cross(thing->axis, thing->side));
    const float vein = fabsf(y) + 0.0f, rib = (x - fabsf(y) * 0.9f) * 1.55f;
    const float ribs = smooth(0.10f, 0.02f, fabsf(rib - floorf(rib) - 0.5f) * 0.6f) * 0.6f;
    const float line = fmaxf(smooth(0.10f, 0.03f, vein), ribs);
    const Vec blade = mix(vec(0.035f, 0.12f, 0.014f), vec(0.085f, 0.21f, 0.025f), fbm(scale(p, 1.4f), 5));
    return (Finish){mix(blade, vec(0.20f, 0.32f, 0.08f), 0.6f * line),
                    bumped(normal, 0, line, fbm(scale(p, 3), 3), 1, 0.10f), 0.05f, 0.34f};
}

/* White glaze with two blue lines under the rim and specks of iron. */
Finish glaze(const Thing *thing, Vec at, Vec normal) {
    const Vec p = sub(at, thing->at);
    const float wobble = 0.10f * (fbm(scale(p, 0.8f), 3) - 0.5f);
    float first, second;
    worley(scale(p, 1.15f), &first, &second);
    Vec albedo = mix(vec(0.66f, 0.62f, 0.53f), vec(0.74f, 0.71f, 0.64f), fbm(scale(p, 0.5f), 3));
    albedo = mix(albedo, vec(0.16f, 0.10f, 0.06f), 0.7f * smooth(0.075f, 0.03f, first));
    const float high = p.y + wobble;
    const float lines = fmaxf(smooth(0.30f, 0.2f, fabsf(high + 4.05f)), smooth(0.11f, 0.06f, fabsf(high + 4.85f)));
    albedo = mix(albedo, vec(0.035f, 0.085f, 0.22f), 0.85f * lines * (0.75f + 0.5f * (fbm(scale(p, 2.3f), 3) - 0.5f)));
    albedo = mix(albedo, vec(0.30f, 0.18f, 0.09f), smooth(-3.18f, -2.95f, p.y));
    if (p.y < -9.1f)
        return (Finish){vec(0.45f, 0.32f, 0.2f), normal, 0.02f, 0.7f};
    return (Finish){albedo, bumped(normal, 0, noise3(scale(p, 0.9f)), noise3(scale(p, 1.1f)), 1, 0.03f), 0.055f, 0.11f};
}

/* Height of the wood at a place on the table, and its colour. */
static float wood(float x, float z, Vec *albedo, float *rough) {
    const float turn = 0.16f, width = 13.5f;
    const float u = x * cosf(turn) + z * sinf(turn), v = z * cosf(turn) - x * sinf(turn) + 300;
    const int plank = (int)floorf(v / width);
    const float across = v - (float)plank * width, own = 40 * hash3(plank, 5, 1);
    const float wave = 3.0f * (fbm(vec(u * 0.028f + own, across * 0.09f, own), 3) - 0.5f);
    const float knot_u = (hash3(plank, 8, 2) - 0.5f) * 70, knot_v = width * (0.25f + 0.5f * hash3(plank, 9, 3));
    const float ku = (u - knot_u) * 0.33f, kv = across - knot_v, knot = sqrtf(ku * ku + kv * kv);
    const float around_knot = 2.6f * expf(-knot * knot * 0.16f);
    const float ring = across * 0.62f + wave * 1.7f + around_knot * 1.6f + own;
    const float phase = ring - floorf(ring);
    const float late = smooth(0.35f, 0.92f, phase) * smooth(1.0f, 0.94f, phase); /* dark late wood, a sharp end */
    const float fibre = fbm(vec(u * 0.35f + own, across * 11, own), 3);
    const float pore = smooth(0.64f, 0.78f, noise3(vec(u * 0.55f, across * 17 + own, own))) * (0.4f + 0.6f * late);
    const float edge = fminf(across, width - across) + 0.05f * (fibre - 0.5f);
    const float gap = smooth(0.11f, 0.03f, edge), bevel = smooth(0.35f, 0.05f, edge);
    const float stain = fbm(vec(u * 0.05f, v * 0.07f, 2), 4);
    Vec colour = mix(vec(0.50f, 0.285f, 0.125f), vec(0.27f, 0.125f, 0.046f), 0.75f * late + 0.35f * (fibre - 0.5f));
    colour = scale(colour, 0.72f + 0.34f * hash3(plank, 1, 7) + 0.35f * (stain - 0.5f));
    colour = mix(colour, vec(0.10f, 0.045f, 0.018f), 0.65f * pore);
    colour = mix(colour, vec(0.075f, 0.032f, 0.014f), smooth(1.15f, 0.35f, knot + 0.3f * (fibre - 0.5f)));
    const float scratch_line = fabsf(u * 0.35f + v - 300 - 9.0f + 0.8f * noise3(vec(u * 0.1f, 0, 0)));
    const float scratch = smooth(0.05f, 0.01f, scratch_line) * smooth(0.45f, 0.6f, noise3(vec(u * 0.25f, 1, 1)));
    colour = mix(colour, vec(0.60f, 0.42f, 0.26f), 0.4f * scratch);
    *albedo = mix(colour, vec(0.015f, 0.008f, 0.005f), gap);
    *rough = 0.30f + 0.16f * fibre + 0.25f * pore + 0.1f * late + 0.4f * gap;
    return -0.030f * pore - 0.012f * late + 0.012f * fibre - 0.09f * bevel * bevel - 0.02f * scratch;
}

Finish table(const Thing *thing, Vec at, Vec normal) {
    (void)thing;
    Vec albedo, ignored;
    float rough, ignored_rough;
    const float step = 0.02f;
    const float here = wood(at.x, at.z, &albedo, &rough);
    const float right = wood(at.x + step, at.z, &ignored, &ignored_rough);
    const float behind = wood(at.x, at.z + step, &ignored, &ignored_rough);
    (void)normal;
    return (Finish){albedo, unit(vec(-(right - here) / step, 1, -(behind - here) / step)), 0.042f, rough};
}

/* Linen: threads over and under each other, of uneven thickness, with two woven stripes. */
static float linen(float u, float v, Vec *albedo) {
    const float pitch = 0.085f;
    const float a = u / pitch + 0.5f * (noise3(vec(v * 0.8f, 3, 1)) - 0.5f),
                b = v / pitch + 0.5f * (noise3(vec(u * 0.8f, 7, 2)) - 0.5f);
    const int i = (int)floorf(a), j = (int)floorf(b);
    const float x = a - (float)i - 0.5f, y = b - (float)j - 0.5f;
    const bool over = (i + j) & 1;
    const float thick =
        0.75f + 0.5f * (over ? noise3(vec((float)j * 3.7f, u * 0.5f, 2)) : noise3(vec((float)i * 3.7f, v * 0.5f, 9)));
    const float bend = over ? cosf(PI * x) : cosf(PI * y), side = over ? y : x;
    const float height = bend * sqrtf(fmaxf(0.02f, 0.27f - side * side)) * thick;
    const float stripe = fmaxf(smooth(0.62f, 0.58f, fabsf(v - 7.4f)), smooth(0.14f, 0.10f, fabsf(v - 6.3f)));
    const Vec flax = mix(vec(0.52f, 0.47f, 0.38f), vec(0.66f, 0.61f, 0.51f), thick - 0.5f);
    *albedo = scale(mix(flax, vec(0.09f, 0.13f, 0.21f), 0.8f * stripe), 0.45f + 1.1f * height);
    return height * 0.05f;
}

/* The cloth's own coordinates: it lies askew. */
void cloth_place(const Thing *thing, Vec at, float *u, float *v) {
    const Vec p = sub(at, thing->at);
    const float sway = 0.22f * sinf(0.33f * (p.x - p.z)) + 0.25f * (noise3(scale(p, 0.25f)) - 0.5f);
    *u = dot(p, thing->side) + sway;
    *v = dot(p, thing->axis) + 0.7f * sway;
}

Finish cloth(const Thing *thing, Vec at, Vec normal) {
    (void)normal;
    Vec albedo, ignored;
    float u, v;
    const float step = 0.01f;
    cloth_place(thing, at, &u, &v);
    const float here = linen(u, v, &albedo);
    const float right = linen(u + step, v, &ignored), behind = linen(u, v + step, &ignored);
    const float fold = 0.10f,
                fu = fbm(vec(at.x * 0.22f, at.z * 0.22f, 4), 2) - fbm(vec(at.x * 0.22f + 0.1f, at.z * 0.22f, 4), 2);
    const float fv = fbm(vec(at.x * 0.22f, at.z * 0.22f, 4), 2) - fbm(vec(at.x * 0.22f, at.z * 0.22f + 0.1f, 4), 2);
    const float su = -(right - here) / step * 0.55f + fold * fu * 10,
                sv = -(behind - here) / step * 0.55f + fold * fv * 10;
    return (Finish){albedo, unit(add(vec(0, 1, 0), add(scale(thing->side, su), scale(thing->axis, sv)))), 0.02f, 0.8f};
}

Finish wall(const Thing *thing, Vec at, Vec normal) {
    (void)thing;
    const float patch = fbm(vec(at.x * 0.03f, at.y * 0.03f, 1), 5);
    return (Finish){mix(vec(0.085f, 0.10f, 0.10f), vec(0.17f, 0.185f, 0.17f), smooth(0.25f, 0.75f, patch)), normal,
                    0.02f, 0.8f};
}
