/* within.c: a blend of a filter's result over its input, by a mask. */
#include "core/chain/within.h"

#include "core/ops/blend.h"
#include "core/plan/lower.h"

#include <stdio.h>
#include <string.h>

bool within_is_rectangle(const char *text, Region *rectangle) {
    unsigned width, height, x, y;
    int length = 0;
    char again[64];
    if (strspn(text, "0123456789x+") != strlen(text) ||
        sscanf(text, "%9ux%9u+%9u+%9u%n", &width, &height, &x, &y, &length) != 4 || text[length])
        return false;
    *rectangle = (Region){x, y, width, height};
    within_format(*rectangle, again, sizeof again);
    return width > 0 && height > 0 && strcmp(again, text) == 0;
}

size_t within_format(Region rectangle, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%zux%zu+%td+%td", rectangle.width, rectangle.height, rectangle.left,
                            rectangle.top);
}

void within_fill(ImageView mask, Region rectangle) {
    const size_t left = (size_t)rectangle.left, top = (size_t)rectangle.top;
    const size_t width = mask.shape.width, height = mask.shape.height;
    for (size_t y = top; y < height && y - top < rectangle.height && left < width; y++)
        memset((char *)view_row(mask, y) + left, 255, rectangle.width < width - left ? rectangle.width : width - left);
}

static Status make_mask(Shape picture, Region rectangle, Image **mask) {
    TRY(image_create((Shape){picture.width, picture.height, 1, PIXEL_U8}, mask));
    within_fill((*mask)->view, rectangle);
    return STATUS_OK;
}

static Status plan_mask(Plan *plan, const char *within, Shape picture, int *mask) {
    Region rectangle;
    Image *made;
    if (!within_is_rectangle(within, &rectangle))
        return plan_data(plan, within, mask);
    TRY(make_mask(picture, rectangle, &made));
    const Status status = plan_own_image(plan, made, mask);
    image_destroy(&made);
    return status;
}

Status within_plan(Plan *plan, const char *within, int before, int *value) {
    const Shape in = plan_value_shape(plan, before), out = plan_value_shape(plan, *value);
    int mask;
    if (out.width != in.width || out.height != in.height || out.channels != in.channels)
        return fail(STATUS_USAGE, "within=%s: a filter that changes the picture's size or channels acts on all of it",
                    within);
    if (plan_value_premultiplied(plan, before) && plan_options(plan)->alpha == ALPHA_PREMULTIPLY)
        TRY(plan_point(plan, POINT_scaled, *value, before, PIXEL_F32, value)); /* alpha stays that of `before` */
    TRY(plan_mask(plan, within, in, &mask));
    const double white = plan_value_white(plan, before);
    BlendJob job = {.mode = BLEND_normal,
                    .masked = true,
                    .ignore_alpha = true,
                    .opacity = 1,
                    .white = white,
                    .scale = white / plan_value_white(plan, *value),
                    .mask_white = plan_value_white(plan, mask)};
    return plan_append(plan, &op_blend, &job, (const int[STAGE_INPUTS]){before, *value, mask}, in.type, value);
}
