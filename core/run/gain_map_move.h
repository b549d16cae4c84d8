/* gain_map_move.h: gain maps of filtered pictures: crops, turns and all others that move pixels move the map, too. */
#ifndef GLINT_CORE_RUN_GAIN_MAP_MOVE_H
#define GLINT_CORE_RUN_GAIN_MAP_MOVE_H

#include "core/chain/chain.h"
#include "core/image/gain_map.h"

/* The shape of a moved map, f32, of a picture of shape `picture`. It has as many pixels over each part of the picture
 * as before, but no more than the result. No channel: no map fits, as the result does not show the picture pixel by
 * pixel. Fails as chain_plan does. */
Status gain_map_moved_shape(const Chain *chain, Shape picture, PlanOptions options, Shape map, Shape *moved);
/* Moves the map of a chain's result, `made`, which is that of the picture before. Where the border has a value of its
 * own, the gain is 1. A map that does not fit any more goes, and counts as lost. Leaves pictures without a map. Fails
 * as gain_map_moved_shape does; STATUS_DEVICE without memory. */
Status gain_map_move(const Chain *chain, Shape picture, PlanOptions options, Image *made);

#endif
