/* blend.h: the operation blend: in[1] over in[0], as far as its alpha, an opacity and a mask let it show.
 * The result has the shape of in[0]. in[1] is as large, gray or of as many colours, with alpha or without. in[2], where
 * there is one, is a mask as large: its luma is a factor of the opacity. Types may differ. */
#ifndef GLINT_CORE_OPS_BLEND_H
#define GLINT_CORE_OPS_BLEND_H

#include "core/math/blend.h"
#include "core/stage/stage.h"

typedef struct BlendInfo {
    const char *name, *help;
} BlendInfo;

extern const BlendInfo blends[BLEND_MODES]; /* by BlendMode */
extern const Op op_blend;

static inline const BlendJob *blend_job(const Stage *stage) {
    return (const BlendJob *)stage->job;
}

#endif
