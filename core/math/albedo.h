/* albedo.h: the share of light that rough surfaces send on by one reflection or refraction. Their facets send the rest
 * to each other. Rows of shares lie in ShadingContext.albedos, and core/scene/albedos.h makes them. */
#ifndef GLINT_CORE_MATH_ALBEDO_H
#define GLINT_CORE_MATH_ALBEDO_H

#include "core/math/shading_context.h"

enum {
    ALBEDO_STEPS = 31,          /* values of a row, for places from 0 to 1 (albedo_place) */
    ALBEDO_MEAN = ALBEDO_STEPS, /* behind them: the mean over all directions, weighted by cosines */
    ALBEDO_ROW                  /* floats */
};

/* The mean of two cosines of a direction. Fresnel's shares depend on its own. Masking depends on that where the surface
 * is stretched until its facets have a roughness of 1. */
GLINT_HD float albedo_place(float cosine, float alpha) {
    const float square = cosine * cosine;
    return 0.5f * (cosine + quotient(cosine, root_of(times_plus(alpha * alpha, 1 - square, square))));
}

/* A row's share for light that leaves along a direction. */
GLINT_HD float albedo_at(const float *row, float cosine, float alpha) {
    const float place = albedo_place(cosine, alpha) * (ALBEDO_STEPS - 1);
    const int below = place < ALBEDO_STEPS - 2 ? (int)place : ALBEDO_STEPS - 2;
    return times_plus(place - (float)below, row[below + 1] - row[below], row[below]);
}

/* Light that facets mirror more than once, by the light that they mirror once. It is what a white surface lacks to send
 * on all light (Turquin, Practical Multiple Scattering Compensation for Microfacet Models, 2019). Each further
 * reflection takes Fresnel's share, of which `facet` is the mean over all angles, and a share `mean` leaves (Kulla and
 * Conty, Revisiting Physically Based Shading at Imageworks, SIGGRAPH 2017). */
GLINT_HD float albedo_more(float once, float mean, float facet) {
    return quotient(facet * mean * (1 - once), (1 - facet * (1 - mean)) * once);
}

#endif
