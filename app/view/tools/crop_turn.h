/* crop_turn.h: crops for pictures that lie, on pictures that stand, and the other way round. */
#ifndef GLINT_APP_VIEW_TOOLS_CROP_TURN_H
#define GLINT_APP_VIEW_TOOLS_CROP_TURN_H

#include "core/chain/chain.h"

/* Turns the part that a crop in percent takes: 3:2 becomes 2:3, about the same place. It does so where the part keeps a
 * ratio and lies or stands as the picture `from` does, and `to` is of the other kind. Squares are of neither. */
void crop_turn(ChainLink *crop, Shape from, Shape to);

#endif
