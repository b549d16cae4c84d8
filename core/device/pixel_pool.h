/* pixel_pool.h: memory of the host for pictures that come and go, as a device copies it fastest.
 * Owns the blocks, and that images of a thread take their pixels there. */
#ifndef GLINT_CORE_DEVICE_PIXEL_POOL_H
#define GLINT_CORE_DEVICE_PIXEL_POOL_H

#include "core/base/block_pool.h"
#include "core/device/backend.h"
#include "core/image/image.h"

typedef struct PixelPool {
    PixelSource source; /* first, so that the source of an image is ours */
    BlockPool blocks;
} PixelPool;

/* Takes memory that the backend makes, or pages of the system; keeps up to `limit` idle bytes. */
void pixel_pool_init(PixelPool *pool, const Backend *backend, size_t limit);
void pixel_pool_free(PixelPool *pool); /* no image is left that came from it */

/* Pages that nobody keeps: for images that spill (core/base/memory.h). */
extern PixelSource pixel_pages;

#endif
