/* tally.h: how often each value occurs in a picture, counted where it lies, and what follows from that.
 * Owns the counts of the operation histogram over a whole frame and over its columns, and their statistics. */
#ifndef GLINT_APP_VIEW_TALLY_H
#define GLINT_APP_VIEW_TALLY_H

#include "core/backend.h"
#include "core/math/bins.h"

enum { TALLY_ROWS = 4, TALLY_COLUMNS = 256 };

/* Rows are the colours, and luma behind three of them. Alpha is not counted. */
typedef struct Tally {
    int rows; /* 1 or 4 */
    Bins bins;
    double white;
    uint32_t *counts; /* rows x bins.count */
} Tally;

/* Counts the values of a frame of the queue's device, by the best level there: each of u8 and u16, of f32 in 65536
 * steps from the smallest to the largest that is between -1e6 and 1e6. STATUS_DEVICE if memory is short,
 * STATUS_INTERRUPTED if the queue was stopped. */
Status tally_count(Queue *queue, Frame picture, Tally *tally);
void tally_free(Tally *tally); /* accepts a zeroed one */

typedef struct TallyStats {
    double count; /* of values */
    double minimum, maximum, mean, deviation, median;
    double shadows, lights; /* shares: that are black, that are white; beyond both, too */
} TallyStats;
TallyStats tally_stats(const Tally *tally, int row);

/* The value that this share of all lies up to, 0 to 1, by the nearest rank; NaN if there are none. */
double tally_quantile(const Tally *tally, int row, double share);

/* Shares of the values from `low` to `high` in so many equal columns; `high` is a value of its own, as 255 is. */
void tally_columns(const Tally *tally, int row, double low, double high, double shares[TALLY_COLUMNS]);

/* For each of `columns` strips of the frame, at most its width, from the left: as tally_columns, for each colour, 1 or
 * 3; `shares` has room for columns x colours x TALLY_COLUMNS. `like` is the tally of the whole. Fails as tally_count.
 */
Status tally_strips(Queue *queue, Frame picture, const Tally *like, double low, double high, size_t columns,
                    double *shares);

#endif
