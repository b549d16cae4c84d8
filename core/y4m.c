/* y4m.c: YUV4MPEG2, a row at a time, in f32. */
#include "core/y4m.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first of its bits is what a picture without a tag, or of PNM, takes. */
static const Chroma chromas[] = {
    {"420jpeg", 2, 2, false, 8}, {"420mpeg2", 2, 2, true, 8}, {"420", 2, 2, false, 8},    {"422", 2, 1, true, 8},
    {"444", 1, 1, true, 8},      {"mono", 0, 0, false, 8},    {"420p10", 2, 2, true, 10}, {"422p10", 2, 1, true, 10},
    {"444p10", 1, 1, true, 10},  {"mono10", 0, 0, false, 10}, {"420p12", 2, 2, true, 12}, {"422p12", 2, 1, true, 12},
    {"444p12", 1, 1, true, 12},  {"mono12", 0, 0, false, 12}, {"420p16", 2, 2, true, 16}, {"422p16", 2, 1, true, 16},
    {"444p16", 1, 1, true, 16},  {"mono16", 0, 0, false, 16},
};
enum { CHROMAS = sizeof chromas / sizeof chromas[0] };

const Chroma *y4m_chroma(const char *name) {
    for (size_t i = 0; i < CHROMAS; i++)
        if (strcmp(chromas[i].name, name) == 0)
            return &chromas[i];
    return NULL;
}

/* ---- the header ---- */

static Status parse_side(const char *tag, size_t *side) {
    char *end;
    const unsigned long value = tag[1] >= '0' && tag[1] <= '9' ? strtoul(tag + 1, &end, 10) : 0;
    if (value == 0 || value > 1 << 20 || *end != '\0')
        return fail(STATUS_INPUT, "damaged y4m: \"%s\" in its header", tag);
    *side = value;
    return STATUS_OK;
}

static Status parse_chroma(const char *name, Y4m *film) {
    film->chroma = y4m_chroma(name);
    if (film->chroma)
        return STATUS_OK;
    char names[200] = "";
    for (size_t i = 0, used = 0; i < CHROMAS && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", chromas[i].name);
    return fail(STATUS_INPUT, "a y4m of C%.32s; known are %s", name, names);
}

static Status parse_tag(const char *tag, Y4m *film) {
    if (tag[0] == 'W')
        return parse_side(tag, &film->width);
    if (tag[0] == 'H')
        return parse_side(tag, &film->height);
    if (tag[0] == 'C')
        return parse_chroma(tag + 1, film);
    film->full |= strcmp(tag, "XCOLORRANGE=FULL") == 0;
    const size_t used = strlen(film->rest);
    if (strncmp(tag, "XYSCSS=", 7) != 0) /* says again what C does */
        snprintf(film->rest + used, sizeof film->rest - used, " %s", tag);
    return STATUS_OK;
}

Status y4m_parse(const char *line, Y4m *film) {
    char copy[Y4M_LINE], *rest = copy, *tag;
    *film = (Y4m){.chroma = &chromas[0]};
    if (strlen(line) >= sizeof copy)
        return fail(STATUS_INPUT, "damaged y4m: its header is longer than %d bytes", Y4M_LINE);
    strcpy(copy, line);
    tag = strsep(&rest, " ");
    if (strcmp(tag, "YUV4MPEG2") != 0)
        return fail(STATUS_INPUT, "no y4m: it does not begin with YUV4MPEG2");
    while ((tag = strsep(&rest, " ")))
        if (tag[0] != '\0')
            TRY(parse_tag(tag, film));
    if (film->width == 0 || film->height == 0)
        return fail(STATUS_INPUT, "damaged y4m: its header lacks a width or a height");
    return shape_check(y4m_shape(film));
}

size_t y4m_format(const Y4m *film, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "YUV4MPEG2 W%zu H%zu%s C%s\n", film->width, film->height, film->rest,
                            film->chroma->name);
}

/* ---- planes ---- */

static size_t sample_bytes(const Y4m *film) {
    return film->chroma->bits > 8 ? 2 : 1;
}
static size_t across(const Y4m *film) {
    const size_t columns = film->chroma->columns;
    return columns ? (film->width + columns - 1) / columns : 0;
}
static size_t down(const Y4m *film) {
    const size_t rows = film->chroma->rows;
    return rows ? (film->height + rows - 1) / rows : 0;
}

size_t y4m_frame_bytes(const Y4m *film) {
    return (film->width * film->height + 2 * across(film) * down(film)) * sample_bytes(film);
}

Shape y4m_shape(const Y4m *film) {
    return (Shape){film->width, film->height, film->chroma->columns ? 3 : 1,
                   film->chroma->bits > 8 ? PIXEL_U16 : PIXEL_U8};
}

/* ---- arithmetic ---- */

/* Samples of luma and chroma to 0 to 1 and -0.5 to 0.5, and what makes colours of them (BT.601, BT.709). */
typedef struct Scale {
    float black, luma, middle, chroma; /* value = (sample - black) / luma */
    float max;                         /* sample */
    float red, green, blue;            /* of luma; they add up to 1 */
} Scale;

static Scale scale_of(const Y4m *film) {
    static const float weights[][2] = {[YUV_601] = {0.299f, 0.114f}, [YUV_709] = {0.2126f, 0.0722f}};
    const float unit = (float)(1 << (film->chroma->bits - 8)), red = weights[film->matrix][0],
                blue = weights[film->matrix][1], max = 256 * unit - 1;
    Scale scale = {16 * unit, 219 * unit, 128 * unit, 224 * unit, max, red, 1 - red - blue, blue};
    if (film->full) {
        scale.black = 0;
        scale.luma = scale.chroma = max;
    }
    return scale;
}

static void read_samples(const Y4m *film, const unsigned char *from, size_t count, float zero, float unit, float *to) {
    const float factor = 1 / unit;
    if (film->chroma->bits == 8)
        for (size_t i = 0; i < count; i++)
            to[i] = ((float)from[i] - zero) * factor;
    else
        for (size_t i = 0; i < count; i++)
            to[i] = ((float)(from[2 * i] | from[2 * i + 1] << 8) - zero) * factor;
}

static unsigned rounded(float value, float max) {
    value = value > 0 ? value : 0; /* NaN, too */
    return (unsigned)lrintf(value < max ? value : max);
}

static void write_samples(const Y4m *film, const float *from, size_t count, float zero, float unit, float max,
                          unsigned char *to) {
    for (size_t i = 0; i < count; i++) {
        const unsigned sample = rounded(from[i] * unit + zero, max);
        if (film->chroma->bits == 8) {
            to[i] = (unsigned char)sample;
        } else {
            to[2 * i] = (unsigned char)sample;
            to[2 * i + 1] = (unsigned char)(sample >> 8);
        }
    }
}

/* ---- chroma between its samples ---- */

/* `count` samples to `width` columns. */
static void widen(const Chroma *chroma, const float *from, size_t count, size_t width, float *to) {
    for (size_t x = 0; x < width; x++) {
        const size_t k = x / chroma->columns, next = k + 1 < count ? k + 1 : k, before = k > 0 ? k - 1 : 0;
        if (chroma->columns == 1 || (chroma->left && x % 2 == 0))
            to[x] = from[k];
        else if (chroma->left)
            to[x] = 0.5f * (from[k] + from[next]);
        else
            to[x] = 0.75f * from[k] + 0.25f * from[x % 2 ? next : before];
    }
}

/* And back. */
static void narrow(const Chroma *chroma, const float *from, size_t width, size_t count, float *to) {
    for (size_t k = 0; k < count; k++) {
        const size_t x = k * chroma->columns, next = x + 1 < width ? x + 1 : x, before = x > 0 ? x - 1 : 0;
        if (chroma->columns == 1)
            to[k] = from[x];
        else if (chroma->left)
            to[k] = 0.25f * from[before] + 0.5f * from[x] + 0.25f * from[next];
        else
            to[k] = 0.5f * (from[x] + from[next]);
    }
}

/* The row of a plane of chroma at row y of luma, `count` samples: with two rows of luma for one, it lies between them.
 */
static void blend_rows(const Y4m *film, const unsigned char *plane, size_t y, const Scale *scale, float *far,
                       float *row) {
    const size_t rows = film->chroma->rows, count = across(film), last = down(film) - 1, k = y / rows;
    const size_t stride = count * sample_bytes(film);
    read_samples(film, plane + k * stride, count, scale->middle, scale->chroma, row);
    if (rows == 1)
        return;
    const size_t other = y % 2 == 0 ? (k > 0 ? k - 1 : 0) : (k < last ? k + 1 : last);
    read_samples(film, plane + other * stride, count, scale->middle, scale->chroma, far);
    for (size_t i = 0; i < count; i++)
        row[i] = 0.75f * row[i] + 0.25f * far[i];
}

/* ---- frames ---- */

/* Rows of f32, of a picture's width each. */
enum { ROW_Y, ROW_U, ROW_V, ROW_A, ROW_B, ROW_C, ROW_D, ROWS };

static Status take_rows(const Y4m *film, float *rows[ROWS]) {
    float *memory = malloc(film->width * ROWS * sizeof(float));
    if (!memory)
        return fail(STATUS_DEVICE, "no memory for a frame of a film");
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = memory + i * film->width;
    return STATUS_OK;
}

static void store(ImageView view, size_t at, float value, void *row) {
    if (view.shape.type == PIXEL_U8)
        ((uint8_t *)row)[at] = (uint8_t)rounded(value * 255, 255);
    else
        ((uint16_t *)row)[at] = (uint16_t)rounded(value * 65535, 65535);
}

static void decode_row(const Scale *scale, float *const rows[ROWS], ImageView view, void *to) {
    const float *luma = rows[ROW_Y], *u = rows[ROW_U], *v = rows[ROW_V];
    const float to_red = 2 * (1 - scale->red), to_blue = 2 * (1 - scale->blue);
    const float green_u = scale->blue * to_blue / scale->green, green_v = scale->red * to_red / scale->green;
    for (size_t x = 0; x < view.shape.width; x++) {
        store(view, 3 * x, luma[x] + to_red * v[x], to);
        store(view, 3 * x + 1, luma[x] - green_u * u[x] - green_v * v[x], to);
        store(view, 3 * x + 2, luma[x] + to_blue * u[x], to);
    }
}

Status y4m_decode(const Y4m *film, const unsigned char *frame, Image **image) {
    const Scale scale = scale_of(film);
    const size_t luma = film->width * sample_bytes(film), plane = across(film) * down(film) * sample_bytes(film);
    const unsigned char *const u = frame + luma * film->height;
    float *rows[ROWS];
    *image = NULL;
    TRY(take_rows(film, rows));
    const Status status = image_create_unfilled(y4m_shape(film), image);
    for (size_t y = 0; y < film->height && status == STATUS_OK; y++) {
        const ImageView view = (*image)->view;
        void *to = view_row(view, y);
        read_samples(film, frame + y * luma, film->width, scale.black, scale.luma, rows[ROW_Y]);
        for (size_t i = 0; i < 2 && plane > 0; i++) {
            blend_rows(film, u + i * plane, y, &scale, rows[ROW_A], rows[ROW_B]);
            widen(film->chroma, rows[ROW_B], across(film), film->width, rows[ROW_U + i]);
        }
        if (plane > 0)
            decode_row(&scale, rows, view, to);
        else
            for (size_t x = 0; x < film->width; x++)
                store(view, x, rows[ROW_Y][x], to);
    }
    free(rows[0]);
    return status;
}

static float load(ImageView view, size_t y, size_t at) {
    const void *row = view_row(view, y);
    switch (view.shape.type) {
    case PIXEL_U8:
        return (float)((const uint8_t *)row)[at] / 255;
    case PIXEL_U16:
        return (float)((const uint16_t *)row)[at] / 65535;
    default:
        return ((const float *)row)[at];
    }
}

/* Luma and chroma of a row, at every column. */
static void encode_row(const Scale *scale, ImageView view, size_t y, float *luma, float *u, float *v) {
    const size_t channels = (size_t)view.shape.channels;
    for (size_t x = 0; x < view.shape.width; x++) {
        const float red = load(view, y, x * channels), green = channels == 3 ? load(view, y, 3 * x + 1) : red,
                    blue = channels == 3 ? load(view, y, 3 * x + 2) : red;
        luma[x] = scale->red * red + scale->green * green + scale->blue * blue;
        u[x] = (blue - luma[x]) / (2 * (1 - scale->blue));
        v[x] = (red - luma[x]) / (2 * (1 - scale->red));
    }
}

/* The rows of luma that one of chroma stands for are averaged; the last one stands in for one that is missing. */
static void encode_rows(const Y4m *film, const Scale *scale, ImageView view, size_t k, float *const rows[ROWS],
                        unsigned char *frame) {
    const size_t together = film->chroma->rows ? film->chroma->rows : 1;
    const size_t luma = film->width * sample_bytes(film);
    for (size_t i = 0; i < together; i++) {
        const size_t wanted = k * together + i, y = wanted < film->height ? wanted : film->height - 1;
        float *u = rows[i ? ROW_A : ROW_U], *v = rows[i ? ROW_B : ROW_V];
        encode_row(scale, view, y, rows[ROW_Y], u, v);
        write_samples(film, rows[ROW_Y], film->width, scale->black, scale->luma, scale->max, frame + y * luma);
        for (size_t x = 0; x < film->width && i > 0; x++) {
            rows[ROW_U][x] = 0.5f * (rows[ROW_U][x] + u[x]);
            rows[ROW_V][x] = 0.5f * (rows[ROW_V][x] + v[x]);
        }
    }
}

Status y4m_encode(const Y4m *film, ImageView view, unsigned char *frame) {
    const Scale scale = scale_of(film);
    const size_t count = across(film), stride = count * sample_bytes(film), plane = stride * down(film);
    unsigned char *const u = frame + film->width * film->height * sample_bytes(film);
    float *rows[ROWS];
    if (shape_has_alpha(view.shape))
        return fail(STATUS_INPUT, "y4m has no place for alpha");
    TRY(take_rows(film, rows));
    for (size_t k = 0; k < (plane > 0 ? down(film) : film->height); k++) {
        encode_rows(film, &scale, view, k, rows, frame);
        for (size_t i = 0; i < 2 && plane > 0; i++) {
            narrow(film->chroma, rows[ROW_U + i], film->width, count, rows[ROW_C]);
            write_samples(film, rows[ROW_C], count, scale.middle, scale.chroma, scale.max, u + i * plane + k * stride);
        }
    }
    free(rows[0]);
    return STATUS_OK;
}
