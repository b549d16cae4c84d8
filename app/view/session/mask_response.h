/* mask_response.h: a mask's effect on waves: the magnitude of its discrete-time Fourier transform.
 * Knows no window. */
#ifndef GLINT_APP_VIEW_SESSION_MASK_RESPONSE_H
#define GLINT_APP_VIEW_SESSION_MASK_RESPONSE_H

#include "core/param/mask.h"

/* The factor by which the convolution changes waves of u cycles a pixel to the right and v downwards. u and v are (i -
 * side / 2) / side for column and row i: the middle is no wave at all. `magnitude` has room for side x side.
 * STATUS_DEVICE if memory is short. */
Status mask_response(const Mask *mask, int side, double *magnitude);

#endif
