/* periodic.c: the last rows of a picture, its rows, and its first ones. */
#include "core/run/periodic.h"

#include <string.h>

/* Reads all rows, and keeps the last ones. */
static Status find_tail(Periodic *periodic) {
    const size_t height = periodic->once->shape.height, around = periodic->around;
    for (size_t left = height, count; left > 0; left -= count) {
        count = left >= 2 * around || left == around ? around : left - around;
        const ImageView rows = view_crop(periodic->tail->view, 0, 0, periodic->once->shape.width, count);
        TRY(periodic->once->read(periodic->once, rows));
    }
    return periodic->once->rewind(periodic->once);
}

/* Reads rows that lie in one of tail, picture and head: *count of them, at most as many as `rows` has. */
static Status read_piece(Periodic *periodic, ImageView rows, size_t *count) {
    const size_t around = periodic->around, height = periodic->once->shape.height, at = periodic->next;
    const size_t begin = at < around ? 0 : at < around + height ? around : around + height;
    const size_t end = at < around ? around : at < around + height ? around + height : 2 * around + height;
    *count = end - at < rows.shape.height ? end - at : rows.shape.height;
    rows.shape.height = *count;
    periodic->next += *count;
    if (begin != around) {
        const Image *edge = begin == 0 ? periodic->tail : periodic->head;
        view_copy(view_crop(edge->view, 0, at - begin, rows.shape.width, *count), rows);
        return STATUS_OK;
    }
    TRY(periodic->once->read(periodic->once, rows));
    for (size_t y = 0; y < *count && at - begin + y < around; y++)
        memcpy(view_row(periodic->head->view, at - begin + y), view_row(rows, y), shape_row_bytes(rows.shape));
    return STATUS_OK;
}

static Status read_periodic(RowSource *source, ImageView rows) {
    for (size_t y = 0, count; y < rows.shape.height; y += count)
        TRY(read_piece((Periodic *)source, view_crop(rows, 0, y, rows.shape.width, rows.shape.height - y), &count));
    return STATUS_OK;
}

static Status rewind_periodic(RowSource *source) {
    Periodic *periodic = (Periodic *)source;
    periodic->next = 0;
    return periodic->once->rewind(periodic->once);
}

Status periodic_begin(Periodic *periodic, RowSource *once, size_t around) {
    Shape shape = once->shape;
    *periodic =
        (Periodic){.source = {.shape = shape, .timed = once->timed, .read = read_periodic, .rewind = rewind_periodic},
                   .once = once,
                   .around = around};
    periodic->source.shape.height += 2 * around;
    shape.height = around;
    TRY(image_create_unfilled(shape, &periodic->head));
    TRY(image_create_unfilled(shape, &periodic->tail));
    return find_tail(periodic);
}

void periodic_end(Periodic *periodic) {
    image_destroy(&periodic->head);
    image_destroy(&periodic->tail);
}
