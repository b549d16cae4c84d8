/* within.c: a blend of a filter's result over its input, by a mask. */
#include "core/chain/within.h"

#include "core/chain/within_mask.h"
#include "core/ops/blend.h"
#include "core/plan/lower.h"
#include "core/plan/plan_images.h"
#include "core/plan/plan_part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FARTHEST 1e6 /* percent */

/* How often a character is in a text. */
static int count_of(const char *text, char character) {
    int count = 0;
    for (; *text; text++)
        count += *text == character;
    return count;
}

/* The first whole pixel of a side at so many percent of it, halves up, as crop has it. */
static ptrdiff_t edge(double percent, size_t side) {
    return (ptrdiff_t)floor(percent * (double)side / 100 + 0.5 + 1e-9);
}

static bool read_shares(const char *text, Shape picture, Region *rectangle) {
    double width, height, x, y;
    int length = 0;
    if (strspn(text, "0123456789.x+%") != strlen(text) || count_of(text, 'x') != 1 || count_of(text, '+') != 2 ||
        sscanf(text, "%12lf%%x%12lf%%+%12lf%%+%12lf%%%n", &width, &height, &x, &y, &length) != 4 || length == 0 ||
        text[length] || !(width > 0 && height > 0))
        return false;
    const ptrdiff_t left = edge(fmin(x, FARTHEST), picture.width), top = edge(fmin(y, FARTHEST), picture.height);
    const ptrdiff_t right = edge(fmin(x + width, FARTHEST), picture.width);
    const ptrdiff_t bottom = edge(fmin(y + height, FARTHEST), picture.height);
    *rectangle =
        (Region){left, top, right > left ? (size_t)(right - left) : 1, bottom > top ? (size_t)(bottom - top) : 1};
    return true;
}

bool within_in_pixels(const char *text, Region *rectangle) {
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

bool within_rectangle(const char *text, Shape picture, Region *rectangle) {
    return within_in_pixels(text, rectangle) || read_shares(text, picture, rectangle);
}

bool within_is_rectangle(const char *text, Region *rectangle) {
    return within_rectangle(text, (Shape){.width = 100, .height = 100}, rectangle);
}

size_t within_format(Region rectangle, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%zux%zu+%td+%td", rectangle.width, rectangle.height, rectangle.left,
                            rectangle.top);
}

size_t within_format_shares(Region rectangle, Shape picture, char *buffer, size_t size) {
    const double wide = 100 / (double)picture.width, high = 100 / (double)picture.height;
    return (size_t)snprintf(buffer, size, "%.8g%%x%.8g%%+%.8g%%+%.8g%%", (double)rectangle.width * wide,
                            (double)rectangle.height * high, (double)rectangle.left * wide,
                            (double)rectangle.top * high);
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

/* A value of the plan with the mask of `before`, in rows of it as well. */
static Status plan_mask(Plan *plan, const char *within, int before, int *mask) {
    const Shape shape = plan_value_shape(plan, before), whole = plan_whole_shape(plan, before);
    Region rectangle;
    Image *image = plan_offered_image(plan, within), *made;
    if (within_rectangle(within, whole, &rectangle))
        TRY(make_mask(shape, rectangle, &made));
    else if (image && !(image->view.shape.width == whole.width && image->view.shape.height == whole.height))
        TRY(within_mask_resize(image, shape.width, shape.height, &made));
    else
        return plan_data(plan, within, mask);
    const Status status = plan_own_image(plan, made, mask);
    image_destroy(&made);
    return status;
}

Status within_plan_mask(Plan *plan, int mask, int before, int *value) {
    const double white = plan_value_white(plan, before);
    BlendJob job = {.mode = BLEND_normal,
                    .masked = true,
                    .ignore_alpha = true,
                    .opacity = 1,
                    .white = white,
                    .scale = white / plan_value_white(plan, *value),
                    .mask_white = plan_value_white(plan, mask)};
    return plan_append(plan, &op_blend, &job, (const int[STAGE_INPUTS]){before, *value, mask},
                       plan_value_shape(plan, before).type, value);
}

Status within_plan(Plan *plan, const char *within, int before, int *value) {
    const Shape in = plan_value_shape(plan, before), out = plan_value_shape(plan, *value);
    int mask;
    if (out.width != in.width || out.height != in.height || out.channels != in.channels)
        return fail(STATUS_USAGE, "within=%s: a filter that changes the picture's size or channels acts on all of it",
                    within);
    if (plan_value_premultiplied(plan, before) && plan_options(plan)->alpha == ALPHA_PREMULTIPLY)
        TRY(plan_point(plan, POINT_scaled, *value, before, PIXEL_F32, value)); /* alpha stays that of `before` */
    TRY(plan_mask(plan, within, before, &mask));
    return within_plan_mask(plan, mask, before, value);
}
