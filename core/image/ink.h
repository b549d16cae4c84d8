/* ink.h: lines, areas and letters on pictures, with smooth edges. */
#ifndef GLINT_CORE_IMAGE_INK_H
#define GLINT_CORE_IMAGE_INK_H

#include "core/image/image.h"

/* A picture to draw on, of u8 in sRGB, straight, or of f32 as light, times alpha; 3 or 4 channels. Coordinates are in
 * pixels from its upper left corner; the middle of its first pixel is 0.5, 0.5. Ink beyond it is lost. */
typedef struct Ink {
    ImageView to;
    double colour[3]; /* of sRGB, 0 to 1 */
} Ink;

void ink_line(const Ink *ink, double x0, double y0, double x1, double y1, double width);
void ink_area(const Ink *ink, double x, double y, double width, double height);

/* A face of letters: DejaVu Sans or another one of the system's. */
typedef struct Letters Letters;
/* STATUS_DEVICE with the faces that were looked for if none is there. */
Status letters_open(Letters **letters);
void letters_close(Letters **letters); /* accepts NULL, nulls the pointer */
/* The width of a text in UTF-8, in pixels, where an em has `size`. */
double letters_width(const Letters *letters, double size, const char *text);
/* Draws it from `x` on, upon the line `y`; letters for which memory is short are left out. */
void letters_draw(const Letters *letters, const Ink *ink, double size, double x, double y, const char *text);

#endif
