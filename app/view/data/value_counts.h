/* value_counts.h: how often each value occurs in a picture, counted where it lies, and statistics of that.
 * Owns the counts of the operation histogram over a whole frame and over its columns, and their statistics. */
#ifndef GLINT_APP_VIEW_DATA_VALUE_COUNTS_H
#define GLINT_APP_VIEW_DATA_VALUE_COUNTS_H

#include "core/device/backend.h"
#include "core/math/bins.h"

enum { COUNT_ROWS = 4, COUNT_COLUMNS = 256 };

/* Rows are the colours, and luma behind three of them. Alpha is not counted. */
typedef struct ValueCounts {
    int rows; /* 1 or 4 */
    Bins bins;
    double white;
    uint32_t *counts; /* rows x bins.count */
} ValueCounts;

/* Counts the values of a frame of the queue's device, by the best level there. Each value of u8 and u16 has a count.
 * Values of f32 fall into 65536 steps from the smallest to the largest; values beyond -1e6 and 1e6 count as these
 * limits. STATUS_DEVICE if memory is short, STATUS_INTERRUPTED if the queue was stopped. */
Status value_counts_make(Queue *queue, Frame picture, ValueCounts *values);
void value_counts_free(ValueCounts *values); /* accepts a zeroed one */

typedef struct ValueStats {
    double count; /* of values */
    double minimum, maximum, mean, deviation, median;
    double shadows, lights; /* shares: that are black, that are white; beyond both, too */
} ValueStats;
ValueStats value_counts_stats(const ValueCounts *values, int row);

/* The value that this share of all lies up to, 0 to 1, by the nearest rank; NaN if there are none. */
double value_counts_quantile(const ValueCounts *values, int row, double share);

/* Shares of the values from `low` to `high` in so many equal columns; `high` is a value of its own, as 255 is. */
void value_counts_columns(const ValueCounts *values, int row, double low, double high, double shares[COUNT_COLUMNS]);

/* For each of `columns` strips of the frame, at most its width, from the left: as value_counts_columns, for each
 * colour, 1 or 3. `shares` has room for columns x colours x COUNT_COLUMNS. `like` has the counts of the whole. Fails as
 * value_counts_make. */
Status value_counts_strips(Queue *queue, Frame picture, const ValueCounts *like, double low, double high,
                           size_t columns, double *shares);

#endif
