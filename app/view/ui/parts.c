/* parts.c: tiles on their way to the canvas. */
#include "app/view/ui/parts.h"

#include "app/view/session/near.h"

#include <math.h>
#include <string.h>

#define PIXELS_AT_ONCE 1e6 /* that are averaged or copied in a few ms */

/* The pixels of a side that lie in the area; without such pixels the one at the nearest edge. */
static void seen_of(double from, double length, double corner, double scale, size_t side, ptrdiff_t *first,
                    size_t *count) {
    const double last = (double)side, begin = fmin(fmax(floor((from - corner) / scale), 0), fmax(last - 1, 0));
    const double end = fmin(fmax(ceil((from + length - corner) / scale), begin + 1), last);
    *first = (ptrdiff_t)begin;
    *count = (size_t)fmax(end - begin, 0);
}

Sight parts_sight(const Viewer *viewer) {
    const Viewport at = viewer_viewport(viewer);
    const Area area = viewer_result_area(viewer);
    const Shape shape = viewer_shown_shape(viewer);
    Sight sight = {.scale = at.scale};
    seen_of(area.x, area.width, at.x, at.scale, shape.width, &sight.seen.left, &sight.seen.width);
    seen_of(area.y, area.height, at.y, at.scale, shape.height, &sight.seen.top, &sight.seen.height);
    return sight;
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

static ImagePart part_near(const Near *near) {
    return (ImagePart){(size_t)near->part.left, (size_t)near->part.top, near->part.width, near->part.height};
}

enum { ALONE = 1 << 29 /* in serials of visible parts without a run */ };

Status parts_draw(Parts *parts, Canvas *canvas, Partial *partial, const Near *near, CanvasLook look) {
    const Shape shape = partial ? partial->frame.shape : near->result;
    double pixels = 0;
    bool fresh;
    TRY(canvas_begin_parts(canvas, shape, partial ? partial->serial : near->serial | ALONE, look, &fresh));
    if (fresh) {
        memset(parts->taken, 0, sizeof parts->taken);
        parts->run_count = 0;
        if (near)
            TRY(canvas_add_part(canvas, near_view(near), part_near(near), &pixels));
    }
    if (near)
        TRY(canvas_draw_parts(canvas, (ImagePart[]){part_near(near)}, 1, look));
    if (!partial)
        return STATUS_OK;
    TRY(take(parts, canvas, partial));
    join(parts, partial);
    return canvas_draw_parts(canvas, parts->runs, parts->run_count, look);
}
