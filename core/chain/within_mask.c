/* within_mask.c: masks at other sizes, by a triangle over the pixels that each one covers. */
#include "core/chain/within_mask.h"

#include "core/base/share.h"
#include "core/ops/histogram.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { KEPT = 2, PIECE_ROWS = 64 };

/* ---- weights ---- */

/* The pixels along a side that one of the result is mixed from. */
typedef struct Taps {
    size_t first, count;
    double middle, reach; /* of the triangle */
} Taps;

/* Centres have whole coordinates; pixels beyond the ends do not count. */
static Taps taps_of(size_t at, size_t from, size_t to) {
    const double step = (double)from / (double)to, reach = fmax(step, 1);
    const double middle = ((double)at + 0.5) * step - 0.5, last = (double)from - 1;
    const double low = fmin(fmax(floor(middle - reach) + 1, 0), last), high = fmin(ceil(middle + reach) - 1, last);
    return (Taps){(size_t)low, (size_t)(fmax(high, low) - low) + 1, middle, reach};
}

static double weight_of(const Taps *taps, size_t i) {
    return fmax(1 - fabs((double)(taps->first + i) - taps->middle) / taps->reach, 0);
}

/* ---- rows ---- */

typedef struct Job {
    ImageView from, to;
    const Taps *columns; /* by column of `to` */
    double *sums;        /* a row of `from` for each piece */
} Job;

static double luma_at(ImageView mask, size_t x, size_t y) {
    const double first = view_value(mask, x, y, 0);
    return shape_colours(mask.shape) < 3
               ? first
               : 0.2126 * first + 0.7152 * view_value(mask, x, y, 1) + 0.0722 * view_value(mask, x, y, 2);
}

/* The mean of the rows that row `y` of the result covers. */
static void mix_rows(const Job *job, size_t y, double *sums) {
    const size_t width = job->from.shape.width;
    const Taps taps = taps_of(y, job->from.shape.height, job->to.shape.height);
    double all = 0;
    for (size_t i = 0; i < taps.count; i++)
        all += weight_of(&taps, i);
    for (size_t x = 0; x < width; x++)
        sums[x] = 0;
    for (size_t i = 0; i < taps.count; i++) {
        const double weight = weight_of(&taps, i) / all;
        for (size_t x = 0; x < width; x++)
            sums[x] += weight * luma_at(job->from, x, taps.first + i);
    }
}

static void make_row(const Job *job, size_t y, double *sums) {
    mix_rows(job, y, sums);
    for (size_t x = 0; x < job->to.shape.width; x++) {
        const Taps *taps = &job->columns[x];
        double sum = 0, all = 0;
        for (size_t i = 0; i < taps->count; i++) {
            sum += weight_of(taps, i) * sums[taps->first + i];
            all += weight_of(taps, i);
        }
        view_set_value(job->to, x, y, 0, sum / all);
    }
}

static void make_piece(const void *context, size_t piece) {
    const Job *job = context;
    for (size_t y = piece * PIECE_ROWS; y < (piece + 1) * PIECE_ROWS && y < job->to.shape.height; y++)
        make_row(job, y, job->sums + piece * job->from.shape.width);
}

static Status make(ImageView mask, size_t width, size_t height, Image **made) {
    const size_t pieces = (height + PIECE_ROWS - 1) / PIECE_ROWS;
    TRY(image_create_unfilled((Shape){width, height, 1, mask.shape.type}, made));
    Taps *columns = calloc(width, sizeof *columns);
    double *sums = calloc(pieces * mask.shape.width, sizeof *sums);
    const Job job = {mask, (*made)->view, columns, sums};
    const bool fits = columns && sums;
    for (size_t x = 0; fits && x < width; x++)
        columns[x] = taps_of(x, mask.shape.width, width);
    if (fits)
        share_pieces(pieces, make_piece, &job);
    else
        image_destroy(made);
    free(columns);
    free(sums);
    return fits ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a mask");
}

/* ---- the last ones ---- */

static struct { Image *mask, *made; /* owned; NULL: none */ } kept[KEPT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_made(const Image *mask, const Image *made, size_t width, size_t height) {
    return made && mask && made->view.shape.width == width && made->view.shape.height == height;
}

/* Lets go of those whose masks have no other owner any more. */
static Image *find_kept(const Image *mask, size_t width, size_t height) {
    Image *found = NULL;
    for (int i = 0; i < KEPT; i++) {
        if (kept[i].mask && kept[i].mask->references == 0) {
            image_destroy(&kept[i].mask);
            image_destroy(&kept[i].made);
        }
        if (kept[i].mask == mask && is_made(mask, kept[i].made, width, height))
            found = image_retain(kept[i].made);
    }
    return found;
}

static void keep(Image *mask, Image *made) {
    image_destroy(&kept[KEPT - 1].mask);
    image_destroy(&kept[KEPT - 1].made);
    for (int i = KEPT - 1; i > 0; i--)
        kept[i] = kept[i - 1];
    kept[0].mask = image_retain(mask);
    kept[0].made = image_retain(made);
}

Status within_mask_resize(Image *mask, size_t width, size_t height, Image **made) {
    pthread_mutex_lock(&lock);
    *made = find_kept(mask, width, height);
    Status status = STATUS_OK;
    if (!*made) {
        PixelSource *source = image_source_set(NULL); /* it may outlive the thread's */
        status = make(mask->view, width, height, made);
        image_source_set(source);
        if (status == STATUS_OK && !mask->source)
            keep(mask, *made);
    }
    pthread_mutex_unlock(&lock);
    return status;
}
