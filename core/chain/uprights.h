/* uprights.h: the lines of a picture that stand upright in the world, as of houses, found by looking at it. */
#ifndef GLINT_CORE_CHAIN_UPRIGHTS_H
#define GLINT_CORE_CHAIN_UPRIGHTS_H

#include "core/image/image.h"

/* Finds where upright lines lead, and gives two of them, left and right: x and y of their ends, in percent of the
 * sides. Edges vote for lines (Hough, by the direction of the gradient: D. Ballard, Generalizing the Hough Transform,
 * 1981). Lines through one far point have slopes that grow evenly from left to right. The pair of lines that the most
 * votes agree with tells how. *found is false if fewer than three lines agree, or have less than half of the votes. It
 * is false, too, if they lie on less than a quarter of the width. Lines lean by 30 degrees at most. STATUS_DEVICE
 * without memory. */
Status uprights_find(ImageView picture, bool *found, double lines[8]);

#endif
