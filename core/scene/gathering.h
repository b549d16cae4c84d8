/* gathering.h: how the light of a scene is gathered, as a table of parameters. */
#ifndef GLINT_CORE_SCENE_GATHERING_H
#define GLINT_CORE_SCENE_GATHERING_H

#include "core/math/sampler.h"
#include "core/param/param.h"
#include "core/scene/look.h"

/* Whole numbers but for the noise. */
typedef struct Gathering {
    double samples; /* of a pixel, at most */
    double depth;   /* surfaces that scatter light; 0: as many as suit the look */
    double seed;
    double denoise; /* 0 or 1: paths lose the noise that is left before they become a picture */
    double noise;   /* at which gathering ends, in per cent of white; 0: it goes on to the last sample */
} Gathering;

extern const ParamTable gathering_table; /* its values are a Gathering */

Gathering gathering_default(void);
/* From the first sample on, one of each pixel. */
Sampling gathering_sampling(Gathering gathering, Look look);

#endif
