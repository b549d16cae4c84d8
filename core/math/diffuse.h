/* diffuse.h: how much flows between two pixels in a step of anisotropic diffusion, for every backend. */
#ifndef GLINT_CORE_MATH_DIFFUSE_H
#define GLINT_CORE_MATH_DIFFUSE_H

#include "core/math/border_index.h"
#include "core/math/host_device.h"

#include <math.h>

enum { DIFFUSE_STEPS_MAX = 100 };

/* The two conductances of the paper: 2 favours wide regions, 1 steep edges. */
typedef enum DiffuseConductance { DIFFUSE_STEEP, DIFFUSE_WIDE } DiffuseConductance;

typedef struct DiffuseJob {
    DiffuseConductance conductance;
    double rate;  /* lambda: the share of a difference that flows, up to 1/4 */
    double kappa; /* differences that stop the flow, in stored values */
    int steps;    /* 1 to DIFFUSE_STEPS_MAX */
    Border border;
} DiffuseJob;

/* The flow to a pixel from a neighbour that has `difference` more. */
GLINT_HD double diffuse_flow(const DiffuseJob *job, double difference) {
    const double share = difference / job->kappa, square = share * share;
    return job->conductance == DIFFUSE_STEEP ? difference * exp(-square) : difference / (1 + square);
}

#endif
