/* grid.h: cells, which lie between the centres of four tiles: one more than tiles across, and down. */
#ifndef GLINT_CPU_TILE_LOOKUP_GRID_H
#define GLINT_CPU_TILE_LOOKUP_GRID_H

#include "core/ops/tiles.h"

/* Where the cell of this number begins, along an axis of `end` pixels in `count` tiles of `size`. */
static inline int cell_begin(int cell, int size, int count, int end) {
    const int begin = (size * (2 * cell - 1) + 1) / 2;
    return cell <= 0 ? 0 : cell > count || begin > end ? end : begin;
}

/* The numbers of the tiles around a cell: above left, above right, below left, below right. */
static inline void cell_corners(Tiles tiles, int x, int y, int corners[4]) {
    const int left = x > 0 ? x - 1 : 0, right = x < tiles.across ? x : tiles.across - 1;
    const int above = y > 0 ? y - 1 : 0, below = y < tiles.down ? y : tiles.down - 1;
    corners[0] = above * tiles.across + left;
    corners[1] = above * tiles.across + right;
    corners[2] = below * tiles.across + left;
    corners[3] = below * tiles.across + right;
}

#endif
