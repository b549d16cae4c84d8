/* rows.c: the ends of the way of rows. */
#include "core/image/rows.h"

void row_source_close(RowSource **source) {
    if (*source && (*source)->close)
        (*source)->close(*source);
    *source = NULL;
}

void row_sink_close(RowSink **sink) {
    if (*sink && (*sink)->close)
        (*sink)->close(*sink);
    *sink = NULL;
}

static Status read_view(RowSource *source, ImageView rows) {
    ViewSource *from = (ViewSource *)source;
    view_copy(view_crop(from->view, 0, from->next, rows.shape.width, rows.shape.height), rows);
    from->next += rows.shape.height;
    return STATUS_OK;
}

static Status rewind_view(RowSource *source) {
    ((ViewSource *)source)->next = 0;
    return STATUS_OK;
}

void view_source_init(ViewSource *source, ImageView view) {
    *source = (ViewSource){.source = {.shape = view.shape, .read = read_view, .rewind = rewind_view}, .view = view};
    source->source.all = &source->view;
}
