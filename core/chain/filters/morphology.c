/* morphology.c: the filters under a structuring element, a row each. */
#include "core/chain/filters/window.h"

#define MORPHOLOGY(filter, kind, about, source)                                                                        \
    static Status plan_##filter(const void *values, Plan *to, int in, int *out) {                                      \
        return plan_morphology(to, in, &((const WindowAlone *)values)->window, kind, out);                             \
    }                                                                                                                  \
    WINDOW_FILTER(filter, about, source)

MORPHOLOGY(erode, MORPHOLOGY_ERODE, "Takes the minimum under a structuring element: dark parts grow.",
           "As scipy.ndimage.grey_erosion with a flat footprint; NaN counts as larger than all numbers; of colours "
           "times alpha where there is some.")
MORPHOLOGY(dilate, MORPHOLOGY_DILATE, "Takes the maximum under the reflected structuring element: bright parts grow.",
           "As scipy.ndimage.grey_dilation with a flat footprint; NaN counts as larger than all numbers; of colours "
           "times alpha where there is some.")
MORPHOLOGY(open, MORPHOLOGY_OPEN,
           "Removes bright parts into which the structuring element does not fit: an erosion, then a dilation.",
           "As scipy.ndimage.grey_opening with a flat footprint; NaN counts as larger than all numbers; of colours "
           "times alpha where there is some.")
MORPHOLOGY(close, MORPHOLOGY_CLOSE,
           "Fills dark parts into which the structuring element does not fit: a dilation, then an erosion.",
           "As scipy.ndimage.grey_closing with a flat footprint; NaN counts as larger than all numbers; of colours "
           "times alpha where there is some.")
MORPHOLOGY(gradient, MORPHOLOGY_GRADIENT, "Shows edges as the difference of a dilation and an erosion.",
           "As scipy.ndimage.morphological_gradient with a flat footprint, in absolute value, of colours times alpha "
           "where there is some; alpha is that of the dilation.")

/* The top hat chooses between two kinds. */
typedef struct TophatValues {
    WindowValues window;
    double of;
} TophatValues;

static const Param tophat_params[] = {
    WINDOW_PARAMS(TophatValues),
    {"of", "white: bright parts; black: dark parts", "white|black", PARAM_CHOICE, offsetof(TophatValues, of), 0, 0, 1,
     1},
};

static Status plan_tophat(const void *values, Plan *to, int in, int *out) {
    const TophatValues *v = values;
    return plan_morphology(to, in, &v->window, v->of > 0 ? MORPHOLOGY_BLACK : MORPHOLOGY_WHITE, out);
}

const Filter filter_tophat = {
    .name = "tophat",
    .category = FILTER_RANK,
    .help = "Shows the parts into which the structuring element does not fit: bright ones (picture minus opening) or "
            "dark ones (closing minus picture).",
    .definition = "As scipy.ndimage.white_tophat and black_tophat with a flat footprint, of colours times alpha where "
                  "there is some; alpha stays as it is.",
    .table = PARAM_TABLE(tophat_params, TophatValues),
    .plan = plan_tophat,
};
