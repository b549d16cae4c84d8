/* box.h: boxes around spheres, as the BVHs are built of them. */
#ifndef GLINT_CPU_TRACE_BOX_H
#define GLINT_CPU_TRACE_BOX_H

#include <math.h>

typedef struct Box {
    float min[3], max[3];
} Box;

static const Box nowhere = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static inline float min_of(float a, float b) {
    return b < a ? b : a;
}
static inline float max_of(float a, float b) {
    return b > a ? b : a;
}

static inline void box_add(Box *box, const float *min, const float *max) {
    for (int a = 0; a < 3; a++) {
        box->min[a] = min_of(box->min[a], min[a]);
        box->max[a] = max_of(box->max[a], max[a]);
    }
}

static inline int longest_side(const Box *box) {
    int longest = 0;
    for (int a = 1; a < 3; a++)
        if (box->max[a] - box->min[a] > box->max[longest] - box->min[longest])
            longest = a;
    return longest;
}

#endif
