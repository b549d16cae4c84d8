/* dot.h: the operation dot: the dot product of two pictures of one shape, channel by channel.
 * Its result has a row for each channel, a double (type PIXEL_U32, DOT_WORDS wide), which dot_of reads. Products of
 * whole numbers are added exactly, and the sum rounded once. Products of f32 are added as double, which is exact but
 * for the sum. The order depends on shape and device alone, unless a level says otherwise. A product that is NaN is
 * passed over. */
#ifndef GLINT_CORE_OPS_DOT_H
#define GLINT_CORE_OPS_DOT_H

#include "core/stage/stage.h"

typedef struct DotJob {
    bool unused;
} DotJob;

enum { DOT_WORDS = sizeof(double) / sizeof(uint32_t), DOT_CHANNELS = 4 };

extern const Op op_dot;

/* Row `channel` of a result in host memory. */
double dot_of(ImageView result, int channel);
void dot_store(ImageView result, int channel, double product);

#endif
