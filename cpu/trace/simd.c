/* simd.c: a row's pixels in the lanes of a vector, and per tile only the spheres that can touch it. */
#include "cpu/levels.h"
#include "cpu/trace/lanes.h"

Status cpu_trace_simd(Device *device, const Stage *stage) {
    return lanes_trace(device, stage, false);
}
