/* nlmeans.h: the operation nlmeans: each pixel becomes a mean of the pixels around it, weighted by how alike their own
 * surroundings are.
 *     out(p) = sum of w(p, q) in(q) / sum of w(p, q),  over all q at most `search` columns and rows away,
 *     w(p, q) = exp(-D(p, q) / h^2),
 * D the mean of the squared differences of the patches around p and q, over all channels together. Patches are 2 patch
 * + 1 pixels a side; alpha counts as a channel. Pixels and patches beyond the edge are as the border says.
 * in[0] -> out: equal width, height and channels; out.type equals in.type or is f32. NaN or infinity makes NaN as far
 * as search and patch reach (0 in whole numbers). */
#ifndef GLINT_CORE_OPS_NLMEANS_H
#define GLINT_CORE_OPS_NLMEANS_H

#include "core/image/border.h"
#include "core/stage/stage.h"

enum { NLMEANS_PATCH_MAX = 7, NLMEANS_SEARCH_MAX = 24 };

typedef struct NlmeansJob {
    int patch, search; /* 1 to NLMEANS_PATCH_MAX, 1 to NLMEANS_SEARCH_MAX: pixels to each side */
    double h;          /* in stored values; more than 0 */
    Border border;
} NlmeansJob;

extern const Op op_nlmeans;

static inline const NlmeansJob *nlmeans_job(const Stage *stage) {
    return (const NlmeansJob *)stage->job;
}
/* log2 of a weight is this times the sum of squared differences over a patch and all channels. */
double nlmeans_slope(const NlmeansJob *job, int channels);

#endif
