/* thin_film.h: makes the rows of core/math/thin_film.h by the sum of all waves in a film (G. Airy, 1833; M. Born and E.
 * Wolf, Principles of Optics, section 1.6.4; L. Belcour and P. Barla, A Practical Extension to Microfacet Theory for
 * the Modeling of Varying Iridescence, 2017). */
#ifndef GLINT_CORE_SCENE_THIN_FILM_H
#define GLINT_CORE_SCENE_THIN_FILM_H

#include <stdbool.h>
#include <stddef.h>

/* A film, and what it lies on. */
typedef struct ThinFilm {
    bool on_metal;
    double thickness; /* nm */
    double film;      /* its index of refraction */
    double below;     /* the index below: glass's, or the real part of metal's */
} ThinFilm;

/* The floats of its rows. */
size_t thin_film_floats(bool on_metal);
void thin_film_fill(const ThinFilm *film, float *rows);

#endif
