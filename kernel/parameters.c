/* parameters.c: the parameters of kernels, as the macros PARAMETERS_... of glint/kernel.h have them. */
#include "kernel/parameters.h"

#define IN(name)                                                                                                       \
    { PARAMETER_PICTURE, name, false }
#define OUT(name)                                                                                                      \
    { PARAMETER_PICTURE, name, true }

const KernelParameters kernel_parameters[GLINT_OPERATIONS] = {
    [GLINT_convolve] = {"convolve", {IN("in"), OUT("out"), {PARAMETER_MASK, "mask", false}}, 1},
    [GLINT_point] = {"point", {IN("in"), OUT("out"), {PARAMETER_POINT, "point", false}}, 1},
    [GLINT_reduce] = {"reduce", {{PARAMETER_VECTOR, "in", false}, {PARAMETER_SUMS, "out", true}}, 0},
    [GLINT_dot] = {"dot",
                   {{PARAMETER_VECTOR, "a", false}, {PARAMETER_VECTOR, "b", false}, {PARAMETER_SUMS, "out", true}},
                   0},
    [GLINT_blend] = {"blend", {IN("a"), IN("b"), OUT("out"), {PARAMETER_NUMBER, "weight", false}}, 2},
    [GLINT_multiply] = {"multiply",
                        {{PARAMETER_MATRIX, "a", false}, {PARAMETER_MATRIX, "b", false}, {PARAMETER_MATRIX, "c", true}},
                        2},
    [GLINT_move] = {"move", {IN("in"), OUT("out")}, 1},
    [GLINT_histogram] = {"histogram", {IN("in"), {PARAMETER_COUNTS, "counts", true}}, 0},
    [GLINT_trace] = {"trace",
                     {{PARAMETER_SPHERES, "spheres", false}, {PARAMETER_CAMERA, "camera", false}, OUT("out")},
                     2},
};
