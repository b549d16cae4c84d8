/* parts.c: tiles on their way to the canvas. */
#include "app/view/ui/parts.h"

#include <math.h>
#include <string.h>

#define PIXELS_AT_ONCE 1e6 /* that are averaged or copied in a few ms */

/* The middle of the part that lies both in the area and on the picture; without such a part the picture's nearest
 * edge. */
static double middle(double from, double length, double corner, double scale, size_t side) {
    const double first = fmin(fmax((from - corner) / scale, 0), (double)side);
    const double last = fmin(fmax((from + length - corner) / scale, 0), (double)side);
    return (first + last) / 2;
}

void parts_middle(const Viewer *viewer, double *x, double *y) {
    const Viewport at = viewer_viewport(viewer);
    const Area area = viewer_result_area(viewer);
    const Shape shape = viewer_shown_shape(viewer);
    *x = middle(area.x, area.width, at.x, at.scale, shape.width);
    *y = middle(area.y, area.height, at.y, at.scale, shape.height);
}

static ImagePart tile_at(const Partial *partial, size_t column, size_t row) {
    const Shape all = partial->frame.shape;
    const size_t x = column * partial->columns, y = row * partial->rows;
    return (ImagePart){x, y, x + partial->columns < all.width ? partial->columns : all.width - x,
                       y + partial->rows < all.height ? partial->rows : all.height - y};
}

static Status take(Parts *parts, Canvas *canvas, Partial *partial) {
    const size_t tiles = partial->across * partial->down;
    double pixels = 0;
    for (size_t i = 0; i < tiles && pixels < PIXELS_AT_ONCE; i++) {
        if (parts->taken[i] || !partial_has(partial, i))
            continue;
        parts->taken[i] = true;
        TRY(canvas_add_part(canvas, partial->frame, tile_at(partial, i % partial->across, i / partial->across),
                            &pixels));
    }
    return STATUS_OK;
}

static void join(Parts *parts, const Partial *partial) {
    parts->run_count = 0;
    for (size_t row = 0; row < partial->down; row++) {
        ImagePart *run = NULL;
        for (size_t column = 0; column < partial->across; column++) {
            const ImagePart tile = tile_at(partial, column, row);
            if (!parts->taken[row * partial->across + column]) {
                run = NULL;
            } else if (run) {
                run->width += tile.width;
            } else if (parts->run_count < PARTS_RUNS) {
                run = &parts->runs[parts->run_count++];
                *run = tile;
            }
        }
    }
}

Status parts_draw(Parts *parts, Canvas *canvas, Partial *partial, CanvasLook look) {
    bool fresh;
    TRY(canvas_begin_parts(canvas, partial->frame.shape, partial->serial, look, &fresh));
    if (fresh)
        memset(parts->taken, 0, sizeof parts->taken);
    TRY(take(parts, canvas, partial));
    join(parts, partial);
    return canvas_draw_parts(canvas, parts->runs, parts->run_count, look);
}
