/* colour_map.h: one number as a colour.
 * Viridis and inferno (van der Walt and Smith, A Better Default Colormap for Matplotlib, SciPy 2015), by the
 * polynomials that Zucker fitted to them (shadertoy.com/view/WlfXRN, 2018). Brightness rises evenly, for eyes that see
 * other colours, too. shaders/canvas.frag has these polynomials as well. */
#ifndef GLINT_CORE_IMAGE_COLOUR_MAP_H
#define GLINT_CORE_IMAGE_COLOUR_MAP_H

/* The colour, 0 to 1, of a share: viridis. */
void false_colour(double share, double rgb[3]);
/* The colour, 0 to 1, of a distance from 0, which is black: inferno. */
void heat_colour(double share, double rgb[3]);

#endif
