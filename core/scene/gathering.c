/* gathering.c: the table. */
#include "core/scene/gathering.h"

static const Param params[] = {
    {"samples", "paths a pixel, at most", "", PARAM_WHOLE, offsetof(Gathering, samples), 1, 4096, SAMPLES_MAX, 1},
    {"depth", "surfaces that scatter light, at most; 0 takes as many as suit the look", "", PARAM_WHOLE,
     offsetof(Gathering, depth), 0, 0, 1000000, 1},
    {"seed", "of the random numbers", "", PARAM_WHOLE, offsetof(Gathering, seed), 0, 1, 4294967295, 1},
    {"denoise", "1 removes the noise of paths, by normals, depth and albedo of the visible surfaces", "", PARAM_SWITCH,
     offsetof(Gathering, denoise), 0, 0, 1, 1},
    {"noise", "at which gathering ends; 0 goes on to the last sample", "% of white", PARAM_NUMBER,
     offsetof(Gathering, noise), 0, 0, 10, 0.1},
};
const ParamTable gathering_table = {params, sizeof params / sizeof params[0], sizeof(Gathering)};

Gathering gathering_default(void) {
    Gathering gathering;
    params_default(gathering_table, &gathering);
    return gathering;
}

Sampling gathering_sampling(Gathering gathering, Look look) {
    const uint32_t depth = gathering.depth > 0 ? (uint32_t)gathering.depth : looks[look].depth;
    return (Sampling){0, 1, (uint32_t)gathering.seed, depth};
}
