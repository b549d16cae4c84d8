/* elements.h: how large atoms are, and in which colour they are drawn.
 * Owns the table of elements, and molecules as scenes of overlapping spheres. One world unit is 1 Angstrom. */
#ifndef GLINT_CORE_SCENE_FILES_ELEMENTS_H
#define GLINT_CORE_SCENE_FILES_ELEMENTS_H

#include "core/scene/files/reader.h"

typedef struct Element {
    const char *symbol; /* "Cl" */
    int number;
    float radius; /* Angstrom, van der Waals */
    Colour colour;
} Element;

/* By symbol (`length` letters in any case), or by number; NULL if there is none, or its radius is not known. */
const Element *element_by_symbol(const char *symbol, size_t length);
const Element *element_by_number(int number);

/* Fails as scene_add_sphere does. */
Status molecule_add(Scene *scene, const Element *element, Vec at);
/* A camera that sees all of it from +z. */
void molecule_view(Scene *scene);

#endif
