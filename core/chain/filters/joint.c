/* joint.c: the bilateral filter with another picture's edges. */
#include "core/chain/filters/bilateral.h"

static const Param params[] = {
    BILATERAL_PARAMS,
    {"guide", "an image of the same size that tells surfaces apart; without it, the original", PARAM_LIGHT, PARAM_IMAGE,
     offsetof(BilateralValues, guide), 0, 0, 0, 0},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const BilateralValues *v = values;
    int guide;
    TRY(plan_input(to, &filter_joint, "guide", values, &guide));
    TRY(plan_seen(to, guide, &guide));
    return bilateral_plan(v, to, in, guide, out);
}

const Filter filter_joint = {
    .name = "joint",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Smooths the picture and keeps the edges of another one, which may have less noise.",
    .definition = "G. Petschnigg et al., Digital Photography with Flash and No-Flash Image Pairs, 2004; as "
                  "cv2.ximgproc.jointBilateralFilter, of colours times alpha where there is some.",
    .table = PARAM_TABLE(params, BilateralValues),
    .plan = plan,
};
