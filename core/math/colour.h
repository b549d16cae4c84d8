/* colour.h: linear red, green and blue. */
#ifndef GLINT_CORE_MATH_COLOUR_H
#define GLINT_CORE_MATH_COLOUR_H

typedef struct Colour {
    float red, green, blue;
} Colour;

#define BRIGHTNESS_MAX 1e9f /* of lights, skies and materials that shine */

#endif
