/* elements.h: how large atoms are, and in which colour they are drawn.
 * Owns the table of elements. */
#ifndef GLINT_CORE_SCENE_PARTICLES_ELEMENTS_H
#define GLINT_CORE_SCENE_PARTICLES_ELEMENTS_H

#include "core/math/light.h"

#include <stddef.h>

typedef struct Element {
    const char *symbol; /* "Cl" */
    int number;
    float radius;   /* Angstrom, van der Waals */
    float covalent; /* Angstrom, the covalent radius; 0: it is not known */
    Colour colour;
} Element;

/* By symbol (`length` letters in any case), or by number; NULL if there is none, or its radius is not known. */
const Element *element_by_symbol(const char *symbol, size_t length);
const Element *element_by_number(int number);

#endif
