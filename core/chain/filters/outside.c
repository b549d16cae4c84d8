/* outside.c: the parts that filters of geometry share: the numbers in their texts, pixels beyond the edges, moves,
 * warps. */
#include "core/base/text.h"
#include "core/chain/filters/filters.h"

#include <string.h>

int filter_numbers(const char *text, double *numbers, int max) {
    static const char separators[] = " ,;";
    int count = 0;
    for (text += strspn(text, separators); *text; text += strspn(text, separators))
        if (count == max || !text_number(text, &text, &numbers[count++]) || (*text && !strchr(separators, *text)))
            return -1;
    return count;
}

Status plan_outside(const Plan *plan, int in, const char *colour, Outside *outside) {
    const PlanOptions *options = plan_options(plan);
    const Shape shape = plan_value_shape(plan, in);
    const double white = plan_value_white(plan, in);
    const int colours = shape_has_alpha(shape) ? shape.channels - 1 : shape.channels;
    const bool stored = plan_value_premultiplied(plan, in);
    double numbers[4] = {0};
    *outside = (Outside){options->border.mode, {0}};
    if (!colour) {
        for (int c = 0; c < colours; c++)
            outside->pixel[c] = plan_border(plan, in).value;
        if (colours < shape.channels)
            outside->pixel[colours] = options->border.mode == BORDER_CONSTANT && options->alpha == ALPHA_PREMULTIPLY
                                          ? (float)white
                                          : options->border.value;
        return STATUS_OK;
    }
    const int count = filter_numbers(colour, numbers, 4);
    if (count != 1 && count != colours && count != shape.channels)
        return fail(STATUS_USAGE, "colour is \"%s\", want one number, or %d for this picture, separated by blanks",
                    colour, colours);
    outside->border = BORDER_CONSTANT;
    for (int c = 0; c < shape.channels; c++) {
        const double value = c < count ? numbers[c] : c < colours ? numbers[0] : white;
        outside->pixel[c] = (float)(c < colours ? plan_stored(plan, in, value) : value);
    }
    for (int c = 0; c < colours && stored; c++)
        outside->pixel[c] *= outside->pixel[colours] / (float)white;
    return STATUS_OK;
}

Status plan_input(Plan *plan, const Filter *filter, const char *name, const void *values, int *value) {
    const Param *row = param_by_name(filter->table, name);
    const char *path = param_text(row, values);
    if (!path)
        return plan_picture(plan, value);
    return strcmp(row->unit, PARAM_DATA) == 0 ? plan_data(plan, path, value) : plan_image(plan, path, value);
}

Status plan_move(Plan *plan, int in, MoveJob job, int *out) {
    return plan_append(plan, &op_move, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE},
                       plan_value_shape(plan, in).type, out);
}

/* All channels alike. The context is a WarpJob. */
static Status warp(Plan *plan, int in, PixelType type, void *context, int *out) {
    WarpJob job = *(WarpJob *)context;
    return plan_append(plan, &op_warp, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

/* Whether each pixel stays at its place. */
static bool stays(const WarpMap *map) {
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double off = fabs(map->k1) + fabs(map->k2) + fabs(map->k3) + fabs(map->p1) + fabs(map->p2);
    for (int i = 0; i < 9 && !map->is_lens; i++)
        off += fabs(map->matrix[i] - identity[i]);
    return !(off > 0);
}

Status plan_warp(Plan *plan, int in, WarpWish wish, int *out) {
    const Shape shape = plan_value_shape(plan, in);
    *out = in;
    if (wish.width == shape.width && wish.height == shape.height && stays(&wish.map))
        return STATUS_OK;
    const bool straight = wish.kernel == WARP_NEAREST; /* no pixel is mixed with others */
    WarpJob job = {wish.width, wish.height, wish.map, wish.kernel, BORDER_CLAMP, {0}};
    Outside outside;
    TRY(plan_outside(plan, in, wish.colour, &outside));
    job.border = outside.border;
    const int colours = shape_has_alpha(shape) ? shape.channels - 1 : shape.channels;
    const bool weighed = !straight && !plan_value_premultiplied(plan, in) && colours < shape.channels &&
                         plan_options(plan)->alpha == ALPHA_PREMULTIPLY;
    for (int c = 0; c < shape.channels; c++)
        job.outside[c] = weighed && c < colours
                             ? outside.pixel[c] * outside.pixel[colours] / (float)plan_value_white(plan, in)
                             : outside.pixel[c];
    return straight ? warp(plan, in, shape.type, &job, out)
                    : plan_premultiplied(plan, in, shape.type, (PlanInner){warp, &job, 1, false}, out);
}
