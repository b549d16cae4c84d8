/* ink.c: shapes by the share of each pixel that they cover. */
#include "core/image/ink.h"

#include "core/base/file.h"
#include "core/math/tone.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Puts ink over a share of a pixel. */
static void dab(const Ink *ink, size_t x, size_t y, double share) {
    const Shape shape = ink->to.shape;
    const size_t channels = (size_t)shape.channels;
    if (shape.type == PIXEL_F32) {
        float *value = (float *)view_row(ink->to, y) + x * channels;
        for (size_t c = 0; c < channels; c++)
            value[c] += (float)(share * ((c < 3 ? srgb_decode(ink->colour[c]) : 1) - (double)value[c]));
        return;
    }
    unsigned char *byte = (unsigned char *)view_row(ink->to, y) + x * channels;
    const double alpha = channels == 4 ? byte[3] / 255.0 : 1, all = share + alpha * (1 - share);
    for (size_t c = 0; c < 3 && all > 0; c++)
        byte[c] = (unsigned char)lrint((255 * ink->colour[c] * share + byte[c] * alpha * (1 - share)) / all);
    if (channels == 4)
        byte[3] = (unsigned char)lrint(255 * all);
}

/* The pixels of one axis that a stretch touches: *first to before the result. */
static size_t pixels_of(double from, double to, size_t count, size_t *first) {
    const double low = fmax(floor(from), 0), high = fmin(ceil(to), (double)count);
    *first = low < high ? (size_t)low : 0;
    return low < high ? (size_t)high : 0;
}

/* With round ends. A pixel is covered as far as its middle is within. */
void ink_line(const Ink *ink, double x0, double y0, double x1, double y1, double width) {
    const double wide = x1 - x0, high = y1 - y0, square = wide * wide + high * high, half = width / 2;
    size_t left, top;
    const size_t right = pixels_of(fmin(x0, x1) - half - 1, fmax(x0, x1) + half + 1, ink->to.shape.width, &left);
    const size_t bottom = pixels_of(fmin(y0, y1) - half - 1, fmax(y0, y1) + half + 1, ink->to.shape.height, &top);
    for (size_t y = top; y < bottom; y++)
        for (size_t x = left; x < right; x++) {
            const double u = (double)x + 0.5 - x0, v = (double)y + 0.5 - y0;
            const double along = square > 0 ? clamp_unit((u * wide + v * high) / square) : 0;
            const double apart = hypot(u - along * wide, v - along * high);
            const double share = clamp_unit(half + 0.5 - apart);
            if (share > 0)
                dab(ink, x, y, share * fmin(width, 1));
        }
}

void ink_area(const Ink *ink, double x, double y, double width, double height) {
    size_t left, top;
    const size_t right = pixels_of(x, x + width, ink->to.shape.width, &left);
    const size_t bottom = pixels_of(y, y + height, ink->to.shape.height, &top);
    for (size_t v = top; v < bottom; v++)
        for (size_t u = left; u < right; u++) {
            const double across = fmin((double)u + 1, x + width) - fmax((double)u, x);
            const double down = fmin((double)v + 1, y + height) - fmax((double)v, y);
            dab(ink, u, v, clamp_unit(across) * clamp_unit(down));
        }
}

/* ---- letters ---- */

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb_truetype.h>

struct Letters {
    Bytes file;
    stbtt_fontinfo face;
};

/* Where systems keep them. stb_truetype trusts a file: no other is read. */
static const char *const faces[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
};

Status letters_open(Letters **letters) {
    *letters = calloc(1, sizeof **letters);
    if (!*letters)
        return fail(STATUS_DEVICE, "no memory for letters");
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        Letters *made = *letters;
        if (file_read(faces[i], &made->file) != STATUS_OK)
            continue;
        if (stbtt_InitFont(&made->face, made->file.data, stbtt_GetFontOffsetForIndex(made->file.data, 0)))
            return STATUS_OK;
        bytes_free(&made->file);
    }
    letters_close(letters);
    return fail(STATUS_DEVICE, "there is no face for letters; want %s, which fonts-dejavu-core has", faces[0]);
}

void letters_close(Letters **letters) {
    if (*letters)
        bytes_free(&(*letters)->file);
    free(*letters);
    *letters = NULL;
}

/* The character at *text, which moves behind it; what is no UTF-8 is one for each byte. */
static int take_character(const char **text) {
    const unsigned char *at = (const unsigned char *)*text;
    const int more = at[0] >= 0xF0 ? 3 : at[0] >= 0xE0 ? 2 : at[0] >= 0xC0 ? 1 : 0;
    int code = more > 0 ? at[0] & (0x3F >> more) : at[0];
    for (int i = 1; i <= more; i++) {
        if ((at[i] & 0xC0) != 0x80) {
            *text += 1;
            return at[0];
        }
        code = code << 6 | (at[i] & 0x3F);
    }
    *text += more + 1;
    return code;
}

double letters_width(const Letters *letters, double size, const char *text) {
    const double scale = (double)stbtt_ScaleForMappingEmToPixels(&letters->face, (float)size);
    double width = 0;
    while (*text) {
        int advance, bearing;
        stbtt_GetCodepointHMetrics(&letters->face, take_character(&text), &advance, &bearing);
        width += scale * advance;
    }
    return width;
}

static void draw_mask(const Ink *ink, const unsigned char *mask, int width, int height, double x, double y) {
    for (int v = 0; v < height; v++)
        for (int u = 0; u < width; u++) {
            const double right = x + u, down = y + v;
            if (mask[v * width + u] > 0 && right >= 0 && down >= 0 && right < (double)ink->to.shape.width &&
                down < (double)ink->to.shape.height)
                dab(ink, (size_t)right, (size_t)down, mask[v * width + u] / 255.0);
        }
}

void letters_draw(const Letters *letters, const Ink *ink, double size, double x, double y, const char *text) {
    const float scale = stbtt_ScaleForMappingEmToPixels(&letters->face, (float)size);
    y = rint(y);
    while (*text) {
        int advance, bearing, width = 0, height = 0, left = 0, top = 0;
        const int code = take_character(&text);
        const double first = floor(x);
        stbtt_GetCodepointHMetrics(&letters->face, code, &advance, &bearing);
        unsigned char *mask = stbtt_GetCodepointBitmapSubpixel(&letters->face, scale, scale, (float)(x - first), 0,
                                                               code, &width, &height, &left, &top);
        if (mask)
            draw_mask(ink, mask, width, height, first + left, y + top);
        stbtt_FreeBitmap(mask, NULL);
        x += (double)scale * advance;
    }
}
