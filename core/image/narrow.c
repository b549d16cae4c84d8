/* narrow.c: rounding values to fewer bits. */
#include "core/image/narrow.h"

#include "core/math/alpha.h"

#include <math.h>
#include <stdlib.h>

/* The divisor of the colours of a premultiplied pixel. */
static double divisor_of(ImageView from, size_t x, size_t y) {
    const double alpha = view_value(from, x, y, from.shape.channels - 1) / pixel_type_white(from.shape.type);
    return fabs(alpha) > ALPHA_NONE ? alpha : 1;
}

static void narrow(ImageView from, bool premultiplied, ImageView to) {
    const double scale = pixel_type_white(to.shape.type) / pixel_type_white(from.shape.type);
    const int colours = to.shape.channels - (shape_has_alpha(to.shape) ? 1 : 0);
    for (size_t y = 0; y < to.shape.height; y++)
        for (size_t x = 0; x < to.shape.width; x++) {
            const double divisor = premultiplied && colours < to.shape.channels ? divisor_of(from, x, y) : 1;
            for (int c = 0; c < to.shape.channels; c++)
                view_set_value(to, x, y, c, scale * view_value(from, x, y, c) / (c < colours ? divisor : 1));
        }
}

Status image_narrow(Image **image, PixelType type) {
    for (Image **each = image; *each; each = &(*each)->next) {
        const ImageView view = (*each)->view;
        Image *made;
        if (view.shape.type <= type)
            continue;
        TRY(image_create_unfilled(shape_with_type(view.shape, type), &made));
        narrow(view, (*each)->premultiplied, made->view);
        (*each)->premultiplied = false;
        image_replace(each, made);
    }
    return STATUS_OK;
}

/* ---- row by row ---- */

enum { BUFFER = 1 << 18 }; /* bytes of rows that are narrowed at a time, or one row */

typedef struct NarrowSink {
    RowSink sink;
    RowSink *to;
    bool premultiplied;
    Image *rows; /* narrowed */
} NarrowSink;

static Status write_narrowed(RowSink *sink, ImageView rows) {
    const NarrowSink *narrowing = (NarrowSink *)sink;
    const size_t width = rows.shape.width, height = rows.shape.height, step = narrowing->rows->view.shape.height;
    for (size_t y = 0; y < height; y += step) {
        const size_t count = height - y < step ? height - y : step;
        const ImageView part = view_crop(narrowing->rows->view, 0, 0, width, count);
        narrow(view_crop(rows, 0, y, width, count), narrowing->premultiplied, part);
        TRY(narrowing->to->write(narrowing->to, part));
    }
    return STATUS_OK;
}

static Status finish_narrowed(RowSink *sink) {
    RowSink *to = ((NarrowSink *)sink)->to;
    return to->finish ? to->finish(to) : STATUS_OK;
}

static void close_narrowed(RowSink *sink) {
    NarrowSink *narrowing = (NarrowSink *)sink;
    row_sink_close(&narrowing->to);
    image_destroy(&narrowing->rows);
    free(narrowing);
}

Status narrow_rows(RowSink *to, PixelType type, bool premultiplied, RowSink **rows) {
    const size_t fit = BUFFER / shape_row_bytes(to->shape);
    const Shape shape = {to->shape.width, fit > 0 ? fit : 1, to->shape.channels, to->shape.type};
    NarrowSink *made = calloc(1, sizeof *made);
    *rows = NULL;
    if (!made || image_create(shape, &made->rows) != STATUS_OK) {
        free(made);
        row_sink_close(&to);
        return fail(STATUS_DEVICE, "no memory for rows of fewer bits");
    }
    made->sink = (RowSink){.shape = shape_with_type(to->shape, type),
                           .write = write_narrowed,
                           .finish = finish_narrowed,
                           .close = close_narrowed};
    made->premultiplied = premultiplied;
    made->to = to;
    *rows = &made->sink;
    return STATUS_OK;
}
