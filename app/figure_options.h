/* figure_options.h: the options that make a figure of a picture, and more than colours of a file. */
#ifndef GLINT_APP_FIGURE_OPTIONS_H
#define GLINT_APP_FIGURE_OPTIONS_H

#include "core/param/option.h"
#include "core/run/annotate.h"
#include "core/run/figure.h"

typedef struct FigureOptions {
    Figure figure;
    bool has_background;
    Annotations annotations;
    const char *annotate; /* as it was asked for, or NULL */
    unsigned layers;      /* of the file, bits by LayerKind */
} FigureOptions;

/* The rows, for FigureOptions that lie `offset` bytes into a command's struct. */
OptionTable figure_options_table(size_t offset);

#endif
