/* fill.h: columns of a file into members of spheres, by all cores.
 * Owns the kinds of numbers in files, and what words count as. */
#ifndef GLINT_CORE_SCENE_PARTICLES_FILL_H
#define GLINT_CORE_SCENE_PARTICLES_FILL_H

#include "core/math/sphere.h"
#include "core/scene/particles/particles.h"

typedef enum Conversion {
    AS_NUMBER,  /* empty cells are NAN */
    AS_WORD,    /* a number; or the letters of a word as digits, A is 1, Z is 26, AA is 27 */
    AS_ID,      /* a whole number below 2^32, which the sphere's material takes as it is */
    AS_ELEMENT, /* the number of the element by its symbol or number; its size must be known */
} Conversion;

/* A column, and the float of each sphere that gets its values. */
typedef struct Target {
    const Column *column;
    size_t member; /* its offset in Sphere */
    Conversion conversion;
    const char *wanted; /* as in "x, a number" */
    double origin;      /* is subtracted */
} Target;

/* Every `every`-th row into the spheres. Fails with STATUS_INPUT and the first place where a column is something else.
 */
Status particles_fill(const Particles *particles, const Target *targets, size_t count, size_t every, Sphere *spheres);
/* Whether the first row has a word there that is no number. */
bool particles_has_words(const Particles *particles, const Column *column);

#endif
