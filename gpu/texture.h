/* texture.h: frames seen through the texture unit. */
#ifndef GLINT_GPU_TEXTURE_H
#define GLINT_GPU_TEXTURE_H

#include "gpu/gpu.h"

/* A texture over the frame, seen as pixels of `channels` (1, 2 or 4) values. It may be of a copy in the queue's scratch
 * memory, which the level then has no other use for. */
Status gpu_texture(Queue *queue, Frame frame, int channels, enum cudaTextureAddressMode mode,
                   cudaTextureObject_t *texture);
/* The frame goes away, and textures over it. */
void gpu_forget_textures(Device *device, Frame frame);

#endif
