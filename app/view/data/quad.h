/* quad.h: four corners of a thing in a picture, clockwise from the top left one. They are pixels, whose centres have
 * whole coordinates; as text, percent of the picture's sides (core/chain/filters/perspective.c). */
#ifndef GLINT_APP_VIEW_DATA_QUAD_H
#define GLINT_APP_VIEW_DATA_QUAD_H

#include "core/image/image.h"

enum { QUAD_TEXT = 160 };

/* The picture's own corners of any text that is not eight numbers, or NULL. */
void quad_read(const char *text, Shape picture, double corners[4][2]);
/* "12.5 8; 88 20; 96 92; 4 80", to a ten-thousandth of a percent. Returns `buffer`. */
const char *quad_format(double corners[4][2], Shape picture, char *buffer, size_t size);
/* Puts four points that were clicked in any sequence into that of corners. */
void quad_sort(double corners[4][2]);

#endif
