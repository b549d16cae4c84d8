/* lower.h: pictures with alpha, in linear light, and masks, as stages.
 * Owns the rules that no filter and no level knows. They say when colours are premultiplied, when values are decoded,
 * and what a constant border is next to alpha. */
#ifndef GLINT_CORE_PLAN_LOWER_H
#define GLINT_CORE_PLAN_LOWER_H

#include "core/ops/point.h"
#include "core/param/mask.h"
#include "core/plan/plan.h"

/* A source that holds this image, one for all filters that read it. Its values stand for light as the picture's do:
 * they are decoded if the plan is in linear light. Premultiplied colours stay so. STATUS_USAGE if it was not offered.
 */
Status plan_image(Plan *plan, const char *path, int *value);
/* As plan_image, for an image whose values are no light: shares, directions. They stay as they are; its colours are
 * straight. */
Status plan_data(Plan *plan, const char *path, int *value);
/* The picture as it was before the chain, in linear light if the plan is, premultiplied if it is. STATUS_USAGE if there
 * is none. */
Status plan_picture(Plan *plan, int *value);

/* A value as users write it, in stored values, turned into the value that such pixels have in `in`. */
double plan_stored(const Plan *plan, int in, double stored);
/* The options' border in these terms. Next to alpha that counts, a constant is opaque. Operations see the same number
 * in all channels, and plan_premultiplied moves alpha so that this is white there. */
Border plan_border(const Plan *plan, int in);

/* Appends stages that make a value of this type of `in`. */
typedef Status (*PlanAppend)(Plan *plan, int in, PixelType type, void *context, int *out);
/* The stages of an operation that reads neighbouring pixels, as plan_premultiplied appends them. */
typedef struct PlanInner {
    PlanAppend append;
    void *context;
    double flat; /* its result for a picture of ones; 1: it treats alpha as it does colours */
    bool beyond; /* it sees plan_border beyond the edges, alike in all channels */
} PlanInner;
/* Appends `inner`, on colours premultiplied by alpha, as the options say: so that no colour of transparent pixels
 * shows. Where its `flat` is 1, the result's alpha is filtered, too; else it is that of `in`. */
Status plan_premultiplied(Plan *plan, int in, PixelType type, PlanInner inner, int *out);
/* As plan_premultiplied, for an operation that chooses values and computes none: bytes become products in u16, which
 * are exact. */
Status plan_premultiplied_exactly(Plan *plan, int in, PixelType type, PlanInner inner, int *out);
/* A picture as such operations see it, for operations that make no picture of it: as a guide, or to find edges in. */
Status plan_seen(Plan *plan, int in, int *out);
/* Whether no operation by itself can add a stored value to each of its results. Where alpha counts, colours are not
 * straight yet, and in linear light alpha is not light. */
bool plan_bias_apart(const Plan *plan, int in);
/* Adds it to colours that are straight again, and to alpha if that is a channel like the others. */
Status plan_bias(Plan *plan, int in, double bias, PixelType type, int *out);
/* Appends `inner`, on straight colours. Where those of `in` are premultiplied, the result's are again. */
Status plan_straight(Plan *plan, int in, PlanAppend inner, void *context, int *out);
/* Makes the colours of another picture, *value, straight or premultiplied by its own alpha, as those of `in` are. */
Status plan_alike(Plan *plan, int in, int *value);
/* Makes *value, of straight colours, premultiplied if `in` is and their shapes are equal. */
Status plan_like(Plan *plan, int in, int *value);
/* Appends a convolution of value `in` with `mask` (taken over by the plan, also on failure), stored as `type`.
 * Border, alpha and linear light follow the plan's options; `bias` is a stored value. STATUS_USAGE if a sum of weights
 * times values, of any type from black to white or the border's, could leave the range of f32. */
Status plan_convolve(Plan *plan, int in, Mask *mask, float bias, PixelType type, int *out);
/* Appends a point function of `in` (and `in2`, or PLAN_NONE), stored as `type`. The values of the second are read in
 * the units of the first. */
Status plan_point(Plan *plan, PointFunction function, int in, int in2, PixelType type, int *out);
/* Values to linear light as f32, by the picture's curve, and light to values of a type. */
Status plan_decode(Plan *plan, int in, int *out);
Status plan_encode(Plan *plan, int in, PixelType type, int *out);
/* As plan_point, with `count` parameters, at most POINT_POOL, of as many inputs as the function has. */
Status plan_point_with(Plan *plan, PointFunction function, const double *parameters, int count,
                       const int in[STAGE_INPUTS], PixelType type, int *out);

#endif
