/* sorted.c: as simd, the spheres sorted front to back. */
#include "cpu/levels.h"
#include "cpu/trace/lanes.h"

Status cpu_trace_sorted(Device *device, const Stage *stage) {
    return lanes_trace(device, stage, true);
}
