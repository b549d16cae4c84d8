/* part.c: pictures whose files end early. */
#include "core/codec/part.h"

#include "core/image/shape.h"

#include <stdio.h>
#include <string.h>

bool part_is_sound(FilePart part, size_t height) {
    return part.of == 0 ? part.rows == 0 && part.fine == 0
                        : part.of == height && part.rows > 0 && part.rows <= part.of && part.fine <= part.rows;
}

/* The first row is made value by value, and copied to the others. */
static void blank_rows(ImageView rows) {
    const Shape shape = rows.shape;
    const double gray = shape_has_alpha(shape) ? 0 : pixel_type_white(shape.type) / 2;
    if (shape.height == 0)
        return;
    for (size_t x = 0; x < shape.width; x++)
        for (int c = 0; c < shape.channels; c++)
            view_set_value(rows, x, 0, c, gray);
    for (size_t y = 1; y < shape.height; y++)
        memcpy(view_row(rows, y), view_row(rows, 0), shape_row_bytes(shape));
}

Status part_load(const Format *format, Bytes file, FilePart *part, Image **image) {
    TRY(format->load_part(file, part, image));
    const Shape shape = (*image)->view.shape;
    blank_rows(view_crop((*image)->view, 0, part->rows, shape.width, shape.height - part->rows));
    return STATUS_OK;
}

size_t part_describe(FilePart part, char *buffer, size_t size) {
    const bool all = part.rows == part.of, some_fine = all && part.fine > 0 && part.fine < part.of;
    const char *how = some_fine ? " with all details" : part.fine < part.rows ? ", without details" : "";
    if (part.of == 0)
        return (size_t)snprintf(buffer, size, "%s", "");
    if (all && !some_fine)
        return (size_t)snprintf(buffer, size, "ends early: all %zu rows are there%s", part.of, how);
    return (size_t)snprintf(buffer, size, "ends early: %zu of %zu rows are there%s", some_fine ? part.fine : part.rows,
                            part.of, how);
}
