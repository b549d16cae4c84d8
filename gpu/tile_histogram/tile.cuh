/* tile.cuh: the parts that the levels of the tiles' histogram share: the pixels of a tile, and their bins. */
#ifndef GLINT_GPU_TILE_HISTOGRAM_TILE_CUH
#define GLINT_GPU_TILE_HISTOGRAM_TILE_CUH

#include "gpu/histogram/count.cuh"

extern "C" {
#include "core/math/border_index.h"
#include "core/ops/tiles.h"
}

/* Calls add(row, bin) for each count of a pixel; u16 values share bins, too. */
template <int C, typename T, typename Add>
static __device__ __forceinline__ void count_tile_pixel(const TilesJob &tiles, const T *at, Add add) {
    const HistogramJob job = {tiles.bins, tiles.luma, tiles.visible};
    count_pixel<C>(job, at, [&](int row, int bin) {
        if constexpr (sizeof(T) == 2)
            add(row, bin_of(tiles.bins, (float)bin));
        else
            add(row, bin);
    });
}

#endif
