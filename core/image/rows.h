/* rows.h: pictures whose rows come one after the other, from the top, so that none is in memory as a whole.
 * Owns the two ends of their way: the source that rows come from, and the sink that they go to. */
#ifndef GLINT_CORE_IMAGE_ROWS_H
#define GLINT_CORE_IMAGE_ROWS_H

#include "core/image/image.h"

/* Where rows come from. A source's own struct begins with this. */
typedef struct RowSource RowSource;
struct RowSource {
    Shape shape;          /* of the picture */
    const ImageView *all; /* of it, where it lies in memory; or NULL */
    bool timed;           /* its reads have spans of their own, and are no decoding */
    /* The next rows: as many as the view has, and never more than there are. */
    Status (*read)(RowSource *source, ImageView rows);
    Status (*rewind)(RowSource *source); /* the next row is the first again */
    void (*close)(RowSource *source);    /* frees it; NULL: nothing is to be freed */
};

/* A place that rows go to. */
typedef struct RowSink RowSink;
struct RowSink {
    Shape shape;
    const ImageView *all; /* as above: then there is no `write` */
    Status (*write)(RowSink *sink, ImageView rows);
    Status (*finish)(RowSink *sink); /* behind the last row; NULL: nothing is left to do */
    void (*close)(RowSink *sink);    /* frees it, finished or not; NULL: nothing is to be freed */
};

/* Closes accept NULL and null the pointer. */
void row_source_close(RowSource **source);
void row_sink_close(RowSink **sink);

/* A picture in memory (borrowed) as a source, which needs no close. */
typedef struct ViewSource {
    RowSource source; /* first, so that a RowSource is ours */
    ImageView view;
    size_t next;
} ViewSource;

void view_source_init(ViewSource *source, ImageView view);

#endif
