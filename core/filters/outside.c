/* outside.c: what filters that show more than the picture put beyond its edges; and moves. */
#include "core/filters/filters.h"
#include "core/math/point.h"
#include "core/text.h"

#include <string.h>

/* The numbers of `text`, separated by blanks; how many, or -1 if it holds something else or more than `max`. */
static int numbers_of(const char *text, double *numbers, int max) {
    int count = 0;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        if (count == max || !text_number(text, &text, &numbers[count++]) || (*text && *text != ' '))
            return -1;
    }
    return count;
}

Status plan_outside(const Plan *plan, int in, const char *colour, Outside *outside) {
    const PlanOptions *options = plan_options(plan);
    const Shape shape = plan_value_shape(plan, in);
    const double white = plan_value_white(plan, in);
    const int colours = shape_has_alpha(shape) ? shape.channels - 1 : shape.channels;
    double numbers[4] = {0};
    *outside = (Outside){options->border.mode, {0}};
    if (!colour) {
        for (int c = 0; c < shape.channels; c++)
            outside->pixel[c] = options->border.value;
        return STATUS_OK;
    }
    const int count = numbers_of(colour, numbers, 4);
    if (count != 1 && count != colours && count != shape.channels)
        return fail(STATUS_USAGE, "colour is \"%s\", want one number, or %d for this picture, separated by blanks",
                    colour, colours);
    outside->border = BORDER_CONSTANT;
    for (int c = 0; c < shape.channels; c++) {
        double value = c < count ? numbers[c] : c < colours ? numbers[0] : white;
        if (options->linear && c < colours)
            value = srgb_decode(value / white) * white;
        outside->pixel[c] = (float)value;
    }
    return STATUS_OK;
}

Status plan_move(Plan *plan, int in, MoveJob job, int *out) {
    return plan_append(plan, &op_move, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE},
                       plan_value_shape(plan, in).type, out);
}
