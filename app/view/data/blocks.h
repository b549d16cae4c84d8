/* blocks.h: pictures that are there in blocks of equal pixels, as small pictures that are smooth when magnified. */
#ifndef GLINT_APP_VIEW_DATA_BLOCKS_H
#define GLINT_APP_VIEW_DATA_BLOCKS_H

#include "core/image/image.h"

/* A pixel for each block of `side` x `side` pixels, 2 or more. It is the mean of its block and the eight around it,
 * with weights 1, 2, 1 in each direction. The last block of a row or column may be smaller. u8 alone; STATUS_DEVICE if
 * memory is short. */
Status blocks_smooth(ImageView picture, size_t side, Image **small);

#endif
