/* element.h: windows and structuring elements: sets of cells around a pixel.
 * They are masks: a cell whose weight is not 0 belongs to the set, and the anchor is (width / 2, height / 2). Devices
 * find results made of one by its serial. */
#ifndef GLINT_CORE_PARAM_ELEMENT_H
#define GLINT_CORE_PARAM_ELEMENT_H

#include "core/param/mask.h"

static inline bool element_has(const Mask *element, int x, int y) {
    return element->weights[y * element->width + x] > 0;
}

/* A square of 2 radius + 1 pixels a side. */
Status element_box(int radius, Mask **element);
/* The pixels whose middles lie within `radius` of the anchor's: x^2 + y^2 <= radius^2. */
Status element_disk(int radius, Mask **element);
/* Rows of '0' and '1' from the top down, separated by blanks, commas, ';' or line breaks: "010 111 010". STATUS_USAGE
 * if a row has another length or character, or no cell is set. */
Status element_parse(const char *text, Mask **element);
/* Turned by 180 degrees around the anchor, so that a side of even length grows by one. STATUS_USAGE if that makes it
 * too large. */
Status element_reflect(const Mask *from, Mask **element);

int element_count(const Mask *element);   /* cells that belong to it */
bool element_is_box(const Mask *element); /* all do */

/* Cells side by side: count of them from (x, y) on. */
typedef struct ElementChord {
    int x, y, count;
} ElementChord;

/* The most chords that an element can have. */
enum { CHORDS_MAX = MASK_MAX * ((MASK_MAX + 1) / 2) };

/* Takes the element apart into chords, row by row; returns how many there are. */
int element_chords(const Mask *element, ElementChord *chords);

#endif
