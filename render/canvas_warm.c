/* canvas_warm.c: draws that nobody sees, so that programs are compiled before they are needed. */
#include "render/canvas.h"
#include "render/canvas_table.h"
#include "render/gl.h"

#include <epoxy/gl.h>
#include <stdlib.h>

/* The shape and look that a program is compiled for: pixels, their display, and the sides that are powers of two. */
typedef struct Drawn {
    int width, height, channels;
    PixelType type;
    bool magnified, graded, difference, placed, errors;
    CanvasTable table; /* of colours; none: as they are */
} Drawn;

/* Draws a pixel of it. */
static Status draw_once(Canvas *canvas, Drawn drawn) {
    enum { BYTES_MAX = 3 * 3 * 4 * 4 };
    const float pixels[BYTES_MAX / sizeof(float)] = {0};
    const Shape shape = {(size_t)drawn.width, (size_t)drawn.height, drawn.channels, drawn.type};
    const ImageView picture = {shape, shape_row_bytes(shape), (void *)(uintptr_t)pixels};
    const CanvasLook look = {.width = 1,
                             .height = 1,
                             .scale = drawn.magnified ? 2 : 1,
                             .split = -1,
                             .placed = drawn.placed,
                             .map = homography_identity(),
                             .source_width = (size_t)drawn.width,
                             .source_height = (size_t)drawn.height,
                             .show = drawn.errors       ? CANVAS_SHOW_ERRORS
                                     : drawn.difference ? CANVAS_SHOW_DIFFERENCE
                                     : drawn.placed     ? CANVAS_SHOW_SOURCE
                                                        : CANVAS_SHOW_RESULT,
                             .checker = 1,
                             .graded = drawn.graded,
                             .false_colour = drawn.errors,
                             .gamma = 1,
                             .colours = {{.display = drawn.table}}};
    for (int slot = 0; slot <= (int)(drawn.difference || drawn.placed || drawn.errors); slot++)
        TRY(canvas_fill_whole(canvas, (CanvasSlot)slot, picture, 1));
    const Status status = canvas_draw(canvas, look);
    glFinish();
    for (int slot = 0; slot < CANVAS_SLOTS; slot++)
        canvas_clear(canvas, (CanvasSlot)slot);
    return status;
}

static const int warm_channels[] = {3, 1, 4};

Status canvas_warm(Canvas *canvas) {
    for (size_t i = 0; i < sizeof warm_channels / sizeof warm_channels[0]; i++)
        for (int magnified = 0; magnified < 2; magnified++)
            TRY(draw_once(
                canvas,
                (Drawn){
                    .width = 3, .height = 3, .channels = warm_channels[i], .type = PIXEL_U8, .magnified = magnified}));
    return gl_check("drawing a first time");
}

/* Through a table of zeros. */
static Status warm_table(Canvas *canvas) {
    DisplayTable *zeros = calloc(1, sizeof *zeros);
    CanvasTable table = {0};
    Status status = zeros ? canvas_table_create(zeros, &table) : fail(STATUS_DEVICE, "no memory for a table");
    for (int magnified = 0; magnified < 2 && status == STATUS_OK; magnified++)
        status =
            draw_once(canvas, (Drawn){.width = 3, .height = 3, .channels = 3, .magnified = magnified, .table = table});
    canvas_table_destroy(&table);
    free(zeros);
    return status;
}

Status canvas_warm_all(Canvas *canvas, const atomic_bool *stop) {
    static const Drawn kinds[] = {
        /* the likeliest programs come first */
        {.width = 3, .height = 3, .type = PIXEL_U8, .placed = true},
        {.width = 3, .height = 3, .type = PIXEL_U8, .difference = true, .graded = true},
        {.width = 3, .height = 3, .type = PIXEL_F32, .errors = true, .graded = true},
        {.width = 3, .height = 3, .type = PIXEL_F32},
        {.width = 3, .height = 3, .type = PIXEL_U16},
        {.width = 3, .height = 3, .type = PIXEL_U8, .graded = true},
        {.width = 2, .height = 3, .type = PIXEL_U8},
        {.width = 2, .height = 2, .type = PIXEL_U8},
        {.width = 3, .height = 2, .type = PIXEL_U8},
        {.width = 3, .height = 3, .type = PIXEL_U8, .difference = true, .graded = true, .placed = true},
        {.width = 3, .height = 3, .type = PIXEL_F32, .graded = true},
        {.width = 2, .height = 2, .type = PIXEL_U8, .difference = true, .graded = true},
        {.width = 3, .height = 3, .type = PIXEL_U16, .difference = true, .graded = true},
        {.width = 3, .height = 3, .type = PIXEL_F32, .placed = true},
    };
    enum { KINDS = sizeof kinds / sizeof kinds[0], CHANNELS = sizeof warm_channels / sizeof warm_channels[0] };
    if (!atomic_load(stop))
        TRY(warm_table(canvas));
    for (int i = 0; i < KINDS * CHANNELS * 2 && !atomic_load(stop); i++) {
        Drawn drawn = kinds[i / (CHANNELS * 2)];
        drawn.channels = warm_channels[i / 2 % CHANNELS];
        drawn.magnified = i % 2;
        TRY(draw_once(canvas, drawn));
    }
    return gl_check("drawing a first time");
}
