/* plan.h: what a chain or a scene comes to: stages and the values that flow between them.
 * Owns the stages with their jobs; knows no backend. A plan begins with sources (the picture, images that filters read
 * besides it), each of which is a value; each stage makes another. */
#ifndef GLINT_CORE_PLAN_PLAN_H
#define GLINT_CORE_PLAN_PLAN_H

#include "core/image/border.h"
#include "core/image/tone.h"
#include "core/ops/point.h"
#include "core/param/mask.h"
#include "core/stage/op.h"
#include "core/tracer/trace.h"

typedef enum AlphaMode {
    ALPHA_PREMULTIPLY, /* filter premultiplied, store straight: no dark fringes */
    ALPHA_IGNORE,      /* alpha is a channel like the others */
} AlphaMode;

enum { PLAN_BANDS = 4 };

typedef struct PlanOptions {
    Border border;
    AlphaMode alpha;
    bool linear; /* filter in linear light: decoded before, encoded after */
    bool part;   /* the picture is a part of one; so are, from their first pixels on, the images that filters read */
    size_t rows; /* of the picture that passes in strips, as all of them or one is planned; else 0 */
    size_t bands[PLAN_BANDS]; /* of the part, behind each stage that makes more rows or fewer of them */
    bool straight;  /* the picture is straight at both ends of the chain, even if between them, by `tone`, it is not */
    bool unfused;   /* point functions that follow one another stay stages of their own */
    bool denoise;   /* light along random paths loses its noise before it becomes a picture */
    ToneCurve tone; /* how the picture's values stand for light */
} PlanOptions;

/* Whether they make the same of the same picture; `part`, `rows` and `bands` do not count. */
bool plan_options_equal(const PlanOptions *a, const PlanOptions *b);

typedef struct PlanStage {
    Stage stage;                /* shapes and job are set; pixels are bound by the pipeline */
    int from[STAGE_INPUTS], to; /* value numbers; PLAN_NONE where there is no input */
} PlanStage;

typedef struct Plan Plan;

enum { PLAN_NONE = -1 }; /* no value, no source */

/* A plan without sources and stages. */
Status plan_create(PlanOptions options, Plan **plan);
void plan_destroy(Plan **plan);

/* Adds a source: an image of this shape that is uploaded before a run, by the source's number. The first is the result
 * until a stage is appended. */
Status plan_source(Plan *plan, Shape shape, int *value);

/* An image that a filter reads besides the picture, by the path as the chain names it. */
typedef struct PlanImage {
    char *path;
    Image *image;
} PlanImage;

/* The images that plan_image finds; borrowed while the plan is made. */
void plan_offer_images(Plan *plan, const PlanImage *images, size_t count);
/* A source that holds this image, one for all filters that read it. Its values stand for light as the picture's do:
 * they are decoded if the plan is in linear light. Premultiplied colours stay so. STATUS_USAGE if it was not offered.
 */
Status plan_image(Plan *plan, const char *path, int *value);
/* The same of an image whose values are what they are, and no light: shares, directions. Its colours are straight. */
Status plan_data(Plan *plan, const char *path, int *value);
/* A source that holds such an image as a table: whole where the picture is a part of one, and never in linear light.
 * STATUS_USAGE if it was not offered. */
Status plan_table(Plan *plan, const char *path, int *value);
/* A source of its own that holds this image (retained), as it is: never in linear light. */
Status plan_own_image(Plan *plan, Image *image, int *value);
/* What the chain filters, as it was before, in linear light if the plan is, premultiplied if it is. STATUS_USAGE if
 * there is none. */
Status plan_picture(Plan *plan, int *value);

/* Gives sources of their own that hold images, as `part` of a picture has them, those of `whole`, which was made of the
 * same chain for all of it. */
void plan_share_own_images(Plan *part, const Plan *whole);

/* The plan of the whole picture (taken over), of which `part` is one of a part: levels are chosen as for that one. */
void plan_keep_whole(Plan *part, Plan *whole);
const Plan *plan_whole(const Plan *plan); /* itself, if it is no part's */

size_t plan_source_count(const Plan *plan);
int plan_source_value(const Plan *plan, size_t source);
const Image *plan_source_image(const Plan *plan, size_t source); /* what it always holds, or NULL */
bool plan_source_is_table(const Plan *plan, size_t source);
const PlanOptions *plan_options(const Plan *plan);
/* The shape of a value if the picture, of which it may have a part's rows (PlanOptions.rows), were whole. */
Shape plan_whole_shape(const Plan *plan, int value);
/* How many stages before it have made more rows of the picture, or fewer: that pass in strips (PlanOptions.rows). */
size_t plan_value_band(const Plan *plan, int value);

size_t plan_stage_count(const Plan *plan);
/* The one with the most arithmetic, the first of equals; or a trace of light, whose arithmetic shows as it goes. */
size_t plan_main_stage(const Plan *plan);
const PlanStage *plan_stage(const Plan *plan, size_t index);
size_t plan_value_count(const Plan *plan);
Shape plan_value_shape(const Plan *plan, int value);
double plan_value_white(const Plan *plan, int value); /* full intensity: 255, also of f32 that was made of u8 */
int plan_value_source(const Plan *plan, int value);   /* the source that it is, or PLAN_NONE */
int plan_value_stage(const Plan *plan, int value);    /* the stage that makes it, or PLAN_NONE */
int plan_result(const Plan *plan);                    /* the value number of the final result */
void plan_set_result(Plan *plan, int value);
/* The value that the chain begins with: what chain_append was given, else the first source; or PLAN_NONE. Nothing takes
 * its frame, so that it can be read behind a run. */
int plan_unfiltered(const Plan *plan);
void plan_set_unfiltered(Plan *plan, int value);

/* A value as users write it, in stored values, in the terms of `in`: what pixels of it have become there. */
double plan_stored(const Plan *plan, int in, double stored);
/* The options' border in these terms. Next to alpha that counts, a constant is opaque: operations see the same number
 * in all channels, and plan_premultiplied moves alpha so that this is white there. */
Border plan_border(const Plan *plan, int in);

/* Labels the stages appended from now on (the filter's name); borrowed, static storage. */
void plan_label(Plan *plan, const char *label);

/* Appends a stage of any operation: `job` is copied, and what it owns taken over, also on failure. Inputs that it does
 * not have are PLAN_NONE. Fails as op->shape does. */
Status plan_append(Plan *plan, const Op *op, void *job, const int in[STAGE_INPUTS], PixelType type, int *out);
/* Appends example `index` of an operation for pictures of the shape of the first source, which is an input of it; other
 * inputs are sources of their own where the example asks for other shapes. Fails as op->example does. */
Status plan_example(Plan *plan, const Op *op, size_t index, Shape picture, int *out);
/* Appends stages that make a value of this type of `in`. */
typedef Status (*PlanAppend)(Plan *plan, int in, PixelType type, void *context, int *out);
/* The stages of an operation that reads neighbouring pixels, as plan_premultiplied appends them. */
typedef struct PlanInner {
    PlanAppend append;
    void *context;
    double flat; /* what it makes of a picture of ones; 1: it treats alpha as it does colours */
    bool beyond; /* it sees plan_border beyond the edges, alike in all channels */
} PlanInner;
/* Appends what `inner` does with colours premultiplied by alpha, as the options say: so that no colour of transparent
 * pixels shows. Where its `flat` is 1, the result's alpha is what comes of alpha; else it is that of `in`. */
Status plan_premultiplied(Plan *plan, int in, PixelType type, PlanInner inner, int *out);
/* The same for an operation that chooses values and computes none: bytes become products in u16, which are exact. */
Status plan_premultiplied_exactly(Plan *plan, int in, PixelType type, PlanInner inner, int *out);
/* A picture as such operations see it, for those that make no picture of it: a guide, what edges are found in. */
Status plan_seen(Plan *plan, int in, int *out);
/* Whether no operation by itself can add a stored value to each of its results: where alpha counts colours are not
 * straight yet, and in linear light alpha is not light. */
bool plan_bias_apart(const Plan *plan, int in);
/* Adds it to colours that are straight again, and to alpha if that is a channel like the others. */
Status plan_bias(Plan *plan, int in, double bias, PixelType type, int *out);
/* Whether the colours of a value are multiplied by alpha, as its picture's file has them (Image.premultiplied): so they
 * stay, and light where alpha is 0 with them. */
bool plan_value_premultiplied(const Plan *plan, int value);
/* Appends what `inner` does to straight colours. Where those of `in` are premultiplied, the result's are again. */
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
/* The same with `count` parameters, at most POINT_POOL, of as many inputs as the function has. */
Status plan_point_with(Plan *plan, PointFunction function, const double *parameters, int count,
                       const int in[STAGE_INPUTS], PixelType type, int *out);
/* Appends a trace into a frame of `shape`; the plan's input is not read, the scene is borrowed. Looks of light gather
 * it and become `shape` by another stage: in linear light times `exposure` if that is f32, else as a screen shows it.
 * Paths pass op_surfaces, op_keep and op_denoise before, if the options say so (core/run/progressive.h runs them).
 * STATUS_USAGE unless the shape has 3 or 4 channels, and u8 but for looks of light. */
Status plan_trace(Plan *plan, TraceJob job, float exposure, Shape shape, int *out);

#endif
