/* figure_style.h: how a figure is drawn, as a table of numbers, for windows and their files.
 * Owns the names of its values, and what each is among the options of glint trace. */
#ifndef GLINT_CORE_RUN_FIGURE_STYLE_H
#define GLINT_CORE_RUN_FIGURE_STYLE_H

#include "core/param/param.h"

enum { BACKGROUND_WHITE, BACKGROUND_BLACK, BACKGROUND_NONE };
#define FIGURE_OUTLINE_MAX 4.0 /* pixels */

/* Switches are 0 or 1. */
typedef struct FigureStyle {
    double background;           /* one of these */
    double outline, crease, cue; /* as Figure has them */
    double shadow;               /* a switch, as are those that follow */
    double box, axes, bar;
} FigureStyle;

extern const ParamTable figure_style_table; /* its values are a FigureStyle */

FigureStyle figure_style_default(void); /* on white, nothing drawn */
bool figure_style_same(const FigureStyle *a, const FigureStyle *b);
bool figure_style_is_clear(const FigureStyle *style); /* without a background */
/* The options of glint trace that make the same: " --outline 2 --annotate box,bar", or ""; returns the length as
 * snprintf does. */
size_t figure_style_options(const FigureStyle *style, char *buffer, size_t size);

#endif
