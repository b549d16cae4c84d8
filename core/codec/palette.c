/* palette.c: few colours for a picture: P. Heckbert, Color Image Quantization for Frame Buffer Display, 1982; R. Floyd
 * and L. Steinberg, An Adaptive Algorithm for Spatial Grey Scale, 1976. */
#include "core/codec/palette.h"

#include "core/codec/formats.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_BITS = 5, SIDE = 1 << CELL_BITS, CELLS = SIDE * SIDE * SIDE, SLOTS = 1024, OPAQUE = 128 };

/* Colours of 5 bits each: how many pixels, and the sums of their values. */
typedef struct Cell {
    uint32_t count;
    uint64_t sums[3];
} Cell;

/* Cells from low to high, of each colour. */
typedef struct Box {
    int low[3], high[3];
    uint64_t count;
} Box;

typedef struct Quantizer {
    ImageView view;
    Palette *palette;
    Cell cells[CELLS];
    int16_t nearest[CELLS]; /* -1: not known yet */
    uint32_t slots[SLOTS];  /* exact colours, by hash: 0 is free */
    uint8_t slot_index[SLOTS];
    bool exact;
    bool gives_up; /* as in SaveOptions */
} Quantizer;

static void colour_at(ImageView view, const unsigned char *pixel, int colour[3]) {
    for (int c = 0; c < 3; c++)
        colour[c] = pixel[view.shape.channels < 3 ? 0 : c];
}

static int alpha_at(ImageView view, const unsigned char *pixel) {
    return shape_has_alpha(view.shape) ? pixel[view.shape.channels - 1] : 255;
}

static int cell_of(const int colour[3]) {
    int cell = 0;
    for (int c = 0; c < 3; c++)
        cell = cell << CELL_BITS | colour[c] >> (8 - CELL_BITS);
    return cell;
}

/* The slot where this colour is, or a free one. */
static uint32_t slot_of(const Quantizer *q, const int colour[3], uint32_t *key) {
    *key = 1u << 24 | (uint32_t)colour[0] << 16 | (uint32_t)colour[1] << 8 | (uint32_t)colour[2];
    uint32_t slot = *key * 2654435761u >> 22;
    while (q->slots[slot] != 0 && q->slots[slot] != *key)
        slot = (slot + 1) % SLOTS;
    return slot;
}

static void note_exact(Quantizer *q, const int colour[3], int most) {
    uint32_t key;
    const uint32_t slot = slot_of(q, colour, &key);
    Palette *palette = q->palette;
    if (q->slots[slot] == key)
        return;
    q->exact = palette->count < most;
    if (!q->exact)
        return;
    q->slots[slot] = key;
    q->slot_index[slot] = (uint8_t)palette->count;
    for (int c = 0; c < 3; c++)
        palette->colours[palette->count][c] = (unsigned char)colour[c];
    palette->count++;
}

/* Counts all colours, and lists them for as long as they are few. */
static Status count_colours(Quantizer *q) {
    const ImageView view = q->view;
    bool hidden = false, partly = false;
    for (size_t y = 0; y < view.shape.height; y++) {
        const unsigned char *pixel = view_row(view, y);
        TRY(encoding_goes_on(q->gives_up));
        for (size_t x = 0; x < view.shape.width; x++, pixel += view.shape.channels) {
            const int alpha = alpha_at(view, pixel);
            int colour[3];
            hidden |= alpha < OPAQUE;
            partly |= alpha > 0 && alpha < 255;
            if (alpha < OPAQUE)
                continue;
            colour_at(view, pixel, colour);
            Cell *cell = &q->cells[cell_of(colour)];
            cell->count++;
            for (int c = 0; c < 3; c++)
                cell->sums[c] += (uint64_t)colour[c];
            if (q->exact)
                note_exact(q, colour, PALETTE_MAX - 1);
        }
    }
    q->palette->transparent = hidden ? PALETTE_MAX - 1 : -1;
    q->palette->lost = partly ? EXTRA_ALPHA : 0;
    return STATUS_OK;
}

static const Cell *box_cell(const Quantizer *q, int r, int g, int b) {
    return &q->cells[(r << CELL_BITS | g) << CELL_BITS | b];
}

/* Makes the box as small as its pixels allow. */
static void shrink(const Quantizer *q, Box *box) {
    Box tight = {.low = {SIDE, SIDE, SIDE}, .high = {-1, -1, -1}};
    for (int r = box->low[0]; r <= box->high[0]; r++)
        for (int g = box->low[1]; g <= box->high[1]; g++)
            for (int b = box->low[2]; b <= box->high[2]; b++) {
                const int at[3] = {r, g, b};
                const uint32_t count = box_cell(q, r, g, b)->count;
                tight.count += count;
                for (int c = 0; c < 3 && count > 0; c++) {
                    tight.low[c] = at[c] < tight.low[c] ? at[c] : tight.low[c];
                    tight.high[c] = at[c] > tight.high[c] ? at[c] : tight.high[c];
                }
            }
    *box = tight;
}

static int longest(const Box *box) {
    int axis = 1; /* green, where they are alike */
    for (int c = 0; c < 3; c++)
        if (box->high[c] - box->low[c] > box->high[axis] - box->low[axis])
            axis = c;
    return axis;
}

static uint64_t slice_count(const Quantizer *q, const Box *box, int axis, int at) {
    Box slice = *box;
    slice.low[axis] = slice.high[axis] = at;
    shrink(q, &slice);
    return slice.count;
}

/* At the median along the longest side. */
static void split(const Quantizer *q, Box *box, Box *other) {
    const int axis = longest(box);
    uint64_t below = 0;
    int cut = box->low[axis];
    for (; cut < box->high[axis]; cut++) {
        below += slice_count(q, box, axis, cut);
        if (2 * below >= box->count)
            break;
    }
    cut = cut < box->high[axis] ? cut : box->high[axis] - 1;
    *other = *box;
    box->high[axis] = cut;
    other->low[axis] = cut + 1;
    shrink(q, box);
    shrink(q, other);
}

static void mean_colour(const Quantizer *q, const Box *box, unsigned char colour[3]) {
    uint64_t sums[3] = {0}, count = 0;
    for (int r = box->low[0]; r <= box->high[0]; r++)
        for (int g = box->low[1]; g <= box->high[1]; g++)
            for (int b = box->low[2]; b <= box->high[2]; b++) {
                const Cell *cell = box_cell(q, r, g, b);
                count += cell->count;
                for (int c = 0; c < 3; c++)
                    sums[c] += cell->sums[c];
            }
    for (int c = 0; c < 3; c++)
        colour[c] = (unsigned char)((sums[c] + count / 2) / (count > 0 ? count : 1));
}

/* The box that has most pixels for its size is split, as long as there is one. */
static void cut_median(Quantizer *q, int most) {
    Box boxes[PALETTE_MAX] = {{.high = {SIDE - 1, SIDE - 1, SIDE - 1}}};
    int count = 1;
    shrink(q, &boxes[0]);
    while (count < most) {
        uint64_t best = 0;
        int chosen = 0;
        for (int i = 0; i < count; i++) {
            const int axis = longest(&boxes[i]);
            const uint64_t worth = boxes[i].count * (uint64_t)(boxes[i].high[axis] - boxes[i].low[axis]);
            chosen = worth > best ? i : chosen;
            best = worth > best ? worth : best;
        }
        if (best == 0)
            break;
        split(q, &boxes[chosen], &boxes[count++]);
    }
    for (int i = 0; i < count; i++)
        mean_colour(q, &boxes[i], q->palette->colours[i]);
    q->palette->count = count;
    memset(q->nearest, -1, sizeof q->nearest);
}

static int find_nearest(Quantizer *q, const int colour[3]) {
    int16_t *known = &q->nearest[cell_of(colour)];
    int best = INT_MAX;
    if (*known >= 0)
        return *known;
    for (int i = 0; i < q->palette->count; i++) {
        int distance = 0;
        for (int c = 0; c < 3; c++) {
            const int d = q->palette->colours[i][c] - colour[c];
            distance += d * d;
        }
        if (distance < best) {
            best = distance;
            *known = (int16_t)i;
        }
    }
    return *known;
}

static int clamp_byte(int value) {
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* A row; errors[0] are this row's and errors[1] the next one's, in sixteenths, with a pixel more at either end. */
static void dither_row(Quantizer *q, const unsigned char *pixel, unsigned char *to, int *errors[2]) {
    for (size_t x = 0; x < q->view.shape.width; x++, pixel += q->view.shape.channels) {
        int *now = errors[0] + 3 * (x + 1), *next = errors[1] + 3 * (x + 1), colour[3];
        if (alpha_at(q->view, pixel) < OPAQUE) {
            to[x] = (unsigned char)q->palette->transparent;
            continue;
        }
        colour_at(q->view, pixel, colour);
        for (int c = 0; c < 3; c++)
            colour[c] = clamp_byte(colour[c] + (now[c] + (now[c] < 0 ? -8 : 8)) / 16);
        to[x] = (unsigned char)find_nearest(q, colour);
        for (int c = 0; c < 3; c++) {
            const int error = colour[c] - q->palette->colours[to[x]][c];
            now[c + 3] += 7 * error;
            next[c - 3] += 3 * error;
            next[c] += 5 * error;
            next[c + 3] += error;
        }
    }
}

static Status dither(Quantizer *q, unsigned char *indices) {
    const size_t row = 3 * (q->view.shape.width + 2);
    int *errors = calloc(2 * row, sizeof *errors), *rows[2] = {errors, errors ? errors + row : NULL};
    if (!errors)
        return fail(STATUS_DEVICE, "no memory to find few colours");
    Status status = STATUS_OK;
    for (size_t y = 0; y < q->view.shape.height && status == STATUS_OK; y++) {
        status = encoding_goes_on(q->gives_up);
        dither_row(q, view_row(q->view, y), indices + y * q->view.shape.width, rows);
        int *const done = rows[0];
        rows[0] = rows[1];
        rows[1] = done;
        memset(done, 0, row * sizeof *errors);
    }
    free(errors);
    return status;
}

static Status look_up(const Quantizer *q, unsigned char *indices) {
    const ImageView view = q->view;
    for (size_t y = 0; y < view.shape.height; y++) {
        const unsigned char *pixel = view_row(view, y);
        TRY(encoding_goes_on(q->gives_up));
        for (size_t x = 0; x < view.shape.width; x++, pixel += view.shape.channels) {
            int colour[3];
            uint32_t key;
            colour_at(view, pixel, colour);
            const bool seen = alpha_at(view, pixel) >= OPAQUE;
            *indices++ = seen ? q->slot_index[slot_of(q, colour, &key)] : (unsigned char)q->palette->transparent;
        }
    }
    return STATUS_OK;
}

/* Gray without alpha has its 256 values. */
static void gray_colours(Palette *palette) {
    for (int i = 0; i < PALETTE_MAX; i++)
        memset(palette->colours[i], i, 3);
    palette->count = PALETTE_MAX;
}

static Status find_colours(Quantizer *q, unsigned char *indices) {
    TRY(count_colours(q));
    if (q->exact)
        return look_up(q, indices);
    q->palette->lost |= EXTRA_COLOURS;
    cut_median(q, PALETTE_MAX - 1);
    return dither(q, indices);
}

Status palette_of(ImageView view, bool gives_up, Palette *palette, unsigned char **indices) {
    const size_t count = view.shape.width * view.shape.height;
    Quantizer *q = calloc(1, sizeof *q);
    Status status = STATUS_OK;
    *palette = (Palette){.transparent = -1};
    *indices = malloc(count + 1);
    if (!q || !*indices) {
        status = fail(STATUS_DEVICE, "no memory to find few colours");
    } else if (view.shape.channels == 1) {
        gray_colours(palette);
        for (size_t y = 0; y < view.shape.height; y++)
            memcpy(*indices + y * view.shape.width, view_row(view, y), view.shape.width);
    } else {
        q->view = view; /* all else stays as calloc left it: untouched pages cost nothing, in thousands of frames */
        q->palette = palette;
        q->exact = true;
        q->gives_up = gives_up;
        status = find_colours(q, *indices);
    }
    free(q);
    if (status != STATUS_OK) {
        free(*indices);
        *indices = NULL;
    }
    return status;
}
