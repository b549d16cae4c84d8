/* grade.h: how values are shown on the screen, besides exposure: the channel, the colours, the curve.
 * It changes no result. */
#ifndef GLINT_APP_VIEW_DATA_GRADE_H
#define GLINT_APP_VIEW_DATA_GRADE_H

#include "core/image/image.h"
#include "core/param/param.h"

/* As shaders/canvas.frag numbers them. */
typedef enum GradeChannel {
    GRADE_ALL,
    GRADE_RED,
    GRADE_GREEN,
    GRADE_BLUE,
    GRADE_ALPHA,
    GRADE_LUMA,
    GRADES
} GradeChannel;

typedef struct Grade {
    GradeChannel channel; /* as gray */
    bool false_colour;    /* dark to bright by the map of core/image/colour_map.h */
    bool zebra;           /* black and white, and values beyond, are striped */
    double gamma;         /* shown values are raised to 1 / gamma; more than 0 */
} Grade;

#define GAMMA_MIN    0.1
#define GAMMA_MAX    10.0
#define EXPOSURE_MAX 12.0 /* stops up and down */

/* The values of sliders: the exposure of the shown picture (viewer_exposure) and the grade's gamma. */
typedef struct Tone {
    double exposure, gamma;
} Tone;
extern const ParamTable tone_table; /* its values are a Tone */

Grade grade_default(void);
bool grade_changes(Grade grade); /* the channels that are shown at all */
/* The next channel that pictures of this shape have. */
GradeChannel grade_next_channel(GradeChannel channel, Shape shape);
/* Gamma a step of 0.1 up or down, on the grid of steps. */
double grade_step_gamma(double gamma, int steps);
/* ", red channel, gamma 1.2": the differences from the default; the length as snprintf does. */
size_t grade_describe(Grade grade, char *buffer, size_t size);

#endif
