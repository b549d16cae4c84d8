/* aligned.c: making the source as the result's places show it. */
#include "app/view/session/aligned.h"

#include "core/base/share.h"

#include <math.h>
#include <stdio.h>

/* Marks serials of such pictures; no other kind has both bits first. */
#define ALIGNED_SERIAL (3u << 29)

enum { PIECES = 16, PIECE_ROWS = 16 }; /* of rows that cores share at once */

/* The source itself serves where neither places nor types differ. *of: what is to be made. */
static bool is_aligned(const Session *session, const Image *source, unsigned serial, SideFit fit, const Homography *map,
                       AlignedOf *of) {
    Shape shape = session->place.geometry.result;
    shape.channels = source->view.shape.channels;
    *of = (AlignedOf){.source = serial, .map = *map, .shape = shape};
    return fit == SIDES_ALIKE && shape_equal(source->view.shape, shape);
}

static bool same(const AlignedOf *a, const AlignedOf *b) {
    bool same_map = true;
    for (int i = 0; i < 9; i++)
        same_map &= !(a->map.m[i] < b->map.m[i] || a->map.m[i] > b->map.m[i]);
    return a->source == b->source && shape_equal(a->shape, b->shape) && same_map;
}

const Image *aligned_source(const Session *session, unsigned *serial, PlacedPart *part) {
    const Aligned *aligned = &session->aligned;
    const Image *source = session_source(session, serial);
    Homography map;
    AlignedOf of;
    const SideFit fit = session_fit(session, &map);
    if (!source || fit == SIDES_APART)
        return NULL;
    const Shape result = session->place.geometry.result;
    *part = (PlacedPart){0, 0, result.width, result.height};
    if (is_aligned(session, source, *serial, fit, &map, &of))
        return source;
    *serial = aligned->serial;
    *part = aligned->part;
    return aligned->image && aligned->rows == result.height && same(&of, &aligned->of) ? aligned->image : NULL;
}

/* Whether there is something to make, and it was not found impossible. */
static bool is_missing(const Session *session) {
    unsigned serial;
    PlacedPart part;
    Homography map;
    AlignedOf of;
    const Image *source = session_source(session, &serial);
    const SideFit fit = session_fit(session, &map);
    if (!source || fit == SIDES_APART || !session->on_device || session->result_job != session->job_serial)
        return false;
    return !is_aligned(session, source, serial, fit, &map, &of) && !aligned_source(session, &serial, &part) &&
           !(session->aligned.refused && same(&of, &session->aligned.of));
}

bool aligned_due(const Session *session) {
    return session->wishes.difference && is_missing(session);
}

bool aligned_needed(const Session *session) {
    char why[160];
    return session->wishes.compares && is_missing(session) && !aligned_why_not(session, why, sizeof why)[0];
}

const char *aligned_why_not(const Session *session, char *buffer, size_t size) {
    unsigned serial;
    PlacedPart part;
    const Image *source = session_source(session, &serial);
    (void)session_why_apart(session, buffer, size);
    if (buffer[0] || !source)
        return buffer;
    const Image *aligned = aligned_source(session, &serial, &part);
    if (source->view.shape.channels != session->place.geometry.result.channels)
        snprintf(buffer, size, "the two images differ in channels");
    else if (aligned && part.width == 0)
        snprintf(buffer, size, "no pixel is in both images");
    return buffer;
}

typedef struct Rows {
    ImageView from, to;
    const Homography *map;
    size_t first, count;
} Rows;

static void make_piece(const void *job, size_t piece) {
    const Rows *rows = job;
    const size_t first = rows->first + piece * PIECE_ROWS, end = rows->first + rows->count;
    if (first < end)
        placed_rows(rows->from, rows->map, rows->to, first, first + PIECE_ROWS < end ? PIECE_ROWS : end - first);
}

static Status begin(Aligned *aligned, const Image *source, const AlignedOf *of) {
    image_destroy(&aligned->image);
    aligned->of = *of;
    aligned->rows = 0;
    aligned->serial = ((aligned->serial + 1) & ~ALIGNED_SERIAL) | ALIGNED_SERIAL;
    aligned->refused = true;
    TRY(image_create_unfilled(of->shape, &aligned->image));
    aligned->refused = false;
    aligned->part = placed_part(source->view.shape, &of->map, of->shape.width, of->shape.height);
    return STATUS_OK;
}

Status aligned_make(Session *session) {
    Aligned *aligned = &session->aligned;
    const double start = clock_ms();
    unsigned serial;
    Homography map;
    AlignedOf of;
    const Image *source = session_source(session, &serial);
    (void)is_aligned(session, source, serial, session_fit(session, &map), &map, &of);
    if (!aligned->image || !same(&of, &aligned->of))
        TRY(begin(aligned, source, &of));
    while (aligned->rows < of.shape.height && clock_ms() - start < YARDSTICK_MS) {
        const size_t left = of.shape.height - aligned->rows, some = (size_t)PIECES * PIECE_ROWS;
        const Rows rows = {source->view, aligned->image->view, &aligned->of.map, aligned->rows,
                           left < some ? left : some};
        share_pieces(PIECES, make_piece, &rows);
        aligned->rows += rows.count;
    }
    return STATUS_OK;
}
