/* plates.c: the small pictures with one property each: frequency, alpha, 16 bits, light beyond white. */
#include "tools/assets/assets.h"
#include "tools/assets/vec.h"

/* Rings that get finer outwards, to one pixel a half wave 256 pixels from the middle. They fade out before that, so
 * that nothing in the picture aliases. */
Status asset_zoneplate(int quality, Image **picture) {
    enum { SIDE = 512 };
    (void)quality;
    TRY(image_create((Shape){SIDE, SIDE, 1, PIXEL_U8}, picture));
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const float u = (float)x - SIDE / 2 + 0.5f, v = (float)y - SIDE / 2 + 0.5f, square = u * u + v * v;
            const float ring = cosf(PI * square / SIDE) * smooth(SIDE / 2, SIDE / 2 - 28, sqrtf(square));
            view_set_value((*picture)->view, (size_t)x, (size_t)y, 0, (double)(127.5f + 127.5f * ring));
        }
    return STATUS_OK;
}

/* A star with four long rays and its glow, on nothing. Colour where alpha is 0 differs from black, so that a filter
 * that forgets to premultiply shows. */
Status asset_spark(int quality, Image **picture) {
    enum { SIDE = 384 };
    (void)quality;
    TRY(image_create((Shape){SIDE, SIDE, 4, PIXEL_U8}, picture));
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const float u = ((float)x + 0.5f) / (SIDE / 2) - 1, v = ((float)y + 0.5f) / (SIDE / 2) - 1;
            const float r = sqrtf(u * u + v * v), a = fabsf(u), b = fabsf(v);
            const float star = powf(a, 0.52f) + powf(b, 0.52f) - 0.955f; /* a superellipse: concave sides */
            const float body = smooth(0.02f, -0.02f, star),
                        glow = 0.85f * expf(-7.5f * r * r) + 0.25f * expf(-2.2f * r);
            const float alpha = fmaxf(body, glow * smooth(1, 0.75f, r));
            const Vec warm = mix(vec(1.0f, 0.93f, 0.72f), vec(0.98f, 0.45f, 0.10f), smooth(0.0f, 0.75f, r));
            const Vec colour = mix(warm, vec(1, 1, 1), body * smooth(0.55f, 0.05f, r));
            const float channels[4] = {colour.x, colour.y, colour.z, alpha};
            for (int c = 0; c < 4; c++)
                view_set_value((*picture)->view, (size_t)x, (size_t)y, c, (double)(255 * clampf(channels[c], 0, 1)));
        }
    return STATUS_OK;
}

/* A ramp whose neighbouring columns differ by less than an 8-bit step, above one that is four times as steep. */
Status asset_ramp16(int quality, Image **picture) {
    enum { RAMP_WIDTH = 512, RAMP_HEIGHT = 128 };
    (void)quality;
    TRY(image_create((Shape){RAMP_WIDTH, RAMP_HEIGHT, 1, PIXEL_U16}, picture));
    for (size_t y = 0; y < RAMP_HEIGHT; y++)
        for (size_t x = 0; x < RAMP_WIDTH; x++)
            view_set_value((*picture)->view, x, y, 0,
                           y < RAMP_HEIGHT / 2 ? 128 * (double)x : (double)(x * 512 % 65536));
    return STATUS_OK;
}

/* The whole sky around, latitude by longitude: blue overhead, haze and thin cloud below, a sun 10 000 times as bright
 * as the blue. */
Status asset_sky(int quality, Image **picture) {
    enum { SKY_WIDTH = 256, SKY_HEIGHT = 128 };
    (void)quality;
    TRY(image_create((Shape){SKY_WIDTH, SKY_HEIGHT, 3, PIXEL_F32}, picture));
    const Vec sun = unit(vec(0.55f, 0.42f, -0.72f));
    for (int y = 0; y < SKY_HEIGHT; y++)
        for (int x = 0; x < SKY_WIDTH; x++) {
            const float turn = 2 * PI * ((float)x + 0.5f) / SKY_WIDTH,
                        high = PI * (0.5f - ((float)y + 0.5f) / SKY_HEIGHT);
            const Vec to = vec(cosf(high) * sinf(turn), sinf(high), -cosf(high) * cosf(turn));
            const float near_sun = fmaxf(dot(to, sun), 0);
            Vec light = mix(vec(0.62f, 0.72f, 0.86f), vec(0.10f, 0.24f, 0.62f), smooth(-0.05f, 0.75f, to.y));
            const float cover =
                smooth(0.48f, 0.78f, fbm(scale(vec(to.x, 0, to.z), 2.6f / (fmaxf(to.y, 0) + 0.22f)), 6)) *
                smooth(0.0f, 0.2f, to.y);
            light = mix(light, scale(vec(1.0f, 0.97f, 0.92f), 1.1f + 1.6f * powf(near_sun, 8)), 0.85f * cover);
            light = add(light, scale(vec(1.0f, 0.80f, 0.55f), 0.5f * powf(near_sun, 12) + 3 * powf(near_sun, 300)));
            if (near_sun > 0.9994f)
                light = scale(vec(1.0f, 0.93f, 0.80f), 6000);
            const float soil = fbm(scale(to, 9), 4);
            light = mix(light, scale(vec(0.20f, 0.17f, 0.11f), 0.6f + 0.8f * soil), smooth(0.01f, -0.02f, to.y));
            const float channels[3] = {light.x, light.y, light.z};
            for (int c = 0; c < 3; c++)
                view_set_value((*picture)->view, (size_t)x, (size_t)y, c, (double)channels[c]);
        }
    return STATUS_OK;
}
