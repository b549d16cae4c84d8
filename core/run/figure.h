/* figure.h: light and layers of a scene become a figure.
 * Owns the order: the sky that the camera sees goes, far surfaces fade, lines go around objects, and a plain
 * background, or none, comes in. */
#ifndef GLINT_CORE_RUN_FIGURE_H
#define GLINT_CORE_RUN_FIGURE_H

#include "core/image/image.h"
#include "core/run/figure_style.h"
#include "core/run/layers.h"

typedef struct Figure {
    bool transparent;     /* no background: the picture gets alpha */
    double background[3]; /* else its colour, of sRGB, 0 to 1 */
    double outline;       /* the width of lines around objects, in pixels, 0 to FIGURE_OUTLINE_MAX; 0: none */
    double crease;        /* with that: lines also within meshes, where these turn by more degrees; 0: none */
    double cue;           /* how much of the farthest surface fades into the background, 0 to 1 */
    bool film;   /* colours of light go by a film's curve (ACES), as without a figure; else they stay up to 1 */
    bool shadow; /* the ground is nothing but the shadows on it */
    Vec open;    /* with that: the light that the ground sends where nothing shadows it */
} Figure;

/* In the light of figures, by a style. */
Figure figure_of_style(const FigureStyle *style);
/* The layers that it needs: bits by LayerKind. */
unsigned figure_layers(const Figure *figure);
/* A copy of the scene with a red sky and black surfaces; with `ground`, its ground shines green. The look paths, with a
 * depth of 1, makes a mask of it. Red is the share of a pixel's samples that see no surface, green that of those that
 * see the ground. Free it with scene_copy_free. STATUS_DEVICE. */
Status figure_mask_scene(const Scene *scene, bool ground, Scene **mask);
/* A copy whose surfaces are all black, in its own light: what is seen past them. Fails as figure_mask_scene. */
Status figure_past_scene(const Scene *scene, Scene **past);

/* The light of a picture, f32x3, and besides it, of its size: the mask, and what is seen past the surfaces. */
typedef struct FigureLight {
    ImageView light, mask, past;
} FigureLight;

/* Makes the figure, in the type that `to` has: u8 is sRGB and straight, f32 is light times alpha. It has 4 channels
 * where it is transparent, else 3. STATUS_DEVICE if memory is short. */
Status figure_make(const Figure *figure, const FigureLight *light, const Layers *layers, ImageView to);

#endif
