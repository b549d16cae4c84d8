/* chart.c: the work of filters on colours, steps, ramps, slanted edges and fine lines, on one page. */
#include "tools/assets/assets.h"
#include "tools/assets/vec.h"

enum { CHART_WIDTH = 960, CHART_HEIGHT = 640 };

/* Intensities 0 to 1, as stored. */
static Vec hue_colour(float hue, float saturation, float value) {
    const float parts[3] = {5, 3, 1};
    float channel[3];
    for (int c = 0; c < 3; c++) {
        const float k = fmodf(parts[c] + hue * 6, 6);
        channel[c] = value - value * saturation * clampf(fminf(k, 4 - k), 0, 1);
    }
    return vec(channel[0], channel[1], channel[2]);
}

static Vec gray(float value) {
    return vec(value, value, value);
}

/* 6 x 4 patches: three rows of hues from vivid to pale to dark, one of memory colours (skin, foliage, sky, ...). */
static Vec patch(int column, int row) {
    static const Vec memory[6] = {{0.45f, 0.31f, 0.26f}, {0.77f, 0.58f, 0.50f}, {0.37f, 0.48f, 0.61f},
                                  {0.34f, 0.42f, 0.26f}, {0.87f, 0.72f, 0.16f}, {0.55f, 0.14f, 0.18f}};
    static const float saturations[3] = {1.0f, 0.42f, 0.75f}, values[3] = {1.0f, 0.94f, 0.42f};
    return row == 3 ? memory[column] : hue_colour((float)column / 6, saturations[row], values[row]);
}

/* Bars whose period shrinks from 16 pixels to 2. */
static float bars(int along) {
    static const int periods[7] = {16, 12, 8, 6, 4, 3, 2};
    const int i = along * 7 / 304, start = (i * 304 + 6) / 7;
    return (along - start) % periods[i] < (periods[i] + 1) / 2 ? 0.08f : 0.92f;
}

/* An edge that leans by 5 degrees, its coverage of the pixel computed. */
static float slanted(float x, float y) {
    return mixf(0.2f, 0.8f, clampf(x - y * 0.0875f + 0.5f, 0, 1));
}

static Vec siemens(float x, float y) {
    const float r = sqrtf(x * x + y * y), spokes = 36;
    if (r > 70)
        return gray(0.5f);
    const float wave = cosf(spokes * atan2f(y, x)), width = r > 0 ? spokes / r : 9; /* radians a pixel */
    const float seen = smooth(PI, PI * 0.5f, width);                                /* no finer than pixels can show */
    return gray(0.5f + 0.46f * seen * clampf(wave * 2.2f / fmaxf(width, 0.2f) * 0.5f, -1, 1));
}

static Vec chart_at(int x, int y) {
    const int left = x - 16, top = y - 16;
    if (left < 0 || top < 0 || left >= 928 || top >= 608)
        return gray(0.18f);
    if (top < 352 && left < 592) { /* patches of 92 x 82 with gaps of 8 */
        const bool gap = left % 100 >= 92 || top % 90 >= 82;
        return gap ? gray(0.18f) : patch(left / 100, top / 90);
    }
    if (top < 352 && left >= 624) { /* slanted edge, star, bars */
        const int u = left - 624;
        if (top < 120)
            return gray(slanted((float)u - 152, (float)top - 60));
        if (top < 280)
            return siemens((float)u - 152, (float)top - 200);
        return gray(bars(u));
    }
    if (top < 352)
        return gray(0.18f);
    const float across = (float)left / 927;
    if (top < 416) /* 16 steps of gray */
        return gray((float)(left * 16 / 928) / 15);
    if (top < 464)
        return gray(across);
    if (top < 512)
        return hue_colour(across, 1, 1);
    const float ramp[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0.78f, 0.62f}};
    const int row = (top - 512) / 24;
    return vec(ramp[row][0] * across, ramp[row][1] * across, ramp[row][2] * across);
}

Status asset_chart(int quality, Image **picture) {
    (void)quality;
    TRY(image_create((Shape){CHART_WIDTH, CHART_HEIGHT, 3, PIXEL_U8}, picture));
    for (int y = 0; y < CHART_HEIGHT; y++)
        for (int x = 0; x < CHART_WIDTH; x++) {
            const Vec colour = chart_at(x, y);
            const float channels[3] = {colour.x, colour.y, colour.z};
            for (int c = 0; c < 3; c++)
                view_set_value((*picture)->view, (size_t)x, (size_t)y, c, 255 * (double)channels[c]);
        }
    return STATUS_OK;
}
