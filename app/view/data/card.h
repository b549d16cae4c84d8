/* card.h: the pixels that a block of a level loads to make its part of the result. They are its tile, the halo around
 * it, and the ghosts beyond the picture's edge. They follow from the level's launch, and from its operation's needs. */
#ifndef GLINT_APP_VIEW_DATA_CARD_H
#define GLINT_APP_VIEW_DATA_CARD_H

#include "core/device/backend.h"
#include "core/device/partition.h"
#include "core/stage/op.h"

typedef struct Card {
    size_t across, down;             /* blocks, or pieces that the CPU's threads take; 0: not known */
    size_t width, height;            /* pixels of the result that one makes; 0: not known, as are the next members */
    size_t left, top, right, bottom; /* the halo: pixels of the input that one pixel needs around its own */
    size_t reads;                    /* pixels of tile and halo; 0: of operations without inputs, as the next members */
    size_t ghosts;                   /* those beyond the picture, of the block in its upper left corner */
    size_t tile_bytes, bytes;        /* of the input as it is stored: of the tile alone, and with its halo */
} Card;

/* The card of the stage's first input, if it has any. False for operations that do not look at the surroundings of
 * their pixels. False for operations that need all of the picture, or another place of it, for a pixel. False, too, if
 * no input is read and no tile known. */
bool card_of(const Stage *stage, Partition partition, Card *card);

#endif
