/* flip.h: how far two pictures are apart to an eye that flips between them.
 * Owns FLIP (Andersson et al., FLIP: A Difference Evaluator for Alternating Images, HPG 2020). Light beyond a screen's
 * range has its own (Andersson et al., Visualizing Errors in Rendered High Dynamic Range Images, Eurographics 2021).
 * Constants are those of the papers. */
#ifndef GLINT_CPU_FLIP_FLIP_H
#define GLINT_CPU_FLIP_FLIP_H

#include "core/image/image.h"

/* Pixels within a degree of the view: a screen of 3840 pixels over 0.7 m, from 0.7 m. */
#define FLIP_PPD     67.0206432765823
#define FLIP_PPD_MIN 1.0
#define FLIP_PPD_MAX 400.0

typedef struct FlipView {
    double ppd;         /* FLIP_PPD_MIN to FLIP_PPD_MAX */
    bool premultiplied; /* colours of f32 are multiplied by alpha (Image.premultiplied) */
} FlipView;

/* Makes a picture of f32x1: for each pixel 0, where no difference is seen, to 1. u8 and u16 hold sRGB. f32 holds linear
 * light: pictures are compared at several exposures through the ACES curve as Narkowicz fitted it (2016), and the
 * largest error counts. The curve shows the reference's brightest pixel as 0.85 at the first exposure, and its median
 * at the last. They are 2 or more, at most a stop apart; one, of 0 stops, if the reference has no light. Gray stands
 * for three equal colours. Alpha lays a picture over black. NaN counts as 0. Both pictures have one shape; all cores
 * work. STATUS_DEVICE where memory is short. */
Status flip_map(ImageView reference, ImageView test, const FlipView *view, Image **map);

/* The same in pieces, for a thread that others wait for. The pixels of all three pictures stay where they are until
 * flip_end. `map` is f32x1, of the shape of the others, and 0 at first. */
typedef struct FlipWork FlipWork;
Status flip_begin(ImageView reference, ImageView test, const FlipView *view, ImageView map, FlipWork **work);
bool flip_go_on(FlipWork *work);            /* about 10 ms' work; false at the end */
double flip_progress(const FlipWork *work); /* 0 to 1 */
void flip_end(FlipWork **work);             /* accepts NULL there */

typedef struct FlipFigures {
    double mean, median, p95, max; /* p95: 95 of 100 pixels have at most this error; NaN: no memory for percentiles */
    size_t x, y;                   /* where the largest error is first */
} FlipFigures;
FlipFigures flip_figures(ImageView map);
double flip_mean(ImageView map); /* alone: percentiles take two more passes over the map */

#endif
