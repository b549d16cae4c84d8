/* y4m.c: YUV4MPEG2, a row at a time, in f32. */
#include "core/codec/y4m.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A picture without a tag, or of PNM, takes the first row with its number of bits. */
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
    if (strncmp(tag, "XYSCSS=", 7) != 0) /* repeats the tag C */
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

/* Samples of luma and chroma to 0 to 1 and -0.5 to 0.5, and the factors that make colours of them (BT.601, BT.709). */
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

/* To the nearest, from 0 to `max`. By truncation, which compilers vectorize. */
static int rounded(float value, float max) {
    value = value > 0 ? value : 0; /* NaN, too */
    return (int)((value < max ? value : max) + 0.5f);
}

static void write_samples(const Y4m *film, const float *from, size_t count, float zero, float unit, float max,
                          unsigned char *to) {
    if (film->chroma->bits == 8)
        for (size_t i = 0; i < count; i++)
            to[i] = (unsigned char)rounded(from[i] * unit + zero, max);
    else
        for (size_t i = 0; i < count; i++) {
            const int sample = rounded(from[i] * unit + zero, max);
            to[2 * i] = (unsigned char)sample;
            to[2 * i + 1] = (unsigned char)(sample >> 8);
        }
}

/* ---- chroma between its samples ---- */

/* `count` samples to `width` columns, by their left and right neighbours; at the edges the last sample goes on. */
static void widen(const Chroma *chroma, const float *from, size_t count, size_t width, float *to) {
    if (chroma->columns == 1) {
        memcpy(to, from, width * sizeof *to);
        return;
    }
    const float before = chroma->left ? 0 : 0.25f, after = chroma->left ? 0.5f : 0.25f;
    to[0] = from[0];
    for (size_t k = 1; k < count; k++) { /* columns 2k - 1 and 2k lie between samples k - 1 and k */
        to[2 * k - 1] = (1 - after) * from[k - 1] + after * from[k];
        to[2 * k] = before * from[k - 1] + (1 - before) * from[k];
    }
    if (width == 2 * count)
        to[width - 1] = from[count - 1];
}

/* Makes `count` samples of `width` columns: the reverse of `widen`. */
static void narrow(const Chroma *chroma, const float *from, size_t width, size_t count, float *to) {
    if (chroma->columns == 1)
        memcpy(to, from, count * sizeof *to);
    else if (chroma->left)
        for (size_t k = 0; k < count; k++)
            to[k] = 0.25f * from[k > 0 ? 2 * k - 1 : 0] + 0.5f * from[2 * k] +
                    0.25f * from[2 * k + 1 < width ? 2 * k + 1 : 2 * k];
    else
        for (size_t k = 0; k < count; k++)
            to[k] = 0.5f * (from[2 * k] + from[2 * k + 1 < width ? 2 * k + 1 : 2 * k]);
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
enum { ROW_Y, ROW_U, ROW_V, ROW_RED, ROW_GREEN, ROW_BLUE, ROW_A, ROW_B, ROWS };

static Status take_rows(const Y4m *film, float *rows[ROWS]) {
    float *memory = malloc(film->width * ROWS * sizeof(float));
    if (!memory)
        return fail(STATUS_DEVICE, "no memory for a frame of a film");
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = memory + i * film->width;
    return STATUS_OK;
}

static void mix_bytes(const uint8_t *from, size_t count, size_t width, uint8_t *to) {
    const uint8_t *red = from, *green = from + width, *blue = green + width;
    if (count == 1)
        memcpy(to, from, width);
    for (size_t x = 0; x < width && count == 3; x++, to += 3) {
        to[0] = red[x];
        to[1] = green[x];
        to[2] = blue[x];
    }
}

static void mix_words(const uint16_t *from, size_t count, size_t width, uint16_t *to) {
    for (size_t c = 0; c < count; c++)
        for (size_t x = 0; x < width; x++)
            to[count * x + c] = from[c * width + x];
}

/* Channels are rounded one by one, which goes many values at a time, and then put among each other. */
static void store_row(const Y4m *film, ImageView view, size_t y, float *const rows[ROWS]) {
    const size_t count = (size_t)view.shape.channels, width = view.shape.width;
    const float white = (float)pixel_type_white(view.shape.type);
    unsigned char *spare = (unsigned char *)rows[ROW_A]; /* and ROW_B: eight bytes a pixel */
    for (size_t c = 0; c < count; c++)
        write_samples(film, rows[count == 1 ? ROW_Y : ROW_RED + c], width, 0, white, white,
                      spare + c * width * sample_bytes(film));
    if (view.shape.type == PIXEL_U8)
        mix_bytes(spare, count, width, view_row(view, y));
    else
        mix_words((const uint16_t *)rows[ROW_A], count, width, view_row(view, y));
}

static void load_channel(ImageView view, size_t y, size_t c, float *to) {
    const size_t step = (size_t)view.shape.channels, width = view.shape.width;
    const uint8_t *bytes = (const uint8_t *)view_row(view, y) + c;
    const uint16_t *words = (const uint16_t *)view_row(view, y) + c;
    const float *values = (const float *)view_row(view, y) + c;
    if (view.shape.type == PIXEL_U8)
        for (size_t x = 0; x < width; x++)
            to[x] = (float)bytes[step * x] / 255;
    else if (view.shape.type == PIXEL_U16)
        for (size_t x = 0; x < width; x++)
            to[x] = (float)words[step * x] / 65535;
    else
        for (size_t x = 0; x < width; x++)
            to[x] = values[step * x];
}

static void make_colours(const Scale *scale, float *const rows[ROWS], size_t width) {
    const float *restrict luma = rows[ROW_Y], *restrict u = rows[ROW_U], *restrict v = rows[ROW_V];
    float *restrict red = rows[ROW_RED], *restrict green = rows[ROW_GREEN], *restrict blue = rows[ROW_BLUE];
    const float to_red = 2 * (1 - scale->red), to_blue = 2 * (1 - scale->blue);
    const float green_u = scale->blue * to_blue / scale->green, green_v = scale->red * to_red / scale->green;
    for (size_t x = 0; x < width; x++) {
        red[x] = luma[x] + to_red * v[x];
        green[x] = luma[x] - green_u * u[x] - green_v * v[x];
        blue[x] = luma[x] + to_blue * u[x];
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
        read_samples(film, frame + y * luma, film->width, scale.black, scale.luma, rows[ROW_Y]);
        for (size_t i = 0; i < 2 && plane > 0; i++) {
            blend_rows(film, u + i * plane, y, &scale, rows[ROW_A], rows[ROW_B]);
            widen(film->chroma, rows[ROW_B], across(film), film->width, rows[ROW_U + i]);
        }
        if (plane > 0)
            make_colours(&scale, rows, film->width);
        store_row(film, (*image)->view, y, rows);
    }
    free(rows[0]);
    return status;
}

/* Luma and chroma of a row, at every column. */
static void encode_row(const Scale *scale, ImageView view, size_t y, float *const rows[ROWS], float *restrict u,
                       float *restrict v) {
    const bool colour = view.shape.channels == 3;
    const float *red = rows[ROW_RED], *green = rows[colour ? ROW_GREEN : ROW_RED],
                *blue = rows[colour ? ROW_BLUE : ROW_RED];
    const float by_blue = 1 / (2 * (1 - scale->blue)), by_red = 1 / (2 * (1 - scale->red));
    float *restrict luma = rows[ROW_Y];
    for (size_t c = 0; c < (size_t)view.shape.channels; c++)
        load_channel(view, y, c, rows[ROW_RED + c]);
    for (size_t x = 0; x < view.shape.width; x++) {
        luma[x] = scale->red * red[x] + scale->green * green[x] + scale->blue * blue[x];
        u[x] = (blue[x] - luma[x]) * by_blue;
        v[x] = (red[x] - luma[x]) * by_red;
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
        encode_row(scale, view, y, rows, u, v);
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
            narrow(film->chroma, rows[ROW_U + i], film->width, count, rows[ROW_RED]);
            write_samples(film, rows[ROW_RED], count, scale.middle, scale.chroma, scale.max,
                          u + i * plane + k * stride);
        }
    }
    free(rows[0]);
    return STATUS_OK;
}
