/* plan.h: a chain or a scene as stages and the values that flow between them.
 * Owns the stages with their jobs; knows no backend. A plan begins with sources (the picture, images that filters read
 * besides it), each of which is a value; each stage makes another. */
#ifndef GLINT_CORE_PLAN_PLAN_H
#define GLINT_CORE_PLAN_PLAN_H

#include "core/device/backend.h"
#include "core/image/border.h"
#include "core/image/shot.h"
#include "core/image/tone.h"
#include "core/stage/op.h"

typedef enum AlphaMode {
    ALPHA_PREMULTIPLY, /* filter premultiplied, store straight: no dark fringes */
    ALPHA_IGNORE,      /* alpha is a channel like the others */
} AlphaMode;

/* How a chain's values are stored between its filters. */
typedef enum ChainPrecision {
    PRECISION_STORED, /* as the picture's: each filter rounds, and cuts off at black and white */
    PRECISION_HIGH,   /* as f32: the result alone is rounded and cut off */
    PRECISION_AUTO,   /* as f32 where that costs little, by prediction (core/plan/precision.h) */
    PRECISION_POINTS, /* as f32 between functions of single values that follow one another, else as the picture's */
} ChainPrecision;

/* The decision of PRECISION_AUTO for a chain and pictures of one shape. */
typedef struct PrecisionChoice {
    bool made;
    ChainPrecision taken;
    size_t roundings;                    /* of values, where they are stored as the picture's */
    size_t along;                        /* by PRECISION_POINTS */
    double stored_seconds, high_seconds; /* predicted: by PRECISION_POINTS and PRECISION_HIGH; infinite if unknown */
    bool deeper;                         /* the result has more bits than the picture */
} PrecisionChoice;

typedef struct PlanOptions {
    Border border;
    AlphaMode alpha;
    const struct PlanPart *part; /* core/plan/plan_part.h; copied by plan_create; NULL: the picture is whole */
    bool linear;                 /* filter in linear light: decoded before, encoded after */
    bool straight; /* the picture is straight at both ends of the chain, even if between them, by `tone`, it is not */
    bool unfused;  /* every stage runs alone */
    bool fused;    /* stages run together wherever they can, even where that takes longer */
    ChainPrecision precision;
    PrecisionChoice choice; /* of PRECISION_AUTO; where none is made, values are stored as the picture's */
    PixelType type_min;     /* of the chain's result: one of fewer bits is widened */
    ToneCurve tone;         /* how the picture's values stand for light */
    Shot shot;              /* how the picture was taken, where a filter asks (chain_note_picture) */
    const Image *picture; /* the picture itself, where a filter looks at it; borrowed while the plan is made, or NULL */
    const Device *device; /* that the plan is for: point functions become one stage where it takes no longer for that;
                             borrowed while the plan is made; NULL: always */
} PlanOptions;

/* Whether they make the same of the same picture; `part` and `choice` do not count. */
bool plan_options_equal(const PlanOptions *a, const PlanOptions *b);

/* How values are stored, once that is decided. */
static inline ChainPrecision plan_options_precision(const PlanOptions *options) {
    return options->precision == PRECISION_AUTO ? options->choice.taken : options->precision;
}

typedef struct PlanStage {
    Stage stage;                /* shapes and job are set; pixels are bound by the pipeline */
    int from[STAGE_INPUTS], to; /* value numbers; PLAN_NONE where there is no input */
} PlanStage;

typedef struct Plan Plan;

enum { PLAN_NONE = -1 }; /* no value, no source */
/* Stages, sources and values of a plan, at most. */
enum { PLAN_MAX = 256, PLAN_SOURCES = 64, PLAN_VALUES = PLAN_SOURCES + PLAN_MAX };

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

/* The images that plan_image (core/plan/lower.h) and plan_table find; borrowed while the plan is made. */
void plan_offer_images(Plan *plan, const PlanImage *images, size_t count);
/* A source that holds an offered image as a table: whole where the picture is a part of one, and never in linear light.
 * STATUS_USAGE if it was not offered. */
Status plan_table(Plan *plan, const char *path, int *value);
/* A source of its own that holds this image (retained), as it is: never in linear light. */
Status plan_own_image(Plan *plan, Image *image, int *value);
/* The same, for a table: whole where the picture is a part of one. */
Status plan_own_table(Plan *plan, Image *table, int *value);
size_t plan_source_count(const Plan *plan);
int plan_source_value(const Plan *plan, size_t source);
const Image *plan_source_image(const Plan *plan, size_t source); /* the pixels that it always holds, or NULL */
bool plan_source_is_table(const Plan *plan, size_t source);
const PlanOptions *plan_options(const Plan *plan);

size_t plan_stage_count(const Plan *plan);
/* The one with the most arithmetic, the first of equals; or a trace of light, whose arithmetic shows as it goes. */
size_t plan_main_stage(const Plan *plan);
const PlanStage *plan_stage(const Plan *plan, size_t index);
size_t plan_value_count(const Plan *plan);
Shape plan_value_shape(const Plan *plan, int value);
double plan_value_white(const Plan *plan, int value); /* full intensity: 255, also of f32 that was made of u8 */
/* Full intensity of a value that its stage did not take over from the input. */
void plan_set_white(Plan *plan, int value, double white);
/* Whether the colours of a value are multiplied by alpha, as its picture's file has them (Image.premultiplied). They
 * stay so, and light where alpha is 0 stays with them. */
bool plan_value_premultiplied(const Plan *plan, int value);
int plan_value_source(const Plan *plan, int value); /* the source that it is, or PLAN_NONE */
int plan_value_stage(const Plan *plan, int value);  /* the stage that makes it, or PLAN_NONE */
int plan_result(const Plan *plan);                  /* the value number of the final result */
void plan_set_result(Plan *plan, int value);
/* The value that the chain begins with: the one that chain_append was given, else the first source; or PLAN_NONE.
 * Nothing takes its frame, so that it can be read behind a run. */
int plan_unfiltered(const Plan *plan);
void plan_set_unfiltered(Plan *plan, int value);

/* Labels the stages appended from now on (the filter's name); borrowed, static storage. */
void plan_label(Plan *plan, const char *label);
/* Notes what the filter at hand has found out, for `--explain`: "lens: Canon EOS 5D, ...". The label comes before it.
 * At most PLAN_NOTES are kept. */
enum { PLAN_NOTES = 4, PLAN_NOTE = 320 /* bytes */ };
void plan_note(Plan *plan, const char *text);
const char *plan_noted(const Plan *plan, size_t index); /* NULL behind the last */

/* Appends a stage of any operation: `job` is copied, and its possessions taken over, also on failure. Inputs that it
 * does not have are PLAN_NONE. Fails as op->shape does. */
Status plan_append(Plan *plan, const Op *op, void *job, const int in[STAGE_INPUTS], PixelType type, int *out);
/* Appends example `index` of an operation for pictures of the shape of the first source, which is an input of it. Other
 * inputs are sources of their own where the example asks for other shapes. Fails as op->example does. */
Status plan_example(Plan *plan, const Op *op, size_t index, Shape picture, int *out);

/* A parameter of stages by name: `size` bytes, from `offset` on, in the job of the stage that makes `value`.
 * pipeline_set sets them between runs, in all stages that have the name. */
typedef struct PlanParameter {
    const char *name; /* borrowed, static storage */
    int value;
    size_t offset, size;
} PlanParameter;

/* Binds a name to a part of a stage's job; the stage then stays a stage of its own (core/plan/fuse.h). STATUS_USAGE if
 * the plan has as many parameters as it can hold. */
Status plan_bind(Plan *plan, PlanParameter parameter);
size_t plan_parameter_count(const Plan *plan);
const PlanParameter *plan_parameter(const Plan *plan, size_t index);

#endif
