/* annotate.h: words and lines on the picture of a scene: its box, the axes along that, and the bar of its colours.
 * Owns where they go. Lines of the box are hidden by surfaces before them. */
#ifndef GLINT_CORE_RUN_ANNOTATE_H
#define GLINT_CORE_RUN_ANNOTATE_H

#include "core/image/image.h"
#include "core/run/figure_style.h"
#include "core/run/layers.h"

enum { ANNOTATE_TITLE = 128 };

typedef struct Annotations {
    bool box, axes, bar;
    char title[ANNOTATE_TITLE]; /* of the bar; "": the name of the column */
    char unit[ANNOTATE_TITLE];  /* behind the names of axes, or "" */
} Annotations;

/* By a style, without words of their own. */
Annotations annotations_of_style(const FigureStyle *style);
/* "bar=speed (m/s),axes=nm,box": STATUS_USAGE with what there is. */
Status annotations_parse(const char *text, Annotations *wanted);
/* STATUS_USAGE if the scene has no map of colours for a bar, or nothing for a box; STATUS_DEVICE without letters. */
Status annotations_check(const Annotations *wanted, const Scene *scene);
/* The layers that they need: bits by LayerKind. */
unsigned annotations_layers(const Annotations *wanted);
/* Draws them on the picture that the camera has seen of the scene, of u8 or f32 as core/image/ink.h has it. They are
 * black, or white on dark pictures. Fails as annotations_check does. */
Status annotate(const Annotations *wanted, const Scene *scene, const Camera *camera, const Layers *layers,
                ImageView picture);

#endif
